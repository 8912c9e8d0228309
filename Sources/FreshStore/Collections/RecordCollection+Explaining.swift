internal import Strategies

extension RecordCollection {
  /// The action of a get for the key now, and its reason. It fetches nothing and writes nothing.
  ///
  /// In a fleet, a get first applies the marks of other hosts, and may find there the record that it would fetch. This
  /// call does not ask the fleet.
  public func explain(_ key: String, policy: Policy? = nil) throws(StoreError) -> Explanation {
    try explain(key, policy: policy, hearing: nil).explanation
  }

  /// The action of a get for the key now, for a host that has asked its fleet as a get would.
  ///
  /// - Parameter hearing: The fleet's answer; `nil` without an answer, and for a host without a fleet.
  package func explain(
    _ key: String, policy: Policy? = nil, hearing: FleetHearing?
  ) throws(StoreError) -> FleetExplanation {
    try check(key, .read)
    let (policy, now) = (policy ?? self.policy, store.now())
    try check(policy, .read)
    let stored = try store.storage.record(name, key)
    let tags =
      try stored.map { (record) throws(StoreError) in
        try store.storage.tags(of: record.row)
      } ?? []
    var record = stored
    if let stored, let mark = hearing?.mark(over: SharedKey(name, key), tags: tags) {
      record = store.marked(stored, because: mark, at: now)
    }
    let examined = examine(key, record, SharedPolicy(policy), now: now, explains: true)
    let plan = GetPlan(examined.decision, policy, situation(.get, policy, examined))
    var refusal = try refusal(of: plan, examined, policy)
    var holder = try store.storage.holders(name, [key], now: now)[key]
    var owner: String?
    if plan == .fetch, policy.mode != .bypass {
      switch hearing?.result {
      case .found(let finding)?:
        let isUsable = try isUsable(finding, key, over: examined, stored, policy, at: now)
        if isUsable { (owner, refusal) = (finding.owner, nil) }
      case .held(let other, _)?: holder = holder ?? other
      case .paused(let remaining, let reason)? where policy.heedsPauses:
        refusal = .pausingInFleet(until: now.wall.advanced(by: remaining), because: reason)
      case .paused?, .granted?, nil: break
      }
    }
    let origin = admission(policy).origin
    let explanation = Explanation(
      decision: examined.decision, action: action(plan, refusal, examined, policy),
      refusal: refusal, fetchedBy: holder, origin: policy.origin,
      originIsDownUntil: try origin.flatMap { (origin) throws(StoreError) in
        guard case .open(let until) = try store.storage.breakerState(of: origin, now: now) else {
          return nil
        }
        return until
      },
      sharedTierFailure: store.fleet?.obstacle, tags: tags,
      isPinned: stored?.isPinned ?? false, size: Int(stored?.content.size ?? 0),
      source: stored?.content.source, contentType: stored?.content.contentType,
      validators: stored?.content.validators ?? Validators())
    return FleetExplanation(explanation: explanation, owner: owner)
  }

  /// True when a get would serve the fleet's record, instead of asking the source in any case.
  private func isUsable(
    _ finding: SharedFinding, _ key: String, over copy: JudgedCopy<Value>, _ stored: StoredRecord?,
    _ policy: Policy, at now: ClockReading
  ) throws(StoreError) -> Bool {
    guard let usable = usable(finding, key, over: copy, policy, asked: now, began: now) else {
      return false
    }
    return try !store.storage.isInDoubt(usable.write, over: stored)
  }

  /// The reason why a planned fetch would not run; `nil` when it would run, or none is planned.
  private func refusal(
    of plan: GetPlan, _ examined: JudgedCopy<Value>, _ policy: Policy
  ) throws(StoreError) -> FetchFailure? {
    switch plan {
    case .fetch, .serve(_, refreshes: true):
      if policy.mode == .bypass { return admission(policy).offline?.failure }
      let canWait = policy.mayStandIn(examined.decision)
      let request = SourceAdmission.Request(canWait: canWait)
      return try admission(policy).look(for: request)?.failure
    case .standIn(let obstacle): return obstacle.failure
    case .fail, .serve: return nil
    }
  }

  /// The action of a plan whose fetch is refused.
  private func action(
    _ plan: GetPlan, _ refusal: FetchFailure?, _ examined: JudgedCopy<Value>, _ policy: Policy
  ) -> Explanation.Action {
    guard let refusal else { return Explanation.Action(plan) }
    if case .serve(let use, _) = plan { return Explanation.Action(.serve(use, refreshes: false)) }
    let getter = Getter(self, policy, .get) { _ in [:] }
    let subject = Getter<Value>.Subject(key: examined.key, examined: examined)
    if case .success = getter.serveInstead(subject, refusal) { return .standIn }
    return .fail
  }
}
