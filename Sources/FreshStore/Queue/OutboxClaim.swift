/// The right to push one entry, held by one owner until a deadline. The fence is new with every
/// claim, so an owner that wakes up late settles nothing; the write's idempotency key distinguishes
/// it from one of another file, where all numbers begin anew, and from one whose content was replaced.
struct OutboxClaim: Sendable, Hashable {
  let id: Int64
  let idempotencyKey: String
  let collection: String
  let key: String
  let owner: String
  let fence: Int64
  /// The format of the value; `nil` for a deletion.
  let format: Format?

  /// What decides whether a program can read a value.
  struct Format: Sendable, Hashable {
    let codec: String
    let contentVersion: Int64
  }
}
