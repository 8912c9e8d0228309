#if Gateway
  internal import FreshHTTP
  internal import FreshStore
  internal import NIOCore

  extension OriginRun {
    func arrival(
      _ answer: ForwardedAnswer, _ plan: ForwardPlan, _ start: Start
    ) async -> Arrival {
      let origin = OriginAnswer(
        status: answer.status, fields: answer.fields, receivedAt: answer.arrival.wall,
        delay: answer.delay, time: answer.time)
      var plan = plan
      var conclusion = core.semantics.conclude(origin, to: plan)
      var copies = await core.shelf.loadedAside(start.copies, for: conclusion.reply)
      if copies == nil, let meaning = await meaning(of: origin, to: plan, since: start.begun) {
        (plan, copies, conclusion) = meaning
      }
      // The origin confirmed a copy that is gone: the whole is requested.
      if copies == nil { conclusion = Conclusion(reply: .ask(plan.withoutCopies)) }
      if start.request == nil, plan.request.mayBeAnsweredFromCopy {
        conclusion = conclusion.unstored(.notKept).unrenewed(.notKept)
      } else if let length = origin.statedLength, !core.hasRoom(for: length) {
        conclusion = conclusion.unstored(.tooLarge)
      } else if let length = origin.statedLength, length > ContentSpill.threshold,
        !core.pause.isOver(at: core.store.now().sinceBoot)
      {
        conclusion = conclusion.unstored(.notKept)
      } else if let index = conclusion.joins, let length = origin.statedLength,
        !PartialCombination.pays(for: length, beside: start.copies[index].answer.content)
      {
        conclusion = conclusion.unstored(.tooSmall)
      }
      var body: SharedBody?
      var reader: Int?
      let isSent =
        if case .origin(_, _, sendsContent: true) = conclusion.reply { true } else { false }
      let kept = keptLength(of: origin, conclusion)
      // The content is kept even where this client has it already.
      if isSent || kept != nil && plan.method != "HEAD" {
        body = SharedBody(
          keeping: kept, endsInTime: origin.statedLength.map { $0 <= kept ?? 0 } ?? false,
          core.budget,
          spill: kept == nil
            ? nil
            : core.shelf.spill(core.room, for: start.request) { [core] in core.noteFullFile($0) },
          pace: ClientPace(core.slowClients, at: upstream.origin))
        // Before the first part arrives: the sender gets all parts.
        if isSent, !flight.isBackground { reader = body?.join(for: client) }
      }
      let head = Flight.Head(
        plan: plan, copies: copies ?? start.copies, outcome: .answered(origin),
        conclusion: conclusion, body: body, reader: reader, arrival: answer.arrival)
      return Arrival(head: head, answer: answer)
    }

    /// The most bytes of an answer that are kept; `nil` for one that is only passed on. An answer is kept to be stored,
    /// or for waiting requests, if memory has room for it.
    private func keptLength(of answer: OriginAnswer, _ conclusion: Conclusion) -> Int? {
      if conclusion.isStored { return core.limits.storedContent }
      guard isShared, conclusion.momentary != nil else { return nil }
      return answer.statedLength.map { Int($0) }
    }

    /// The meaning of an answer together with the copies that it is about.
    typealias Meaning = (plan: ForwardPlan, copies: [HeldCopy], conclusion: Conclusion)

    /// The meaning of a 304 for the present copies, where another request has renewed those of the plan. It is `nil`
    /// where they are gone or replaced.
    ///
    /// - Parameter begun: The time of the request: a later copy answers it, too.
    func meaning(
      of answer: OriginAnswer, to plan: ForwardPlan, since begun: ClockReading
    ) async -> Meaning? {
      guard answer.status == 304 else { return nil }
      // The copy may be renewed once more while it is read.
      for _ in 0..<3 {
        let latest = core.copies(of: CopyKey(address.text), looksAgain: true)
        let now = plan.about(latest.map(\.candidate))
        let time = Duration.milliseconds(core.store.now().sinceBoot - begun.sinceBoot)
        let conclusion: Conclusion? =
          now.asked.isEmpty
          ? core.semantics.validated(now, within: time) : core.semantics.conclude(answer, to: now)
        guard let conclusion, case .copy = conclusion.reply else { return nil }
        if let loaded = await core.shelf.loadedAside(latest, for: conclusion.reply) {
          return (now, loaded, conclusion)
        }
      }
      return nil
    }
  }

  /// Rules for content: an answer to which some apply is read whole before it is announced.
  extension OriginRun {
    /// The rules for the content of the address.
    var admission: ContentAdmission? {
      core.options.admission.flatMap { $0.covers(address.text) ? $0 : nil }
    }

    /// The fields to send, with those about the client. Content that will be checked must not be coded.
    func sent(_ plan: ForwardPlan) -> HeaderFields {
      var fields = SentOnFields.withVia(
        plan.fields, version: plan.request.version, by: core.policy.name)
      if !core.servesAnyOrigin {
        ForwardedFields.add(to: &fields, of: plan.request.client, at: address)
      }
      if core.options.preservesHost { fields.set("Host", address.authority) }
      if plan.request.mayBeAnsweredFromCopy, admission != nil {
        fields.set("Accept-Encoding", "identity")
      }
      return fields
    }

    /// The arrival after its content was checked by the rules, if there are any. It is announced then, and its content
    /// read.
    ///
    /// Content that breaks the rules counts as no answer where a copy can be served stale. Otherwise it is passed on
    /// without being kept. Content that is too large to be kept is passed on unchecked.
    func admitted(_ arrival: Arrival) async -> Arrival {
      guard let admission, let answer = arrival.answer, let body = arrival.head.body,
        answer.status == 200 || answer.status == 206,
        arrival.head.stored != nil || !arrival.head.conclusion.changes.isEmpty
      else { return arrival }
      guard answer.status == 200 else {
        return arrival.passedOn(.unchecked, "a part cannot be checked")
      }
      let limit = min(core.limits.storedContent, core.limits.checkedContent)
      var held = HeldContent(limit: limit, core.budget)
      var isPassedOn = false
      var isWanted = true
      var fault: String?
      do throws(HTTPFetchError) {
        try await answer.content.read { part in
          if !isPassedOn {
            if held.add(part) { return true }
            isPassedOn = true
            flight.announce(.head(arrival.passedOn(.tooLarge).head))
            isWanted = await pass(held.take(), to: body)
          }
          if isWanted { isWanted = await body.append(part) }
          return isWanted
        }
      } catch {
        fault = noteBreakingOff(error)
        guard isPassedOn else {
          if arrival.head.conclusion.isStored { core.figures.noteUnkept(.broken) }
          _ = held.take()
          return await failed(
            arrival, "the origin's answer has broken off", because: fault, concerning: .request)
        }
        isWanted = false
      }
      if isPassedOn {
        body.end(isWhole: isWanted, fault: fault)
        return arrival.passedOn(.tooLarge).read(isWhole: isWanted)
      }
      return await judged(arrival, held, by: admission, answer, body)
    }

    private func judged(
      _ arrival: Arrival, _ held: HeldContent, by admission: ContentAdmission,
      _ answer: ForwardedAnswer, _ body: SharedBody
    ) async -> Arrival {
      var (held, arrival) = (held, arrival)
      let coding = answer.fields.combined("Content-Encoding").map(FieldSyntax.lowercased)
      if let coding, coding != "identity" {
        arrival = arrival.passedOn(.unchecked, "coded content cannot be checked")
      } else if let words = await refusal(
        of: held.bytes, answer.fields.first("Content-Type"), by: admission)
      {
        let reason = "the answer breaks its rules: \(ContentAdmission.shown(words))"
        core.figures.noteRuleBreak()
        let failure = await failed(arrival, reason, concerning: .holders)
        if case .copy = failure.head.conclusion.reply {
          if arrival.head.conclusion.isStored { core.figures.noteUnkept(.rules) }
          _ = held.take()
          return failure
        }
        arrival = arrival.passedOn(.rules, reason)
      }
      arrival = announced(arrival)
      let isWanted = await pass(held.take(), to: body)
      body.end(isWhole: isWanted)
      return arrival.read(isWhole: isWanted)
    }

    /// Checks content outside of the event loop.
    func refusal(
      of bytes: [UInt8], _ type: String?, by admission: ContentAdmission
    ) async -> String? {
      await Task { [address] in admission.refusal(address.text, type, bytes) }.value
    }

    private func pass(_ parts: [ByteBuffer], to body: SharedBody) async -> Bool {
      for part in parts {
        guard await body.append(part) else { return false }
      }
      return true
    }

    /// The arrival as if the origin had given no answer.
    ///
    /// - Parameter cause: The reason for operators, where it tells more than clients are told.
    private func failed(
      _ arrival: Arrival, _ words: String, because cause: String? = nil,
      concerning concern: NoAnswer.Concern
    ) async -> Arrival {
      var failure = NoAnswer(words: words, status: 502)
      failure.concern = concern
      failure.cause = cause ?? words
      let head = await head(arrival.head.plan, arrival.head.copies, without: failure)
      return Arrival(head: head, answer: nil)
    }
  }

  extension OriginRun.Arrival {
    /// The arrival as it is only passed on: it changes no copy, and its content is read only for its clients.
    func passedOn(
      _ refusal: StoringRefusal, _ words: String? = nil
    ) -> OriginRun.Arrival {
      head.body?.keepNoLonger()
      var arrival = self
      arrival.head.conclusion = head.conclusion.unstored(refusal, words)
      (arrival.head.conclusion.changes, arrival.head.conclusion.withdraws) = ([], false)
      return arrival
    }

    fileprivate func read(isWhole: Bool) -> OriginRun.Arrival {
      var arrival = self
      arrival.isReadWhole = isWhole
      return arrival
    }
  }

  /// Content that is held back until it is whole.
  struct HeldContent {
    private(set) var parts: [ByteBuffer] = []
    private var size = 0
    private let limit: Int
    private let budget: StorageQuota

    init(limit: Int, _ budget: StorageQuota) { (self.limit, self.budget) = (limit, budget) }

    /// False when there is no room for a part.
    mutating func add(_ part: ByteBuffer) -> Bool {
      guard part.readableBytes <= limit - size, budget.take(part.readableBytes) else {
        return false
      }
      parts.add(part.unpinned)
      size += part.readableBytes
      return true
    }

    var bytes: [UInt8] {
      var bytes: [UInt8] = []
      bytes.reserveCapacity(size)
      for part in parts { bytes += part.readableBytesView }
      return bytes
    }

    /// Removes and returns all parts.
    mutating func take() -> [ByteBuffer] {
      defer { (parts, size) = ([], 0) }
      budget.giveBack(size)
      return parts
    }
  }
#endif
