public import Strategies

/// What a store has to do with its sources, and how long that has been waiting.
public struct Backlog: Sendable, Hashable, Codable {
  /// An origin whose fetches or pushes keep failing.
  public struct Origin: Sendable, Hashable, Codable {
    /// Its name.
    public var name: String
    /// How often in a row.
    public var failures: Int
    /// Until when it is left alone; past when the next attempt may begin.
    public var pausedUntil: Timestamp
    /// Why the last attempt failed.
    public var failure: String
  }

  /// Records that wait for a refetch now.
  public var due = 0
  /// When the record that has waited the longest fell due, or the next one falls due; `nil` when no
  /// record waits.
  public var nextDue: Timestamp?
  /// Local writes that wait to reach their sources, those being pushed included.
  public var waitingWrites = 0
  /// Local writes that wait to be retried or dropped by somebody.
  public var parkedWrites = 0
  /// When the oldest local write was written.
  public var oldestWrite: Timestamp?
  /// When the next write may be pushed.
  public var nextWrite: Timestamp?
  /// Origins with failures, in order of name.
  public var failingOrigins: [Origin] = []

  /// Nothing to do.
  public init() {}
}
