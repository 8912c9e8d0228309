public import Strategies

/// A record the refetch queue hands out, with the right to fetch it for a while.
public struct DueRecord: Sendable {
  /// The collection.
  public let collection: String
  /// The key.
  public let key: String
  /// The source's URL or label.
  public let source: String?
  /// When its expiry was reached; `nil` when it has none.
  public let deadline: Timestamp?
  /// Failed fetches since the last success.
  public let failures: Int
  let lease: Lease
}
