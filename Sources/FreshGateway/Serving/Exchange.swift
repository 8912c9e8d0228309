#if Gateway
  internal import FreshHTTP
  internal import FreshStore
  internal import NIOCore
  internal import Strategies

  /// Answers a request that needs its origin, or the origin's response to another request.
  struct Exchange: Sendable {
    /// The result of an exchange.
    struct Ending: Sendable {
      /// 0 when nothing was sent.
      var status = 0
      var length = 0
      var served = Served.own
      /// True when only the end of the connection can show the client that bytes are missing.
      var isBroken = false
      /// True when the client left before it had the whole answer.
      var hasLeft = false
      /// True when the client stayed, but was not sent the whole answer.
      var lacksContent = false
      var decision: String?
      /// The origin's part in the answer.
      var origin = AccessEntry.Origin()
      /// True when blocks of the copy are missing. A copy that could not be read may be intact.
      var isDamaged = false

      /// True when nothing was sent, and the client still waits.
      var isUnbegun: Bool { status == 0 && isBroken && !hasLeft }

      /// Notes that the client has left. A client that has the whole body may leave before the gateway knows its end.
      mutating func noteDeparture(from fields: HeaderFields) {
        let isWhole = fields.first("Content-Length") == "\(length)"
        (isBroken, hasLeft) = (!isWhole, !isWhole)
      }
    }

    let core: GatewayCore
    let client: ClientChannel
    /// The client whose requests are counted together: one that a trusted peer names, or the peer.
    let asker: String
    let request: GatewayRequest
    let address: HTTPAddress
    let upload: Upload?
    /// When the request came. A response that the origin gives later also answers this request.
    let moment: Int

    init(
      core: GatewayCore, client: ClientChannel, of asker: String, request: GatewayRequest,
      address: HTTPAddress, upload: Upload?
    ) {
      (self.core, self.client, self.asker) = (core, client, asker)
      (self.request, self.address, self.upload) = (request, address, upload)
      moment = core.flights.nextMoment()
    }

    func run(_ plan: ForwardPlan, _ copies: [HeldCopy]) async {
      core.runs.begin()
      // The end is reported before the run ends, so that the log has it.
      defer { core.runs.end() }
      var ending: Ending
      do {
        ending = try await answer(plan, copies)
      } catch {
        // The client has left, and got nothing.
        ending = Ending(isBroken: true, hasLeft: true)
      }
      client.finish(ending)
    }

    var key: CopyKey { CopyKey(address.text) }

    private func answer(_ plan: ForwardPlan, _ copies: [HeldCopy]) async throws -> Ending {
      var (plan, copies) = (plan, copies)
      // A copy that cannot be read is removed, so the second turn does not find it.
      for _ in 0..<2 where plan.looksFirst {
        switch core.begin(request, readsMuch: true) {
        case .answer(let answer, let content, let served):
          let ending = try await send(answer, content, served)
          guard ending.isUnbegun else { return ending }
          plan = .looking(request, readsMuch: plan.readsMuch)
        case .ask(let next, let others): (plan, copies) = (next, others)
        }
      }
      if plan.looksFirst { (plan, copies) = (plan.withoutCopies, []) }
      let ending = try await ask(plan, copies)
      guard ending.isUnbegun, upload == nil else { return ending }
      // The origin has confirmed a copy that cannot be read.
      let again = try await ask(plan.withoutCopies, [])
      guard again.isUnbegun else { return again }
      // Other requests were told meanwhile to use the same copy.
      return try await askAlone(
        plan.withoutCopies, [], FlightKey(key, of: plan.withoutCopies))
    }

    private func ask(_ plan: ForwardPlan, _ copies: [HeldCopy]) async throws -> Ending {
      var (plan, copies) = (plan, copies)
      var flightKey = FlightKey(key, of: plan)
      // The first response may only tell how responses vary. Further flights that stored something useless for this
      // request are awaited at most twice.
      var turns = 3
      var (failure, hasBeenLate) = (Failure.none, false)
      while turns > 0, plan.mayBeShared {
        turns -= 1
        switch try await askTogether(
          plan, copies, flightKey, after: failure, hasBeenLate: hasBeenLate)
        {
        case .answered(let ending): return ending
        case .goAlone: return try await askAlone(plan, copies, flightKey)
        case .askAgain(let flight):
          turns += 1
          failure = .last(flight)
          continue
        case .joinNext: break
        case .askLate: hasBeenLate = true
        case .joinVariant(let other): flightKey = other
        case .decideAgain(let next, let others):
          (plan, copies) = (next, others)
          flightKey = FlightKey(key, of: plan)
        }
        if case .last = failure { failure = .before }
      }
      return try await askAlone(plan, copies, flightKey)
    }

    /// The failed flight that this request has waited for. Only that flight's own request may be to blame, so this
    /// request tries again once. A second failure is taken for the origin's, and all waiting requests are told.
    private enum Failure {
      case none
      /// The request continues together with all others that waited for this flight.
      case last(Flight)
      case before

      var isFirst: Bool { if case .none = self { true } else { false } }
    }

    private enum Step {
      case answered(Ending)
      case goAlone
      /// Together with all requests that waited for the failed flight.
      case askAgain(after: Flight)
      /// Together with all requests that came too late for a response, or whose leader waits for its share.
      case joinNext
      /// Together with all requests that waited too long for a header section.
      case askLate
      /// Together with the requests for the same variant.
      case joinVariant(FlightKey)
      case decideAgain(ForwardPlan, [HeldCopy])
    }

    /// Asks for all requests for the same resource, or waits for the request that asks.
    ///
    /// - Parameter hasBeenLate: True when the request has waited for a header section as long as it may. It then waits
    ///   for the next flight without a limit, so that a slow origin is not asked by each request.
    private func askTogether(
      _ plan: ForwardPlan, _ copies: [HeldCopy], _ flightKey: FlightKey, after failure: Failure,
      hasBeenLate: Bool
    ) async throws -> Step {
      guard let (flight, isNew) = join(flightKey, after: failure) else {
        // The last response served one request only. This one may serve all.
        return .goAlone
      }
      defer { flight.leave(asSender: isNew) }
      let interim = InterimAnswers(to: client)
      if isNew {
        let run = OriginRun(
          core: core, address: address, flight: flight, flightKey: flightKey, isShared: true,
          client: asker, interim: interim)
        flight.run { await run.run(plan, copies) }
      }
      let news: Flight.News?
      if isNew || hasBeenLate {
        news = await flight.news.value()
      } else {
        switch await flight.newsForJoiner() {
        case .news(let told): news = told
        case .late: return .askLate
        case .withdrawn: return .joinNext
        case nil: news = nil
        }
      }
      interim.end()
      switch news {
      case nil: throw CancellationError()
      case .head(let head):
        if isNew { return .answered(try await send(head, served(head))) }
        let isAwaited = flight.isAnswered(after: moment)
        if let ending = try await share(
          head, plan, copies, isAwaited: isAwaited, isFirstFailure: failure.isFirst)
        {
          return .answered(ending)
        }
        if case .failed(let failure) = head.outcome, failure.concern == .request {
          return .askAgain(after: flight)
        }
        if core.isTooLate(request, since: moment, for: flight) { return .joinNext }
        return variant(besides: head).map { .joinVariant($0) } ?? .goAlone
      case .stored:
        switch core.begin(request, readsMuch: true) {
        case .answer(let plan, let content, let served):
          let isOwn = served == .own
          return .answered(try await send(plan, content, isOwn ? .own : .collapsed))
        case .ask(let next, let others): return .decideAgain(next, others)
        }
      }
    }

    private func join(
      _ flightKey: FlightKey, after failure: Failure
    ) -> (flight: Flight, isNew: Bool)? {
      if case .last(let failed) = failure { return core.flights.join(flightKey, after: failed) }
      return core.join(flightKey, for: request, since: moment)
    }

    private func askAlone(
      _ plan: ForwardPlan, _ copies: [HeldCopy], _ flightKey: FlightKey
    ) async throws -> Ending {
      let flight = Flight(isBackground: false)
      guard flight.enter() else { throw CancellationError() }
      defer {
        // The origin does not act on a request whose body is incomplete.
        let mayChange = !request.isSafe && upload?.isWhole ?? true
        flight.leave(asSender: true, goingOnWithin: mayChange ? core.flights.departed : nil)
      }
      let interim = InterimAnswers(to: client)
      var run = OriginRun(
        core: core, address: address, flight: flight, flightKey: flightKey, isShared: false,
        client: asker, interim: interim)
      run.upload = upload
      if case .length(let length) = request.framing { run.uploadLength = length }
      flight.run { [run] in await run.run(plan, copies) }
      let news = await flight.news.value()
      interim.end()
      guard case .head(let head) = news else { throw CancellationError() }
      return try await send(head, served(head))
    }

    private func served(_ head: Flight.Head) -> Served {
      switch head.conclusion.reply {
      case .own: return .own
      case .copy:
        switch head.outcome {
        case .answered(let answer): return answer.status == 304 ? .revalidated : .staleForError
        case .failed(let failure): return Served(staleFor: failure)
        }
      case .origin, .ask: return request.mayBeAnsweredFromCopy ? .miss : .passed
      }
    }
  }

  extension HeaderFields {
    /// This gateway's member of `Cache-Status`.
    var decision: String? { values("Cache-Status").last }
  }
#endif
