/// The reason why a get has no value to return: the fetch's failure and the stored state, both visible.
public struct GetError: Error, Sendable {
  /// The kinds of failure.
  public enum Code: Sendable, Equatable {
    /// No copy may be served, and the source is provably unreachable; no attempt was made.
    case offline
    /// The fetch failed and no copy may replace its result; see ``GetError/fetchFailure``.
    case fetchFailed
    /// The source reported that the object does not exist.
    case absent
    /// Only the store was asked, and its copy is stale.
    case stale
    /// Only the store was asked, and it holds nothing usable.
    case missing
    /// The caller's task was cancelled.
    case cancelled
    /// The arguments, or the store, do not allow the call; see ``GetError/storeFailure``.
    case store
  }

  /// The kind of failure.
  public let code: Code
  /// The collection.
  public let collection: String
  /// The key.
  public let key: String
  /// The gate's decision on the copy; `nil` when the store was not read.
  public let decision: Decision?
  /// The fetch's failure.
  public let fetchFailure: FetchFailure?
  /// The store's failure.
  public let storeFailure: StoreError?

  init(
    _ code: Code, collection: String, key: String, decision: Decision? = nil,
    fetchFailure: FetchFailure? = nil, storeFailure: StoreError? = nil
  ) {
    self.code = code
    self.collection = collection
    self.key = key
    self.decision = decision
    self.fetchFailure = fetchFailure
    self.storeFailure = storeFailure
  }
}
