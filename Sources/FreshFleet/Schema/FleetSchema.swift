#if Fleet
  internal import FreshStore
  internal import Strategies

  /// The tables of a fleet, and the steps that lead to them.
  ///
  /// Keys, names and reasons are bytes, as text in PostgreSQL cannot hold a NUL. Every date is the database's own:
  /// hosts send durations. There are no triggers, advisory locks or extensions, so that other engines with the same
  /// wire protocol can run it. `record` and `lease` may be partitioned by the hash of their keys.
  enum FleetSchema {
    /// The version that this client uses.
    static let version = migrations.count

    /// The text that tells our tables from another application's.
    static let application = "FreshStore fleet"

    /// The steps from an empty database on. A released one never changes.
    static let migrations = [first]

    /// - `fleet`: one row. The generation tells two fleets apart.
    /// - `counter`: one row. A mark holds its lock until the commit, so that a later number never becomes
    ///   visible before an earlier one, as with a sequence. `oldest` is the beginning of the journal. `clock`
    ///   is the latest noted time, to some seconds, while hosts send calls.
    /// - `mark`: the journal. It always has the mark that `oldest` names, which is the first one at the creation.
    /// - `lease`: which host fetches which key, and since when. A record is no younger than that, however late it
    ///   lands. The loss of this table does no harm: fences are random, so the fence of a late owner is unknown.
    /// - `record`: `number` is the number of the newest mark when the source was asked, or a later one that
    ///   is known not to cover the record (`FleetAdministration.trim`).
    /// - `origin`: which origin is paused, until when, and since when. A pause from the future is over, as
    ///   for a lease.
    /// - `fresh`: the records that may be handed out. While the noted time is in the future, there are none: the
    ///   database's clock was set back, or another server has taken over, and nobody knows the age of a record. All
    ///   records are then marked. The age of a record from the future is not known either. A mark that was trimmed
    ///   may cover a record from before the beginning of the journal. Each kind of mark is one look-up in the
    ///   index, however long the journal is. Of marks by prefix all of the collection are read.
    private static let first = """
      CREATE TABLE freshstore.fleet (
        id smallint PRIMARY KEY CHECK (id = 0),
        application text NOT NULL,
        version integer NOT NULL,
        generation bigint NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp()
      );

      CREATE TABLE freshstore.counter (
        id smallint PRIMARY KEY CHECK (id = 0),
        number bigint NOT NULL,
        token bigint NOT NULL,
        oldest bigint NOT NULL,
        clock timestamptz NOT NULL DEFAULT clock_timestamp()
      );

      CREATE TABLE freshstore.mark (
        number bigint PRIMARY KEY,
        token bigint NOT NULL,
        scope smallint NOT NULL CHECK (scope BETWEEN 0 AND 4),
        collection bytea NOT NULL,
        name bytea NOT NULL,
        reason bytea NOT NULL,
        made_at timestamptz NOT NULL DEFAULT clock_timestamp()
      );
      CREATE INDEX mark_cover ON freshstore.mark (scope, collection, name, number);

      CREATE UNLOGGED TABLE freshstore.lease (
        collection bytea NOT NULL,
        key bytea NOT NULL,
        fence bigint NOT NULL,
        owner bytea NOT NULL,
        number bigint NOT NULL,
        until timestamptz NOT NULL,
        paused_until timestamptz,
        reason bytea,
        granted_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (collection, key)
      );

      CREATE TABLE freshstore.record (
        collection bytea NOT NULL,
        key bytea NOT NULL,
        edition bigint NOT NULL,
        number bigint NOT NULL,
        owner bytea NOT NULL,
        is_absent boolean NOT NULL,
        updated_at timestamptz NOT NULL,
        lifetime bigint,
        tags bytea[] NOT NULL,
        stamps bytea NOT NULL,
        value bytea,
        PRIMARY KEY (collection, key)
      );

      CREATE TABLE freshstore.origin (
        name bytea PRIMARY KEY,
        paused_until timestamptz NOT NULL,
        reason bytea NOT NULL,
        made_at timestamptz NOT NULL DEFAULT clock_timestamp()
      );

      CREATE VIEW freshstore.fresh AS
      SELECT r.* FROM freshstore.record r
      WHERE (r.lifetime IS NULL
          OR clock_timestamp() < r.updated_at + r.lifetime * interval '1 millisecond')
        AND r.updated_at <= clock_timestamp() + interval '5 seconds'
        AND r.number >= (SELECT c.oldest FROM freshstore.counter c
          WHERE c.id = 0 AND c.clock <= clock_timestamp() + interval '5 seconds')
        AND NOT EXISTS (
          SELECT FROM freshstore.mark m
          WHERE m.scope = 0 AND m.collection = r.collection AND m.name = r.key AND m.number > r.number
          UNION ALL
          SELECT FROM unnest(r.tags) AS t (name), LATERAL (SELECT FROM freshstore.mark m
            WHERE m.scope = 1 AND m.collection = ''::bytea AND m.name = t.name AND m.number > r.number
            OFFSET 0) AS m
          UNION ALL
          SELECT FROM freshstore.mark m
          WHERE m.scope = 2 AND m.collection = r.collection AND m.name <= r.key
            AND substring(r.key FROM 1 FOR length(m.name)) = m.name AND m.number > r.number
          UNION ALL
          SELECT FROM freshstore.mark m
          WHERE m.scope = 3 AND m.collection = r.collection AND m.name = ''::bytea AND m.number > r.number
          UNION ALL
          SELECT FROM freshstore.mark m
          WHERE m.scope = 4 AND m.collection = ''::bytea AND m.name = ''::bytea AND m.number > r.number);
      """
  }

  /// The scopes of marks, as the tables have them.
  enum ScopeNumber {
    static let key: Int64 = 0
    static let tag: Int64 = 1
    static let prefix: Int64 = 2
    static let collection: Int64 = 3
    static let all: Int64 = 4
  }

  extension FleetSchema {
    /// Checks that the database holds a fleet that this client understands and can write, and configures the
    /// connection, in one round trip. Returns the generation of the fleet.
    ///
    /// It tries notifications, as engines differ in them from version to version.
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
        // Another host may just have created the tables.
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

    /// The row of the fleet, and the setting of the transaction.
    private static func firstLook(
      at connection: PostgresConnection, within limit: Duration, statementLimit: Duration
    ) throws(SharedTierError) -> [Row] {
      let milliseconds = "\(max(1, statementLimit.wholeMilliseconds))"
      // Each is a transaction of its own: an engine that does not know a setting refuses it, and does not need it.
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
        // A standby refuses the notification, which makes the connection useless. The answer before it says why.
        guard isOfReadOnly(outcome) else { throw error }
      }
      do throws(SharedTierError) {
        return try outcome?.get().first ?? []
      } catch {
        throw error.isOfOtherTable ? .foreignTables : error
      }
    }

    /// True for an answer from a server that can only be read: the later error adds nothing.
    private static func isOfReadOnly(_ outcome: Result<[[Row]], SharedTierError>?) -> Bool {
      switch outcome {
      case .success(let rows): rows.first?.first?.text(3) == "on"
      // A connection that ends before an answer has no outcome.
      case .failure: true
      case nil: false
      }
    }

    /// It excludes functions and operators of the user in a schema that the user's role puts first.
    private static let nameNothingElse = Statement(
      "name_nothing_else",
      "SELECT pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', false)")

    private static let lookAtFleet = Statement(
      "look",
      """
      SELECT f.application, f.version, f.generation, current_setting('transaction_read_only')
      FROM freshstore.fleet f WHERE f.id = 0
      """)

    /// The server itself ends a call that takes longer.
    private static let endLate = Statement(
      "end_late", "SELECT set_config('statement_timeout', $1::text, false)")

    /// A host that vanished during a call keeps its locks for some 25 seconds.
    private static let keepAlive = Statement(
      "keep_alive",
      """
      SELECT set_config(s.name, s.value, false)
      FROM (VALUES ('tcp_keepalives_idle', '10'), ('tcp_keepalives_interval', '5'),
        ('tcp_keepalives_count', '3'), ('tcp_user_timeout', '15000')) AS s (name, value)
      """)

    private static let tellNobody = Statement("tell_nobody", "NOTIFY freshstore_nobody")

    /// All calls look up keys, and to plan one takes ten times as long as to run it. Plans are made once, and
    /// for tables that have grown since.
    private static let planOnce = Statement(
      "plan_once",
      """
      SELECT set_config(s.name, s.value, false)
      FROM (VALUES ('plan_cache_mode', 'force_generic_plan'), ('enable_seqscan', 'off'),
        ('enable_bitmapscan', 'off'), ('enable_hashjoin', 'off'), ('enable_mergejoin', 'off'),
        ('enable_material', 'off'),
        ('jit', 'off')) AS s (name, value)
      """)

    private static let countTables = Statement(
      "count_tables",
      """
      SELECT count(*) FROM pg_catalog.pg_class c
      JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = 'freshstore' AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
      """)
  }

  extension SharedTierError {
    /// True when a table with our name has other columns, or columns of other types.
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
