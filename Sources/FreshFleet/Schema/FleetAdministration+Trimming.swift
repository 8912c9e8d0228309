#if Fleet
  public import FreshStore

  extension FleetAdministration {
    /// The numbers of rows that a trim has removed, or would remove.
    public struct Trimmed: Sendable, Hashable {
      /// The marks.
      public var marks = 0
      /// The records.
      public var records = 0
      /// The leases.
      public var leases = 0
    }

    /// Removes marks that are older than `age`, and the records that these marks cover. It also removes
    /// records whose lifetime has ended, if they are from before these marks or ended longer ago than `age`,
    /// and leases that have ended. A record that is still handed out stays. A host that was away for longer
    /// takes all its copies as stale.
    ///
    /// A record that no mark covers first gets the number of the newest removed mark, which means the same for it.
    /// Then only the beginning of the journal is moved. After that no older record is handed out, as the marks that
    /// may cover it are gone. A record that lands later under a lease from before the move is not shared.
    ///
    /// All except the move goes in batches, each a transaction, so that marks can be made meanwhile. After a
    /// trim that failed, the next one removes the rest.
    ///
    /// - Parameters:
    ///   - isDryRun: True to count, in one statement, and to remove nothing.
    ///   - progress: Called after each batch with the numbers so far, on a thread of its own; not called by a
    ///     dry run.
    public func trim(
      olderThan age: Duration, isDryRun: Bool = false,
      progress: @escaping @Sendable (Trimmed) -> Void = { _ in }
    ) async throws(SharedTierError) -> Trimmed {
      try await run { (connection) throws(SharedTierError) in
        try FleetSchema.look(at: connection, within: limit, statementLimit: limit)
        let old = Parameter.milliseconds(age)
        if isDryRun { return try counted(Step(Self.countOver, old), connection) }
        let newest = try repeated(Step(Self.findOldest, old), connection).first?.integer(0)
        if let newest {
          try forEachBatch(Self.raiseRecords, .integer(newest), connection)
          _ = try repeated(Step(Self.moveOldest, .integer(newest)), connection)
        }
        var trimmed = Trimmed()
        try remove(by: Step(Self.trimMarks), connection) {
          trimmed.marks += $0
          progress(trimmed)
        }
        try remove(by: Step(Self.trimLeases), connection) {
          trimmed.leases += $0
          progress(trimmed)
        }
        try forEachBatch(Self.trimRecords, old, connection) {
          trimmed.records += $0
          progress(trimmed)
        }
        return trimmed
      }
    }

    /// The numbers of rows that a trim would remove.
    private func counted(
      _ step: Step, _ connection: PostgresConnection
    ) throws(SharedTierError) -> Trimmed {
      guard let row = try repeated(step, connection).first else { throw .noFleet }
      return Trimmed(
        marks: Int(row.integer(0) ?? 0), records: Int(row.integer(1) ?? 0),
        leases: Int(row.integer(2) ?? 0))
    }

    /// Runs a statement on the records in the order of their keys, in batches, and reports the number of rows
    /// that each batch has changed.
    private func forEachBatch(
      _ statement: Statement, _ bound: Parameter, _ connection: PostgresConnection,
      _ note: (Int) -> Void = { _ in }
    ) throws(SharedTierError) {
      var place: (collection: [UInt8], key: [UInt8])? = ([], [])
      while let next = place {
        let step = Step(statement, bound, .bytes(next.collection), .bytes(next.key))
        let row = try repeated(step, connection).first
        note(Int(row?.integer(0) ?? 0))
        place = nil
        if let row, row.integer(1) == Self.batch, let collection = row.bytes(2),
          let key = row.bytes(3)
        {
          place = (collection, key)
        }
      }
    }

    /// Repeats a batch until nothing is left, and reports the number of rows that each has removed.
    private func remove(
      by step: Step, _ connection: PostgresConnection, _ note: (Int) -> Void
    ) throws(SharedTierError) {
      while true {
        let count = Int(try repeated(step, connection).first?.integer(0) ?? 0)
        if count == 0 { return }
        note(count)
      }
    }

    /// Runs one statement as a transaction. Repeats it after a conflict with another one.
    private func repeated(
      _ step: Step, _ connection: PostgresConnection
    ) throws(SharedTierError) -> [Row] {
      var left = Self.attempts
      while true {
        do throws(SharedTierError) {
          return try connection.run([step], within: limit).first ?? []
        } catch {
          left -= 1
          guard left > 0, error.isConflict else { throw error }
        }
      }
    }

    // MARK: Statements

    /// The counts of the rows that the other statements would remove: the journal would begin at the newest
    /// of the old marks.
    private static let countOver = Statement(
      "count_over",
      """
      WITH journal AS (
        SELECT greatest(c.oldest, (SELECT max(m.number) FROM freshstore.mark m
          WHERE m.made_at < clock_timestamp() - $1::bigint * interval '1 millisecond')) AS oldest
        FROM freshstore.counter c WHERE c.id = 0)
      SELECT (SELECT count(*) FROM freshstore.mark m WHERE m.number < j.oldest),
        (SELECT count(*) FROM freshstore.record r WHERE r.number < j.oldest
            AND NOT EXISTS (SELECT FROM freshstore.fresh f
              WHERE f.collection = r.collection AND f.key = r.key)
          OR r.updated_at + r.lifetime * interval '1 millisecond'
            < clock_timestamp() - $1::bigint * interval '1 millisecond'),
        (SELECT count(*) FROM freshstore.lease l WHERE l.until <= clock_timestamp()
          AND (l.paused_until IS NULL OR l.paused_until <= clock_timestamp()))
      FROM journal j
      """)

    private static let findOldest = Statement(
      "find_oldest",
      """
      SELECT max(m.number) FROM freshstore.mark m
      WHERE m.made_at < clock_timestamp() - $1::bigint * interval '1 millisecond'
      """)

    /// Gives a higher number to the records that may be handed out, so that marks up to it need not be known.
    /// It judges only records whose marks all exist, as another trim may be running. A record that lands
    /// meanwhile has another edition. A mark that is made meanwhile has a higher number.
    private static let raiseRecords = Statement(
      "raise_records",
      """
      WITH looked AS (
        SELECT r.collection, r.key, r.edition FROM freshstore.record r
        WHERE (r.collection, r.key) >= ($2::bytea, $3::bytea)
        ORDER BY r.collection, r.key LIMIT 1000),
      raised AS (
        UPDATE freshstore.record r SET number = $1::bigint FROM looked o
        WHERE r.collection = o.collection AND r.key = o.key AND r.edition = o.edition
          AND r.number < $1::bigint
          AND EXISTS (SELECT FROM freshstore.fresh f
            WHERE f.collection = o.collection AND f.key = o.key AND f.edition = o.edition)
        RETURNING r.key)
      SELECT (SELECT count(*) FROM raised), (SELECT count(*) FROM looked), o.collection, o.key
      FROM looked o ORDER BY o.collection DESC, o.key DESC LIMIT 1
      """)

    private static let moveOldest = Statement(
      "move_oldest",
      """
      UPDATE freshstore.counter SET oldest = $1::bigint WHERE id = 0 AND oldest < $1::bigint
        AND EXISTS (SELECT FROM freshstore.mark m WHERE m.number = $1::bigint)
      """)

    /// Removes the lowest numbers first, so that a host never finds its own mark without those that follow it.
    private static let trimMarks = Statement(
      "trim_marks",
      """
      WITH trimmed AS (
        DELETE FROM freshstore.mark WHERE number IN (
          SELECT m.number FROM freshstore.mark m
          WHERE m.number < (SELECT c.oldest FROM freshstore.counter c WHERE c.id = 0)
          ORDER BY m.number LIMIT 1000) RETURNING number)
      SELECT count(*) FROM trimmed
      """)

    private static let trimLeases = Statement(
      "trim_leases",
      """
      WITH trimmed AS (
        DELETE FROM freshstore.lease l USING (
          SELECT h.collection, h.key FROM freshstore.lease h WHERE h.until <= clock_timestamp()
            AND (h.paused_until IS NULL OR h.paused_until <= clock_timestamp())
          ORDER BY h.collection, h.key LIMIT 1000) AS o
        WHERE l.collection = o.collection AND l.key = o.key AND l.until <= clock_timestamp()
          AND (l.paused_until IS NULL OR l.paused_until <= clock_timestamp()) RETURNING l.fence)
      SELECT count(*) FROM trimmed
      """)

    private static let batch: Int64 = 1000

    /// Looks at the next records from a key on, in the order of their keys, and returns the key of the last
    /// one. The deletion itself judges them, as a record may have landed meanwhile.
    private static let trimRecords = Statement(
      "trim_records",
      """
      WITH looked AS (
        SELECT r.collection, r.key FROM freshstore.record r
        WHERE (r.collection, r.key) >= ($2::bytea, $3::bytea)
        ORDER BY r.collection, r.key LIMIT 1000),
      trimmed AS (
        DELETE FROM freshstore.record r USING looked o
        WHERE r.collection = o.collection AND r.key = o.key
          AND (r.number < (SELECT c.oldest FROM freshstore.counter c WHERE c.id = 0)
            OR r.updated_at + r.lifetime * interval '1 millisecond'
              < clock_timestamp() - $1::bigint * interval '1 millisecond') RETURNING r.key)
      SELECT (SELECT count(*) FROM trimmed), (SELECT count(*) FROM looked), o.collection, o.key
      FROM looked o ORDER BY o.collection DESC, o.key DESC LIMIT 1
      """)
  }
#endif
