/// The result of a prune.
public struct PruneResult: Sendable, Hashable, Codable {
  /// Records removed.
  public var removed = 0
  /// The size of the removed records, as ``PruneOptions/maximumBytes`` counts it.
  public var bytes = 0
  /// The bytes by which the file shrank.
  public var fileBytes = 0
  /// The longest time for which other writers were blocked, by a transaction or by the end of a
  /// checkpoint.
  public var longestHold = Duration.zero
  /// True when records were only counted and none removed.
  public var isDryRun = false

  /// An empty result.
  package init() {}
}
