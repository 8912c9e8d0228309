internal import Strategies

extension Storage {
  /// One batch of rows to prune: those updated before `before`, or the oldest ones when `nil`, until
  /// `count` rows or `bytes` bytes are found.
  func prune(
    _ collection: String?, before: Timestamp?, count: Int, bytes: Int
  ) throws(StoreError) -> (removed: Int, bytes: Int) {
    try database.write(.prune) { (connection) throws(SQLiteError) in
      let rows = try connection.withStatement(.prunable) { (statement) throws(SQLiteError) in
        try statement.bind(collection, at: 1)
        try statement.bind(before?.millisecondsSinceEpoch ?? .max, at: 2)
        try statement.bind(Int64(count), at: 3)
        var rows: [(row: Int64, bytes: Int)] = []
        var found = 0
        while found < bytes, try statement.step() {
          rows.append((statement.int(0), Int(statement.int(1))))
          found += Int(statement.int(1))
        }
        return rows
      }
      for row in rows { try self.deleteRow(row.row, connection) }
      return (rows.count, rows.reduce(0) { $0 + $1.bytes })
    }
  }

  /// How many rows may be pruned, and how many bytes their values have.
  func prunable(
    _ collection: String?, before: Timestamp?
  ) throws(StoreError) -> (count: Int, bytes: Int) {
    try database.read(.prune) { (connection) throws(SQLiteError) in
      try connection.withStatement(.countPrunable) { (statement) throws(SQLiteError) in
        try statement.bind(collection, at: 1)
        try statement.bind(before?.millisecondsSinceEpoch ?? .max, at: 2)
        _ = try statement.step()
        return (Int(statement.int(0)), Int(statement.int(1)))
      }
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
  fileprivate static let countPrunable = SQL(
    "SELECT count(*), coalesce(sum(size), 0) \(fromPrunable)")
  fileprivate static let countAll = SQL(
    "SELECT count(*), coalesce(sum(size), 0) FROM record WHERE ?1 IS NULL OR collection = ?1")
}
