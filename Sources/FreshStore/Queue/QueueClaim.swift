internal import Strategies

/// A record of the refetch queue that was handed out to one worker, and what it takes to put it back
/// where it was.
package struct QueueClaim: Sendable {
  /// What ``RecordCollection/refetch(_:policy:fetch:)`` takes.
  package let record: DueRecord
  let row: Int64
  let queuedAt: Timestamp
  /// Where it stands in the queue while it is handed out.
  let comesUpAgain: Timestamp
}
