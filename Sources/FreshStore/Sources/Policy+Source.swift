extension Policy {
  /// This policy, by which a copy is served only if it also answers the requests of a source
  /// (``RecordSource/acceptsVariant``), with the breaker of the source's own origin where the policy names none
  /// (``RecordSource/breakerOrigin``): for a collection that is read without naming its source. What is asked `from:` a source
  /// has both already.
  public func from(_ source: some RecordSource) -> Policy {
    var policy = accepting(source.acceptsVariant)
    policy.origin = policy.origin ?? source.breakerOrigin
    return policy
  }

  /// This policy with one more condition on the variants that answer; `nil` for none.
  package func accepting(_ accepts: (@Sendable (String?) -> Bool)?) -> Policy {
    guard let accepts else { return self }
    var policy = self
    if let own = acceptsVariant {
      policy.acceptsVariant = { own($0) && accepts($0) }
    } else {
      policy.acceptsVariant = accepts
    }
    return policy
  }
}
