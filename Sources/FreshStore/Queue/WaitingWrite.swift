/// A local write that waits in the outbox, seen there and not yet handed out.
package struct WaitingWrite: Sendable, Hashable {
  /// Its number.
  package let id: OutboxEntry.ID
  /// How often it was sent.
  package let attempts: Int64
  /// The collection.
  package let collection: String
  /// Whom its push will tell, in the caller's words.
  package let origin: String
  /// The source that the record names.
  package let source: String?
}
