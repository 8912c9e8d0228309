#if Gateway
  internal import FreshHTTP
  internal import FreshStore
  internal import NIOCore
  internal import Strategies

  /// Answers with the response to another request.
  extension Exchange {
    /// Answers with the response to another request. `nil` means that the response does not suit this request, which
    /// then continues alone or with similar requests.
    ///
    /// - Parameters:
    ///   - isAwaited: True when the response came after this request.
    ///   - isFirstFailure: False for a request that has already waited for a failed one.
    func share(
      _ head: Flight.Head, _ plan: ForwardPlan, _ copies: [HeldCopy], isAwaited: Bool,
      isFirstFailure: Bool
    ) async throws -> Ending? {
      let age = core.age(of: head)
      switch head.outcome {
      case .failed(let failure):
        var ending = try await share(failure, head, plan, copies, isFirst: isFirstFailure)
        ending?.origin.error = failure.cause
        return ending
      case .answered(let answer):
        if isAwaited, core.asksPast(request, head) { return nil }
        // This comes before the error itself: the other request may have had no usable copy, for example because of
        // `no-cache`.
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

    /// Answers after another request got no response from the origin: with a stale copy, or with the failure when it
    /// applies to this request too.
    private func share(
      _ failure: NoAnswer, _ head: Flight.Head, _ plan: ForwardPlan, _ copies: [HeldCopy],
      isFirst: Bool
    ) async throws -> Ending? {
      let served = Served(staleFor: failure)
      let conclusion = core.semantics.conclude(plan, without: failure)
      if let ending = try await serveStale(conclusion.reply, copies, served) { return ending }
      // The other request may have found copies that were not there when this request began to wait.
      if let plan = core.semantics.replanned(plan, among: head.copies.map(\.candidate)) {
        let conclusion = core.semantics.conclude(plan, without: failure)
        if let ending = try await serveStale(conclusion.reply, head.copies, served) {
          return ending
        }
      }
      switch failure.concern {
      // An origin that is down is asked once for all waiting requests.
      case .all: break
      case .request: if isFirst { return nil }
      case .holders: return nil
      }
      guard case .copy = conclusion.reply else {
        return try await send(conclusion.reply, [], nil, .own)
      }
      // The bytes of the copy are gone.
      let bare = core.semantics.conclude(plan.withoutCopies, without: failure)
      return try await send(bare.reply, [], nil, .own)
    }

    /// Answers with the copy of a reply; `nil` when the reply is no copy, or its bytes are gone.
    private func serveStale(
      _ reply: Conclusion.Reply, _ copies: [HeldCopy], _ served: Served
    ) async throws -> Ending? {
      guard case .copy = reply, let copies = await core.shelf.loadedAside(copies, for: reply)
      else {
        return nil
      }
      return try await send(reply, copies, nil, served)
    }

    /// Returns the key of the flight for this request's variant, when responses like this one serve all requests of a
    /// variant. `nil` when each serves only one request.
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
    /// Returns the flight that a request waits for. The caller runs a new one. `nil` when each request must go alone.
    /// The request has entered the returned flight.
    ///
    /// A flight whose response is out of date for this request continues for the earlier ones, and a new flight
    /// replaces it. A new flight, or one that has not asked yet, costs nothing. Any other costs a look at the file's
    /// marks.
    ///
    /// - Parameter moment: When the request came (``Flights/nextMoment()``); 0 accepts any response as a later one.
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

    /// True when a response came before the request, and is too old for it: for example it needs validation each time,
    /// and got none since. Also true for an awaited response from a cache behind the gateway, when the request wants to
    /// bypass that cache.
    func isTooLate(_ request: GatewayRequest, since moment: Int, for flight: Flight) -> Bool {
      guard let head = flight.head, let answer = head.shareable else { return false }
      guard !flight.isAnswered(after: moment) else { return asksPast(request, head) }
      return semantics.needsNewer(request, than: answer, residentTime: age(of: head))
    }

    /// True when the request wants a fresher response than the one from a cache behind the gateway.
    func asksPast(_ request: GatewayRequest, _ head: Flight.Head) -> Bool {
      guard case .answered(let answer) = head.outcome, let stored = head.shareable else {
        return false
      }
      return semantics.asksPast(
        request, answer, stored: stored, of: head.plan, residentTime: age(of: head))
    }

    fileprivate func age(of head: Flight.Head) -> Duration {
      .milliseconds(store.now().sinceBoot - head.arrival.sinceBoot)
    }

    /// False when any process has marked, stored or removed something since the origin was asked, or when the request
    /// came too late for the response.
    private func serves(
      _ flight: Flight, _ request: GatewayRequest, since moment: Int, _ key: FlightKey
    ) -> Bool {
      guard let address = request.address else { return true }
      guard let asked = flight.request else {
        // A response that was not asked for yet will be newer than this request.
        guard let number = flight.numberAsked else { return true }
        // Nothing tells whether a later change concerns this address.
        return !isTooLate(request, since: moment, for: flight)
          && shelf.collection.numberSoFar() == number
      }
      let copyKey = CopyKey(address.text)
      // A mark of all variants is a mark of their prefix.
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
