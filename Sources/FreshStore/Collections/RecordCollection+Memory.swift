internal import Rules
internal import Strategies

extension RecordCollection {
  /// A record in memory, and the gate's decision on it. `nil` when the file must be read.
  ///
  /// Generic code is left to the caller, where it is specialised for the type of the value.
  @inlinable
  func hit(_ key: String, _ policy: Policy?) -> MemoryHit? {
    store.hit(key, kind, policy.map(SharedPolicy.init) ?? sharedPolicy)
  }

  /// The answer of a get from memory alone: a copy that may be served, and needs no background
  /// refresh.
  @inlinable
  func answer(_ key: String, _ policy: Policy?) -> Answer<Value>? {
    guard let hit = answeringHit(key, policy) else { return nil }
    // Residents of one kind have values of one type.
    let value = unsafe unsafeDowncast(hit.box, to: ValueBox<Value>.self).value
    guard isPlain || refusal(of: value) == nil else { return nil }
    store.note(hit)
    let decision = hit.decision
    return Answer(
      value: value, key: key, freshness: decision.outcome == .fresh ? .fresh : .staleOffline,
      lastUpdate: decision.lastUpdate, age: decision.age, expiry: decision.expiry,
      source: hit.origin?.source, contentType: hit.origin?.contentType, decision: decision,
      fetchFailure: nil, storeFailure: nil, needsRefresh: false)
  }

  /// The parts of ``answer(_:_:)`` that do not depend on the type of the value.
  @inlinable
  func answeringHit(_ key: String, _ policy: Policy?) -> MemoryHit? {
    store.answeringHit(key, kind, policy.map(SharedPolicy.init) ?? sharedPolicy)
  }
}
