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
  /// The source it names.
  package let source: String?
  let row: Int64
}
