extension RecordCollection {
  /// Fetches what the refetch queue handed out (``Store/due(collection:limit:holding:)``), in one
  /// call of `fetch`, and stores it under the leases that came with it.
  ///
  /// Records of other collections are left alone. Each key has a result; a failed fetch pushes the
  /// record's next attempt out, and a stale copy stands in where the policy lets it. Of two keys that
  /// are the same text in different bytes the second goes back to the queue, as an answer by key can
  /// hold only one of them.
  public func refetch(
    _ due: [DueRecord], policy: Policy? = nil,
    fetch: @escaping @Sendable ([Previous<Value>]) async throws -> [String: Fetched<Value>]
  ) async -> [String: Result<Answer<Value>, GetError>] {
    var (own, others): ([DueRecord], [DueRecord]) = ([], [])
    var keys: Set<String> = []
    for record in due where record.collection.hasSameBytes(as: name) {
      if keys.insert(record.key).inserted { own.append(record) } else { others.append(record) }
    }
    guard !own.isEmpty else { return [:] }
    do throws(StoreError) {
      try await store.giveBack(others)
    } catch {
      // They come up again when the time for which they were handed out is over.
      store.report(.notStored(error))
    }
    let getter = Getter(self, policy ?? self.policy, .refresh, fetch)
    return await getter.results(ofLeased: own.map(\.lease))
  }
}
