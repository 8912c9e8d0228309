public import Strategies

/// The present work of a ``Synchronizer``.
public struct SyncStatus: Sendable, Hashable, Codable {
  /// The phases of its work.
  public enum Phase: Sendable, Hashable, Codable {
    /// It is not running.
    case stopped
    /// Fetches or pushes are in flight.
    case draining
    /// There is nothing to do until then; `nil` when nothing is known to fall due.
    case idle(until: Timestamp?)
    /// Every source is provably out of reach, for this reason. Work in flight is given up after
    /// ``SyncOptions/outage``.
    case offline(because: String)
    /// It takes no new work, and lets work in flight finish.
    case stopping
  }

  /// The treatment of one origin.
  public struct Origin: Sendable, Hashable, Codable {
    /// Fetches and pushes in flight.
    public var inFlight = 0
    /// The end of its pause; `nil` without one.
    public var pausedUntil: Timestamp?
    /// The reason why it is held until an application releases it; `nil` when it is not.
    public var heldBecause: String?
  }

  /// The present phase.
  public var phase: Phase = .stopped
  /// Fetches, pushes and lists in flight.
  public var inFlight = 0
  /// The results since the run began.
  public var report = SyncReport()
  /// The origins with work in flight, a pause or a hold, by name. A collection whose policy and records name no
  /// origin uses its own name.
  public var origins: [String: Origin] = [:]
  /// The store's failure at the last attempt; `nil` when there was none.
  public var failure: String?

  /// A status without work.
  package init() {}
}

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
  /// Due work that was put off: its source is out of reach or paused, or its own pause after a failure has not ended.
  public var deferred = 0
  /// Local writes that wait behind a parked write of the same record.
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
