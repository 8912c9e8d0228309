#if Gateway
  internal import FreshHTTP
  internal import FreshStore
  internal import NIOCore

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
      let word = await core.shelf.collection.joinFleet(
        request, about: key.base, asksAlways: asksPastFleet(plan), atMost: core.limits.originTime,
        accepting: { await isUsable($0) })
      switch word {
      case .asking(let request): return request
      case .decideAgain: return nil
      }
    }

    /// True for a request to the origin that what another host has does not help.
    func asksPastFleet(_ plan: ForwardPlan) -> Bool {
      plan.reason == .request
        || plan.request.directives.noCache && core.policy.heedsReload(plan.request)
    }

    /// True for what a gateway has brought to the fleet, if it keeps the rules of this one. What a get has brought there has
    /// no head: the answer to this request takes its place.
    private func isUsable(_ record: KeptRecord<StoredBody>) async -> Bool {
      guard let copy = HeldCopy(record, core.policy) else { return false }
      // Content that lies here already was checked when it came.
      guard let admission, let body = record.value else { return true }
      let words = await refusal(
        of: Array(body.bytes.readableBytesView), copy.answer.fields.first("Content-Type"),
        by: admission)
      return words == nil
    }
  }
#endif
