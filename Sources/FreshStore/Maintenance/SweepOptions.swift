/// How much a sweep may do.
public struct SweepOptions: Sendable {
  /// The most records to mark; `nil` for all.
  public var limit: Int?
  /// The most records in one write transaction. How many there really are follows from
  /// ``holdTime`` and from how quick the machine is.
  public var batchSize = 1000
  /// How long one write transaction should keep other writers waiting. What the machine does in
  /// between can make it longer; ``SweepResult/longestHold`` tells.
  public var holdTime = Duration.milliseconds(2)
  /// When this time is over the sweep ends after the batch at hand; `nil` for no limit.
  public var timeLimit: Duration?
  /// How long to wait for a sweep that somebody else, in this process or another, has under way.
  public var wait = Duration.zero
  /// The right to sweep, where the caller has it already: ``Store/lockSweeps(waiting:)``.
  public var lock: SweepLock?
  /// Counts what would be marked and writes nothing; any number of those may run at once.
  public var isDryRun = false
  /// Called after every batch with the running totals.
  public var progress: (@Sendable (SweepResult) -> Void)?

  /// The defaults: everything, in transactions of 2 ms, unless somebody else is at it.
  public init() {}
}
