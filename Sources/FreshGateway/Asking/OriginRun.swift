#if Gateway
  internal import FreshHTTP
  internal import FreshStore
  internal import NIOCore
  internal import Strategies
  internal import Synchronization

  /// One request to an origin, from the lease of its key to the last stored byte.
  ///
  /// It runs in a task of its own: other clients and the store still get the answer when its client leaves.
  struct OriginRun: Sendable {
    let core: GatewayCore
    let address: HTTPAddress
    let flight: Flight
    /// The key by which others join it.
    let flightKey: FlightKey
    /// True for a flight that others may join: one at a time for a key, in all processes.
    let isShared: Bool
    /// The client that has sent the request; `nil` for a request of the gateway itself.
    var client: String?
    /// The content of the request; `nil` without any.
    var upload: Upload?
    /// The length of the content; `nil` where the end will show it.
    var uploadLength: Int64?
    /// The receiver of the origin's informational answers.
    var interim: InterimAnswers?

    var key: CopyKey { CopyKey(address.text) }
    /// The address at which the origin is asked.
    var upstream: HTTPAddress { core.upstream(of: address) }
    var collection: RecordCollection<StoredBody> { core.shelf.collection }

    /// A request that is about to be sent.
    struct Start {
      var plan: ForwardPlan
      var copies: [HeldCopy]
      /// `nil` where nothing can be stored.
      var request: SourceRequest?
      /// A time before the copies were read.
      let begun: ClockReading
    }

    /// The origin's answer, with its content still in flight.
    struct Arrival {
      var head: Flight.Head
      let answer: ForwardedAnswer?
      /// Whether all of the content came, where it was read already.
      var isReadWhole: Bool?
      /// Its number among ``Landings``, once its head was sent.
      var landing: Int?
    }

    func run(_ plan: ForwardPlan, _ copies: [HeldCopy]) async {
      core.runs.begin()
      defer { core.runs.end() }
      var isSharedOn = true
      defer { if isShared { core.flights.close(flightKey, flight, isShared: isSharedOn) } }
      if let failed = await obstacle(to: plan, copies) { return flight.announce(.head(failed)) }
      if let given = await beginUpload(plan, copies) { return flight.announce(.head(given)) }
      if let given = await takeShare(plan, copies) { return flight.announce(given) }
      defer { leaveShare() }
      let lateness = isShared ? giveUpJoinersLater() : nil
      defer { lateness?.cancel() }
      guard let start = await begin(plan, copies) else {
        core.flights.close(flightKey, flight)
        return flight.announce(.stored)
      }
      // Other processes may write the file while this request is in flight.
      flight.begin(
        start.request,
        at: isShared && start.request == nil ? collection.numberSoFar() : nil)
      let keeper = start.request.flatMap { collection.keeping($0) }
      defer { keeper?.cancel() }
      // Before it is sent: its answer may not know of later changes.
      let number =
        start.plan.method == "POST" && !core.store.isOfFleet ? collection.numberSoFar() : nil
      var asked = await ask(start)
      var request = start.request
      // The head states the invalidation, even if the content breaks off.
      if !asked.head.conclusion.invalidation.isEmpty {
        let isStored = asked.head.conclusion.isStored
        // The invalidated copies are older than this answer.
        request = await core.invalidate(
          asked.head.conclusion.invalidation,
          storing: isStored ? number.map { (key: key, number: $0) } : nil)
        if isStored, request == nil { asked = asked.passedOn(.overtaken) }
      }
      var arrival = await admitted(asked)
      isSharedOn = arrival.head.mayBeSharedNext
      // Later requests, and those that waited in vain, do not join a failed flight.
      if case .failed = arrival.head.outcome, isShared { core.flights.close(flightKey, flight) }
      arrival = announced(arrival)
      defer { if let landing = arrival.landing { core.landings.end(landing, at: key) } }
      if !isSharedOn, isShared { core.flights.close(flightKey, flight, isShared: false) }
      if !isShared, isSharedOn, arrival.head.storable != nil { core.flights.share(flightKey) }
      await finish(arrival, request)
    }

    /// Announces the answer. From then on no copy answers its clients, until the answer is stored or will not be.
    func announced(_ arrival: Arrival) -> Arrival {
      var arrival = arrival
      if arrival.landing == nil, let stored = arrival.head.stored, stored.status != 206 {
        arrival.landing = core.landings.begin(
          stored, at: key, since: arrival.head.arrival.sinceBoot)
      }
      flight.announce(.head(arrival.head))
      return arrival
    }

    private func ask(_ start: Start) async -> Arrival {
      var (plan, left) = (start.plan, 2)
      while true {
        let arrival = await ask(plan, start)
        guard case .ask(let next) = arrival.head.conclusion.reply else { return arrival }
        guard left > 0 else {
          let conclusion = core.semantics.conclude(
            plan, without: "the origin confirms what it was not asked about")
          var head = arrival.head
          (head.conclusion, head.body, head.reader) = (conclusion, nil, nil)
          return Arrival(head: head, answer: nil)
        }
        left -= 1
        plan = next
      }
    }

    private func ask(_ plan: ForwardPlan, _ start: Start) async -> Arrival {
      let forwarder = core.forwarder
      let content = upload.map { upload in
        ForwardedRequest.Content(length: uploadLength) { try await upload.next() }
      }
      let message = ForwardedRequest(
        plan.method, upstream, sent(plan), content: content, interim: interim?.send)
      let result = await collection.asking(
        by: sourcePolicy, canWait: canWait(plan), signsIn: false, blaming: { blame($0) },
        excusing: { message.shortage }, counting: { counts($0, isFirst: $1, message) }
      ) { try await forwarder.send(message) }
      switch result {
      case .failure where upload?.isCutOff ?? false:
        return Arrival(head: await tooManySlow(plan, start.copies), answer: nil)
      case .failure(let failure):
        let wasConnected = !message.wasUnconnected
        return Arrival(
          head: await head(plan, start.copies, failure, wasConnected: wasConnected), answer: nil)
      case .success(let answer):
        flight.answer(at: core.flights.nextMoment())
        core.figures.noteOrigin(answer.time, status: answer.status)
        let now = core.store.now().sinceBoot
        core.tell(core.shortage.serve(at: now))
        if !answer.isOfFailingOrigin {
          core.failing.answer(of: upstream.origin, at: now)
          core.tell(core.watch.answer(at: now))
        } else {
          core.note("it answers \(answer.status)")
          notePause()
        }
        return await arrival(answer, plan, start)
      }
    }

    /// The head for a request without an answer.
    func head(
      _ plan: ForwardPlan, _ copies: [HeldCopy], _ failure: FetchFailure,
      wasConnected: Bool = false
    ) async -> Flight.Head {
      if failure.isOfOrigin {
        core.figures.noteOrigin(nil)
        core.note(failure.reason)
        notePause()
      }
      if case .shortage(_, let reason)? = failure.underlying as? HTTPFetchError {
        core.tell(core.shortage.refuse(reason, at: core.store.now().sinceBoot))
      }
      if case .originIsDown(let end) = failure.code {
        core.leaveAlone(upstream.origin, until: end)
      }
      var answer = failure.noAnswer(
        at: core.store.now().wall, namingCause: core.servesAnyOrigin)
      answer.concern = failure.concern(wasConnected: wasConnected)
      return await head(plan, copies, without: answer)
    }

    /// Notes that the origin is not asked for a while, where a failure has just led to that.
    private func notePause() {
      let obstacle = collection.obstacle(by: sourcePolicy, canWait: false)
      guard case .originIsDown(let end)? = obstacle?.code else { return }
      core.leaveAlone(upstream.origin, until: end)
    }

    func head(
      _ plan: ForwardPlan, _ copies: [HeldCopy], without failure: NoAnswer
    ) async -> Flight.Head {
      let conclusion = core.semantics.conclude(plan, without: failure)
      if case .copy = conclusion.reply,
        let loaded = await core.shelf.loadedAside(copies, for: conclusion.reply)
      {
        return failed(plan, loaded, failure, conclusion)
      }
      // Other requests may have replaced the copies of this run.
      let latest = core.copies(of: key, looksAgain: true)
      if let plan = core.semantics.replanned(plan, among: latest.map(\.candidate)) {
        let conclusion = core.semantics.conclude(plan, without: failure)
        if let loaded = await core.shelf.loadedAside(latest, for: conclusion.reply) {
          return failed(plan, loaded, failure, conclusion)
        }
      }
      let bare = plan.withoutCopies
      return failed(bare, [], failure, core.semantics.conclude(bare, without: failure))
    }

    private func failed(
      _ plan: ForwardPlan, _ copies: [HeldCopy], _ failure: NoAnswer, _ conclusion: Conclusion
    ) -> Flight.Head {
      Flight.Head(
        plan: plan, copies: copies, outcome: .failed(failure), conclusion: conclusion, body: nil,
        arrival: core.store.now())
    }

    func canWait(_ plan: ForwardPlan) -> Bool {
      guard let chosen = plan.chosen else { return false }
      return Reuse.standsIn(
        plan.candidates[chosen], for: plan.request, failure: .noAnswer, core.policy)
    }

    /// True for a failure that counts against the origin.
    ///
    /// An origin that accepts no connection is down. A missing answer may be the fault of its address, or of a client
    /// that did not send its whole request. An origin that has lately answered other requests well fails only in part,
    /// when it sends an error or no HTTP. That shows neither that the rest fails nor that it works.
    private func counts(
      _ failure: FetchFailure, isFirst: Bool, _ message: ForwardedRequest
    ) -> Bool {
      if message.wasUnconnected { return true }
      guard !message.wasIncomplete else { return false }
      let answersOthers = core.failing.hasAnswered(
        upstream.origin, within: core.limits.originPause, at: core.store.now().sinceBoot)
      switch failure.underlying as? HTTPFetchError {
      case .status?, .malformedAnswer?: if answersOthers { return false }
      default: break
      }
      return core.failing.fail(address.withoutQuery, of: upstream.origin) || isFirst
    }

    /// A status of a failing origin is the fault of the origin as a whole.
    private func blame(_ answer: ForwardedAnswer) -> (any FetchErrorTraits)? {
      guard answer.isOfFailingOrigin else { return nil }
      return HTTPFetchError.status(
        answer.status, url: address.redacted, bodyPrefix: "",
        retryAfter: RetryAfter.delay(answer.fields, arrival: answer.arrival.wall))
    }
  }

  extension ForwardedAnswer {
    /// True for the statuses with which a gateway or an overloaded origin speaks for all of it.
    fileprivate var isOfFailingOrigin: Bool { (502...504).contains(status) }
  }

  /// The informational answers of an origin for the client that has sent the request (RFC 9110 section 15.2), until the
  /// final answer begins.
  final class InterimAnswers: Sendable {
    private let client: ClientChannel
    private let isOver = Mutex(false)

    init(to client: ClientChannel) { self.client = client }

    /// Sends an informational answer, on any thread.
    func send(_ status: Int, _ fields: HeaderFields) {
      let kept = Self.sent(fields)
      isOver.withLock { isOver in
        // Later the connection carries the final answer, or the answer to the next request.
        if !isOver { client.writeInterim(status, kept) }
      }
    }

    /// The fields to forward, without a length, as there is no content (RFC 9110 section 8.6).
    static func sent(_ fields: HeaderFields) -> HeaderFields {
      let kept = HopByHopFields.removed(from: fields).removing(["content-length"])
      return UndecodedFields.removed(from: kept).valid
    }

    /// Notes that the final answer begins.
    func end() { isOver.withLock { $0 = true } }
  }
#endif
