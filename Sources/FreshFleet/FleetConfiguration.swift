#if Fleet
  internal import FreshStore

  /// How a host speaks with the shared tier of its fleet.
  ///
  /// Durations range from a millisecond to a day. A client with a number outside its range is refused with
  /// `invalidArgument`.
  public struct FleetConfiguration: Sendable {
    /// How long a call may wait for the tier, from its first moment to its last; a mark, a landing and a release may
    /// take ``markLimit``, if that is longer. A call with many keys, or that brings or hands on large values, goes in
    /// parts of some 256 KiB, each with its limit.
    public var limit = Duration.milliseconds(50)
    /// How long a mark may wait: it takes its turn behind others and is on the disk when it returns. The same for what
    /// no caller of a get waits for: a landing, and the release of a lease.
    public var markLimit = Duration.milliseconds(500)
    /// How long one host of the address has to accept a connection. Callers do not wait for that long.
    public var connectLimit = Duration.seconds(2)
    /// The connections for calls, 1 to 1,000, beside one for marks and one that listens for them; made as they are needed.
    public var connections = 3
    /// The failures in a row after which calls are not sent any more. A call that was late because others went
    /// ahead of it is no failure of the tier, nor is an error that the tier has answered, such as that of a full disk;
    /// after a late mark a question finds out.
    public var failuresToOpen = 2
    /// The pause before the first probe of a tier that is out of reach; each later one is twice as long.
    public var firstProbePause = Duration.milliseconds(100)
    /// The longest pause between probes.
    public var longestProbePause = Duration.seconds(10)
    /// The size in bytes up to which values are shared; of a longer one the fleet has the stamps alone,
    /// and each host fetches it for itself.
    public var sharedValueLimit = 256 * 1024
    /// False to ask for news every second and not to be told of them before, as behind a pooler that shares
    /// connections between its users.
    public var listens = true
    /// False for a program that asks a few times and ends: it is never told that there may be news, and no
    /// connection is kept for that.
    public var announces = true

    /// Creates the default configuration.
    public init() {}
  }

  extension FleetConfiguration {
    /// Throws `invalidArgument` for a number outside its range.
    func validate() throws(SharedTierError) {
      var numbers = NumberCheck()
      numbers.require("limit", limit, from: .milliseconds(1), to: Self.longest)
      numbers.require("markLimit", markLimit, from: .milliseconds(1), to: Self.longest)
      numbers.require("connectLimit", connectLimit, from: .milliseconds(1), to: Self.longest)
      numbers.require("connections", connections, from: 1, to: 1000)
      numbers.require("failuresToOpen", failuresToOpen, from: 1)
      numbers.require("firstProbePause", firstProbePause, from: .milliseconds(1), to: Self.longest)
      numbers.require(
        "longestProbePause", longestProbePause, from: .milliseconds(1), to: Self.longest)
      numbers.require("sharedValueLimit", sharedValueLimit, from: 0)
      if let problem = numbers.problem { throw SharedTierError(.invalidArgument, problem) }
    }

    /// A day: longer waits help nobody.
    static let longest = Duration.seconds(86_400)
  }
#endif
