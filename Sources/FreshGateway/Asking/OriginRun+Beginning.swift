#if Gateway
  internal import FreshHTTP
  internal import FreshStore
  internal import NIOCore
  internal import Strategies

  /// Whether the origin is asked at all, and under which lease.
  extension OriginRun {
    /// The head for a request to an origin that is backing off: no lease is taken for it.
    func obstacle(to plan: ForwardPlan, _ copies: [HeldCopy]) async -> Flight.Head? {
      guard let failure = collection.obstacle(by: sourcePolicy, canWait: canWait(plan)) else {
        return nil
      }
      guard plan.request.mayBeAnsweredFromCopy else { return await head(plan, copies, failure) }
      // Another process may have added a variant.
      let latest = core.copies(of: key, looksAgain: true)
      guard
        let plan = core.semantics.plannedAnew(plan.request, among: latest.map(\.candidate))
      else { return nil }
      return await head(plan, latest, failure)
    }

    /// Waits for the beginning of the request's content: a client that sends it slowly holds no connection to the
    /// origin meanwhile. Returns the head for a request that is not sent.
    func beginUpload(_ plan: ForwardPlan, _ copies: [HeldCopy]) async -> Flight.Head? {
      guard let upload else { return nil }
      guard await upload.begin() else {
        // The client is gone, or was sent a refusal.
        return await head(
          plan, copies, without: NoAnswer(words: "the request was given up", wasSent: false))
      }
      guard let place, !upload.hasEnded, core.slowClients.isFull(place) else { return nil }
      return await tooManySlow(plan, copies)
    }

    /// The head for a request of a client for which its origin waits too often already.
    func tooManySlow(_ plan: ForwardPlan, _ copies: [HeldCopy]) async -> Flight.Head {
      noteTooManySlow(client ?? "one client")
      let failure = NoAnswer(
        words: "too many requests of this client wait for it", status: 503, wasSent: false)
      return await head(plan, copies, without: failure)
    }

    /// Notes that a request was refused or cut off, as too many other exchanges of its client are slow.
    func noteTooManySlow(_ client: String) { noteRefusal("too many of \(client) wait for it") }

    private func noteRefusal(_ reason: String) {
      core.figures.noteRefusal()
      core.tell(core.shortage.refuse(reason, at: core.store.now().sinceBoot))
    }

    /// Waits until the client has few enough requests in flight to the origin. Returns the news for a request that is
    /// not sent.
    ///
    /// No request joins it meanwhile: other clients have shares of their own.
    func takeShare(_ plan: ForwardPlan, _ copies: [HeldCopy]) async -> Flight.News? {
      guard let place else { return nil }
      guard !core.shares.takeAtOnce(place) else { return nil }
      if isShared {
        core.flights.close(flightKey, flight)
        flight.withdraw()
      }
      guard await core.shares.take(place, within: core.limits.originTime) else {
        if !Task.isCancelled { noteRefusal("too many requests of \(place.client) are under way") }
        var failure = NoAnswer(
          words: "too many requests of this client are under way", status: 503, wasSent: false)
        failure.concern = .request
        return .head(await head(plan, copies, without: failure))
      }
      guard isShared else { return nil }
      flight.rejoin()
      guard core.flights.restore(flightKey, flight) else {
        core.shares.giveBack(place)
        return .stored
      }
      return nil
    }

    func leaveShare() {
      if let place { core.shares.giveBack(place) }
    }

    /// The client at the origin; `nil` for a request of the gateway itself.
    private var place: SlowClients.Place? {
      client.map { SlowClients.Place(client: $0, origin: upstream.origin) }
    }

    /// Lets joiners and later requests ask again where the head of the answer takes too long: the content of its sender
    /// may be the cause.
    func giveUpJoinersLater() -> Scheduled<Void> {
      core.loop.scheduleTask(in: TimeAmount(core.limits.joinTime)) { [core, flight, flightKey] in
        guard flight.news.made == nil else { return }
        core.flights.outdate(flightKey, flight)
        flight.giveUpJoiners()
      }
    }

    var sourcePolicy: Policy { core.sourcePolicy(for: address, hasContent: upload != nil) }

    /// The request as it is sent; `nil` when another process has stored an answer meanwhile, and it must be decided
    /// again.
    func begin(_ plan: ForwardPlan, _ copies: [HeldCopy]) async -> Start? {
      // A mark that is made later would invalidate an earlier stored answer, too.
      if plan.request.mayBeAnsweredFromCopy, await !core.makeOwed() {
        return unkept(plan, copies)
      }
      let begun = core.store.now()
      do throws(StoreError) {
        guard isShared else {
          // A request with `no-store` changes no copy.
          let isKept = plan.request.mayBeAnsweredFromCopy && !plan.request.directives.noStore
          return Start(
            plan: plan, copies: copies, request: isKept ? try await collection.request() : nil,
            begun: begun)
        }
        var request = try await takeLease()
        if request == nil, !core.flights.hasOutdated(flightKey) {
          _ = await collection.waitForLease(of: flightKey.key, atMost: core.limits.joinTime)
          request = try await takeLease()
        }
        // A lease holder that takes too long, or whose answer is not for all, delays no other request.
        var open = if let request { request } else { try await collection.request() }
        if let joined = await joinFleet(open, plan, copies) {
          open = joined
        } else {
          open = try await collection.request()
        }
        return await decideAgain(plan, open)
      } catch {
        core.noteUnkept(error)
        return Start(plan: plan, copies: copies, request: nil, begun: begun)
      }
    }

    private func takeLease() async throws(StoreError) -> SourceRequest? {
      try await collection.request(
        exclusively: flightKey.key, lookingFor: key.base, key.prefix)
    }

    /// The request without storing, as the store lacks marks: they may be later than the plan.
    private func unkept(_ plan: ForwardPlan, _ copies: [HeldCopy]) -> Start {
      let begun = core.store.now()
      let latest = core.copies(of: key, looksAgain: true)
      guard
        let latestPlan = core.semantics.plannedAnew(plan.request, among: latest.map(\.candidate))
      else { return Start(plan: plan, copies: copies, request: nil, begun: begun) }
      return Start(plan: latestPlan, copies: latest, request: nil, begun: begun)
    }

    private func decideAgain(_ plan: ForwardPlan, _ request: SourceRequest) async -> Start? {
      let begun = core.store.now()
      // Only the lease holder asked under the lease: later answers come from requests without one.
      let copies = request.findsNothing ? [] : core.copies(of: key, looksAgain: true)
      if copies.isEmpty, plan.isOfMiss {
        return Start(plan: plan, copies: [], request: request, begun: begun)
      }
      if let plan = core.semantics.plannedAnew(plan.request, among: copies.map(\.candidate)),
        !isOfUnknownVariant(plan)
      {
        return Start(plan: plan, copies: copies, request: request, begun: begun)
      }
      await collection.end(request)
      return nil
    }

    /// True where the answers of the address turned out to vary: the waiting clients want different ones.
    private func isOfUnknownVariant(_ plan: ForwardPlan) -> Bool {
      isShared && !flight.isBackground && flightKey.isOfAddress
        && !FlightKey(key, of: plan).isOfAddress
    }

    /// The request under which the origin is asked, as agreed with the fleet; `nil` when another host has brought an
    /// answer.
    ///
    /// The fleet shares the copy under the address itself. Where answers vary no request waits for another host.
    func joinFleet(
      _ request: SourceRequest, _ plan: ForwardPlan, _ copies: [HeldCopy]
    ) async -> SourceRequest? {
      let key = CopyKey(address.text)
      guard core.store.isOfFleet, core.policy.isShared, request.isExclusive,
        flightKey.isOfAddress, copies.allSatisfy({ $0.record.key == key.base })
      else { return request }
      let reply = await core.shelf.collection.joinFleet(
        request, about: key.base, asksAlways: asksPastFleet(plan), atMost: core.limits.originTime,
        accepting: { await isUsable($0) })
      switch reply {
      case .asking(let request): return request
      case .decideAgain: return nil
      }
    }

    /// True for a request that no answer from another host can serve.
    func asksPastFleet(_ plan: ForwardPlan) -> Bool {
      plan.reason == .request
        || plan.request.directives.noCache && core.policy.heedsReload(plan.request)
    }

    /// True for a record that a gateway has brought to the fleet, if it keeps the rules of this one. A record from
    /// `freshstore get` has no head: the answer to this request replaces it.
    private func isUsable(_ record: KeptRecord<StoredBody>) async -> Bool {
      guard let copy = HeldCopy(record, core.policy) else { return false }
      // Content that is here already was checked when it arrived.
      guard let admission, let body = record.value else { return true }
      let words = await refusal(
        of: Array(body.bytes.readableBytesView), copy.answer.fields.first("Content-Type"),
        by: admission)
      return words == nil
    }
  }
#endif
