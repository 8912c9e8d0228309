extension RecordCollection {
  /// Fetches records from the refetch queue (``Store/due(collection:limit:holding:)``), in one call
  /// of `fetch`, and stores the results under the leases that came with them.
  ///
  /// Records of other collections are left alone. Each key has a result; a failed fetch delays the
  /// record's next attempt, and a stale copy replaces the result where the policy allows it. Of two
  /// keys that are the same text in different bytes the second goes back to the queue, as an answer
  /// by key can hold only one of them.
  package func refetch(
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
      // They are due again after the time for which they were handed out.
      store.report(.notStored(error))
    }
    let getter = Getter(self, policy ?? self.policy, .renew, fetch)
    return await getter.results(ofLeased: own.map(\.lease))
  }
}
