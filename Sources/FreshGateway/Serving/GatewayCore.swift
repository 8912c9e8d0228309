#if Gateway
  internal import FreshHTTP
  internal import FreshStore
  internal import NIOCore
  internal import NIOPosix
  internal import Strategies
  internal import Synchronization

  /// What all connections of a gateway share.
  final class GatewayCore: Sendable {
    let options: GatewayOptions
    let policy: GatewayPolicy
    let reading: RequestReading
    let semantics: CacheSemantics
    let shelf: CopyShelf
    let forwarder: HTTPForwarder
    private let loops: (any EventLoopGroup)?
    let flights = Flights()
    let landings = Landings()
    let known = KnownRequests()
    let runs = RunRegistry()
    let budget: StorageBudget
    /// The memory that clients have it hold.
    let memory: ClientMemory
    /// The room on the disk that answers on their way share.
    let room: StorageBudget
    /// When room is to be made there.
    let share: StoredShare
    let figures = GatewayFigures()
    let failing = FailingOrigins()
    let owed = OwedInvalidations()
    let watch = OriginWatch()
    let shortage = ConnectionShortage()
    let slowClients: SlowClients
    let shares: OriginShares
    let pause = StorePause()
    let connections: ConnectionRegistry
    /// Those of operators, who are not many.
    let adminConnections: ConnectionRegistry
    let store: Store
    /// The port of the listener for operators, from before clients are served; 0 without one.
    let adminPort = Atomic(0)
    /// The addresses that clients of a proxy are kept from.
    let machine: MachineAddresses
    /// True once it takes no more connections.
    let isDraining = Atomic(false)

    /// - Parameter loops: Those of its clients, on which origins are asked, too.
    init(
      _ options: GatewayOptions, _ store: Store, on loops: (any EventLoopGroup)? = nil
    ) throws(GatewayError) {
      self.options = options
      (self.store, self.loops) = (store, loops)
      guard FieldSyntax.isToken(options.name) else {
        throw .badOption("the name of a gateway is a token, as in Via; write letters and digits")
      }
      let site = try Self.site(options)
      policy = options.policy(at: site)
      machine = MachineAddresses(areGuarded: site == .anyOrigin && !options.reachesMachine)
      reading = RequestReading(
        site: site, names: options.names, ports: options.ports,
        preservingHostOf: options.preservedScheme, trusting: options.trustedPeers)
      semantics = CacheSemantics(policy)
      do throws(StoreError) {
        shelf = try CopyShelf(
          store, collection: options.collection, policy, KeepingHealth(tell: options.tell),
          ofLong: KeepingHealth(
            of: "answers of more than 256 KiB", calm: 60_000, tell: options.tell))
      } catch {
        throw .store(error)
      }
      do throws(HTTPFetchError) {
        forwarder = try HTTPForwarder(
          options.http, silence: options.limits.originSilence, on: loops
        ) { [machine] in machine.keep(from: $0) }
      } catch {
        throw .connection(error)
      }
      // The other half is for all others.
      slowClients = SlowClients(
        atMost: max(1, options.http.maximumConnectionsPerHost / 2),
        patience: options.limits.clientPatience)
      shares = OriginShares(of: options.http.maximumConnectionsPerHost)
      budget = StorageBudget(limit: options.limits.contentInFlight)
      memory = ClientMemory(limit: options.limits.clientMemory)
      room = StorageBudget(limit: options.limits.contentOnDisk ?? .max)
      share = StoredShare(of: options.limits.contentOnDisk)
      connections = ConnectionRegistry(
        atMost: options.limits.connections, ofOnePeer: options.limits.connectionsPerPeer)
      adminConnections = ConnectionRegistry(
        atMost: options.limits.adminConnections, ofOnePeer: options.limits.adminConnections)
      store.noticeFileChanges { [tell = options.tell] in tell($0.words) }
    }

    private static func site(_ options: GatewayOptions) throws(GatewayError) -> Site {
      guard let text = options.origin else { return .anyOrigin }
      do throws(HTTPAddress.Refusal) {
        let address = try HTTPAddress(text)
        guard address.path == "/", address.query == nil else {
          throw HTTPAddress.Refusal.syntax("an origin has no path")
        }
        return .origin(address)
      } catch {
        throw .badOption("the origin is not like http://host:port (\(error))")
      }
    }

    var limits: GatewayLimits { options.limits }

    /// The loop of this thread where it has one, else any.
    var loop: any EventLoop { (loops ?? MultiThreadedEventLoopGroup.singleton).any() }

    /// True for a forward proxy.
    var servesAnyOrigin: Bool { reading.site == .anyOrigin }

    /// Where the origin of an address is asked: where the key has the host of the client, at the origin's own.
    func upstream(of address: HTTPAddress) -> HTTPAddress {
      guard options.preservesHost, case .origin(let origin) = reading.site else { return address }
      return HTTPAddress(
        scheme: origin.scheme, host: origin.host, port: origin.port, path: address.path,
        query: address.query)
    }

    /// The first step of an answer.
    enum Beginning: Sendable {
      /// It is ready.
      case answer(AnswerPlan, ContentBytes?, Served)
      /// The origin is asked first.
      case ask(ForwardPlan, [HeldCopy])
    }

    /// Answers what needs no network; synchronous.
    ///
    /// - Parameter readsMuch: False where others wait for this thread: a request for a large copy that memory
    ///   does not have is then to be begun anew elsewhere (``ForwardPlan/looksFirst``).
    func begin(_ request: GatewayRequest, readsMuch: Bool = false) -> Beginning {
      guard let address = request.address else { return .answer(ownAnswer(to: request), nil, .own) }
      if machine.keep(fromHost: address.bareHost) {
        return .answer(semantics.own(403, FetchFailure.guardedWords, for: request), nil, .own)
      }
      // Before the copies: what has been stored meanwhile is among them.
      let key = CopyKey(address.text)
      let landings = request.directives.onlyIfCached ? [] : landings.answers(at: key)
      let moment = landings.isEmpty ? 0 : store.now().sinceBoot
      var copies = request.mayBeAnsweredFromCopy ? copies(of: key) : []
      while true {
        let decision = semantics.decide(request, among: copies.map(\.candidate))
        guard let (plan, index) = decision.answerOfCopy else {
          return begin(decision, copies, readsMuch: readsMuch)
        }
        // Whoever sends the newer answer has others join it.
        if copies[index].candidate.isOlder(than: landings, for: request, at: moment) {
          return .ask(
            .asking(request, .stale, copies.map(\.candidate), chosen: index), copies)
        }
        guard plan.content.isOfCopy else {
          shelf.noteUse(of: copies[index])
          return begin(decision, copies, readsMuch: readsMuch)
        }
        if !readsMuch, let looking = looking(request, for: copies[index]) { return looking }
        guard let copy = shelf.loaded(copies[index]) else {
          copies.remove(at: index)
          continue
        }
        copies[index] = copy
        return begin(decision, copies, readsMuch: readsMuch)
      }
    }

    private func begin(
      _ decision: GatewayDecision, _ copies: [HeldCopy], readsMuch: Bool
    ) -> Beginning {
      switch decision {
      case .answer(let plan, let index):
        let copy = copies[index]
        return .answer(plan, copy.content, copy.candidate.isFresh ? .hit : .staleByRequest)
      case .answerAndRevalidate(let plan, let index, let renewal):
        revalidate(renewal, copies)
        return .answer(plan, copies[index].content, .staleWhileRenewed)
      case .refuse(let plan): return .answer(plan, nil, .own)
      case .forward(let plan):
        return beginOffline(plan, copies, readsMuch: readsMuch) ?? .ask(plan, copies)
      }
    }

    /// The beginning where much is to be read of a copy, before it can be sent or while it is; `nil` for any other.
    private func looking(_ request: GatewayRequest, for copy: HeldCopy) -> Beginning? {
      guard copy.record.value == nil, copy.isLong else { return nil }
      return .ask(.looking(request, readsMuch: copy.isReadAtOnce), [])
    }

    /// False for content that is too long to be kept.
    func hasRoom(for length: Int64) -> Bool {
      length <= Int64(min(limits.storedContent, limits.contentOnDisk ?? .max))
    }

    /// The answer in the place of an origin that is provably out of reach; costs no write, and no wait.
    private func beginOffline(
      _ plan: ForwardPlan, _ copies: [HeldCopy], readsMuch: Bool
    ) -> Beginning? {
      guard let address = plan.request.address,
        let failure = shelf.collection.offlineFailure(by: sourcePolicy(for: address))
      else { return nil }
      let conclusion = semantics.conclude(plan, without: failure.words, wasSent: false)
      switch conclusion.reply {
      case .copy(let answer, from: let index):
        if !readsMuch, answer.content.isOfCopy,
          let looking = looking(plan.request, for: copies[index])
        {
          return looking
        }
        // Without its bytes the run finds out what else there is.
        guard let loaded = shelf.loaded(copies, for: conclusion.reply) else { return nil }
        return .answer(answer, loaded[index].content, .staleUnasked)
      case .own(let plan): return .answer(plan, nil, .own)
      case .origin, .ask: return nil
      }
    }

    /// The copies of an address, as what is owed to the file makes them; none where it cannot be read, as the origin
    /// still answers.
    func copies(of key: CopyKey, looksAgain: Bool = false) -> [HeldCopy] {
      let owed = owed.snapshot
      do throws(StoreError) {
        let copies = try shelf.copies(of: key, looksAgain: looksAgain)
        guard let owed else { return copies }
        return copies.map { copy in
          owed.covers(key, groups: copy.answer.terms.groups) ? copy.invalidated : copy
        }
      } catch {
        figures.noteStored(false)
        return []
      }
    }

    private func ownAnswer(to request: GatewayRequest) -> AnswerPlan {
      switch request.target {
      case .server, .resource:
        return semantics.own(200, "this is a gateway that serves copies", for: request)
      case .tunnel(_, let port):
        let refusal = refusal(ofTunnelTo: port)
        return semantics.own(
          refusal?.status ?? 400, refusal?.words ?? "a tunnel has no content", for: request)
      }
    }

    /// An answer as a forward proxy hands it on (RFC 9110 section 7.6.3).
    func passed(_ plan: AnswerPlan) -> AnswerPlan {
      guard servesAnyOrigin else { return plan }
      var plan = plan
      plan.fields = SentOnFields.withVia(plan.fields, version: .http11, by: policy.name)
      return plan
    }

    /// How the store's rules for sources see an origin.
    func sourcePolicy(for address: HTTPAddress, hasContent: Bool = false) -> Policy {
      let address = upstream(of: address)
      var policy = Policy()
      policy.origin = Origin(address.origin)
      policy.reachability = options.reachability(address)
      var breaker = BreakerPolicy(
        threshold: limits.originFailures > 0 ? limits.originFailures : .max,
        minimumPause: min(.seconds(1), limits.originPause), maximumPause: limits.originPause)
      // What an answer names is meant for what was asked for: a corner of a site does not switch off the rest for long.
      breaker.longestNamedPause = limits.originPause
      policy.breaker = breaker
      policy.hardTimeout = hasContent ? limits.totalTime : limits.originTime
      return policy
    }

    /// Renews a copy that was served stale; nobody waits for it.
    private func revalidate(_ plan: ForwardPlan, _ copies: [HeldCopy]) {
      guard let address = plan.request.address else { return }
      let key = FlightKey(CopyKey(address.text), of: plan)
      guard let (flight, isNew) = join(key, for: plan.request, since: 0, isBackground: true)
      else { return }
      if isNew {
        let run = OriginRun(
          core: self, address: address, flight: flight, flightKey: key, isShared: true)
        flight.run { await run.run(plan, copies) }
      }
      flight.leave()
    }

    var date: String { HTTPDate.format(store.now().wall) }

    // MARK: What operators are told

    /// Notes that the origin has failed. Of those of a proxy, which are its clients' choice, nobody is told.
    func note(_ cause: String) {
      guard !servesAnyOrigin else { return }
      tell(watch.fail(cause, at: store.now().sinceBoot))
    }

    /// Notes that an origin is left alone for a while; who hears of that is as for its failures.
    func leaveAlone(_ origin: String, until end: Timestamp) {
      failing.pause(origin, until: end)
      guard !servesAnyOrigin else { return }
      tell(watch.leaveAlone(origin, until: HTTPDate.format(end)))
    }

    /// Tells operators something.
    func tell(_ words: String?) {
      if let words { options.tell(words) }
    }
  }

  extension FileChange {
    /// The change as operators hear of it.
    var words: String {
      switch self {
      case .movedAside(let path):
        "the store was damaged; it was moved to \(path) and a new one was begun, with what no source can give "
          + "again as far as it can be read; freshstore doctor says what may be left there"
      case .replaced:
        "the store was deleted or replaced by another program; the file that has its name from now on is used"
      }
    }
  }
#endif
