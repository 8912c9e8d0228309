package import Strategies

/// The pending work of a store with its sources, and the age of that work.
package struct Backlog: Sendable, Hashable, Codable {
  /// An origin whose fetches or pushes keep failing.
  package struct Origin: Sendable, Hashable, Codable {
    package var name: String
    package var failures: Int
    /// The end of the origin's pause; in the past when the next attempt may begin.
    package var pausedUntil: Timestamp
    package var failure: String
  }

  /// Records that wait for a refetch now.
  package var due = 0
  /// The due time of the record that has waited the longest, or of the next one; `nil` when no record waits.
  package var nextDue: Timestamp?
  /// Local writes that wait to reach their sources, including those being pushed.
  package var waitingWrites = 0
  /// Local writes that wait until they are retried or dropped on request.
  package var parkedWrites = 0
  /// The time of the oldest local write.
  package var oldestWrite: Timestamp?
  /// The time from which the next write may be pushed.
  package var nextWrite: Timestamp?
  /// Origins with failures, in order of name.
  package var failingOrigins: [Origin] = []

  package init() {}

  init(_ work: WaitingWork, nextWrite: Timestamp?) {
    due = work.due
    nextDue = work.nextDue
    waitingWrites = work.waitingWrites
    parkedWrites = work.parkedWrites
    oldestWrite = work.oldestWrite
    self.nextWrite = nextWrite
    failingOrigins = work.failingOrigins
  }
}

/// The work in a store that waits to be fetched and pushed, counted once for all that show it.
package struct WaitingWork: Sendable, Hashable {
  /// The local writes of a collection.
  package struct Writes: Sendable, Hashable {
    /// The number of writes that wait for the source, or are being pushed.
    package var waiting: Int
    /// The number of writes that the source refused.
    package var parked: Int
  }

  /// Records that wait for a refetch now, without records that are on hold until their local writes are pushed.
  package var due = 0
  /// The due time of the record that has waited the longest, or of the next one; `nil` when no record waits.
  package var nextDue: Timestamp?
  /// Running fetches of records, in any process.
  package var fetches = 0
  /// Local writes by collection.
  package var writes: [ExactName: Writes] = [:]
  /// The time of the oldest local write.
  package var oldestWrite: Timestamp?
  /// Marks that were made while the fleet was out of reach, and are still to be delivered.
  package var keptMarks = 0
  /// Such marks that the fleet's shared tier has refused.
  package var refusedMarks = 0
  /// Origins with failures, in order of name.
  package var failingOrigins: [Backlog.Origin] = []

  /// Local writes that wait for their sources, or are being pushed.
  package var waitingWrites: Int { writes.values.reduce(0) { $0 + $1.waiting } }
  /// Local writes that their sources refused.
  package var parkedWrites: Int { writes.values.reduce(0) { $0 + $1.parked } }

  package init() {}
}

/// Local writes that no owner is pushing.
package struct UnsentWrites: Sendable {
  /// The first write of each key that is not parked, whether it may be pushed now or later.
  package var first: [OutboxEntry.ID] = []
  /// The number that waits behind a parked one.
  package var behindParked = 0
}

/// Whether the source of a collection may be asked now.
package enum SourceState: Sendable, Hashable {
  /// There is no obstacle.
  case open
  /// The source, or the route to it, has failed: one attempt at a time finds out whether it is back.
  case trial
  /// The source is not asked until then, for this reason.
  case paused(until: Timestamp, reason: String)
  /// The source is not asked until an application says so, for this reason.
  case held(String)
  /// The source is provably unreachable.
  case offline(String)
}
