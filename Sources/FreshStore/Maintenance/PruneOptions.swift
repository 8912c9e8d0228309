/// What a prune removes. Pinned records and records with a pending write are never pruned.
public struct PruneOptions: Sendable {
  /// Only this collection; `nil` for all.
  public var collection: String?
  /// Records whose last update is at least this long ago.
  public var olderThan: Duration?
  /// The most records to keep; the oldest go first.
  public var maximumCount: Int?
  /// The most bytes of values to keep; the oldest records go first.
  public var maximumBytes: Int?
  /// Records removed in one write transaction.
  public var batchSize = 250
  /// Counts what would be removed and writes nothing.
  public var isDryRun = false

  /// Removes nothing until told what.
  public init() {}
}
