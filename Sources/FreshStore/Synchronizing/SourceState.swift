package import Strategies

/// Whether the source of a collection is to be asked now.
package enum SourceState: Sendable, Hashable {
  /// Nothing speaks against it.
  case open
  /// It, or the way to it, has failed: one attempt at a time is to find out whether it is back.
  case trial
  /// It is left alone until then, for this reason.
  case paused(until: Timestamp, reason: String)
  /// It is provably out of reach.
  case offline(String)
}

extension RecordCollection {
  /// Whether the source is to be asked now, by the kernel, by what earlier fetches found of the way,
  /// and by the origin's breaker. Cost: nothing to speak of; one SELECT where there is a breaker.
  package func sourceState(policy: Policy? = nil) throws(StoreError) -> SourceState {
    let policy = policy ?? self.policy
    let now = store.now()
    if policy.reachability != .ignore, case .offline(let cause) = reachability(policy: policy) {
      return .offline("\(cause)")
    }
    var state = SourceState.open
    if policy.reachability == .ask {
      let way = FetchEvidence.Way(policy, collection: name)
      if let pause = store.evidence.pause(over: way, at: now) {
        return .paused(until: pause.until, reason: pause.cause)
      }
      if case .suspected = reachability(policy: policy) { state = .trial }
    }
    guard let origin = policy.origin else { return state }
    let breaker = OriginGuard(name: origin, policy: store.configuration.breaker)
    guard let until = try store.storage.openUntil(breaker, now: now) else { return state }
    let left = until.duration(since: now.wall)
    // A pause longer than the longest was stamped by a clock that has since been set back.
    guard left > .zero, left <= breaker.policy.maximumPause else { return .trial }
    return .paused(until: until, reason: "\(origin) keeps failing")
  }
}
