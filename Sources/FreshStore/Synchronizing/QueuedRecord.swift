package import Strategies

/// A record that waits in the refetch queue, seen there and not yet handed out.
package struct QueuedRecord: Sendable, Hashable {
  /// The collection.
  package let collection: String
  /// The key.
  package let key: String
  /// Whom its fetch will ask, in the caller's words.
  package let origin: String
  /// Its place in the queue.
  package let queuedAt: Timestamp
  let row: Int64
}
