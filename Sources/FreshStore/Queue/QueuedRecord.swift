package import Strategies

/// A record that waits in the refetch queue, seen there and not yet handed out.
package struct QueuedRecord: Sendable, Hashable {
  /// The collection.
  package let collection: String
  /// The key.
  package let key: String
  /// The origin of its fetch, as the caller names it.
  package let origin: String
  /// Its place in the queue.
  package let queuedAt: Timestamp
  /// The address that its fetch asks.
  package let address: String?
  let row: Int64
}
