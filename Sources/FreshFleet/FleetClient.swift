#if Fleet
  public import FreshStore

  /// The shared tier of a fleet in a database that speaks PostgreSQL's wire.
  ///
  /// Calls go through libpq, which is loaded with the first client. Each is one round trip, or several in a
  /// row for many keys or large values, and blocks no thread of Swift's pool. A round trip fails after
  /// ``FleetConfiguration/limit``; after failures in a row later ones fail at once, until a probe in the
  /// background finds the tier in reach.
  ///
  /// The address is a URI or words as libpq has them, with its TLS settings, password files and service files.
  /// Several hosts are tried in their order, and the first that lets us write is taken; also later, once the
  /// one in use can only be read.
  public final class FleetClient: SharedTier {
    let pool: ConnectionPool

    /// Reads the address; connects with the first call.
    ///
    /// - Throws: `invalidAddress` for one that is not understood, or in which a part of a password could be
    ///   taken for a host, a port or a database; `invalidArgument` for a number of the configuration outside its
    ///   range; `noLibrary`.
    public init(
      _ address: String, configuration: FleetConfiguration = FleetConfiguration()
    ) throws(SharedTierError) {
      pool = try ConnectionPool(PostgresAddress(address), configuration)
    }

    deinit { pool.close() }

    /// Ends the connections; later calls fail.
    public func close() { pool.close() }

    /// The address without secrets.
    public var addressDescription: String { pool.address.description }

    /// The same: the hosts' names, the port and the database, as they are written.
    public var address: String? { addressDescription }

    /// Whether the tier can be reached, as far as is known.
    public var reach: SharedTierReach { pool.reach }

    /// How often the tier went out of reach since this client was made, whoever noticed it: a call, or what looks
    /// after the way in the background.
    public var outages: Int { pool.outages }

    /// A value whenever there may be news: at once, on a mark where the tier tells of it, and every second while
    /// it is not out of reach. None where ``FleetConfiguration/announces`` is false.
    public func announcements() -> AsyncStream<Void> {
      guard pool.configuration.announces else { return AsyncStream { $0.finish() } }
      return pool.announcements()
    }
  }

  extension FleetClient {
    /// The rights that the user lacks for the work of a host, such as `INSERT ON freshstore.mark`, in their order; none
    /// where it has all of them.
    ///
    /// A right on the tables is first needed by the first mark or the first landing: who may only read them is a host
    /// like any other until then. Cost: one round trip.
    public func missingRights() async throws(SharedTierError) -> [String] {
      let rows = try await pool.run([Step(Self.lackRights)], within: pool.configuration.limit)
      return rows.first?.map { $0.text(0) } ?? []
    }

    /// Those of a host; to trim and to set up takes more.
    private static let lackRights = Statement(
      "lack_rights",
      """
      SELECT w.privilege || ' ON freshstore.' || w.name
      FROM (VALUES ('counter', 'SELECT'), ('counter', 'UPDATE'), ('fleet', 'SELECT'),
        ('fresh', 'SELECT'), ('lease', 'SELECT'), ('lease', 'INSERT'), ('lease', 'UPDATE'),
        ('lease', 'DELETE'), ('mark', 'SELECT'), ('mark', 'INSERT'), ('origin', 'SELECT'),
        ('origin', 'INSERT'), ('origin', 'UPDATE'), ('origin', 'DELETE'), ('record', 'SELECT'),
        ('record', 'INSERT'), ('record', 'UPDATE')) AS w (name, privilege)
      WHERE NOT has_table_privilege('freshstore.' || w.name, w.privilege)
      ORDER BY w.name, w.privilege
      """)
  }

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
