package import Strategies

/// What waits in a store to be fetched and pushed: the one answer for everybody who shows it.
package struct WaitingWork: Sendable, Hashable {
  /// The local writes of a collection.
  package struct Writes: Sendable, Hashable {
    /// Writes that wait for the source, or are being pushed.
    package var waiting: Int
    /// Writes that the source refused.
    package var parked: Int
  }

  /// Records that wait for a refetch now, without those on hold until their local writes are pushed.
  package var due = 0
  /// The due time of the record that has waited the longest, or of the next one; `nil` when no
  /// record waits.
  package var nextDue: Timestamp?
  /// Running fetches of records, in any process.
  package var fetches = 0
  /// Local writes by collection.
  package var writes: [ExactName: Writes] = [:]
  /// The time of the oldest local write.
  package var oldestWrite: Timestamp?
  /// Marks that were made while the fleet was out of reach, and are still to be delivered.
  package var keptMarks = 0
  /// Those that its shared tier has refused.
  package var refusedMarks = 0
  /// Origins with failures, in order of name.
  package var failingOrigins: [Backlog.Origin] = []

  /// Local writes that wait for their sources, or are being pushed.
  package var waitingWrites: Int { writes.values.reduce(0) { $0 + $1.waiting } }
  /// Local writes that their sources refused.
  package var parkedWrites: Int { writes.values.reduce(0) { $0 + $1.parked } }

  /// Nothing waits.
  package init() {}
}
