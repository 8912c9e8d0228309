extension RecordCollection {
  /// Fetches what the refetch queue handed out (``Store/due(collection:limit:holding:)``), in one
  /// call of `fetch`, and stores it under the leases that came with it.
  ///
  /// Records of other collections are left alone. Each key has a result; a failed fetch pushes the
  /// record's next attempt out, and a stale copy stands in where the policy lets it.
  public func refetch(
    _ due: [DueRecord], policy: Policy? = nil,
    fetch: @escaping @Sendable ([Previous<Value>]) async throws -> [String: Fetched<Value>]
  ) async -> [String: Result<Answer<Value>, GetError>] {
    let own = due.filter { $0.collection == name }
    guard !own.isEmpty else { return [:] }
    let getter = Getter(self, policy ?? self.policy, .refresh, fetch)
    return await getter.results(ofLeased: own.map(\.lease))
  }
}
