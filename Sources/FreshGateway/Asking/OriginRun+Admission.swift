#if Gateway
  internal import FreshHTTP
  internal import NIOCore

  /// Rules for content: an answer that has to keep some is read whole before anybody hears of it.
  extension OriginRun {
    /// The rules for the content of the address.
    var admission: ContentAdmission? {
      core.options.admission.flatMap { $0.covers(address.text) ? $0 : nil }
    }

    /// The fields that are sent, with what the origin is told of the client: content that is to be checked must not be
    /// coded.
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

    /// The arrival as it is concluded with the rules; announced, and its content read, where there are any.
    ///
    /// What breaks them counts as no answer where a copy can stand in, and is else passed on without being kept. So is
    /// what is too large to be kept, which nobody checks.
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

    /// Checks content beside the loop that serves others meanwhile.
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

    /// As if the origin had given no answer.
    ///
    /// - Parameter cause: Why, for operators, where that is more than its clients are told.
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
    /// An answer that is passed on, and changes nothing that is stored: its content is read for its clients alone.
    func passedOn(
      _ refusal: StoringRefusal, _ words: String? = nil
    ) -> OriginRun.Arrival {
      head.body?.keepNoLonger()
      var conclusion = head.conclusion.unstored(refusal, words)
      (conclusion.changes, conclusion.withdraws) = ([], false)
      return OriginRun.Arrival(
        head: Flight.Head(
          plan: head.plan, copies: head.copies, outcome: head.outcome, conclusion: conclusion,
          body: head.body, reader: head.reader, arrival: head.arrival), answer: answer)
    }

    fileprivate func read(isWhole: Bool) -> OriginRun.Arrival {
      var arrival = self
      arrival.isReadWhole = isWhole
      return arrival
    }
  }
#endif
