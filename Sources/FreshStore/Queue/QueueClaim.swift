internal import Strategies

/// A record of the refetch queue handed out to one worker, with its former place in the queue.
package struct QueueClaim: Sendable {
  /// The record for ``RecordCollection/refetch(_:policy:fetch:)``.
  package let record: DueRecord
  let row: Int64
  let queuedAt: Timestamp
  /// Its place in the queue while it is handed out.
  let comesUpAgain: Timestamp
}
