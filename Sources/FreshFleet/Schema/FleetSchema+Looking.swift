#if Fleet
  internal import FreshStore
  internal import Strategies

  extension FleetSchema {
    /// Checks that the database holds a fleet that this client understands, and can be written, and settles
    /// how the connection works: one round trip. Returns the generation of the fleet.
    ///
    /// Whether there are notifications is tried, as engines differ in it from version to version.
    @discardableResult
    static func look(
      at connection: PostgresConnection, within limit: Duration, statementLimit: Duration
    ) throws(SharedTierError) -> Int64 {
      let rows: [Row]
      do throws(SharedTierError) {
        rows = try firstLook(at: connection, within: limit, statementLimit: statementLimit)
      } catch {
        guard error.code == .noSchema else { throw error }
        let tables = try connection.run([Step(countTables)], within: limit)
        guard (tables.first?.first?.integer(0) ?? 0) > 0 else { throw .noFleet }
        // Another host may just have created them.
        do throws(SharedTierError) {
          rows = try firstLook(at: connection, within: limit, statementLimit: statementLimit)
        } catch {
          throw error.code == .noSchema ? .foreignTables : error
        }
      }
      guard let row = rows.first else { throw .noFleet }
      guard row.text(0) == application, let found = row.integer(1), let generation = row.integer(2)
      else { throw .foreignTables }
      if found > version {
        throw SharedTierError(
          .newerSchema(found: Int(found), supported: version),
          "the fleet's tables have version \(found), and this program knows version \(version): "
            + "install a newer one")
      }
      if found < version {
        throw SharedTierError(
          .olderSchema(found: Int(found), supported: version),
          "the fleet's tables have version \(found), and this program needs version \(version): "
            + "set up the fleet again, which migrates them")
      }
      guard row.text(3) == "off" else {
        throw SharedTierError(
          .readOnly,
          "the fleet's database can only be read; target_session_attrs=read-write in its address passes such "
            + "a server over")
      }
      return generation
    }

    /// The row of the fleet, and the settings.
    private static func firstLook(
      at connection: PostgresConnection, within limit: Duration, statementLimit: Duration
    ) throws(SharedTierError) -> [Row] {
      let milliseconds = "\(max(1, statementLimit.wholeMilliseconds))"
      // Each in a transaction of its own: an engine that does not know a setting refuses it, and needs none.
      let calls = [
        [Step(nameNothingElse)], [Step(lookAtFleet)], [Step(endLate, .text(milliseconds))],
        [Step(planOnce)],
        [Step(keepAlive)],
        [Step(tellNobody)],
      ]
      var outcome: Result<[[Row]], SharedTierError>?
      do throws(SharedTierError) {
        try connection.exchange(calls, until: .now + limit) { call, result in
          if call == 1 { outcome = result }
          if call == calls.count - 1, case .success = result { connection.canNotify = true }
        }
      } catch {
        // A standby refuses the notification, after which the connection is of no use; the answer before says why.
        guard isOfReadOnly(outcome) else { throw error }
      }
      do throws(SharedTierError) {
        return try outcome?.get().first ?? []
      } catch {
        throw error.isOfOtherTable ? .foreignTables : error
      }
    }

    /// True for a look that says all that there is to say of a server which can only be read.
    private static func isOfReadOnly(_ outcome: Result<[[Row]], SharedTierError>?) -> Bool {
      switch outcome {
      case .success(let rows): rows.first?.first?.text(3) == "on"
      // A connection that ends in the middle has no answer at all.
      case .failure: true
      case nil: false
      }
    }

    /// A function or an operator of the user's own, in a schema that its role puts first, is none of ours.
    private static let nameNothingElse = Statement(
      "name_nothing_else",
      "SELECT pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', false)")

    private static let lookAtFleet = Statement(
      "look",
      """
      SELECT f.application, f.version, f.generation, current_setting('transaction_read_only')
      FROM freshstore.fleet f WHERE f.id = 0
      """)

    /// The server itself ends what takes longer.
    private static let endLate = Statement(
      "end_late", "SELECT set_config('statement_timeout', $1::text, false)")

    /// A host that vanished in the middle of a call keeps its locks for some 25 seconds.
    private static let keepAlive = Statement(
      "keep_alive",
      """
      SELECT set_config(s.name, s.value, false)
      FROM (VALUES ('tcp_keepalives_idle', '10'), ('tcp_keepalives_interval', '5'),
        ('tcp_keepalives_count', '3'), ('tcp_user_timeout', '15000')) AS s (name, value)
      """)

    private static let tellNobody = Statement("tell_nobody", "NOTIFY freshstore_nobody")

    /// All calls are look-ups by key, and planning one takes ten times as long as running it: plans are made
    /// once, and for tables that have grown since.
    private static let planOnce = Statement(
      "plan_once",
      """
      SELECT set_config(s.name, s.value, false)
      FROM (VALUES ('plan_cache_mode', 'force_generic_plan'), ('enable_seqscan', 'off'),
        ('enable_bitmapscan', 'off'), ('enable_hashjoin', 'off'), ('enable_mergejoin', 'off'),
        ('enable_material', 'off'),
        ('jit', 'off')) AS s (name, value)
      """)

    static let countTables = Statement(
      "count_tables",
      """
      SELECT count(*) FROM pg_catalog.pg_class c
      JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = 'freshstore' AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
      """)
  }

  extension SharedTierError {
    /// True when a table of our name has other columns, or columns of other types.
    fileprivate var isOfOtherTable: Bool {
      ["42703", "42883", "42804", "42809", "22P02"].contains(state)
    }

    static var foreignTables: SharedTierError {
      SharedTierError(
        .foreignTables,
        "the database has a schema freshstore with another application's tables; they are left as they are"
      )
    }

    static var noFleet: SharedTierError {
      SharedTierError(.noSchema, "the database has not been set up for a fleet")
    }
  }
#endif
