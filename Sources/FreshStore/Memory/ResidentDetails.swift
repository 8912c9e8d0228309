internal import Strategies

/// Rare fields of records in memory.
final class ResidentDetails: Sendable {
  let origin: CopyOrigin?
  let hardEnd: Duration?
  let graceWhileRevalidating: Duration?
  let graceOnError: Duration?
  let failures: Int
  let failure: String?
  let nextAttempt: Timestamp?
  let isPauseNamed: Bool

  /// `nil` when the record has none of them.
  init?(_ record: StoredRecord) {
    let content = record.content
    origin = CopyOrigin(record)
    hardEnd = content.hardEnd
    graceWhileRevalidating = content.graceWhileRevalidating
    graceOnError = content.graceOnError
    failures = Int(record.failures)
    failure = record.failure
    nextAttempt = record.nextAttempt
    isPauseNamed = record.isPauseNamed
    let isEmpty =
      origin == nil && hardEnd == nil && graceWhileRevalidating == nil && graceOnError == nil
      && failures == 0 && failure == nil && nextAttempt == nil
    if isEmpty { return nil }
  }
}
