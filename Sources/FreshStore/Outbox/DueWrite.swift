/// A local write from the outbox, with the right to push it for a while.
package struct DueWrite: Sendable {
  /// The entry.
  package let entry: OutboxEntry
  /// The address to send it to. It may hold secrets.
  package let address: String?
  let claim: OutboxClaim
}
