#if Gateway
  internal import FreshHTTP
  internal import FreshStore
  internal import NIOCore
  internal import Strategies

  /// The answer to a request that needs its origin, or somebody else's answer of it.
  struct Exchange: Sendable {
    /// How it ended.
    struct Ending: Sendable {
      /// 0 when nothing was sent.
      var status = 0
      var length = 0
      var served = Served.own
      /// True when the client can tell by nothing but the end of its connection that content is missing.
      var isBroken = false
      /// True when the client left before it had all of it.
      var hasLeft = false
      /// True when it was there to the end, and was not sent all of it.
      var lacksContent = false
      var decision: String?
      /// What the origin has done that was asked for it.
      var origin = AccessEntry.Origin()
      /// True where blocks of the copy are gone; one that could not be read may be whole.
      var isDamaged = false

      /// True where nothing was sent, and the client still waits for an answer.
      var isUnbegun: Bool { status == 0 && isBroken && !hasLeft }

      /// Notes that the client has left. A client that has all of the content may leave before the gateway knows that it
      /// has ended.
      mutating func noteDeparture(from fields: HeaderFields) {
        let isWhole = fields.first("Content-Length") == "\(length)"
        (isBroken, hasLeft) = (!isWhole, !isWhole)
      }
    }

    let core: GatewayCore
    let client: ClientChannel
    /// Whose requests are counted together: the peer, or who a peer says has asked that is believed.
    let asker: String
    let request: GatewayRequest
    let address: HTTPAddress
    let upload: Upload?
    /// When the request came: an answer that the origin gives later is one to it, whoever has asked.
    let moment: Int

    init(
      core: GatewayCore, client: ClientChannel, of asker: String, request: GatewayRequest,
      address: HTTPAddress, upload: Upload?
    ) {
      self.core = core
      self.client = client
      self.asker = asker
      self.request = request
      self.address = address
      self.upload = upload
      moment = core.flights.nextMoment()
    }

    func run(_ plan: ForwardPlan, _ copies: [HeldCopy]) async {
      core.runs.begin()
      // Its end is told first, so that the log has it.
      defer { core.runs.end() }
      var ending: Ending
      do {
        ending = try await answer(plan, copies)
      } catch {
        // The client has gone, and had nothing.
        ending = Ending(isBroken: true, hasLeft: true)
      }
      client.finish(ending)
    }

    var key: CopyKey { CopyKey(address.text) }

    private func answer(_ plan: ForwardPlan, _ copies: [HeldCopy]) async throws -> Ending {
      var (plan, copies) = (plan, copies)
      // A copy that cannot be read is gone afterwards.
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
      // Others have been told the same meanwhile.
      return try await askAlone(
        plan.withoutCopies, [], FlightKey(key, of: plan.withoutCopies))
    }

    private func ask(_ plan: ForwardPlan, _ copies: [HeldCopy]) async throws -> Ending {
      var (plan, copies) = (plan, copies)
      var flightKey = FlightKey(key, of: plan)
      // The first may tell no more than how answers vary. Others that have stored something, which is of no use
      // here, are waited for no more than twice.
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

    /// What this request has waited for in vain, as its sender alone may have been to blame. That happens to it once: a
    /// second failure is the origin's for all that is known, and who waits is told, however many there are.
    private enum Failure {
      case none
      /// The request goes on with all others who have waited for this one.
      case last(Flight)
      case before

      var isFirst: Bool { if case .none = self { true } else { false } }
    }

    private enum Step {
      case answered(Ending)
      case goAlone
      /// Together with all who have waited for a flight that has failed.
      case askAgain(after: Flight)
      /// Together with all who have come too late for an answer, or whose sender waits for its share.
      case joinNext
      /// Together with all who have waited for too long for somebody's head.
      case askLate
      /// Together with those who want the same variant.
      case joinVariant(FlightKey)
      case decideAgain(ForwardPlan, [HeldCopy])
    }

    /// Asks for all who ask for the same meanwhile, or waits for whoever does.
    ///
    /// - Parameter hasBeenLate: True for one that has waited for somebody's head for as long as it may: it waits for the
    ///   next one, which was asked for after that, until that is here. An origin that is slow is not asked by each.
    private func askTogether(
      _ plan: ForwardPlan, _ copies: [HeldCopy], _ flightKey: FlightKey, after failure: Failure,
      hasBeenLate: Bool
    ) async throws -> Step {
      guard let (flight, isNew) = join(flightKey, after: failure) else {
        // Its last answer was for one request alone; this one may be for all.
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
        // What the client has not sent as a whole is nothing that the origin obeys.
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
    /// What this gateway has added to `Cache-Status`.
    var decision: String? { values("Cache-Status").last }
  }
#endif
