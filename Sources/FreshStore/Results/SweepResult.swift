/// The result of a sweep.
public struct SweepResult: Sendable, Hashable, Codable {
  /// Records looked at.
  public var examined = 0
  /// Records newly marked stale.
  public var marked = 0
  /// Write transactions used.
  public var batches = 0
  /// The longest time for which other writers were blocked, by a transaction or by the end of a
  /// checkpoint.
  public var longestHold = Duration.zero
  /// True when nothing was left to examine; false when a limit ended the sweep.
  public var isComplete = true
  /// True when nothing was written: records to mark were only counted.
  public var isDryRun = false

  /// An empty result.
  package init() {}
}
