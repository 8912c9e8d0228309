internal import Reachability
public import Strategies

/// How a store is opened; fixed for its life.
public struct Configuration: Sendable {
  /// What the store may do with its file.
  public enum Access: Sendable, Hashable {
    /// Read and write; the file is created when it is missing.
    case readWrite
    /// Read only; never creates, never writes, never checkpoints.
    case readOnly
  }

  /// What the store may do with its file.
  public var access: Access = .readWrite
  /// How long an operation waits for a lock that another connection holds without committing anything,
  /// before it fails. While others commit, the lock goes from hand to hand, and is waited for twelve
  /// times as long.
  public var busyTimeout: Duration = .seconds(5)
  /// How many threads may read at once; connections open as they are needed.
  public var maximumReaders = 4
  /// How much is kept in memory, decoded, so that a read of it costs a fraction of a microsecond. It
  /// is served only while nobody, in this process or another, has committed anything since. On a
  /// read-only file system, where no memory is shared that would tell, nothing is kept.
  public var memory = MemoryLimits.standard
  /// The file's size limit in bytes; `nil` for none. A full store refuses writes, and `prune` makes
  /// room.
  public var maximumSize: Int?
  /// The largest value accepted, in bytes; at most 1 GiB.
  public var maximumValueSize = 64 << 20
  package var valueLimit: Int { min(maximumValueSize, 1 << 30) }
  /// How long a lease holds unless its owner renews it; a hanging owner's key is free after it, and
  /// a killed one's at once.
  public var leaseDuration: Duration = .seconds(5)
  /// What happens when the file is damaged and some of its local writes cannot be read any more:
  /// false, and opening fails with ``StoreError/Code/writesLost(file:writes:)`` until the moved file
  /// is repaired or taken away; true, and the store goes on with those that could be read.
  public var acceptsLostWrites = false
  /// How far in the future a last update may lie before it counts as a wrong clock.
  public var allowedSkew: Duration = .seconds(5)
  /// What says whether sources can be reached.
  public var reachability: any ReachabilityProvider
  /// The strategies every read passes through; `nil` for the standard chain: reachability,
  /// invalidation, timestamp, default.
  public var chain: Chain<RecordStamps>?
  /// When a failing origin is left alone.
  public var breaker = BreakerPolicy()
  /// Where the time comes from.
  public var clock: any StoreClock = SystemClock()
  /// A random number in 0 ..< 1, for jitter; replaced in tests.
  public var random: @Sendable () -> Double = { .random(in: 0..<1) }
  /// Who is told of decisions, fetches and failures; called on the caller's thread.
  public var reporter: (any Reporter)?
  /// The name of a VFS in place of SQLite's own (https://sqlite.org/vfs.html), for tests that break it.
  package var fileSystem: String?
  /// With one, work that waits for the disk runs in tasks and not on threads of its own, and pauses
  /// in real time are taken on this clock; observers are told of the store's own changes only, as
  /// those of others take a thread to see. For tests that decide in which order everything happens.
  package var taskClock: (any StoreClock)?

  /// The defaults, with the process's one watch over the routes to the Internet for reachability:
  /// a read that asks pays some nanoseconds.
  public init() {
    reachability = RouteMonitor.shared
  }

  /// The defaults with another reachability provider.
  public init(reachability: any ReachabilityProvider) {
    self.reachability = reachability
  }
}
