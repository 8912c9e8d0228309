/// What a prune did.
public struct PruneResult: Sendable, Hashable, Codable {
  /// Records removed.
  public var removed = 0
  /// Bytes that the removed records took, as ``PruneOptions/maximumBytes`` counts them.
  public var bytes = 0
  /// Bytes by which the file became smaller.
  public var fileBytes = 0
  /// The longest time for which other writers were kept waiting, by a transaction or by the end of a
  /// checkpoint.
  public var longestHold = Duration.zero
  /// True when nothing was removed: it was only counted.
  public var isDryRun = false

  /// An empty result.
  public init() {}
}
