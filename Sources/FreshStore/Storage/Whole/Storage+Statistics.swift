internal import Strategies

extension Storage {
  /// The pending work, and the size of the file.
  func quickStatistics(now: ClockReading) throws(StoreError) -> QuickStatistics {
    try database.read(.statistics) { (connection) throws(SQLiteError) in
      try connection.snapshot { (connection) throws(SQLiteError) in
        try self.quickStatistics(now, limit: QuickStatistics.limit, connection)
      }
    }
  }

  func quickStatistics(
    _ now: ClockReading, limit: Int = .max, _ connection: borrowing Connection
  ) throws(SQLiteError) -> QuickStatistics {
    let pageSize = Int(try connection.integer("PRAGMA page_size"))
    let unowned = try Self.unownedBytes(connection)
    return QuickStatistics(
      work: try connection.waitingWork(at: now, limit: limit),
      fileBytes: Int(try connection.integer("PRAGMA page_count")) * pageSize,
      freeBytes: Int(try connection.integer("PRAGMA freelist_count")) * pageSize,
      logBytes: database.file.logSize, leftBytes: unowned.left, arrivingBytes: unowned.arriving)
  }

  /// Counts up to `limit` records after the row `row`.
  func countRecords(after row: Int64, limit: Int, now: ClockReading) throws(StoreError)
    -> RecordCounts
  {
    try database.read(.statistics) { (connection) throws(SQLiteError) in
      try connection.withStatement(
        .countRecords, now.wall.millisecondsSinceEpoch, row, Int64(limit)
      ) { (statement) throws(SQLiteError) in
        var slice = RecordCounts(end: row, isLast: true)
        var seen = 0
        while try statement.step() {
          var counts = RecordCounts.Counts()
          counts.fresh = Int(statement.int(1) - statement.int(2))
          counts.stale = Int(statement.int(2))
          counts.absent = Int(statement.int(3))
          counts.bytes = Int(statement.int(4))
          slice.collections[statement.text(0)] = counts
          seen += Int(statement.int(5))
          slice.end = max(slice.end, statement.int(6))
          if let expiry = statement.optionalMoment(7) {
            slice.nextExpiry = min(expiry, slice.nextExpiry ?? expiry)
          }
        }
        // In a damaged file rows may come in any order, and never end.
        slice.isLast = seen < limit || slice.end <= row
        return slice
      }
    }
  }

  func statistics(now: ClockReading) throws(StoreError) -> Statistics {
    try database.read(.statistics) { (connection) throws(SQLiteError) in
      try connection.snapshot { (connection) throws(SQLiteError) in
        Statistics(
          collections: try self.collections(now.wall.millisecondsSinceEpoch, connection),
          try self.quickStatistics(now, connection))
      }
    }
  }

  private func collections(
    _ moment: Int64, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [Statistics.Collection] {
    try connection.rows(.countCollections, moment) { statement in
      Statistics.Collection(
        name: statement.text(0), records: Int(statement.int(1)),
        absent: Int(statement.int(2)), marked: Int(statement.int(3)),
        expired: Int(statement.int(4)), failing: Int(statement.int(5)),
        pinned: Int(statement.int(6)), bytes: Int(statement.int(7)))
    }
  }
}

extension Connection {
  /// The work that waits to be fetched and pushed. Every count ends at `limit`.
  package func waitingWork(
    at now: ClockReading, limit: Int = .max
  ) throws(SQLiteError) -> WaitingWork {
    var work = WaitingWork()
    try addRecords(to: &work, now, limit)
    try addWrites(to: &work, limit)
    try addMarks(to: &work, limit)
    work.failingOrigins = try rows(.failingOrigins, Int64(limit)) { statement in
      Backlog.Origin(
        name: statement.text(0), failures: Int(statement.int(1)),
        pausedUntil: statement.moment(2),
        failure: statement.text(3))
    }
    return work
  }

  private func addRecords(
    to work: inout WaitingWork, _ now: ClockReading, _ limit: Int
  ) throws(SQLiteError) {
    try withStatement(
      .waitingRecords, now.wall.millisecondsSinceEpoch, Int64(limit), now.boot, now.sinceBoot
    ) { (statement) throws(SQLiteError) in
      _ = try statement.step()
      work.due = Int(statement.int(0))
      work.nextDue = statement.optionalMoment(1)
      work.fetches = Int(statement.int(2))
    }
  }

  private func addMarks(to work: inout WaitingWork, _ limit: Int) throws(SQLiteError) {
    try withStatement(.marksForFleet, Int64(limit)) { (statement) throws(SQLiteError) in
      _ = try statement.step()
      work.refusedMarks = Int(statement.int(1))
      work.keptMarks = Int(statement.int(0)) - work.refusedMarks
    }
  }

  private func addWrites(
    to work: inout WaitingWork, _ limit: Int
  ) throws(SQLiteError) {
    try withStatement(.writesByCollection, Int64(limit)) { (statement) throws(SQLiteError) in
      while try statement.step() {
        work.writes[statement.text(0)] = WaitingWork.Writes(
          waiting: Int(statement.int(1)), parked: Int(statement.int(2)))
        let oldest = statement.moment(3)
        work.oldestWrite = min(oldest, work.oldestWrite ?? oldest)
      }
    }
  }
}

extension SQL {
  fileprivate static let countRecords = SQL(
    """
    SELECT collection, sum(kind = 0),
      sum(kind = 0 AND (is_marked OR coalesce(deadline <= ?1, 0))), sum(kind = 1), sum(size),
      count(*), max(id), min(iif(is_marked OR deadline <= ?1, NULL, deadline))
    FROM (
      SELECT r.id, r.collection, r.flags & \(RecordFlags.kind) AS kind,
        r.stale_at IS NOT NULL AS is_marked, \(StoredRecord.size) AS size,
        \(StoredRecord.deadlineOfRow) AS deadline
      FROM record r WHERE r.id > ?2 ORDER BY r.id LIMIT ?3)
    GROUP BY collection
    """)
  /// A lease is valid on the clock of its own boot; one without a collection fetches no record.
  fileprivate static let waitingRecords = SQL(
    """
    SELECT
      (SELECT count(*) FROM (SELECT 1 FROM record
        WHERE queue_at <= ?1 AND \(RecordFlags.isNotPending) LIMIT ?2)),
      (SELECT min(queue_at) FROM record
        WHERE queue_at IS NOT NULL AND \(RecordFlags.isNotPending)),
      (SELECT count(*) FROM lease WHERE collection <> '' AND boot = ?3 AND deadline > ?4)
    """)
  fileprivate static let writesByCollection = SQL(
    """
    SELECT collection, sum(parked = 0), sum(parked <> 0), min(written_at) FROM
      (SELECT collection, parked, written_at FROM outbox LIMIT ?1)
    GROUP BY collection ORDER BY collection
    """)
  fileprivate static let marksForFleet = SQL(
    "SELECT count(*), count(refusal) FROM (SELECT refusal FROM fleet_mark LIMIT ?1)")
  fileprivate static let failingOrigins = SQL(
    """
    SELECT name, failures, open_until, failure FROM origin WHERE failures > 0
    ORDER BY name LIMIT ?1
    """)
  fileprivate static let countCollections = SQL(
    """
    SELECT collection, sum(\(RecordFlags.isValue)), sum(\(RecordFlags.isAbsence)),
      sum(stale_at IS NOT NULL),
      sum(\(RecordFlags.isAnswer) AND coalesce(\(StoredRecord.deadlineOfRow) <= ?1, 0)),
      sum(\(RecordFlags.isFailing)), sum(\(RecordFlags.isPinned)),
      sum(\(StoredRecord.sizeOfRow))
    FROM record GROUP BY collection ORDER BY collection
    """)
}
