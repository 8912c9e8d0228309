internal import Strategies

extension Storage {
  /// Which rows a batch prunes, oldest first, until `count` rows or `bytes` bytes are found.
  struct PruneBatch: Sendable {
    var collection: String?
    /// Only rows updated by then; `nil` for all.
    var before: Timestamp?
    var count = Int.max
    var bytes = Int.max
    /// What a dry run has counted already: the rows updated by then, and as many of the oldest
    /// others.
    var countedBefore: Timestamp?
    var counted = 0
  }

  /// Prunes one batch. A dry run finds the rows and removes nothing.
  func prune(
    _ batch: PruneBatch, isDryRun: Bool
  ) throws(StoreError) -> (removed: Int, bytes: Int) {
    guard !isDryRun else {
      return try database.read(.prune) { (connection) throws(SQLiteError) in
        let rows = try self.prunable(batch, connection)
        return (rows.count, rows.reduce(0) { $0 + $1.bytes })
      }
    }
    return try database.write(.prune) { (connection) throws(SQLiteError) in
      let rows = try self.prunable(batch, connection)
      for row in rows { try self.deleteRow(row.row, connection) }
      return (rows.count, rows.reduce(0) { $0 + $1.bytes })
    }
  }

  private func prunable(
    _ batch: PruneBatch, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [(row: Int64, bytes: Int)] {
    try connection.withStatement(.prunable) { (statement) throws(SQLiteError) in
      try statement.bind(batch.collection, at: 1)
      try statement.bind(batch.before?.millisecondsSinceEpoch ?? .max, at: 2)
      try statement.bind(Int64(batch.count), at: 3)
      try statement.bind(batch.countedBefore?.millisecondsSinceEpoch, at: 4)
      try statement.bind(Int64(batch.counted), at: 5)
      var rows: [(row: Int64, bytes: Int)] = []
      var found = 0
      while found < batch.bytes, try statement.step() {
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
      AND (\(age) IS NULL AND ?2 = 9223372036854775807 OR \(age) <= ?2)
      AND (?4 IS NULL OR \(age) IS NULL OR \(age) > ?4)
    """
  /// A row that was never fetched with success is as old as its last failure.
  private static let age = "iif(kind = 2, next_attempt, last_update)"
  fileprivate static let prunable = SQL(
    "SELECT id, size \(fromPrunable) ORDER BY last_update, id LIMIT ?3 OFFSET ?5")
  fileprivate static let countAll = SQL(
    "SELECT count(*), coalesce(sum(size), 0) FROM record WHERE ?1 IS NULL OR collection = ?1")
}
