#if Fleet
  public import FreshStore
  internal import Platform

  /// Sets up, describes and trims the shared tier of a fleet.
  ///
  /// Each call opens a connection of its own, on a thread of its own, and may take longer than a call of
  /// ``FleetClient`` does.
  public struct FleetAdministration: Sendable {
    /// The state of a fleet's tables.
    public struct Status: Sendable, Hashable {
      /// The version of the tables.
      public let version: Int
      /// The number that tells this fleet from any other, and from itself before it was set up anew.
      public let generation: Int64
      /// The number of the newest mark.
      public let newestMark: Int64
      /// The number of the oldest mark in the journal. A host that is behind it takes all its copies as stale.
      public let oldestMark: Int64
      /// The records.
      public let records: Int
      /// The leases that have not ended.
      public let leases: Int
      /// The origins that are paused.
      public let pausedOrigins: Int
    }

    private let address: PostgresAddress
    let limit: Duration

    /// - Parameters:
    ///   - address: A URI or keyword/value text, as libpq has them.
    ///   - limit: The time for each step, a millisecond to a day.
    public init(_ address: String, limit: Duration = .seconds(30)) throws(SharedTierError) {
      self.address = try PostgresAddress(address)
      var numbers = NumberCheck()
      numbers.require("limit", limit, from: .milliseconds(1), to: FleetConfiguration.longest)
      if let problem = numbers.problem { throw SharedTierError(.invalidArgument, problem) }
      self.limit = limit
    }

    /// Creates the tables, or migrates those of an older version; leaves present ones unchanged. Leaves
    /// another application's tables and those of a newer version as they are.
    public func setUp() async throws(SharedTierError) -> Status {
      try await run { (connection) throws(SharedTierError) in
        // If several hosts set up at once, each step succeeds for one of them, and the others find its result.
        for _ in 0..<Self.attempts {
          do throws(SharedTierError) {
            try migrate(connection)
            break
          } catch {
            guard Self.metAnother.contains(error.state) else { throw error }
          }
        }
        return try status(connection)
      }
    }

    /// The state of the tables.
    public func status() async throws(SharedTierError) -> Status {
      try await run { (connection) throws(SharedTierError) in try status(connection) }
    }

    // MARK: Parts

    private func migrate(_ connection: PostgresConnection) throws(SharedTierError) {
      var found = 0
      do throws(SharedTierError) {
        try FleetSchema.look(at: connection, within: limit, statementLimit: limit)
        return
      } catch {
        switch error.code {
        case .noSchema: break
        case .olderSchema(let older, _): found = older
        default: throw error
        }
      }
      if found == 0 {
        // The user may have rights only on a schema that exists already.
        let schemas = try connection.run([Step(Self.countSchemas)], within: limit)
        if (schemas.first?.first?.integer(0) ?? 0) == 0 {
          try connection.script("CREATE SCHEMA freshstore", within: limit)
        }
      }
      for (index, step) in FleetSchema.migrations.enumerated().dropFirst(found) {
        let after = index == 0 ? Self.fill : Self.raise
        try connection.script("\(step)\n\(after)", within: limit)
      }
    }

    private func status(_ connection: PostgresConnection) throws(SharedTierError) -> Status {
      let generation = try FleetSchema.look(at: connection, within: limit, statementLimit: limit)
      guard let row = try connection.run([Step(Self.describe)], within: limit).first?.first else {
        throw .noFleet
      }
      func number(_ column: Int) -> Int64 { row.integer(column) ?? 0 }
      return Status(
        version: FleetSchema.version, generation: generation, newestMark: number(0),
        oldestMark: number(1), records: Int(number(2)), leases: Int(number(3)),
        pausedOrigins: Int(number(4)))
    }

    func run<Result: Sendable>(
      _ body: @escaping @Sendable (PostgresConnection) throws(SharedTierError) -> Result
    ) async throws(SharedTierError) -> Result {
      let (address, limit) = (address, limit)
      let result = await withCheckedContinuation {
        (continuation: CheckedContinuation<Swift.Result<Result, SharedTierError>, Never>) in
        do throws(ErrorNumber) {
          try DetachedThread.start {
            do throws(SharedTierError) {
              let connection = try PostgresConnection.open(
                address, limit: min(limit, .seconds(10)), stop: { false })
              continuation.resume(returning: .success(try body(connection)))
            } catch {
              continuation.resume(returning: .failure(error))
            }
          }
        } catch {
          continuation.resume(
            returning: .failure(SharedTierError(.other, "no thread could be started: \(error)")))
        }
      }
      return try result.get()
    }

    // MARK: Statements

    /// The codes for a schema, a table or a type that another session has just made. It exists, or was seen
    /// but is not known to this session's cache yet.
    private static let metAnother: Set<String?> = [
      "42P06", "42P07", "23505", "42710", "40001", "3F000", "42P01",
    ]

    static let attempts = 10

    private static let countSchemas = Statement(
      "count_schemas",
      "SELECT count(*) FROM pg_catalog.pg_namespace WHERE nspname = 'freshstore'")

    /// The rows of the first version. The first mark covers no record: it only marks the beginning of the journal.
    private static let fill = """
      INSERT INTO freshstore.fleet (id, application, version, generation)
      VALUES (0, 'FreshStore fleet', 1, (random() * 9007199254740992)::bigint);
      INSERT INTO freshstore.counter (id, number, token, oldest)
      VALUES (0, 1, (random() * 9007199254740992)::bigint, 1);
      INSERT INTO freshstore.mark (number, token, scope, collection, name, reason)
      SELECT c.number, c.token, 4, '', '', 'the beginning' FROM freshstore.counter c;
      """

    private static let raise = "UPDATE freshstore.fleet SET version = version + 1 WHERE id = 0;"

    private static let describe = Statement(
      "describe",
      """
      SELECT c.number, c.oldest, (SELECT count(*) FROM freshstore.record),
        (SELECT count(*) FROM freshstore.lease l WHERE l.until > clock_timestamp()),
        (SELECT count(*) FROM freshstore.origin o WHERE o.paused_until > clock_timestamp()
          AND o.made_at <= clock_timestamp() + interval '5 seconds')
      FROM freshstore.counter c WHERE c.id = 0
      """)
  }
#endif
