/// Why a get has no value to return: what the fetch said and what the store held, both visible.
public struct GetError: Error, Sendable {
  /// The kinds of failure.
  public enum Code: Sendable, Equatable {
    /// Nothing that may be served, and the source is provably out of reach; no attempt was made.
    case offline
    /// The fetch failed and no copy may stand in; see ``GetError/fetchFailure``.
    case fetchFailed
    /// The source says the object does not exist.
    case absent
    /// The store only was asked, and its copy is stale.
    case stale
    /// The store only was asked, and it holds nothing usable.
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
  /// What the gate decided of the copy; `nil` when the store was not looked at.
  public let decision: Decision?
  /// Why the fetch failed.
  public let fetchFailure: FetchFailure?
  /// Why the store failed.
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
