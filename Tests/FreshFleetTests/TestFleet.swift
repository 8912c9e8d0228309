#if Fleet
  import FreshFleet
  import FreshStore
  import PostgreSQLServer
  import Testing

  /// The shared tier of one test: a database of its own.
  struct TestFleet {
    let server: PostgreSQLServer
    let database: String

    /// On the server that most tests share.
    static func make(isSetUp: Bool = true) async throws -> TestFleet {
      try await make(on: SharedServer.one.server(), isSetUp: isSetUp)
    }

    static func make(
      on server: PostgreSQLServer, isSetUp: Bool = true
    ) async throws -> TestFleet {
      let fleet = TestFleet(server: server, database: try await server.database())
      if isSetUp { _ = try await fleet.administration.setUp() }
      return fleet
    }

    var address: String { server.address(database: database) }

    var administration: FleetAdministration {
      get throws { try FleetAdministration(address) }
    }

    /// A host that waits long: the tests' machine may be busy.
    func host(
      address: String? = nil, change: (inout FleetConfiguration) -> Void = { _ in }
    ) throws -> FleetClient {
      var configuration = FleetConfiguration()
      configuration.limit = .seconds(20)
      configuration.markLimit = .seconds(20)
      configuration.connectLimit = .seconds(20)
      change(&configuration)
      return try FleetClient(address ?? self.address, configuration: configuration)
    }

    @discardableResult
    func sql(_ text: String) async throws -> [String] {
      try await server.sql(text, database: database)
    }

    /// Returns once a host waits for a lock.
    func untilBlocked() async throws {
      let blocked =
        "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'freshstore' "
        + "AND datname = current_database() AND wait_event_type = 'Lock'"
      while try await sql(blocked) == ["0"] {}
    }
  }

  extension FleetClient {
    /// Claims one key.
    func claim(
      _ key: SharedKey, owner: String = "host", for duration: Duration = .seconds(60),
      known: Int64? = nil, since position: SharedPosition? = nil
    ) async throws(SharedTierError) -> SharedClaimResult? {
      try await claim(
        [SharedClaim(key, known: known)], owner: owner, for: duration, since: position
      ).value[key]
    }

    /// Claims one key, which must be free.
    func lease(_ key: SharedKey, for duration: Duration = .seconds(60)) async throws -> SharedLease
    {
      guard case .granted(let lease) = try await claim(key, for: duration) else {
        throw NotGranted()
      }
      return lease
    }

    /// Claims one key and lands a value.
    func fetch(_ key: SharedKey, _ record: SharedRecord) async throws {
      _ = try await land([(try await lease(key), record)], since: nil)
    }

    /// The present end of the journal.
    func position() async throws(SharedTierError) -> SharedPosition {
      try await news(since: nil).position
    }

    /// The value of one key, if the fleet has a fresh one.
    func found(_ key: SharedKey) async throws -> SharedFinding? {
      let result = try await claim(key)
      if case .granted(let lease) = result { try await release([lease], pausing: nil) }
      guard case .found(let finding) = result else { return nil }
      return finding
    }
  }

  struct NotGranted: Error {}

  extension SharedNews {
    /// The marks; `nil` when they are not known.
    var marks: [SharedMark]? {
      guard case .marks(let marks, _, _) = self else { return nil }
      return marks
    }
  }

  /// The error that the work throws; `nil` when it succeeds.
  func failure(_ work: () async throws(SharedTierError) -> Void) async -> SharedTierError? {
    do throws(SharedTierError) {
      try await work()
      return nil
    } catch {
      return error
    }
  }

  extension Trait where Self == ConditionTrait {
    /// Skips where there is no PostgreSQL.
    static var needsPostgreSQL: Self {
      .enabled(if: PostgreSQLServer.isInstalled, "\(PostgreSQLServer.missing)")
    }
  }
#endif
