package import FreshStore
package import FreshStoreTesting

extension RecordCollection {
  /// Gets one record, from `origin` when it must be fetched.
  @discardableResult
  package func get(
    _ key: String, _ policy: Policy? = nil, from origin: ScriptedOrigin<Value>
  ) async throws(GetError) -> Answer<Value> {
    try await get(key, policy: policy) { try await origin.fetch($0) }
  }

  /// The error of a get; `nil` when it returns a value.
  package func failure(
    _ key: String, _ policy: Policy? = nil, from origin: ScriptedOrigin<Value>
  ) async -> GetError? {
    do throws(GetError) {
      try await get(key, policy, from: origin)
      return nil
    } catch {
      return error
    }
  }

  /// The result of a read, in one word.
  package func state(_ key: String, _ policy: Policy? = nil) throws(StoreError) -> Decision.Outcome
  {
    try read(key, policy: policy).decision.outcome
  }
}

/// The store error of `body`; `nil` when it succeeds.
package func storeFailure<Result>(of body: () async throws -> Result) async -> StoreError? {
  do {
    _ = try await body()
    return nil
  } catch {
    return error as? StoreError
  }
}
