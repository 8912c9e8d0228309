/// How much a sweep may do.
public struct SweepOptions: Sendable {
  /// The most records to mark; `nil` for all.
  public var limit: Int?
  /// Records looked at in one write transaction, which bounds how long writers wait.
  public var batchSize = 250
  /// Counts what would be marked and writes nothing.
  public var isDryRun = false
  /// Called after every batch with the running totals.
  public var progress: (@Sendable (SweepResult) -> Void)?

  /// The defaults: everything, in batches of 250.
  public init() {}
}
