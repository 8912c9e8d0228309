package import Strategies

/// A local write that waits in the outbox, seen there and not yet handed out.
package struct WaitingWrite: Sendable, Hashable {
  /// Its number.
  package let id: OutboxEntry.ID
  /// The collection.
  package let collection: String
  /// The key.
  package let key: String
  /// The origin of its push, as the caller names it.
  package let origin: String
  /// The address that its push asks.
  package let address: String?
  /// True when what is sent is large.
  package let isLarge: Bool
  /// True when it was sent before, to no effect.
  package let hasFailed: Bool
  /// True when a whole request may have failed because of it.
  package let isSuspect: Bool
  /// Its priority.
  package let priority: Int64
  /// The moment since which it is due.
  package let dueAt: Timestamp
}
