internal import Strategies

extension Storage {
  /// Where a sweep stands in the index of deadlines.
  struct SweepPosition: Sendable {
    var deadline = Int64.min
    var row = Int64.min
  }

  /// What one batch did.
  struct SweepBatch: Sendable {
    var examined = 0
    var marked = 0
    var isLast = false
  }

  /// Marks one batch of rows whose deadline has passed: the index finds the candidates, `judge`
  /// decides. Its cost follows the number of candidates, not the size of the table.
  func sweepExpired(
    from position: inout SweepPosition, limit: Int, isDryRun: Bool, now: ClockReading,
    judge: @Sendable (StoredRecord) -> String?
  ) throws(StoreError) -> SweepBatch {
    let start = position
    let (batch, end) = try sweeping(isDryRun) { (connection) throws(SQLiteError) in
      var end = start
      let rows = try connection.withStatement(.expired) { (statement) throws(SQLiteError) in
        try statement.bind(start.deadline, at: 1)
        try statement.bind(start.row, at: 2)
        try statement.bind(now.wall.millisecondsSinceEpoch, at: 3)
        try statement.bind(Int64(limit), at: 4)
        return try self.rows(of: statement)
      }
      if let last = rows.last {
        end = SweepPosition(
          deadline: last.deadline?.millisecondsSinceEpoch ?? .max, row: last.row)
      }
      let marked = try self.markStale(rows, isDryRun, now: now, judge: judge, connection)
      let batch = SweepBatch(examined: rows.count, marked: marked, isLast: rows.count < limit)
      return (batch, end)
    }
    position = end
    return batch
  }

  /// An explicit mark that covers many rows.
  struct Invalidation: Sendable {
    let scope: Int64
    let collection: String
    let name: [UInt8]
    let number: Int64
    let at: Timestamp
    let reason: String
  }

  /// The invalidations in force.
  func invalidations() throws(StoreError) -> [Invalidation] {
    try database.read(.sweep) { (connection) throws(SQLiteError) in
      try connection.withStatement(.invalidations) { (statement) throws(SQLiteError) in
        var found: [Invalidation] = []
        while try statement.step() {
          found.append(
            Invalidation(
              scope: statement.int(0), collection: statement.text(1), name: statement.bytes(2),
              number: statement.int(3),
              at: Timestamp(millisecondsSinceEpoch: statement.int(4)), reason: statement.text(5)))
        }
        return found
      }
    }
  }

  /// Turns one batch of the rows an invalidation covers into marked rows, so that the refetch queue
  /// sees them. `last` is the row to go on after.
  func sweepCovered(
    by invalidation: Invalidation, after last: inout Int64, limit: Int, isDryRun: Bool
  ) throws(StoreError) -> SweepBatch {
    let start = last
    let (batch, end) = try sweeping(isDryRun) { (connection) throws(SQLiteError) in
      let sql: SQL =
        switch invalidation.scope {
        case 0: .coveredByCollection
        case 1: .coveredByTag
        default: .coveredByPrefix
        }
      let rows = try connection.withStatement(sql) { (statement) throws(SQLiteError) in
        try statement.bind(invalidation.collection, at: 1)
        try statement.bind(invalidation.number, at: 2)
        try statement.bind(start, at: 3)
        try statement.bind(Int64(limit), at: 4)
        if invalidation.scope > 0 { try statement.bind(invalidation.name, at: 5) }
        return try self.rows(of: statement)
      }
      var marked = 0
      for var record in rows where record.isIntact {
        record.mark = .init(
          at: invalidation.at, reason: invalidation.reason, epoch: invalidation.number)
        marked += 1
        if !isDryRun { try self.writeMark(of: record, queueAt: invalidation.at, connection) }
      }
      let batch = SweepBatch(examined: rows.count, marked: marked, isLast: rows.count < limit)
      return (batch, rows.last?.row ?? start)
    }
    last = end
    return batch
  }

  /// Forgets an invalidation all of whose rows carry marks. It stays while a fetch that began before
  /// it is under way: that fetch's result must still be covered. Leases that ran out are taken away
  /// first, so that an owner that wakes up late stores nothing.
  func forget(_ invalidation: Invalidation, now: ClockReading) throws(StoreError) {
    try database.write(.sweep) { (connection) throws(SQLiteError) in
      try connection.withStatement(.dropDeadLeases) { (statement) throws(SQLiteError) in
        try statement.bind(now.boot, at: 1)
        try statement.bind(now.sinceBoot, at: 2)
        try statement.run()
      }
      try connection.withStatement(.forgetInvalidation) { (statement) throws(SQLiteError) in
        try statement.bind(invalidation.number, at: 1)
        try statement.run()
      }
    }
  }

  private func sweeping<Result: Sendable>(
    _ isDryRun: Bool, _ body: @Sendable (borrowing Connection) throws(SQLiteError) -> Result
  ) throws(StoreError) -> Result {
    isDryRun ? try database.read(.sweep, body) : try database.write(.sweep, .normal, body)
  }

  private func rows(of statement: borrowing Statement) throws(SQLiteError) -> [StoredRecord] {
    var rows: [StoredRecord] = []
    while try statement.step() {
      rows.append(StoredRecord(row: statement, extent: .judged))
    }
    return rows
  }

  private func markStale(
    _ rows: [StoredRecord], _ isDryRun: Bool, now: ClockReading,
    judge: @Sendable (StoredRecord) -> String?, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int {
    var marked = 0
    for var record in rows where record.isIntact {
      guard let reason = judge(record) else { continue }
      record.mark = .init(at: now.wall, reason: reason, epoch: 0)
      marked += 1
      if !isDryRun {
        try writeMark(of: record, queueAt: record.deadline ?? now.wall, connection)
      }
    }
    return marked
  }
}

extension SQL {
  /// The conditions of the partial index `record_deadline`, word for word, so that it serves.
  fileprivate static let expired = SQL(
    """
    SELECT \(StoredRecord.columns), \(StoredRecord.coveringEpoch)
    FROM record r INDEXED BY record_deadline
    WHERE stale_at IS NULL AND pending = 0 AND kind < 2 AND expiry >= 0
      AND last_update + expiry >= ?1 AND (last_update + expiry > ?1 OR r.id > ?2)
      AND last_update + expiry <= ?3
    ORDER BY last_update + expiry, r.id LIMIT ?4
    """)
  fileprivate static let invalidations = SQL(
    "SELECT scope, collection, name, epoch, at, reason FROM invalidation ORDER BY epoch")
  private static let covered = """
    SELECT \(StoredRecord.columns), 0 FROM record r
    WHERE r.epoch < ?2 AND r.id > ?3 AND r.stale_at IS NULL AND r.pending = 0 AND r.kind < 2
    """
  fileprivate static let coveredByCollection = SQL(
    covered + " AND r.collection = ?1 ORDER BY r.id LIMIT ?4")
  fileprivate static let coveredByTag = SQL(
    covered
      + """
       AND r.id IN (SELECT record FROM record_tag WHERE tag = CAST(?5 AS TEXT)) AND ?1 = ''
      ORDER BY r.id LIMIT ?4
      """)
  fileprivate static let coveredByPrefix = SQL(
    covered
      + """
       AND r.collection = ?1 AND substr(CAST(r.key AS BLOB), 1, length(?5)) = ?5
      ORDER BY r.id LIMIT ?4
      """)
  fileprivate static let dropDeadLeases = SQL(
    "DELETE FROM lease WHERE boot <> ?1 OR deadline <= ?2")
  fileprivate static let forgetInvalidation = SQL(
    """
    DELETE FROM invalidation WHERE epoch = ?1
      AND NOT EXISTS (SELECT 1 FROM lease WHERE fence < ?1)
    """)
}
