public import Strategies

/// The pending work of a store with its sources, and its age.
public struct Backlog: Sendable, Hashable, Codable {
  /// An origin whose fetches or pushes keep failing.
  public struct Origin: Sendable, Hashable, Codable {
    /// Its name.
    public var name: String
    /// Consecutive failures.
    public var failures: Int
    /// The end of its pause; in the past when the next attempt may begin.
    public var pausedUntil: Timestamp
    /// The message of the last failure.
    public var failure: String
  }

  /// Records that wait for a refetch now.
  public var due = 0
  /// The due time of the record that has waited the longest, or of the next one; `nil` when no
  /// record waits.
  public var nextDue: Timestamp?
  /// Local writes that wait to reach their sources, including those being pushed.
  public var waitingWrites = 0
  /// Local writes that wait until they are retried or dropped on request.
  public var parkedWrites = 0
  /// The time of the oldest local write.
  public var oldestWrite: Timestamp?
  /// The time from which the next write may be pushed.
  public var nextWrite: Timestamp?
  /// Origins with failures, in order of name.
  public var failingOrigins: [Origin] = []

  /// Nothing to do.
  public init() {}

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
