extension RecordCollection {
  /// As ``get(_:policy:fetch:)-(String,_,_)``, from a source. A copy that does not answer the
  /// source's requests counts as missing (``RecordSource/acceptsVariant``).
  public func get(
    _ key: String, policy: Policy? = nil, from source: some RecordSource<Value>
  ) async throws(GetError) -> Answer<Value> {
    try await get(key, policy: selecting(policy, source)) { try await source.fetch($0) }
  }

  /// As ``refresh(_:policy:fetch:)-(String,_,_)``, from a source.
  public func refresh(
    _ key: String, policy: Policy? = nil, from source: some RecordSource<Value>
  ) async throws(GetError) -> Answer<Value> {
    try await refresh(key, policy: selecting(policy, source)) { try await source.fetch($0) }
  }

  /// As ``follow(_:policy:fetch:)``, from a source.
  public func follow(
    _ list: String, policy: Policy? = nil, from source: some RecordSource<Value>
  ) async throws(GetError) -> FollowedList {
    try await follow(list, policy: selecting(policy, source)) { try await source.list($0) }
  }

  /// The policy of a call; `nil` for the collection's, by which memory answers fastest.
  private func selecting(_ policy: Policy?, _ source: some RecordSource<Value>) -> Policy? {
    guard source.acceptsVariant != nil || source.breakerOrigin != nil else { return policy }
    return (policy ?? self.policy).from(source)
  }
}
