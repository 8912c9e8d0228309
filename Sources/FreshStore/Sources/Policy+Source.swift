extension Policy {
  /// This policy, by which a copy is served only if it also answers the requests of a source
  /// (``RecordSource/acceptsVariant``): for a collection that is read without naming its source. What is asked
  /// `from:` a source has it already.
  public func from(_ source: some RecordSource) -> Policy { accepting(source.acceptsVariant) }

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
