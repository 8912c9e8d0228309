internal import FreshStore
internal import Strategies

/// The limits of a ``Synchronizer``, and its behaviour when the network comes and goes.
///
/// Durations range from zero to `Duration.unlimited`. A run with a number outside its range is refused with
/// ``SyncError/store(_:)`` and `invalidArgument`.
public struct SyncOptions: Sendable {
  /// The number of slots: the most fetches and pushes in flight at once. 1 to 1,000,000.
  ///
  /// Sources that keep failing have half of the slots together, one each. Where this is more than
  /// ``concurrencyPerOrigin``, two origins never take all slots.
  public var concurrency = 8
  /// The most fetches and pushes in flight to one origin. 1 to 1,000,000.
  ///
  /// The origin is that of the collection's policy, else scheme, host and port of the record's source, else the
  /// collection as a whole.
  public var concurrencyPerOrigin = 4
  /// The order in which local writes go out.
  public enum WriteOrder: Sendable, Hashable {
    /// Writes of one key go in the order of writing.
    ///
    /// Writes of different keys go beside one another, by priority (`WriteOptions.priority`) and by how long they are
    /// due. A write that depends on another write says so (`WriteOptions.after`). A write that fails or is parked
    /// holds up no other key.
    case byKey
    /// All writes go one after another, in the order of writing, whatever their collections, keys and priorities.
    ///
    /// Each is sent once the one before it is accepted or given up. A write that fails or is parked holds up all
    /// later ones. Writes of collections that are pushed elsewhere do not count.
    case ofWriting
  }

  /// The order in which local writes go out. Another process that pushes has its own order.
  public var order = WriteOrder.byKey
  /// The size from which the body of a push is large, in bytes.
  ///
  /// Large bodies get at most half of the slots, in total and at one origin, so that small ones do not wait for them.
  /// Of fewer than four slots they get one, so that they wait for one another whatever their origins. A source that
  /// has failed is tried with small bodies first.
  public var largeBody = 262_144
  /// The slowest rate of an upload, in bytes a second; `nil` for no allowance.
  ///
  /// A push may take longer than the policy's hard timeout by the time that its body takes at that rate.
  public var slowestUpload: Int? = 16_384
  /// The number of failed attempts after which a local write is parked; `nil` for no end.
  ///
  /// It is also the number of conflicts in a row after which a write is parked, if its merge meets yet another
  /// conflict. Attempts that were given up, as when the network was lost, do not count. A retry and a correction
  /// begin to count anew.
  public var maximumAttempts: Int?
  /// The time after which a local write that fails once more is parked; `nil` for no end.
  ///
  /// It counts from the first attempt, or from the first after a retry or a correction.
  public var maximumAge: Duration?
  /// The most fetches and pushes that begin in a second, evenly spread; `nil` for no limit.
  public var startsPerSecond: Double?
  /// How long the network must have been back before anything is sent over it.
  ///
  /// With each further return within a minute the network is used with caution for longer: twice as long each time,
  /// up to ``longestSettle``. With caution, each source gets one new attempt at a time, so that a flapping network
  /// does not cause a storm each time.
  public var settle: Duration = .milliseconds(25)
  /// The longest time for which a network that comes and goes is used with caution.
  public var longestSettle: Duration = .seconds(10)
  /// How long a source may be provably out of reach before its fetches and pushes in flight are given up.
  ///
  /// They begin again when the network is back. They outlast a shorter gap, but not a second one before the network
  /// has held for that time.
  public var outage: Duration = .seconds(1)
  /// The length of the lease on a record or a write that is being worked on.
  ///
  /// No other process takes the record or the write until that time has passed. The lease is no time limit: work that
  /// takes longer goes on, but another process may then begin the same work. The leases of a killed process are free
  /// at once. It should be longer than the hard timeouts of the policies.
  public var holding: Duration = .seconds(60)
  /// How long work in flight may go on after a request to stop; then it is cancelled.
  public var gracePeriod: Duration = .seconds(10)
  /// How often the network is checked while it is away, if the store's reachability provider cannot report changes
  /// (see `ObservableReachability`).
  public var reachabilityInterval: Duration = .seconds(1)
  /// The longest sleep.
  ///
  /// It bounds the delay in two cases: work falls due because the wall clock is set forward, or the commits of
  /// another process are not seen.
  public var longestSleep: Duration = .seconds(300)

  /// The defaults: 8 at once, 4 to one origin.
  public init() {}
}

extension SyncOptions {
  /// The check of its numbers.
  var numbers: NumberCheck {
    var numbers = NumberCheck()
    numbers.require("concurrency", concurrency, from: 1, to: 1_000_000)
    numbers.require("concurrencyPerOrigin", concurrencyPerOrigin, from: 1, to: 1_000_000)
    numbers.require("largeBody", largeBody, from: 0)
    numbers.require("slowestUpload", slowestUpload, from: 1)
    numbers.require("maximumAttempts", maximumAttempts, from: 1)
    numbers.require("maximumAge", maximumAge)
    numbers.require("startsPerSecond", startsPerSecond, from: 0.001, to: 1_000_000)
    numbers.require("settle", settle)
    numbers.require("longestSettle", longestSettle)
    numbers.require("outage", outage)
    numbers.require("holding", holding, from: .milliseconds(1))
    numbers.require("gracePeriod", gracePeriod)
    numbers.require("reachabilityInterval", reachabilityInterval, from: .milliseconds(1))
    numbers.require("longestSleep", longestSleep, from: .milliseconds(1))
    return numbers
  }
}
