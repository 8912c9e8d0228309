#if Fleet
  internal import FreshStore
  internal import Strategies

  extension FleetSchema {
    /// What a connection learns of the database before its first call.
    struct Look {
      let generation: Int64
      /// False for an engine that has no notifications.
      let canNotify: Bool
    }

    /// Checks that the database holds a fleet that this client understands, and can be written. One round
    /// trip; the server itself ends what takes longer than the limit.
    static func look(
      at connection: PostgresConnection, within limit: Duration, statementLimit: Duration
    ) throws(SharedTierError) -> Look {
      let rows: [[Row]]
      do throws(SharedTierError) {
        let milliseconds = "\(max(1, statementLimit.wholeMilliseconds))"
        var outcome: Result<[[Row]], SharedTierError>?
        try connection.exchange(
          [[Step(lookAtFleet, .text(milliseconds))], [Step(planOnce)]], until: .now + limit
        ) { call, result in
          // An engine that plans in its own way refuses the settings, and needs none.
          if call == 0 { outcome = result }
        }
        rows = try outcome?.get() ?? []
      } catch {
        guard error.code == .noSchema else { throw error }
        let tables = try connection.run([Step(countTables)], within: limit)
        throw (tables.first?.first?.integer(0) ?? 0) > 0 ? .foreignTables : .noFleet
      }
      guard let row = rows.first?.first else { throw .noFleet }
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
        throw SharedTierError(.readOnly, "the fleet's database can only be read")
      }
      return Look(generation: generation, canNotify: row.boolean(4))
    }

    private static let lookAtFleet = Statement(
      "look",
      """
      SELECT f.application, f.version, f.generation, current_setting('transaction_read_only'),
        EXISTS (SELECT FROM pg_catalog.pg_proc p WHERE p.proname = 'pg_notify'),
        set_config('statement_timeout', $1::text, false)
      FROM freshstore.fleet f WHERE f.id = 0
      """)

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
