package import Strategies

/// The pending work of a store with its sources, and its age.
package struct Backlog: Sendable, Hashable, Codable {
  /// An origin whose fetches or pushes keep failing.
  package struct Origin: Sendable, Hashable, Codable {
    /// Its name.
    package var name: String
    /// Consecutive failures.
    package var failures: Int
    /// The end of its pause; in the past when the next attempt may begin.
    package var pausedUntil: Timestamp
    /// The message of the last failure.
    package var failure: String
  }

  /// Records that wait for a refetch now.
  package var due = 0
  /// The due time of the record that has waited the longest, or of the next one; `nil` when no
  /// record waits.
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

  /// Nothing to do.
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
