internal import Reachability
public import Strategies

/// The settings of a store; fixed for its lifetime.
///
/// Durations range from zero to `Duration.unlimited`, sizes from 0. A number outside its range makes the opening
/// of a store fail with ``StoreError/Code/invalidArgument(_:)``.
public struct Configuration: Sendable {
  /// The store's access to its file.
  public enum Access: Sendable, Hashable {
    /// Read and write; the file is created when it is missing.
    case readWrite
    /// Read only: the store creates no file, writes nothing, and makes no checkpoint.
    case readOnly
  }

  /// The store's access to its file.
  public var access: Access = .readWrite
  /// How long an operation waits for a lock that another connection holds without committing anything.
  /// After this time the operation fails. While other connections commit, the lock changes hands, and the wait is up
  /// to twelve times as long.
  public var busyTimeout: Duration = .seconds(5)
  /// How long a write waits, in place of ``busyTimeout``, for a lock whose holder commits nothing; `nil` for no such
  /// limit.
  ///
  /// After one write has waited in vain, later writes do not wait until one of them has had the lock. For a store
  /// that no caller waits for.
  package var lockPatience: Duration?
  /// How many threads may read at once, 1 to 1,024. Connections open as they are needed.
  public var maximumReaders = 4
  /// The limits of decoded records in memory. Reading a record there costs a fraction of a microsecond.
  /// A record is served from memory only while nothing, in this process or another, has been committed since. On a
  /// read-only file system nothing is kept, because shared memory is needed to notice commits.
  public var memory = MemoryLimits.standard
  /// The file's size limit in bytes; `nil` for none.
  /// A write that finds no room removes copies that their sources can give again (``evictsWhenFull``).
  public var maximumSize: Int?
  /// True when a write that finds no room within ``maximumSize`` removes copies that were fetched.
  ///
  /// Copies that were not read lately go first, then the oldest. Records that were put or written here, and pinned
  /// records, are never removed. When removing copies does not make enough room, or with false, the write fails
  /// (``StoreError/Code/full``) and nothing is removed; `prune` makes room. Cost: a pass over the table for each
  /// sixteenth of the limit.
  public var evictsWhenFull = true
  /// The largest value accepted, in bytes; at most 1 GiB.
  public var maximumValueSize = 64 << 20
  package var valueLimit: Int { min(maximumValueSize, 1 << 30) }
  /// How long a lease is valid unless its owner renews it; at least a millisecond.
  /// The key of an owner that hangs is free after this time; the key of an owner that was killed is free at once.
  public var leaseDuration: Duration = .seconds(5)
  /// True when the store continues after damage that has made local writes unreadable, with the readable ones.
  /// If false, opening fails with ``StoreError/Code/writesLost(file:writes:)`` until the file that was moved aside is
  /// repaired or removed.
  public var acceptsLostWrites = false
  /// How far in the future a last update may lie before the clock counts as wrong.
  public var allowedSkew: Duration = .seconds(5)
  /// Tells whether sources can be reached.
  public var reachability: any ReachabilityProvider
  /// The strategies that judge every read; `nil` for the standard chain: reachability,
  /// invalidation, timestamp, default.
  public var chain: Chain<RecordStamps>?
  /// The rules for pausing a failing origin.
  public var breaker = BreakerPolicy()
  /// The tier that the hosts of a fleet share; `nil` for a single host. A store that only reads ignores it.
  public var sharedTier: (any SharedTier)?
  /// The host's part in its fleet.
  public var fleet = FleetOptions()
  /// The source of time.
  public var clock: any StoreClock = SystemClock()
  /// A random number in 0 ..< 1, for jitter; replaced in tests.
  public var random: @Sendable () -> Double = { .random(in: 0..<1) }
  /// Receives decisions, fetches and failures; called on the caller's thread.
  public var reporter: (any Reporter)?
  /// The name of a VFS in place of SQLite's own (https://sqlite.org/vfs.html), for tests that inject failures.
  package var fileSystem: String?
  /// A clock that makes work for the disk run in tasks, not on threads; for tests that control the order of events.
  /// Pauses in real time use this clock. Observers see only the store's own changes, as watching other stores
  /// takes a thread.
  package var taskClock: (any StoreClock)?

  /// Creates the defaults, with reachability from the process's one watch over the routes to the Internet.
  /// A read that asks the watch pays some nanoseconds.
  public init() {
    reachability = RouteMonitor.shared
  }

  /// Creates the defaults with another reachability provider.
  public init(reachability: any ReachabilityProvider) {
    self.reachability = reachability
  }
}

/// The part of a store's host in its fleet (``Configuration/sharedTier``).
public struct FleetOptions: Sendable {
  /// The effect of a mark while the shared tier is out of reach.
  public enum OutOfReach: Sendable, Hashable {
    /// The mark is refused with ``StoreError/Code/sharedTier(_:)``, and marks nothing.
    case refuseMarks
    /// The mark applies here, is kept in the file, and is delivered once the tier is in reach.
    /// Until then the other hosts do not know of the mark. This host asks the source for the records that it covers,
    /// whatever the fleet has.
    case keepMarks
  }

  /// The host's name, for people to read; `nil` for the machine's name.
  public var host: String?
  /// The effect of a mark while the shared tier is out of reach.
  public var outOfReach = OutOfReach.refuseMarks
  /// How long the host may serve fetched records as fresh without an answer from the fleet; `nil`, the default, for no
  /// limit.
  ///
  /// After this time without an answer every record fetched before is stale, and again after each further such time.
  /// At least a millisecond. An open store asks at least twice in that time.
  ///
  /// The file keeps the time since the last answer, to a minute or a quarter of the limit, so that the time counts
  /// while no store is open, too. When it is longer than the limit, a store that is opened takes all that it finds for
  /// stale until the fleet has answered.
  public var longestAlone: Duration?

  /// Creates the default options.
  public init() {}
}

extension Configuration {
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
