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
      var decision: String?
      /// What the origin has done that was asked for it.
      var origin = AccessEntry.Origin()
      /// True where blocks of the copy are gone; one that could not be read may be whole.
      var isDamaged = false

      /// True where nothing was sent, and the client still waits for an answer.
      var isUnbegun: Bool { status == 0 && isBroken && !hasLeft }
    }

    let core: GatewayCore
    let client: ClientChannel
    let request: GatewayRequest
    let address: HTTPAddress
    let upload: Upload?
    /// When the request came: an answer that the origin gives later is one to it, whoever has asked.
    let moment: Int

    init(
      core: GatewayCore, client: ClientChannel, request: GatewayRequest, address: HTTPAddress,
      upload: Upload?
    ) {
      self.core = core
      self.client = client
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

    private var key: CopyKey { CopyKey(address.text) }

    private func answer(_ plan: ForwardPlan, _ copies: [HeldCopy]) async throws -> Ending {
      var (plan, copies) = (plan, copies)
      // A copy that cannot be read is gone afterwards.
      for _ in 0..<2 where plan.looksFirst {
        switch core.begin(request, readsMuch: true) {
        case .answer(let answer, let content, let served):
          let ending = try await send(answer, content, served)
          guard ending.isUnbegun else { return ending }
          plan = .looking(request)
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
      var failure = Failure.none
      while turns > 0, plan.mayBeShared {
        turns -= 1
        switch try await askTogether(plan, copies, flightKey, after: failure) {
        case .answered(let ending): return ending
        case .goAlone: return try await askAlone(plan, copies, flightKey)
        case .askAgain(let flight):
          turns += 1
          failure = .last(flight)
          continue
        case .joinNext: break
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
      /// Together with all who have come too late for an answer.
      case joinNext
      /// Together with those who want the same variant.
      case joinVariant(FlightKey)
      case decideAgain(ForwardPlan, [HeldCopy])
    }

    /// Asks for all who ask for the same meanwhile, or waits for whoever does.
    private func askTogether(
      _ plan: ForwardPlan, _ copies: [HeldCopy], _ flightKey: FlightKey, after failure: Failure
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
          interim: interim)
        flight.run { await run.run(plan, copies) }
      }
      let news = await flight.news.value()
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
      defer { flight.leave(asSender: true) }
      let interim = InterimAnswers(to: client)
      var run = OriginRun(
        core: core, address: address, flight: flight, flightKey: flightKey, isShared: false,
        interim: interim)
      if let upload {
        let length: Int64? = if case .length(let length) = request.framing { length } else { nil }
        run.content = .init(length: length) { try await upload.next() }
      }
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
        guard case .answered(let answer) = head.outcome, answer.status == 304 else { return .stale }
        return .revalidated
      case .origin, .ask: return request.mayBeAnsweredFromCopy ? .miss : .passed
      }
    }

    // MARK: Somebody else's answer

    /// Answers with what somebody else was told; `nil` when that is not for this request, which then goes on
    /// by itself, or with others whom it is not for.
    ///
    /// - Parameters:
    ///   - isAwaited: True where the answer came after this request.
    ///   - isFirstFailure: False for a request that has waited in vain before.
    private func share(
      _ head: Flight.Head, _ plan: ForwardPlan, _ copies: [HeldCopy], isAwaited: Bool,
      isFirstFailure: Bool
    ) async throws -> Ending? {
      let age = Duration.milliseconds(core.store.now().sinceBoot - head.arrival.sinceBoot)
      switch head.outcome {
      case .failed(let failure):
        var ending = try await share(failure, head, plan, copies, isFirst: isFirstFailure)
        ending?.origin.error = failure.cause
        return ending
      case .answered(let answer):
        if let stored = head.storable,
          let shared = core.semantics.shared(
            stored, residentTime: age, of: head.plan, with: request, isAwaited: isAwaited)
        {
          if case .none = shared.content { return try await send(shared, nil, .collapsed) }
          guard let body = head.body, let reader = body.join() else { return nil }
          defer { body.leave(reader) }
          let plan = core.passed(shared)
          return try await stream(plan.status, plan.fields, body, reader, .collapsed)
        }
        if let (stored, index) = head.confirmed,
          let shared = core.semantics.shared(
            stored, residentTime: age, of: head.plan, with: request, isAwaited: isAwaited)
        {
          guard shared.content.isOfCopy else { return try await send(shared, nil, .collapsed) }
          guard let copy = core.shelf.loaded(head.copies[index], renewedAs: stored) else {
            return nil
          }
          return try await send(shared, copy.content, .collapsed)
        }
        guard answer.isServerError else { return nil }
        let conclusion = core.semantics.conclude(answer, to: plan)
        return try await standIn(conclusion.reply, copies)
      }
    }

    /// Answers where somebody else was told that the origin has failed: with a copy, or, where that speaks for this
    /// request, too, with the failure.
    private func share(
      _ failure: NoAnswer, _ head: Flight.Head, _ plan: ForwardPlan, _ copies: [HeldCopy],
      isFirst: Bool
    ) async throws -> Ending? {
      let conclusion = core.semantics.conclude(plan, without: failure)
      if let ending = try await standIn(conclusion.reply, copies) { return ending }
      // Whoever has asked may have come upon copies that were not there when this request began to wait.
      if let plan = core.semantics.replanned(plan, among: head.copies.map(\.candidate)) {
        let conclusion = core.semantics.conclude(plan, without: failure)
        if let ending = try await standIn(conclusion.reply, head.copies) { return ending }
      }
      switch failure.concern {
      // An origin that is down is asked once for all who wait.
      case .all: break
      case .request: if isFirst { return nil }
      case .holders: return nil
      }
      guard case .copy = conclusion.reply else {
        return try await send(conclusion.reply, [], nil, .own)
      }
      // Its bytes are gone.
      let bare = core.semantics.conclude(plan.withoutCopies, without: failure)
      return try await send(bare.reply, [], nil, .own)
    }

    /// Answers with the copy that a reply is; `nil` where it is none, or its bytes are gone.
    private func standIn(
      _ reply: Conclusion.Reply, _ copies: [HeldCopy]
    ) async throws -> Ending? {
      guard case .copy = reply, let copies = core.shelf.loaded(copies, for: reply) else {
        return nil
      }
      return try await send(reply, copies, nil, .stale)
    }

    /// What this request asks for together with others, where the answer that came is for all who want another variant;
    /// `nil` where its like is for one alone.
    private func variant(besides head: Flight.Head) -> FlightKey? {
      guard let answer = head.shareable, answer.status != 206,
        case .fields(let names, digest: _) = answer.selection,
        !answer.selection.matches(request.fields),
        core.semantics.isForOthers(answer, besides: request)
      else { return nil }
      return FlightKey(key, request, selectedBy: names)
    }

    // MARK: Sending

    private func send(_ head: Flight.Head, _ served: Served) async throws -> Ending {
      var ending = try await send(
        head.conclusion.reply, head.copies, head.body, served, as: head.reader)
      switch head.outcome {
      case .answered(let answer): ending.origin.time = answer.delay
      case .failed(let failure): ending.origin.error = failure.cause
      }
      return ending
    }

    private func send(
      _ reply: Conclusion.Reply, _ copies: [HeldCopy], _ body: SharedBody?, _ served: Served,
      as reader: Int? = nil
    ) async throws -> Ending {
      switch reply {
      case .copy(let plan, from: let index):
        return try await send(plan, copies[index].content, served)
      case .own(let plan): return try await send(plan, nil, .own)
      case .origin(let status, var fields, let sendsContent):
        if core.servesAnyOrigin {
          fields = SentOnFields.withVia(fields, version: .http11, by: core.policy.name)
        }
        guard sendsContent, let body else { return try await sendHead(status, fields, served) }
        guard let reader = reader ?? body.join() else { throw CancellationError() }
        defer { body.leave(reader) }
        return try await stream(status, fields, body, reader, served)
      case .ask: throw CancellationError()
      }
    }

    private func send(
      _ plan: AnswerPlan, _ content: ContentBytes?, _ served: Served
    ) async throws -> Ending {
      let plan = served == .own ? plan : core.passed(plan)
      if let content, let stored = content.stored, plan.content.isOfCopy {
        guard let slices = StoredSlices(plan.content, of: content, core.shelf.blocks) else {
          return Ending(isBroken: true)
        }
        let ending = try await send(plan, slices, served)
        if ending.isDamaged, let record = stored.record {
          if await core.shelf.discard(record) { core.figures.noteStored(false) }
        }
        return ending
      }
      var ending = Ending(status: plan.status, served: served, decision: plan.fields.decision)
      do {
        ending.length = try await client.write(.whole(plan, content))
      } catch let gone as ClientChannel.Gone where gone.taken.isBegun {
        ending.length = gone.taken.content
        (ending.isBroken, ending.hasLeft) = (true, true)
      }
      return ending
    }

    /// Sends a copy that lies in the file, one block at a time, each once the client has taken the last.
    private func send(
      _ plan: AnswerPlan, _ slices: StoredSlices, _ served: Served
    ) async throws -> Ending {
      var slices = slices
      var ending = Ending(served: served, decision: plan.fields.decision)
      do {
        guard let first = try await slices.next() else { throw StoredSlices.Shortage.gone }
        try await client.write(.head(plan.status, plan.fields, hasContent: true))
        ending.status = plan.status
        try await write(first, &ending.length)
        while let next = try await slices.next() { try await write(next, &ending.length) }
        try await client.write(.end(trailers: HeaderFields()))
      } catch let shortage as StoredSlices.Shortage {
        // The length that was stated shows the client that bytes are missing.
        ending.isBroken = true
        switch shortage {
        case .gone: ending.isDamaged = true
        case .unreadable: core.figures.noteStored(false)
        }
      } catch {
        guard ending.status > 0 else { throw error }
        (ending.isBroken, ending.hasLeft) = (true, true)
      }
      return ending
    }

    /// Writes content, and notes how much of it the client has taken.
    private func write(_ content: ByteBuffer, _ length: inout Int) async throws {
      do {
        let taken = try await client.write(.content(content))
        length += taken
      } catch let gone as ClientChannel.Gone {
        length += gone.taken.content
        throw gone
      }
    }

    private func sendHead(
      _ status: Int, _ fields: HeaderFields, _ served: Served
    ) async throws -> Ending {
      try await client.write(.head(status, fields, hasContent: false))
      return Ending(status: status, served: served, decision: fields.decision)
    }

    /// Sends the head at once, and the content as it comes.
    private func stream(
      _ status: Int, _ fields: HeaderFields, _ body: SharedBody, _ reader: Int, _ served: Served
    ) async throws -> Ending {
      try await client.write(.head(status, fields, hasContent: true))
      var ending = Ending(status: status, served: served, decision: fields.decision)
      do {
        ending.isBroken = try await !stream(body, reader, &ending.length)
      } catch {
        // Who has all of it may leave before the end of the content is known here.
        let isWhole = fields.first("Content-Length") == "\(ending.length)"
        (ending.isBroken, ending.hasLeft) = (!isWhole, !isWhole)
      }
      return ending
    }

    /// Sends content as it comes; false when it is not whole.
    private func stream(
      _ body: SharedBody, _ reader: Int, _ length: inout Int
    ) async throws -> Bool {
      while true {
        switch await body.next(reader) {
        case .bytes(let part): try await write(part, &length)
        case .end:
          try await client.write(.end(trailers: body.trailers))
          return true
        case .broken:
          // A reader whose task was cancelled is told the same.
          try Task.checkCancellation()
          return false
        }
      }
    }
  }

  extension HeaderFields {
    /// What this gateway has added to `Cache-Status`.
    var decision: String? { values("Cache-Status").last }
  }
#endif
