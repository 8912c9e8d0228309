internal import Strategies

extension Storage {
  /// Removes records; running fetches for them store nothing; a value from another request is stale
  /// on arrival, and a later get waits for none of them.
  ///
  /// Removes nothing at all when one of them has a local write, and returns its key.
  func remove(
    _ collection: String, _ keys: [String], _ durability: Durability, now: ClockReading
  ) throws(StoreError) -> (removed: [String], pending: String?) {
    try database.write(.remove, durability, touching: Touched(collection, keys)) {
      (connection) throws(SQLiteError) in
      for key in keys where try self.identity(collection, key, connection)?.isPending == true {
        return ([], key)
      }
      var removed: [String] = []
      for key in keys {
        try self.coverQuestions(about: key, in: collection, now: now, connection)
        try self.dropLease(collection, key, connection)
        guard try self.delete(collection, key, connection) else { continue }
        try self.beginListsAnew(with: key, in: collection, connection)
        removed.append(key)
        try self.log(.removed, collection, key, connection)
      }
      return (removed, nil)
    }
  }

  /// Begins to remove all records of a collection: open requests store nothing, or their answers
  /// are stale. Returns the number that is newer than all of them.
  func beginRemovingAll(_ collection: String, now: ClockReading) throws(StoreError) -> Int64 {
    try database.write(.remove, .full) { (connection) throws(SQLiteError) in
      try self.coverQuestions(about: nil, in: collection, now: now, connection)
      try connection.run(.dropLeases, collection)
      return try self.nextNumber(connection)
    }
  }

  /// Removes up to `limit` records of a collection that are older than a number: later ones stay.
  /// Returns the number removed; fewer than `limit` when none is left.
  func removeAll(
    _ collection: String, before number: Int64, limit: Int
  ) throws(StoreError) -> Int {
    try database.write(.remove, .full) { (connection) throws(SQLiteError) in
      let rows = try connection.rows(.removable, collection, number, Int64(limit)) { statement in
        (statement.int(0), statement.text(1))
      }
      for (row, key) in rows {
        try self.deleteRow(row, connection)
        try self.beginListsAnew(with: key, in: collection, connection)
      }
      if !rows.isEmpty { try self.log(.removed, collection, nil, connection) }
      return rows.count
    }
  }

  /// Deletes a record that has no local write.
  func delete(
    _ collection: String, _ key: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    let row = try connection.first(.removableOne, collection, key) { statement in statement.int(0) }
    guard let row else { return false }
    if try deleteRow(row, connection), let now = database.clockWatch?.now {
      try removeSomeBlocks(Self.blocksOfReplaced, now: now, connection)
    }
    return true
  }

  /// Deletes a row, its tags and its failures; true where its value lies in blocks, which are left to be collected.
  @discardableResult
  func deleteRow(_ row: Int64, _ connection: borrowing Connection) throws(SQLiteError) -> Bool {
    var hasLeft = false
    if let now = database.clockWatch?.now {
      hasLeft = try leaveContents(of: row, besides: nil, now: now, connection)
    }
    for sql in [SQL.deleteTagsOfRow, .deleteFailureOfRow, .deleteRow] {
      try connection.run(sql, row)
    }
    return hasLeft
  }
}

extension SQL {
  fileprivate static let dropLeases = SQL("DELETE FROM lease WHERE collection = ?1")
  fileprivate static let removable = SQL(
    """
    SELECT id, key FROM record
    WHERE collection = ?1 AND epoch < ?2 AND NOT \(StoredRecord.isPending) LIMIT ?3
    """)
  fileprivate static let removableOne = SQL(
    "SELECT id FROM record WHERE collection = ?1 AND key = ?2 AND NOT \(StoredRecord.isPending)")
  fileprivate static let deleteTagsOfRow = SQL("DELETE FROM record_tag WHERE record = ?1")
  fileprivate static let deleteFailureOfRow = SQL("DELETE FROM failure WHERE record = ?1")
  fileprivate static let deleteRow = SQL("DELETE FROM record WHERE id = ?1")
}
