#if Gateway
  internal import FreshHTTP
  internal import FreshStore
  internal import Strategies

  /// Whether the origin is asked at all, and under which lease.
  extension OriginRun {
    /// What is known without a request, of an origin that is left alone for a while: no lease is taken for it.
    func obstacle(to plan: ForwardPlan, _ copies: [HeldCopy]) async -> Flight.Head? {
      guard let failure = collection.obstacle(by: sourcePolicy, canWait: canWait(plan)) else {
        return nil
      }
      guard plan.request.mayBeAnsweredFromCopy else { return await head(plan, copies, failure) }
      // Another process may have added a variant.
      let latest = core.copies(of: key, looksAgain: true)
      switch core.semantics.decide(plan.request, among: latest.map(\.candidate)) {
      case .forward(let plan), .answerAndRevalidate(_, from: _, let plan):
        return await head(plan, latest, failure)
      case .answer, .refuse: return nil
      }
    }

    var sourcePolicy: Policy { core.sourcePolicy(for: address, hasContent: content != nil) }

    /// `nil` when another process has brought an answer meanwhile: this one is decided anew.
    func begin(_ plan: ForwardPlan, _ copies: [HeldCopy]) async -> Start? {
      // A mark that is made later would take what is stored before for invalid, too.
      if plan.request.mayBeAnsweredFromCopy, await !core.makeOwed() {
        return unkept(plan, copies)
      }
      let begun = core.store.now()
      do throws(StoreError) {
        guard isShared else {
          // Whatever comes of a request with no-store changes nothing that is stored.
          let isKept = plan.request.mayBeAnsweredFromCopy && !plan.request.directives.noStore
          return Start(
            plan: plan, copies: copies, request: isKept ? try await collection.request() : nil,
            begun: begun)
        }
        var request = try await takeLease()
        if request == nil, !core.flights.hasOutdated(flightKey) {
          _ = await collection.waitForLease(of: flightKey.key, atMost: core.limits.originTime)
          request = try await takeLease()
        }
        // An owner that takes too long, or whose answer was not for all, holds nobody up.
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

    /// What is asked for without being stored, as marks are owed to the store: they may have come after the plan.
    private func unkept(_ plan: ForwardPlan, _ copies: [HeldCopy]) -> Start {
      let begun = core.store.now()
      let latest = core.copies(of: key, looksAgain: true)
      switch core.semantics.decide(plan.request, among: latest.map(\.candidate)) {
      case .forward(let plan), .answerAndRevalidate(_, from: _, let plan):
        return Start(plan: plan, copies: latest, request: nil, begun: begun)
      case .answer, .refuse: return Start(plan: plan, copies: copies, request: nil, begun: begun)
      }
    }

    private func decideAgain(_ plan: ForwardPlan, _ request: SourceRequest) async -> Start? {
      let begun = core.store.now()
      // Who holds the lease was alone in asking under it: what comes from now on is of those who ask without one.
      let copies = request.findsNothing ? [] : core.copies(of: key, looksAgain: true)
      if copies.isEmpty, plan.isOfMiss {
        return Start(plan: plan, copies: [], request: request, begun: begun)
      }
      switch core.semantics.decide(plan.request, among: copies.map(\.candidate)) {
      case .forward(let plan), .answerAndRevalidate(_, from: _, let plan):
        if !isOfUnknownVariant(plan) {
          return Start(plan: plan, copies: copies, request: request, begun: begun)
        }
      case .answer, .refuse: break
      }
      await collection.end(request)
      return nil
    }

    /// True where it has come out meanwhile that the answers of the address vary: those who wait want different ones.
    private func isOfUnknownVariant(_ plan: ForwardPlan) -> Bool {
      isShared && !flight.isBackground && flightKey.isOfAddress
        && !FlightKey(key, of: plan).isOfAddress
    }
  }
#endif
