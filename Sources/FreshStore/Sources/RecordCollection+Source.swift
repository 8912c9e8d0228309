extension RecordCollection {
  /// As ``get(_:policy:fetch:)-(String,_,_)``, from a source.
  public func get(
    _ key: String, policy: Policy? = nil, from source: some RecordSource<Value>
  ) async throws(GetError) -> Answer<Value> {
    try await get(key, policy: policy) { try await source.fetch($0) }
  }

  /// As ``refresh(_:policy:fetch:)-(String,_,_)``, from a source.
  public func refresh(
    _ key: String, policy: Policy? = nil, from source: some RecordSource<Value>
  ) async throws(GetError) -> Answer<Value> {
    try await refresh(key, policy: policy) { try await source.fetch($0) }
  }

  /// As ``follow(_:policy:fetch:)``, from a source.
  public func follow(
    _ list: String, policy: Policy? = nil, from source: some RecordSource<Value>
  ) async throws(GetError) -> FollowedList {
    try await follow(list, policy: policy) { try await source.list($0) }
  }
}
