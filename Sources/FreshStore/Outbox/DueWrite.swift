/// A local write from the outbox, with the right to push it for a while.
public struct DueWrite: Sendable {
  /// The entry.
  public let entry: OutboxEntry
  /// The address to send it to. It may hold secrets.
  public let address: String?
  let claim: OutboxClaim
}
