package import Strategies

/// A record from the refetch queue, with the right to fetch it for a while.
package struct DueRecord: Sendable {
  /// The collection.
  package let collection: String
  /// The key.
  package let key: String
  /// The source's URL or label.
  package let source: String?
  /// The address to ask, in full; ``source`` where that is all that is known. It may hold secrets.
  package let address: String?
  /// The time at which it expired; `nil` when it has no expiry.
  package let deadline: Timestamp?
  /// Failed fetches since the last success.
  package let failures: Int
  let lease: Lease
  let row: Int64
  /// Its former place in the queue.
  let queuedAt: Timestamp
  /// Its place in the queue while it is handed out.
  let comesUpAgain: Timestamp
}
