#if Fleet
  public import FreshStore

  /// The shared tier of a fleet, in a database that speaks PostgreSQL's wire protocol.
  ///
  /// Calls go through libpq, which is loaded with the first client. A call is one round trip, or several in a
  /// row for many keys or large values, and blocks no thread of Swift's pool. A round trip fails after
  /// ``FleetConfiguration/limit``. After several failures in a row later calls fail at once, until a probe in
  /// the background reaches the tier.
  ///
  /// The address is a URI or keyword/value text, as libpq has them, with its TLS settings, password files and
  /// service files. Several hosts are tried in their order, and the first writable one is used. They are
  /// tried again when that one becomes read-only.
  public final class FleetClient: SharedTier {
    let pool: ConnectionPool

    /// Reads the address; connects with the first call.
    ///
    /// - Throws: `invalidAddress` for an address that is not understood, or in which a part of a password
    ///   could be read as something else. `invalidArgument` for a number of the configuration outside its
    ///   range. `noLibrary`.
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

    /// The same: the names of the hosts, the port and the database, as they are written.
    public var address: String? { addressDescription }

    /// Whether the tier can be reached, as far as is known.
    public var reach: SharedTierReach { pool.reach }

    /// The number of times that the tier went out of reach since this client was made. A call or the watch in
    /// the background may have noticed it.
    public var outages: Int { pool.outages }

    /// A value when there may be news: at once, on a mark where the tier announces it, and every second while
    /// the tier is in reach. There is none if ``FleetConfiguration/announces`` is false.
    public func announcements() -> AsyncStream<Void> {
      guard pool.configuration.announces else { return AsyncStream { $0.finish() } }
      return pool.announcements()
    }
  }

  extension FleetClient {
    /// The rights that the user lacks for the work of a host, such as `INSERT ON freshstore.mark`, sorted;
    /// empty if it has all of them.
    ///
    /// The first mark or the first landing needs more than the right to read: until then a user with only
    /// that right is a host like any other. Cost: one round trip.
    public func missingRights() async throws(SharedTierError) -> [String] {
      let rows = try await pool.run([Step(Self.lackRights)], within: pool.configuration.limit)
      return rows.first?.map { $0.text(0) } ?? []
    }

    /// The rights of a host; to trim and to set up takes more.
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

  /// The settings with which a host uses the shared tier of its fleet.
  ///
  /// Durations range from a millisecond to a day. A client with a number outside its range is refused with
  /// `invalidArgument`.
  public struct FleetConfiguration: Sendable {
    /// The longest time that a call waits for the tier, from its begin to its end. A mark, a landing and a
    /// release may take ``markLimit``, if that is longer. A call with many keys or large values goes in parts
    /// of some 256 KiB, each with this limit.
    public var limit = Duration.milliseconds(50)
    /// The longest time that a mark waits. It waits for its turn behind others, and is on the disk when it returns.
    /// The same limit applies to a landing and to the release of a lease, for which no caller of a get waits.
    public var markLimit = Duration.milliseconds(500)
    /// The time that one host of the address has to accept a connection. Callers do not wait that long.
    public var connectLimit = Duration.seconds(2)
    /// The connections for calls, 1 to 1,000. They are made when they are needed. There is one more for
    /// marks, and one that listens for them.
    public var connections = 3
    /// The failures in a row after which no more calls are sent. Two cases are no failure of the tier: a call
    /// that was late because others went ahead of it, and an error that the tier has returned, such as that
    /// of a full disk. After a late mark a probe finds out.
    public var failuresToOpen = 2
    /// The pause before the first probe of a tier that is out of reach; each later one is twice as long.
    public var firstProbePause = Duration.milliseconds(100)
    /// The longest pause between probes.
    public var longestProbePause = Duration.seconds(10)
    /// The size in bytes up to which values are shared. Of a longer value the fleet has only the stamps, and
    /// each host fetches it for itself.
    public var sharedValueLimit = 256 * 1024
    /// False to poll for news every second instead of listening for them, as behind a pooler that shares
    /// connections between its users.
    public var listens = true
    /// False for a program that asks a few times and ends. It gets no announcements of news, and keeps no
    /// connection for them.
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

    /// A day: nobody needs a longer wait.
    static let longest = Duration.seconds(86_400)
  }
#endif
