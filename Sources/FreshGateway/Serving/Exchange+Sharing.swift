#if Gateway
  internal import FreshHTTP
  internal import FreshStore
  internal import NIOCore
  internal import Strategies

  /// Answers by what somebody else has asked for.
  extension Exchange {
    /// Answers with what somebody else was told; `nil` when that is not for this request, which then goes on
    /// by itself, or with others whom it is not for.
    ///
    /// - Parameters:
    ///   - isAwaited: True where the answer came after this request.
    ///   - isFirstFailure: False for a request that has waited in vain before.
    func share(
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
        if isAwaited, core.asksPast(request, head) { return nil }
        // Before the error itself: whoever has asked may have had no copy that stands in, as by `no-cache`.
        if answer.isServerError {
          let conclusion = core.semantics.conclude(answer, to: plan)
          if let ending = try await serveStale(conclusion.reply, copies, .staleForError) {
            return ending
          }
        }
        if let stored = head.storable,
          let shared = core.semantics.shared(
            stored, residentTime: age, of: head.plan, with: request, isAwaited: isAwaited)
        {
          if case .none = shared.content { return try await send(shared, nil, .collapsed) }
          guard let body = head.body, let reader = body.join(for: asker) else { return nil }
          defer { body.leave(reader) }
          let plan = core.passed(shared)
          return try await stream(plan.status, plan.fields, body, reader, .collapsed)
        }
        if let (stored, index) = head.confirmed,
          let shared = core.semantics.shared(
            stored, residentTime: age, of: head.plan, with: request, isAwaited: isAwaited)
        {
          guard shared.content.isOfCopy else { return try await send(shared, nil, .collapsed) }
          guard let copy = await core.shelf.loadedAside(head.copies[index], renewedAs: stored)
          else {
            return nil
          }
          return try await send(shared, copy.content, .collapsed)
        }
        return nil
      }
    }

    /// Answers where somebody else was told that the origin has failed: with a copy, or, where that speaks for this
    /// request, too, with the failure.
    private func share(
      _ failure: NoAnswer, _ head: Flight.Head, _ plan: ForwardPlan, _ copies: [HeldCopy],
      isFirst: Bool
    ) async throws -> Ending? {
      let served = Served(staleFor: failure)
      let conclusion = core.semantics.conclude(plan, without: failure)
      if let ending = try await serveStale(conclusion.reply, copies, served) { return ending }
      // Whoever has asked may have come upon copies that were not there when this request began to wait.
      if let plan = core.semantics.replanned(plan, among: head.copies.map(\.candidate)) {
        let conclusion = core.semantics.conclude(plan, without: failure)
        if let ending = try await serveStale(conclusion.reply, head.copies, served) {
          return ending
        }
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
    private func serveStale(
      _ reply: Conclusion.Reply, _ copies: [HeldCopy], _ served: Served
    ) async throws -> Ending? {
      guard case .copy = reply, let copies = await core.shelf.loadedAside(copies, for: reply)
      else {
        return nil
      }
      return try await send(reply, copies, nil, served)
    }

    /// What this request asks for together with others, where the answer that came is for all who want another variant;
    /// `nil` where its like is for one alone.
    func variant(besides head: Flight.Head) -> FlightKey? {
      guard let answer = head.shareable, answer.status != 206,
        case .fields(let names, digest: _) = answer.selection,
        !request.selects(answer.selection),
        core.semantics.isForOthers(answer, besides: request)
      else { return nil }
      return FlightKey(key, request, selectedBy: names)
    }
  }

  extension GatewayCore {
    /// The flight that a request waits for, and whether it is a new one, which is the caller's to run; `nil` where each
    /// request goes by itself. Whoever joins has entered.
    ///
    /// One whose answer is out of date for this request goes on for those who have joined it before, and a new one
    /// takes its place. Cost: nothing for a new one, and for one that has not asked yet; else a look at the file's marks.
    ///
    /// - Parameter moment: When the request came (``Flights/nextMoment()``); 0 takes any answer for a later one.
    func join(
      _ key: FlightKey, for request: GatewayRequest, since moment: Int, isBackground: Bool = false
    ) -> (flight: Flight, isNew: Bool)? {
      while let joined = flights.join(key, isBackground: isBackground) {
        if joined.isNew || serves(joined.flight, request, since: moment, key) { return joined }
        joined.flight.leave()
        flights.outdate(key, joined.flight)
      }
      return nil
    }

    /// True for a request that came when the answer to a flight was here already, and for which that is too old: it has
    /// to be validated each time, say, and was not since. One that was there before is too late where a cache behind the
    /// gateway has answered, which it wants to go past.
    func isTooLate(_ request: GatewayRequest, since moment: Int, for flight: Flight) -> Bool {
      guard let head = flight.head, let answer = head.shareable else { return false }
      guard !flight.isAnswered(after: moment) else { return asksPast(request, head) }
      return semantics.needsNewer(request, than: answer, residentTime: age(of: head))
    }

    /// True where a request wants a fresher answer than a cache behind the gateway has given.
    func asksPast(_ request: GatewayRequest, _ head: Flight.Head) -> Bool {
      guard case .answered(let answer) = head.outcome, let stored = head.shareable else {
        return false
      }
      return semantics.asksPast(
        request, answer, stored: stored, of: head.plan, residentTime: age(of: head))
    }

    private func age(of head: Flight.Head) -> Duration {
      .milliseconds(store.now().sinceBoot - head.arrival.sinceBoot)
    }

    /// False where something was marked, stored or removed since the origin was asked, by whatever process, or where
    /// the request came too late for the answer.
    private func serves(
      _ flight: Flight, _ request: GatewayRequest, since moment: Int, _ key: FlightKey
    ) -> Bool {
      guard let address = request.address else { return true }
      guard let asked = flight.request else {
        // What was not asked for yet will be newer than this request.
        guard let number = flight.numberAsked else { return true }
        // Nothing tells whether a change since is one of this address.
        return !isTooLate(request, since: moment, for: flight)
          && shelf.collection.numberSoFar() == number
      }
      let copyKey = CopyKey(address.text)
      // A mark of all variants is one of their prefix.
      var keys = [key.base, key.isOfAddress ? copyKey.prefix : key.key]
      guard !isTooLate(request, since: moment, for: flight) else { return false }
      let head = flight.head
      if let answer = head?.shareable { keys.append(copyKey.key(of: answer, policy)) }
      do throws(StoreError) {
        return try shelf.collection.isUpToDate(asked, about: keys, tags: head?.tags)
      } catch {
        figures.noteStored(false)
        return false
      }
    }
  }
#endif
