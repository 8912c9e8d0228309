public import Strategies

/// The present work of a ``Synchronizer``.
public struct SyncStatus: Sendable, Hashable, Codable {
  /// The phases of its work.
  public enum Phase: Sendable, Hashable, Codable {
    /// It is not running.
    case stopped
    /// Fetches or pushes are under way.
    case draining
    /// Nothing to do until then; `nil` when nothing is known to fall due.
    case idle(until: Timestamp?)
    /// Every source is provably out of reach, for this reason; work still under way is given up
    /// after ``SyncOptions/outage``.
    case offline(because: String)
    /// It takes no new work and lets work under way finish.
    case stopping
  }

  /// The treatment of one origin.
  public struct Origin: Sendable, Hashable, Codable {
    /// Fetches and pushes under way.
    public var inFlight = 0
    /// The end of its pause; `nil` without one.
    public var pausedUntil: Timestamp?
    /// The reason why it is held until an application releases it; `nil` when it is not.
    public var heldBecause: String?
  }

  /// The present phase.
  public var phase: Phase = .stopped
  /// Fetches, pushes and lists under way.
  public var inFlight = 0
  /// The results since the run began.
  public var report = SyncReport()
  /// The origins with work under way, a pause or a hold, by name; a collection whose policy and records
  /// name no origin uses its own name.
  public var origins: [String: Origin] = [:]
  /// The store's failure at the last attempt; `nil` when there was none.
  public var failure: String?

  /// A status without work.
  package init() {}
}
