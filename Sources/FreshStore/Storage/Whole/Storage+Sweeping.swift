internal import Strategies

extension Storage {
  /// The position of a sweep in the index of deadlines.
  struct SweepPosition: Sendable {
    var deadline = Int64.min
    var row = Int64.min
  }

  /// The result of one query for a sweep.
  struct SweepBatch: Sendable {
    var examined = 0
    var candidates: [Candidate] = []
    /// The start of the next one.
    var end = SweepPosition()
    var isLast = false
  }

  /// The next rows whose deadline has passed, until `marks` of them are to be marked: the index
  /// finds them, `judge` decides. The cost depends on their number, not on the size of the table.
  func expired(
    after position: SweepPosition, limit: Int, marks: Int, now: ClockReading,
    judge: @Sendable (StoredRecord) -> String?
  ) throws(StoreError) -> SweepBatch {
    let rows = try database.read(.sweep) { (connection) throws(SQLiteError) in
      // Two queries, each a range of the index: a single condition would scan all rows of one place
      // again and again.
      let same = try self.rows(.expiredTogether, limit, connection) {
        (statement) throws(SQLiteError) in
        try statement.bind(position.deadline, at: 1)
        try statement.bind(position.row, at: 3)
      }
      let later = try self.rows(.expired, limit - same.count, connection) {
        (statement) throws(SQLiteError) in
        try statement.bind(position.deadline, at: 1)
        try statement.bind(now.wall.millisecondsSinceEpoch, at: 3)
      }
      return same + later
    }
    var batch = SweepBatch(end: position, isLast: rows.count < limit)
    var left = marks
    for (record, entry) in rows {
      guard left > 0 else {
        batch.isLast = false
        break
      }
      batch.end = SweepPosition(deadline: entry, row: record.row)
      guard record.isIntact else {
        batch.examined += 1
        continue
      }
      guard let place = record.sweepPlace, place <= now.wall else {
        batch.candidates.append(Candidate(early: record))
        continue
      }
      batch.examined += 1
      guard let reason = judge(record) else { continue }
      left -= 1
      batch.candidates.append(
        Candidate(record, .init(at: now.wall, reason: reason, epoch: 0), queueAt: place))
    }
    // In a damaged file rows may come in any order, and never end.
    let isFurther = (position.deadline, position.row) < (batch.end.deadline, batch.end.row)
    batch.isLast = batch.isLast || !isFurther
    return batch
  }

  /// The number of rows whose deadline has passed, `limit` at most. Cost: one look-up for each row
  /// whose place in the index is due.
  func countExpired(limit: Int, now: ClockReading) throws(StoreError) -> Int {
    try database.read(.sweep) { (connection) throws(SQLiteError) in
      try connection.first(.countExpired, now.wall.millisecondsSinceEpoch, Int64(limit)) {
        statement in Int(statement.int(0))
      } ?? 0
    }
  }

  /// Up to `limit` rows of a query; parameter 2 is the limit.
  func rows(
    _ sql: SQL, _ limit: Int, _ connection: borrowing Connection,
    bind: (borrowing Statement) throws(SQLiteError) -> Void
  ) throws(SQLiteError) -> [(record: StoredRecord, place: Int64)] {
    guard limit > 0 else { return [] }
    return try connection.withStatement(sql) { (statement) throws(SQLiteError) in
      try bind(statement)
      try statement.bind(Int64(limit), at: 2)
      var rows: [(record: StoredRecord, place: Int64)] = []
      while try statement.step() {
        let record = StoredRecord(row: statement, extent: .judged)
        rows.append((record, statement.int(StoredRecord.firstAfterJudged)))
      }
      return rows
    }
  }

  // MARK: Marking

  /// A record to be marked, in its marked form, or a record that a sweep must examine later. The checksum detects a
  /// change since the verdict.
  struct Candidate: Sendable {
    fileprivate private(set) var record: StoredRecord
    fileprivate let checksum: Int64
    /// `nil` for a record that is not to be marked.
    fileprivate let queueAt: Timestamp?
    /// False for a record that is stale already, by an older mark.
    let isNewlyStale: Bool

    init(_ record: StoredRecord, _ mark: StoredRecord.Mark, queueAt: Timestamp) {
      checksum = record.rowChecksum
      isNewlyStale = record.mark == nil
      self.record = record
      self.queueAt = queueAt
      add(mark)
    }

    /// Marks it in place of the mark that it has.
    mutating func add(_ mark: StoredRecord.Mark) { record.mark = mark.replacing(record.mark) }

    /// A record put after its sweep time was set.
    init(early record: StoredRecord) {
      (self.record, checksum, isNewlyStale) = (record, record.rowChecksum, false)
      queueAt = nil
    }
  }

  /// Marks as many of the candidates as the time allows, at least one, in one write transaction.
  ///
  /// A candidate that has changed since its verdict stays as it is, as its writer knew better. A candidate that an
  /// explicit mark still covers is marked all the same: only a verdict or a note can have changed it.
  func mark(
    _ candidates: ArraySlice<Candidate>, within budget: Duration, now: ClockReading
  ) throws(StoreError) -> Database.Turn {
    try database.turn(.sweep) { (connection, start) throws(SQLiteError) in
      var work = Database.Work()
      for candidate in candidates {
        if work.done > 0, ContinuousClock.now - start >= budget { break }
        work.done += 1
        if try self.write(candidate, now, connection), candidate.isNewlyStale { work.changed += 1 }
      }
      if work.changed > 0 { try self.log(.marked, nil, nil, connection) }
      return work
    }
  }

  private func write(
    _ candidate: Candidate, _ now: ClockReading, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    guard let queueAt = candidate.queueAt else {
      try connection.run(
        .lookLater, candidate.record.row, candidate.checksum,
        candidate.record.sweepPlace?.millisecondsSinceEpoch)
      return false
    }
    let mark = candidate.record.mark
    let place = candidate.record.queuePlace(min(queueAt, moment(from: now)))
    try connection.run(
      .markUnchanged, candidate.record.row, mark?.at.millisecondsSinceEpoch, mark?.reason,
      mark?.epoch, candidate.record.rowChecksum, place?.millisecondsSinceEpoch, candidate.checksum)
    if connection.changes > 0 { return true }
    let (collection, key) = (candidate.record.content.collection, candidate.record.content.key)
    guard let mark, mark.epoch > 0,
      let record = try record(collection, key, joins: false, connection),
      record.epoch < mark.epoch, record.mark?.epoch ?? 0 < mark.epoch
    else { return false }
    return try markRow(collection, key, mark, connection)
  }
}

extension SQL {
  private static let awaited = """
    SELECT \(StoredRecord.columns), \(StoredRecord.coveringEpoch), r.sweep_at
    FROM record r INDEXED BY record_sweep \(StoredRecord.failures)
    """
  fileprivate static let expiredTogether = SQL(
    awaited + " WHERE r.sweep_at = ?1 AND r.id > ?3 ORDER BY r.id LIMIT ?2")
  fileprivate static let expired = SQL(
    awaited
      + " WHERE r.sweep_at > ?1 AND r.sweep_at <= ?3 ORDER BY r.sweep_at, r.id LIMIT ?2")
  fileprivate static let countExpired = SQL(
    """
    SELECT count(*) FROM (SELECT 1 FROM record INDEXED BY record_sweep
      WHERE sweep_at <= ?1 AND \(StoredRecord.sweepPlaceOfRow) <= ?1 LIMIT ?2)
    """)
  fileprivate static let lookLater = SQL(
    "UPDATE record SET sweep_at = ?3 WHERE id = ?1 AND checksum = ?2")
  /// A row whose last fetch failed waits in the queue for the end of its pause; one in the queue
  /// keeps its place. Without a place (NULL) it stays out of the queue.
  fileprivate static let markUnchanged = SQL(
    """
    UPDATE record SET stale_at = ?2, stale_reason = ?3, stale_epoch = ?4, checksum = ?5,
      sweep_at = NULL, queue_at = coalesce(queue_at, max(?6, \(StoredRecord.endOfPause)))
    WHERE id = ?1 AND checksum = ?7 AND \(RecordFlags.isNotPending)
    """)
}
