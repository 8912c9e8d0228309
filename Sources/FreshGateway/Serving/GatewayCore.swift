#if Gateway
  internal import FreshHTTP
  internal import FreshStore
  internal import NIOCore
  internal import NIOPosix
  internal import Strategies
  internal import Synchronization

  /// The state that all connections of a gateway share.
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
    let budget: StorageQuota
    /// The memory that the gateway holds for clients.
    let memory: ClientMemory
    /// The disk space that responses in flight share.
    let room: StorageQuota
    /// Decides when to make room in the store.
    let share: PruneTrigger
    let figures = GatewayFigures()
    let failing = FailingOrigins()
    let owed = PendingInvalidations()
    let watch = OriginWatch()
    let shortage = ConnectionShortage()
    let slowClients: SlowClients
    let shares: OriginShares
    let pause = StorePause()
    let connections: ConnectionRegistry
    /// The connections of operators, which are few.
    let adminConnections: ConnectionRegistry
    let store: Store
    /// The port of the listener for operators, set before clients are served; 0 without one.
    let adminPort = Atomic(0)
    /// The addresses that a proxy's clients must not reach.
    let machine: MachineAddresses
    /// True when the gateway accepts no more connections.
    let isDraining = Atomic(false)

    /// - Parameter loops: The event loops of the clients, which also run the connections to origins.
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
      // The other half of the connections is for all other clients.
      slowClients = SlowClients(
        atMost: max(1, options.http.maximumConnectionsPerHost / 2),
        patience: options.limits.clientPatience)
      shares = OriginShares(of: options.http.maximumConnectionsPerHost)
      budget = StorageQuota(limit: options.limits.contentInFlight)
      memory = ClientMemory(limit: options.limits.clientMemory)
      room = StorageQuota(limit: options.limits.contentOnDisk ?? .max)
      share = PruneTrigger(of: options.limits.contentOnDisk)
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

    /// The current thread's event loop, or else any.
    var loop: any EventLoop { (loops ?? MultiThreadedEventLoopGroup.singleton).any() }

    /// True for a forward proxy.
    var servesAnyOrigin: Bool { reading.site == .anyOrigin }

    /// Returns where to ask for an address. With a preserved `Host` the key holds the client's host, and the origin's
    /// own is asked.
    func upstream(of address: HTTPAddress) -> HTTPAddress {
      guard options.preservesHost, case .origin(let origin) = reading.site else { return address }
      return HTTPAddress(
        scheme: origin.scheme, host: origin.host, port: origin.port, path: address.path,
        query: address.query)
    }

    /// The first step of an answer.
    enum Beginning: Sendable {
      /// The answer is ready.
      case answer(AnswerPlan, ContentBytes?, Served)
      /// The origin must be asked.
      case ask(ForwardPlan, [HeldCopy])
    }

    /// Answers a request that needs no network. Synchronous.
    ///
    /// - Parameter readsMuch: False on an event loop, which must not block. A request for a large copy that is not in
    ///   memory is then begun anew elsewhere (``ForwardPlan/looksFirst``).
    func begin(_ request: GatewayRequest, readsMuch: Bool = false) -> Beginning {
      guard let address = request.address else { return .answer(ownAnswer(to: request), nil, .own) }
      if machine.keep(fromHost: address.bareHost) {
        return .answer(semantics.own(403, FetchFailure.guardedWords, for: request), nil, .own)
      }
      // This comes before the copies, which then include all that was stored meanwhile.
      let key = CopyKey(address.text)
      let landings = request.directives.onlyIfCached ? [] : landings.answers(at: key)
      let moment = landings.isEmpty ? 0 : store.now().sinceBoot
      var copies = request.mayBeAnsweredFromCopy ? copies(of: key) : []
      while true {
        let decision = semantics.decide(request, among: copies.map(\.candidate))
        guard let (plan, index) = decision.answerOfCopy else {
          return begin(decision, copies, readsMuch: readsMuch)
        }
        // Other requests join the request that sends the newer response.
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

    /// Returns the beginning for a copy of which much is to be read, before or during sending; `nil` for any other
    /// copy.
    private func looking(_ request: GatewayRequest, for copy: HeldCopy) -> Beginning? {
      guard copy.record.value == nil, copy.isLong else { return nil }
      return .ask(.looking(request, readsMuch: copy.isReadAtOnce), [])
    }

    /// False for a body that is too long to be stored.
    func hasRoom(for length: Int64) -> Bool {
      length <= Int64(min(limits.storedContent, limits.contentOnDisk ?? .max))
    }

    /// Answers when the origin is provably out of reach. Costs no write, and no wait.
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
        // When the bytes are gone, the run finds out what else there is.
        guard let loaded = shelf.loaded(copies, for: conclusion.reply) else { return nil }
        return .answer(answer, loaded[index].content, .staleUnasked)
      case .own(let plan): return .answer(plan, nil, .own)
      case .origin, .ask: return nil
      }
    }

    /// Returns the copies of an address, with pending marks applied. Returns none when the file cannot be read, because
    /// the origin can still answer.
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

    /// Returns an answer as a forward proxy passes it on (RFC 9110 section 7.6.3).
    func passed(_ plan: AnswerPlan) -> AnswerPlan {
      guard servesAnyOrigin else { return plan }
      var plan = plan
      plan.fields = SentOnFields.withVia(plan.fields, version: .http11, by: policy.name)
      return plan
    }

    /// The store's rules for an origin as a source.
    func sourcePolicy(for address: HTTPAddress, hasContent: Bool = false) -> Policy {
      let address = upstream(of: address)
      var policy = Policy()
      policy.origin = Origin(address.origin)
      policy.reachability = options.reachability(address)
      var breaker = BreakerPolicy(
        threshold: limits.originFailures > 0 ? limits.originFailures : .max,
        minimumPause: min(.seconds(1), limits.originPause), maximumPause: limits.originPause)
      // A `Retry-After` concerns the requested address. One part of a site must not block the rest for long.
      breaker.longestNamedPause = limits.originPause
      policy.breaker = breaker
      policy.hardTimeout = hasContent ? limits.totalTime : limits.originTime
      return policy
    }

    /// Revalidates a copy that was served stale. No client waits for this.
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

    // MARK: Reports for operators

    /// Notes that the origin has failed. The origins of a forward proxy are its clients' choice, so their failures are
    /// not reported.
    func note(_ cause: String) {
      guard !servesAnyOrigin else { return }
      tell(watch.fail(cause, at: store.now().sinceBoot))
    }

    /// Notes that an origin is not asked for a while. This is reported like its failures.
    func leaveAlone(_ origin: String, until end: Timestamp) {
      failing.pause(origin, until: end)
      guard !servesAnyOrigin else { return }
      tell(watch.leaveAlone(origin, until: HTTPDate.format(end)))
    }

    func tell(_ words: String?) {
      if let words { options.tell(words) }
    }
  }
#endif
