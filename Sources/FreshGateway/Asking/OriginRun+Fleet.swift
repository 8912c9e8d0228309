#if Gateway
  internal import FreshHTTP
  internal import FreshStore

  extension OriginRun {
    /// The request under which the origin is asked, as the fleet has it; `nil` when another host has brought an
    /// answer.
    ///
    /// The fleet shares what lies under the address itself. Where answers vary nobody waits for another host.
    func joinFleet(
      _ request: SourceRequest, _ plan: ForwardPlan, _ copies: [HeldCopy]
    ) async -> SourceRequest? {
      let key = CopyKey(address.text)
      guard core.store.isOfFleet, core.policy.isShared, request.isExclusive,
        flightKey.isOfAddress, copies.allSatisfy({ $0.record.key == key.base })
      else { return request }
      let wantsMore =
        plan.reason == .request
        || plan.request.directives.noCache && core.policy.heedsReload(plan.request)
      let word = await core.shelf.collection.joinFleet(
        request, about: key.base, asksAlways: wantsMore, atMost: core.limits.originTime,
        // What a get has brought there has no head: the answer to this request takes its place.
        accepting: { HeldCopy($0, core.policy) != nil })
      switch word {
      case .asking(let request): return request
      case .decideAgain: return nil
      }
    }
  }
#endif
