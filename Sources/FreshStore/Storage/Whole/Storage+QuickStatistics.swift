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
          if let expiry = statement.optionalInt(7).map(Timestamp.init(millisecondsSinceEpoch:)) {
            slice.nextExpiry = min(expiry, slice.nextExpiry ?? expiry)
          }
        }
        // In a damaged file rows may come in any order, and never end.
        slice.isLast = seen < limit || slice.end <= row
        return slice
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
}
