internal import FreshStore
internal import Strategies

/// How hard a ``Synchronizer`` works, and how it behaves when the network comes and goes.
///
/// Durations range from zero to `Duration.unlimited`. A run with a number outside its range is refused with
/// ``SyncError/store(_:)`` and `invalidArgument`.
public struct SyncOptions: Sendable {
  /// The most fetches and pushes at once. Sources that keep failing have half of these places together,
  /// one each; and where this is more than ``concurrencyPerOrigin``, two origins never take all.
  /// 1 to 1,000,000.
  public var concurrency = 8
  /// The most at once to one origin: that of the collection's policy, else scheme, host and port of
  /// the record's source, else the collection as a whole. 1 to 1,000,000.
  public var concurrencyPerOrigin = 4
  /// The order in which local writes go out.
  public enum WriteOrder: Sendable, Hashable {
    /// Those of one key in the order of writing; those of different keys beside one another, by priority
    /// (`WriteOptions.priority`) and by how long they are due. What depends on another write says so
    /// (`WriteOptions.after`). A write that fails or is parked holds up no other key.
    case byKey
    /// All of them one after another, in the order of writing, whatever their collections, keys and priorities: each is
    /// sent once the one before it is accepted, or given up. One that fails or is parked holds up all that come after it.
    /// Those of collections whose writes are sent elsewhere do not count.
    case ofWriting
  }

  /// The order in which local writes go out; another process that sends some has its own.
  public var order = WriteOrder.byKey
  /// The size from which the body of a push is large, in bytes. Large bodies are given at most half of the
  /// places, in total and at one origin, so that small ones do not wait for them: of fewer than four places
  /// one, so that they wait for one another whatever their origins. A source that has failed is tried with small ones
  /// first.
  public var largeBody = 262_144
  /// The bytes a second that an upload makes at the least: a push may take longer than the policy's hard
  /// timeout by the time that its body takes at that rate; `nil` for no such allowance.
  public var slowestUpload: Int? = 16_384
  /// The number of failed attempts after which a local write is parked, without those that were given up,
  /// as when the network was lost; and of conflicts in a row after which one is parked whose merge meets
  /// yet another. `nil` for no end. A retry and a correction begin to count anew.
  public var maximumAttempts: Int?
  /// The time since its first attempt, or the first after a retry or a correction, after which a local write
  /// that fails once more is parked; `nil` for no end.
  public var maximumAge: Duration?
  /// The most that begin in a second, evenly spread; `nil` for no limit.
  public var startsPerSecond: Double?
  /// How long the network must have been back before anything is sent over it. With each further return
  /// within a minute it is used with caution for longer, twice as long each time and up to
  /// ``longestSettle``: one new attempt at a time for each source, so that a flapping network does not
  /// cause a storm each time.
  public var settle: Duration = .milliseconds(25)
  /// The longest time for which a network that comes and goes is used with caution.
  public var longestSettle: Duration = .seconds(10)
  /// How long a source may be provably out of reach before the fetches and pushes under way to it
  /// are given up, to be restarted when the network is back. They outlast a shorter gap,
  /// but not a second one before the network has held for that time.
  public var outage: Duration = .seconds(1)
  /// The lease on a record or a write that is being worked on: no other process takes it until that
  /// time has passed. It is no time limit: work that takes longer goes on, but another process may
  /// then begin the same work. The leases of a killed process are free at once. Should be longer
  /// than the hard timeouts of the policies.
  public var holding: Duration = .seconds(60)
  /// How long work under way may go on after a request to stop; then it is cancelled.
  public var gracePeriod: Duration = .seconds(10)
  /// How often the network is checked while it is away, where the store's reachability provider
  /// cannot report changes (see `ObservableReachability`).
  public var reachabilityInterval: Duration = .seconds(1)
  /// The longest sleep. Without it nothing is missed except work that falls due when the wall clock
  /// is set forward, or through another process whose commits are not seen.
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
