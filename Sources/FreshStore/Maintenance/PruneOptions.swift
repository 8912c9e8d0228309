/// What a prune removes. Pinned records and records with a pending write are never pruned.
public struct PruneOptions: Sendable {
  /// Only this collection; `nil` for all.
  public var collection: String?
  /// Records whose last update is at least this long ago.
  public var olderThan: Duration?
  /// The most records to keep; the oldest go first.
  public var maximumCount: Int?
  /// The most bytes to keep, counted as records take them in the file: values, names, details, and what
  /// each costs in any case. The oldest records go first.
  public var maximumBytes: Int?
  /// The most records removed in one write transaction. How many there really are follows from
  /// ``holdTime``.
  public var batchSize = 1000
  /// How long one write transaction should keep other writers waiting.
  public var holdTime = Duration.milliseconds(2)
  /// Counts what would be removed and writes nothing.
  public var isDryRun = false
  /// Called after every batch with the running totals.
  public var progress: (@Sendable (PruneResult) -> Void)?

  /// Removes nothing until told what.
  public init() {}
}
