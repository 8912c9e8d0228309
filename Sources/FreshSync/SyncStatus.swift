public import Strategies

/// What a ``Synchronizer`` is doing.
public struct SyncStatus: Sendable, Hashable, Codable {
  /// The phases of its work.
  public enum Phase: Sendable, Hashable, Codable {
    /// It does not run.
    case stopped
    /// Fetches or pushes are under way.
    case draining
    /// Nothing is to be done until then; `nil` when nothing is known to fall due.
    case idle(until: Timestamp?)
    /// Every source is provably out of reach, for this reason; what is still under way is given up
    /// after ``SyncOptions/outage``.
    case offline(because: String)
    /// It takes no new work and lets what is under way finish.
    case stopping
  }

  /// How one origin is treated.
  public struct Origin: Sendable, Hashable, Codable {
    /// Fetches and pushes under way.
    public var inFlight = 0
    /// Until when it is left alone; `nil` when it is not.
    public var pausedUntil: Timestamp?
  }

  /// What it does.
  public var phase: Phase = .stopped
  /// Fetches, pushes and lists under way.
  public var inFlight = 0
  /// What was done since the run began.
  public var report = SyncReport()
  /// The origins with work under way or a pause, by name; a collection whose policy and records name
  /// no origin goes by its own name.
  public var origins: [String: Origin] = [:]
  /// Why the store could not be worked with at the last attempt; `nil` when it could.
  public var failure: String?

  /// Nothing is being done.
  public init() {}
}
