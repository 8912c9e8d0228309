import FreshStore
import FreshStoreTesting

extension RecordCollection {
  /// Gets one record, from `origin` when it must be fetched.
  @discardableResult
  func get(
    _ key: String, _ policy: Policy? = nil, from origin: ScriptedOrigin<Value>
  ) async throws(GetError) -> Answer<Value> {
    try await get(key, policy: policy) { try await origin.fetch($0) }
  }

  /// The error a get ends with; `nil` when it brings a value.
  func failure(
    _ key: String, _ policy: Policy? = nil, from origin: ScriptedOrigin<Value>
  ) async -> GetError? {
    do throws(GetError) {
      try await get(key, policy, from: origin)
      return nil
    } catch {
      return error
    }
  }

  /// What a read finds, in one word.
  func state(_ key: String, _ policy: Policy? = nil) throws(StoreError) -> Decision.Outcome {
    try read(key, policy: policy).decision.outcome
  }
}

/// The error of the store that `body` ends with; `nil` when it ends well.
func storeFailure<Result>(of body: () async throws -> Result) async -> StoreError? {
  do {
    _ = try await body()
    return nil
  } catch {
    return error as? StoreError
  }
}
