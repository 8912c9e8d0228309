internal import Strategies

/// What few records in memory have.
final class ResidentDetails: Sendable {
  let origin: CopyOrigin?
  let hardEnd: Duration?
  let graceWhileRevalidating: Duration?
  let graceOnError: Duration?
  let failures: Int
  let failure: String?
  let nextAttempt: Timestamp?
  let isPauseNamed: Bool

  /// `nil` when the record has nothing of it.
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
