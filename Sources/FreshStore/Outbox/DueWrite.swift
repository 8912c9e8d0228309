/// A local write the outbox hands out, with the right to push it for a while.
public struct DueWrite: Sendable {
  /// The entry.
  public let entry: OutboxEntry
  /// The source's URL or label that the record names.
  public let source: String?
  let claim: OutboxClaim
}
