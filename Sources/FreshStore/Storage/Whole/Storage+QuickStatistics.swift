internal import Strategies

extension Storage {
  /// The pending work, and the size of the file.
  func quickStatistics(now: ClockReading) throws(StoreError) -> QuickStatistics {
    let logBytes = database.file.logSize
    return try database.read(.statistics) { (connection) throws(SQLiteError) in
      try connection.snapshot { (connection) throws(SQLiteError) in
        var statistics = QuickStatistics()
        let pageSize = Int(try connection.integer("PRAGMA page_size"))
        statistics.fileBytes = Int(try connection.integer("PRAGMA page_count")) * pageSize
        statistics.freeBytes = Int(try connection.integer("PRAGMA freelist_count")) * pageSize
        statistics.logBytes = logBytes
        try self.addNumbers(&statistics, now, connection)
        try self.addWrites(&statistics, connection)
        return statistics
      }
    }
  }

  private func addNumbers(
    _ statistics: inout QuickStatistics, _ now: ClockReading,
    _ connection: borrowing Connection
  ) throws(SQLiteError) {
    try connection.withStatement(.quickStatistics) { (statement) throws(SQLiteError) in
      try statement.bind(now.wall.millisecondsSinceEpoch, at: 1)
      try statement.bind(Int64(QuickStatistics.limit), at: 2)
      try statement.bind(now.boot, at: 3)
      try statement.bind(now.sinceBoot, at: 4)
      _ = try statement.step()
      statistics.due = Int(statement.int(0))
      statistics.nextDue = statement.optionalInt(1).map(
        Timestamp.init(millisecondsSinceEpoch:))
      statistics.leases = Int(statement.int(2))
      statistics.failingOrigins = Int(statement.int(3))
    }
  }

  private func addWrites(
    _ statistics: inout QuickStatistics, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    try connection.withStatement(.writesByCollection) { (statement) throws(SQLiteError) in
      try statement.bind(Int64(QuickStatistics.limit), at: 1)
      while try statement.step() {
        statistics.writes[statement.text(0)] = QuickStatistics.Writes(
          waiting: Int(statement.int(1)), parked: Int(statement.int(2)))
      }
    }
  }

  /// Counts up to `limit` records after the row `row`.
  func countRecords(after row: Int64, limit: Int, now: ClockReading) throws(StoreError)
    -> RecordCounts
  {
    try database.read(.statistics) { (connection) throws(SQLiteError) in
      try connection.withStatement(.countRecords) { (statement) throws(SQLiteError) in
        try statement.bind(now.wall.millisecondsSinceEpoch, at: 1)
        try statement.bind(row, at: 2)
        try statement.bind(Int64(limit), at: 3)
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
  /// A lease is valid on the clock of its own boot.
  fileprivate static let quickStatistics = SQL(
    """
    SELECT
      (SELECT count(*) FROM (SELECT 1 FROM record WHERE queue_at <= ?1 LIMIT ?2)),
      (SELECT min(queue_at) FROM record WHERE queue_at IS NOT NULL),
      (SELECT count(*) FROM lease WHERE collection <> '' AND boot = ?3 AND deadline > ?4),
      (SELECT count(*) FROM origin WHERE failures > 0)
    """)
  fileprivate static let writesByCollection = SQL(
    """
    SELECT collection, sum(parked = 0), sum(parked) FROM
      (SELECT collection, parked FROM outbox LIMIT ?1)
    GROUP BY collection ORDER BY collection
    """)
  fileprivate static let countRecords = SQL(
    """
    SELECT collection, sum(kind = 0),
      sum(kind = 0 AND (is_marked OR coalesce(deadline <= ?1, 0))), sum(kind = 1), sum(size),
      count(*), max(id), min(iif(is_marked OR deadline <= ?1, NULL, deadline))
    FROM (
      SELECT r.id, r.collection, r.flags & \(RecordFlags.kind) AS kind,
        r.stale_at IS NOT NULL AS is_marked, coalesce(length(r.value), 0) AS size,
        iif(r.expiry >= 0, r.last_update + r.expiry, NULL) AS deadline
      FROM record r WHERE r.id > ?2 ORDER BY r.id LIMIT ?3)
    GROUP BY collection
    """)
}
