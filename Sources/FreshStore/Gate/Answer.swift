public import Strategies

/// The result of a get: the value, its freshness, and the grounds.
public struct Answer<Value: Sendable>: Sendable {
  /// Where the value came from, and its freshness.
  public enum Freshness: String, Sendable, Hashable, Codable, CaseIterable {
    /// A fresh copy.
    case fresh
    /// Fetched just now.
    case fetched
    /// The copy, which the source has just confirmed.
    case revalidated
    /// A stale copy, served at once while it is refreshed in the background.
    case staleWhileRevalidating = "stale-while-revalidating"
    /// A stale copy, because the fetch failed.
    case staleOnError = "stale-on-error"
    /// A stale copy, because the fetch takes longer than the soft timeout.
    case staleAfterTimeout = "stale-after-timeout"
    /// A stale copy, because the source is provably unreachable.
    case staleOffline = "stale-offline"
    /// A stale copy, because only the store was asked.
    case stale

    /// True when the value may differ from the source's.
    public var isStale: Bool {
      switch self {
      case .fresh, .fetched, .revalidated: false
      default: true
      }
    }
  }

  /// The value.
  public let value: Value
  /// The key.
  public let key: String
  /// Where the value came from.
  public let freshness: Freshness
  /// When the value was last known to equal its source.
  public let lastUpdate: Timestamp?
  /// Time since ``lastUpdate``.
  public let age: Duration?
  /// How long it is valid from its last update.
  public let expiry: Expiry
  /// The source's URL or label.
  public let source: String?
  /// The media type.
  public let contentType: String?
  /// The gate's decision on the copy before anything was fetched.
  public let decision: Decision?
  /// The reason why the fetch failed or was not made, when a copy replaces its result.
  public let fetchFailure: FetchFailure?
  /// The reason why the store could not be read or written, or the host went on without its fleet
  /// (``sharedTierFailure``). The value itself is not lost.
  public let storeFailure: StoreError?
  /// True when the caller has to refresh the record (`Policy.BackgroundRefresh.byCaller`).
  public let needsRefresh: Bool

  @inlinable
  init(
    value: Value, key: String, freshness: Freshness, lastUpdate: Timestamp?, age: Duration?,
    expiry: Expiry, source: String?, contentType: String?, decision: Decision?,
    fetchFailure: FetchFailure?, storeFailure: StoreError?, needsRefresh: Bool
  ) {
    self.value = value
    self.key = key
    self.freshness = freshness
    self.lastUpdate = lastUpdate
    self.age = age
    self.expiry = expiry
    self.source = source
    self.contentType = contentType
    self.decision = decision
    self.fetchFailure = fetchFailure
    self.storeFailure = storeFailure
    self.needsRefresh = needsRefresh
  }
}

extension Answer {
  /// The reason why the source was asked without the fleet; `nil` when the fleet answered, or was not needed.
  public var sharedTierFailure: SharedTierError? { storeFailure?.sharedTierFailure }
}

extension Answer.Freshness: CustomStringConvertible {
  /// The name in words, such as `stale-on-error`.
  public var description: String { rawValue }
}

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

extension GetError: CustomStringConvertible {
  /// One line: the record, the failure, and the next step.
  public var description: String {
    var words = "cannot get \(KeyText.shown(key).debugDescription) of '\(collection)': \(problem)"
    if let decision, code != .store, code != .cancelled {
      words += "; the store has: \(decision)"
    }
    if let storeFailure, code != .store { words += "; and the store failed: \(storeFailure)" }
    return words + advice
  }

  private var problem: String {
    switch code {
    case .offline: "its source is provably out of reach, and no copy may be served"
    case .fetchFailed: fetchFailure?.message ?? "the fetch failed"
    case .absent: "the source says that it does not exist"
    case .stale: "the copy is stale, and the source was not to be asked"
    case .missing: "there is no usable copy, and the source was not to be asked"
    case .cancelled: "the task that asked was cancelled"
    case .store: storeFailure.map { "\($0)" } ?? "the store failed"
    }
  }

  private var advice: String {
    switch code {
    case .offline: "; try again online"
    case .stale, .missing: "; allow the policy to ask the source"
    case .fetchFailed, .absent, .cancelled, .store: ""
    }
  }
}
