internal import Strategies

extension Storage {
  /// One batch of rows to prune: those updated before `before`, or the oldest ones when `nil`, until
  /// `count` rows or `bytes` bytes are found. A dry run finds them and removes nothing.
  func prune(
    _ collection: String?, before: Timestamp?, count: Int, bytes: Int, isDryRun: Bool
  ) throws(StoreError) -> (removed: Int, bytes: Int) {
    guard !isDryRun else {
      return try database.read(.prune) { (connection) throws(SQLiteError) in
        let rows = try self.prunable(collection, before, count, bytes, connection)
        return (rows.count, rows.reduce(0) { $0 + $1.bytes })
      }
    }
    return try database.write(.prune) { (connection) throws(SQLiteError) in
      let rows = try self.prunable(collection, before, count, bytes, connection)
      for row in rows { try self.deleteRow(row.row, connection) }
      return (rows.count, rows.reduce(0) { $0 + $1.bytes })
    }
  }

  private func prunable(
    _ collection: String?, _ before: Timestamp?, _ count: Int, _ bytes: Int,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> [(row: Int64, bytes: Int)] {
    try connection.withStatement(.prunable) { (statement) throws(SQLiteError) in
      try statement.bind(collection, at: 1)
      try statement.bind(before?.millisecondsSinceEpoch ?? .max, at: 2)
      try statement.bind(Int64(count), at: 3)
      var rows: [(row: Int64, bytes: Int)] = []
      var found = 0
      while found < bytes, try statement.step() {
        rows.append((statement.int(0), Int(statement.int(1))))
        found += rows[rows.count - 1].bytes
      }
      return rows
    }
  }

  /// How many rows there are, and how many bytes their values have.
  func extent(_ collection: String?) throws(StoreError) -> (count: Int, bytes: Int) {
    try database.read(.prune) { (connection) throws(SQLiteError) in
      try connection.withStatement(.countAll) { (statement) throws(SQLiteError) in
        try statement.bind(collection, at: 1)
        _ = try statement.step()
        return (Int(statement.int(0)), Int(statement.int(1)))
      }
    }
  }

  /// Gives free pages back to the file system and empties the log; the bytes by which the file
  /// became smaller.
  func shrink() throws(StoreError) -> Int {
    try database.maintain(.prune) { (connection) throws(SQLiteError) in
      let before = try connection.integer("PRAGMA page_count")
      try connection.execute("PRAGMA incremental_vacuum")
      _ = try connection.checkpoint()
      let after = try connection.integer("PRAGMA page_count")
      return Int((before - after) * (try connection.integer("PRAGMA page_size")))
    }
  }
}

extension SQL {
  /// Rows without a last update come first: NULL sorts before every number.
  private static let fromPrunable = """
    FROM record WHERE (?1 IS NULL OR collection = ?1) AND pinned = 0 AND pending = 0
      AND (last_update IS NULL AND ?2 = 9223372036854775807 OR last_update <= ?2)
    """
  fileprivate static let prunable = SQL(
    "SELECT id, size \(fromPrunable) ORDER BY last_update LIMIT ?3")
  fileprivate static let countAll = SQL(
    "SELECT count(*), coalesce(sum(size), 0) FROM record WHERE ?1 IS NULL OR collection = ?1")
}
