internal import Strategies

extension Storage {
  /// The position of a sweep in the index of deadlines.
  struct SweepPosition: Sendable {
    var deadline = Int64.min
    var row = Int64.min
  }

  /// A record to be marked: in its marked form, with the means to detect a change since the
  /// verdict; or one that a sweep must examine later.
  package struct Candidate: Sendable {
    fileprivate let record: StoredRecord
    fileprivate let checksum: Int64
    /// `nil` for a record that is not to be marked.
    fileprivate let queueAt: Timestamp?
    /// False for a record that is stale already, by an older mark.
    let isNewlyStale: Bool

    fileprivate init(_ record: StoredRecord, _ mark: StoredRecord.Mark, queueAt: Timestamp) {
      checksum = record.rowChecksum
      isNewlyStale = record.mark == nil
      var marked = record
      marked.mark = mark
      self.record = marked
      self.queueAt = queueAt
    }

    /// A record put after its sweep time was set.
    fileprivate init(early record: StoredRecord) {
      (self.record, checksum, isNewlyStale) = (record, record.rowChecksum, false)
      queueAt = nil
    }
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
      try connection.withStatement(.countExpired) { (statement) throws(SQLiteError) in
        try statement.bind(now.wall.millisecondsSinceEpoch, at: 1)
        try statement.bind(Int64(limit), at: 2)
        return try statement.step() ? Int(statement.int(0)) : 0
      }
    }
  }

  /// Marks as many of the candidates as the time allows, at least one, in one write transaction. A
  /// candidate that has changed since its verdict is left alone, as its writer knew better; except
  /// one that an explicit mark still covers, which only a verdict or a note can have changed.
  package func mark(
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
      try connection.withStatement(.lookLater) { (statement) throws(SQLiteError) in
        try statement.bind(candidate.record.row, at: 1)
        try statement.bind(candidate.checksum, at: 2)
        try statement.bind(candidate.record.sweepPlace?.millisecondsSinceEpoch, at: 3)
        try statement.run()
      }
      return false
    }
    let mark = candidate.record.mark
    try connection.withStatement(.markUnchanged) { (statement) throws(SQLiteError) in
      try statement.bind(candidate.record.row, at: 1)
      try statement.bind(mark?.at.millisecondsSinceEpoch, at: 2)
      try statement.bind(mark?.reason, at: 3)
      try statement.bind(mark?.epoch, at: 4)
      try statement.bind(candidate.record.rowChecksum, at: 5)
      let place = min(queueAt, moment(from: now))
      try statement.bind(place.millisecondsSinceEpoch, at: 6)
      try statement.bind(candidate.checksum, at: 7)
      try statement.run()
    }
    if connection.changes > 0 { return true }
    let (collection, key) = (candidate.record.content.collection, candidate.record.content.key)
    guard let mark, mark.epoch > 0, let record = try record(collection, key, connection),
      record.epoch < mark.epoch, record.mark?.epoch ?? 0 < mark.epoch
    else { return false }
    return try markRow(collection, key, mark, connection)
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

  /// The last row of a batch of rows that an invalidation covers.
  struct CoveredPosition: Sendable {
    var row = Int64.min
    /// Rows of a collection or a prefix come in the order of their keys.
    var key: String?
  }

  /// The next rows that an invalidation covers and that carry no mark yet.
  func covered(
    by invalidation: Invalidation, after position: CoveredPosition, limit: Int
  ) throws(StoreError) -> (batch: SweepBatch, end: CoveredPosition) {
    let sql: SQL
    switch invalidation.scope {
    case Scope.collectionNumber: sql = .coveredByCollection
    case Scope.tagNumber: sql = .coveredByTag
    case Scope.prefixNumber: sql = .coveredByPrefix
    // The row has its own mark.
    default: return (SweepBatch(isLast: true), position)
    }
    let rows = try database.read(.sweep) { (connection) throws(SQLiteError) in
      try self.rows(sql, limit, connection) { (statement) throws(SQLiteError) in
        try statement.bind(invalidation.number, at: 4)
        if invalidation.scope == Scope.tagNumber {
          try statement.bind(position.row, at: 3)
        } else {
          try statement.bind(invalidation.collection, at: 1)
          try statement.bind(position.key, at: 3)
        }
        if invalidation.scope != Scope.collectionNumber {
          try statement.bind(invalidation.name, at: 5)
        }
      }
    }
    var end = position
    if let last = rows.last?.record { end = CoveredPosition(row: last.row, key: last.content.key) }
    // In a damaged file rows may come in any order, and forever.
    let isFurther =
      invalidation.scope == Scope.tagNumber
      ? position.row < end.row
      : Self.comes(("", position.key ?? ""), before: ("", end.key ?? ""))
    let batch = SweepBatch(
      examined: rows.count,
      candidates: rows.map(\.record).filter(\.isIntact).map { record in
        Candidate(
          record,
          .init(at: invalidation.at, reason: invalidation.reason, epoch: invalidation.number),
          queueAt: invalidation.at)
      },
      isLast: rows.count < limit || !isFurther)
    return (batch, end)
  }

  /// Forgets an invalidation whose rows all carry marks. It stays while an earlier request is open,
  /// by a fetch, a list or an import: the answer must still be covered; and while local writes hide
  /// an earlier state of their sources. An answer stored between the marking of the rows and this
  /// has its mark already (``land(_:asked:now:_:)``). Expired leases are removed first, so that an
  /// owner that wakes up late stores nothing.
  func forget(_ invalidation: Invalidation, now: ClockReading) throws(StoreError) -> Database.Turn {
    try database.turn(.sweep) { (connection, _) throws(SQLiteError) in
      try self.dropDeadLeases(now: now, connection)
      try connection.withStatement(.forgetInvalidation) { (statement) throws(SQLiteError) in
        try statement.bind(invalidation.number, at: 1)
        try statement.run()
      }
      return Database.Work()
    }
  }

  func dropDeadLeases(
    now: ClockReading, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    try connection.withStatement(.dropDeadLeases) { (statement) throws(SQLiteError) in
      try statement.bind(now.boot, at: 1)
      try statement.bind(now.sinceBoot, at: 2)
      try statement.run()
    }
  }

  /// Up to `limit` rows of a query; parameter 2 is the limit.
  private func rows(
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
  /// keeps its place.
  fileprivate static let markUnchanged = SQL(
    """
    UPDATE record SET stale_at = ?2, stale_reason = ?3, stale_epoch = ?4, checksum = ?5,
      sweep_at = NULL, queue_at = coalesce(queue_at, max(?6, \(StoredRecord.endOfPause)))
    WHERE id = ?1 AND checksum = ?7 AND \(RecordFlags.isNotPending)
    """)
  fileprivate static let invalidations = SQL(
    "SELECT scope, collection, name, epoch, at, reason FROM invalidation ORDER BY epoch")
  /// A newer mark replaces an older one: a copy from between the two must not end both.
  private static let covered = """
    SELECT \(StoredRecord.columns), 0, 0 FROM \(StoredRecord.table)
    WHERE r.epoch < ?4 AND coalesce(r.stale_epoch, 0) < ?4
      AND r.\(RecordFlags.isNotPending) AND r.\(RecordFlags.isAnswer)
    """
  // In the order of the index, from the end of the last query, so that a batch costs its rows alone.
  fileprivate static let coveredByCollection = SQL(
    covered + " AND r.collection = ?1 AND r.key > coalesce(?3, '') ORDER BY r.key LIMIT ?2")
  fileprivate static let coveredByTag = SQL(
    covered
      + """
       AND r.id > ?3 AND r.id IN (SELECT record FROM record_tag WHERE tag = CAST(?5 AS TEXT))
      ORDER BY r.id LIMIT ?2
      """)
  // No byte of UTF-8 is 0xFF: a key with that prefix lies before the prefix and such a byte.
  fileprivate static let coveredByPrefix = SQL(
    covered
      + """
       AND r.collection = ?1 AND r.key >= coalesce(?3, CAST(?5 AS TEXT)) AND r.key IS NOT ?3
        AND r.key < CAST(?5 AS TEXT) || CAST(x'FF' AS TEXT)
        AND substr(CAST(r.key AS BLOB), 1, length(?5)) = ?5
      ORDER BY r.key LIMIT ?2
      """)
  fileprivate static let dropDeadLeases = SQL(
    "DELETE FROM lease WHERE boot <> ?1 OR deadline <= ?2")
  fileprivate static let forgetInvalidation = SQL(
    """
    DELETE FROM invalidation WHERE epoch = ?1
      AND NOT EXISTS (SELECT 1 FROM lease WHERE fence < ?1)
      AND NOT EXISTS (SELECT 1 FROM base WHERE epoch < ?1)
    """)
}
