#if Fleet
  /// The tables of a fleet, and the steps that lead to them.
  ///
  /// Keys, names and reasons are bytes, as text in PostgreSQL cannot hold a NUL. Every date is the database's
  /// own: hosts send durations. There are no triggers, advisory locks or extensions, so that engines behind
  /// the same wire can run it. `record` and `lease` may be partitioned by the hash of their keys.
  enum FleetSchema {
    /// The version that this client speaks.
    static let version = migrations.count

    /// The word that tells our tables from another application's.
    static let application = "FreshStore fleet"

    /// The steps, from an empty database on; a released one never changes.
    static let migrations = [first]

    /// - `fleet`: one row. The generation tells two fleets apart.
    /// - `counter`: one row. A mark takes its lock until it is committed, so that a later number never becomes
    ///   visible before an earlier one, as a sequence's would. `oldest` is where the journal begins. `clock` is the latest
    ///   time that was noted while hosts ask, to some seconds.
    /// - `mark`: the journal. It always holds the mark that `oldest` names, the first one at the creation.
    /// - `lease`: who fetches what, and since when: a record is no younger than what follows from that, however late
    ///   it lands. Its loss is harmless: fences are random, and so a late owner's is unknown.
    /// - `record`: `number` is that of the newest mark when the source was asked, or of a later one that is known not to
    ///   cover it (`FleetAdministration.trim`).
    /// - `origin`: which origin is paused until when, and since when: one from the future is over, as of a lease.
    /// - `fresh`: the records that may be handed out. While the noted time is in the future, the database's clock was set
    ///   back, or is that of a server which has taken over, and nobody knows the age of any: so there are none, until all
    ///   are marked. Nor is the age of one known that is from the future itself. One from before the journal's beginning may be covered
    ///   by a mark that was trimmed. Each kind of mark is one look into the index, however long the journal,
    ///   but for those by prefix, of which all of the collection are read.
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
#endif
