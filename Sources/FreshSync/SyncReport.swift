/// The results of synchronizing, in numbers.
public struct SyncReport: Sendable, Hashable, Codable {
  /// Records whose source answered with a value.
  public var fetched = 0
  /// Records whose source confirmed the copy.
  public var notModified = 0
  /// Records whose source says that they do not exist.
  public var gone = 0
  /// Fetches, pushes and lists that failed; each is tried again after its pause.
  public var failed = 0
  /// Local writes that their source has accepted.
  public var pushed = 0
  /// Local writes that were parked after a refusal.
  public var parked = 0
  /// Local writes that met another change at their source.
  public var conflicts = 0
  /// Due work that was put off: its source is out of reach or left alone, or it waits for the end
  /// of its pause after a failure.
  public var deferred = 0
  /// Local writes that wait behind a parked one of the same record.
  public var held = 0
  /// Lists that were followed to their present state.
  public var lists = 0

  /// An empty report.
  package init() {}

  /// The sum of both.
  package static func + (left: SyncReport, right: SyncReport) -> SyncReport {
    var sum = left
    sum.fetched += right.fetched
    sum.notModified += right.notModified
    sum.gone += right.gone
    sum.failed += right.failed
    sum.pushed += right.pushed
    sum.parked += right.parked
    sum.conflicts += right.conflicts
    sum.deferred += right.deferred
    sum.held += right.held
    sum.lists += right.lists
    return sum
  }
}
