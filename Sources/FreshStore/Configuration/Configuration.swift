internal import Reachability
public import Strategies

/// The settings of a store; fixed for its lifetime.
///
/// Durations range from zero to ``Duration/unlimited``, sizes from 0. A store with a number outside its range is
/// refused with ``StoreError/Code/invalidArgument(_:)``.
public struct Configuration: Sendable {
  /// The store's access to its file.
  public enum Access: Sendable, Hashable {
    /// Read and write; the file is created when it is missing.
    case readWrite
    /// Read only; never creates, never writes, never checkpoints.
    case readOnly
  }

  /// The store's access to its file.
  public var access: Access = .readWrite
  /// How long an operation waits for a lock that another connection holds without committing
  /// anything, before it fails. While others commit, the lock changes hands, and the wait is up to
  /// twelve times as long.
  public var busyTimeout: Duration = .seconds(5)
  /// How long a write waits, in place of ``busyTimeout``, for a lock whose holder commits nothing. Once one has waited for
  /// it in vain, none waits any more until one has had the lock. For a store that others do not wait for; `nil` for no
  /// such limit.
  package var lockPatience: Duration?
  /// How many threads may read at once, 1 to 1,024; connections open as they are needed.
  public var maximumReaders = 4
  /// The limits of decoded records in memory; reading one costs a fraction of a microsecond. A record is
  /// served from memory only while nothing, in this process or another, has been committed since. On a
  /// read-only file system, which has no shared memory to tell, nothing is kept.
  public var memory = MemoryLimits.standard
  /// The file's size limit in bytes; `nil` for none. A write for which there is no room removes copies that their
  /// sources can give again (``evictsWhenFull``).
  public var maximumSize: Int?
  /// True when a write that finds no room within ``maximumSize`` removes copies that were fetched: those that were not
  /// read of late first, then the oldest. What was put or written here is never removed, nor what is pinned. If
  /// that does not do, or with false, the write fails (``StoreError/Code/full``), nothing is removed, and `prune`
  /// makes room. Cost: a pass over the table for each sixteenth of the limit.
  public var evictsWhenFull = true
  /// The largest value accepted, in bytes; at most 1 GiB.
  public var maximumValueSize = 64 << 20
  package var valueLimit: Int { min(maximumValueSize, 1 << 30) }
  /// How long a lease is valid unless its owner renews it; a hanging owner's key is free after it,
  /// and a killed one's at once. At least a millisecond.
  public var leaseDuration: Duration = .seconds(5)
  /// The reaction to a damaged file with unreadable local writes: if false, opening fails with
  /// ``StoreError/Code/writesLost(file:writes:)`` until the moved file is repaired or removed; if
  /// true, the store continues with the readable ones.
  public var acceptsLostWrites = false
  /// How far in the future a last update may lie before the clock counts as wrong.
  public var allowedSkew: Duration = .seconds(5)
  /// Tells whether sources can be reached.
  public var reachability: any ReachabilityProvider
  /// The strategies every read passes through; `nil` for the standard chain: reachability,
  /// invalidation, timestamp, default.
  public var chain: Chain<RecordStamps>?
  /// The rules for pausing a failing origin.
  public var breaker = BreakerPolicy()
  /// What the hosts of a fleet share; `nil` for a host alone, and ignored by a store that only reads.
  public var sharedTier: (any SharedTier)?
  /// The host's part in its fleet.
  public var fleet = FleetOptions()
  /// The source of time.
  public var clock: any StoreClock = SystemClock()
  /// A random number in 0 ..< 1, for jitter; replaced in tests.
  public var random: @Sendable () -> Double = { .random(in: 0..<1) }
  /// Receives decisions, fetches and failures; called on the caller's thread.
  public var reporter: (any Reporter)?
  /// The name of a VFS in place of SQLite's own (https://sqlite.org/vfs.html), for tests that break it.
  package var fileSystem: String?
  /// If set, work that waits for the disk runs in tasks and not on threads of its own, and pauses
  /// in real time use this clock; observers see the store's own changes only, as watching others
  /// takes a thread. For tests that control the order of all events.
  package var taskClock: (any StoreClock)?

  /// The defaults; reachability comes from the process's one watch over the routes to the Internet:
  /// a read that asks pays some nanoseconds.
  public init() {
    reachability = RouteMonitor.shared
  }

  /// The defaults with another reachability provider.
  public init(reachability: any ReachabilityProvider) {
    self.reachability = reachability
  }
}

/// The part of a store's host in its fleet (``Configuration/sharedTier``).
public struct FleetOptions: Sendable {
  /// What a mark does while the shared tier is out of reach.
  public enum OutOfReach: Sendable, Hashable {
    /// It is refused with ``StoreError/Code/sharedTier(_:)``, and marks nothing.
    case refuseMarks
    /// It marks here, is kept in the file, and is delivered once the tier is in reach; until then the other
    /// hosts do not know of it, and this one asks the source for what it covers, whatever the fleet has.
    case keepMarks
  }

  /// The host's name, for others to read; `nil` for that of the machine.
  public var host: String?
  /// What a mark does while the shared tier is out of reach.
  public var outOfReach = OutOfReach.refuseMarks
  /// How long the host may serve as fresh what it has fetched, without a word from the fleet: after this time
  /// without an answer everything fetched before is stale, and again after each further one. At least a millisecond;
  /// `nil`, the default, for no limit.
  ///
  /// An open store asks at least twice in that time. The time since the last answer is kept in the file, to a minute or
  /// a quarter of the limit, so that it counts while no store is open, too: a store that is opened after a longer one
  /// takes what it finds for stale until the fleet has answered.
  public var longestAlone: Duration?

  /// Creates the default options.
  public init() {}
}

extension Configuration {
  /// The check of its numbers.
  var numbers: NumberCheck {
    var numbers = NumberCheck()
    numbers.require("busyTimeout", busyTimeout)
    numbers.require("maximumReaders", maximumReaders, from: 1, to: 1024)
    numbers.require("memory.records", memory.records, from: 0)
    numbers.require("memory.bytes", memory.bytes, from: 0)
    numbers.require("maximumSize", maximumSize, from: 0)
    numbers.require("maximumValueSize", maximumValueSize, from: 0)
    numbers.require("leaseDuration", leaseDuration, from: .milliseconds(1))
    numbers.require("allowedSkew", allowedSkew)
    numbers.require("fleet.longestAlone", fleet.longestAlone, from: .milliseconds(1))
    numbers.require(breaker.numbers)
    return numbers
  }
}

extension Gate {
  /// The gate of a store.
  convenience init(_ configuration: Configuration) {
    let skew = configuration.allowedSkew
    let standard: Chain<RecordStamps> = [
      .reachability(configuration.reachability), .invalidation(), .timestamp(allowedSkew: skew),
      .default(),
    ]
    let chain = configuration.chain ?? standard
    let ahead = StrategiesAhead(chain, allowedSkew: skew)
    let provider = ahead.map { $0.reachability?.provider ?? FixedReachability(.online) }
    self.init(
      chain: chain, allowedSkew: skew, provider: provider,
      ahead: ahead?.isEmpty == true ? nil : ahead)
  }
}
