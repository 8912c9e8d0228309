extension Connection {
  /// Makes statements that read records omit the columns that a file of an older schema lacks: a
  /// file that is only read is not migrated.
  package borrowing func reads(version: Int) {
    goWithout(RecordColumns.all.names(after: version))
  }

  /// The record of one key.
  ///
  /// - Parameters:
  ///   - isUncovered: True when it is known that no invalidation covers it.
  ///   - joins: False for a caller that needs no value: one that lies in blocks is then not read.
  package func record(
    of key: String, in collection: String, isUncovered: Bool, joins: Bool
  ) throws(SQLiteError) -> StoredRow? {
    try withLendingStatement(isUncovered ? .readUncovered : .readOne) {
      (statement) throws(SQLiteError) in
      try statement.withBound(collection, key) { (statement) throws(SQLiteError) in
        guard try statement.step() else { return nil }
        var record = StoredRecord(row: statement, extent: .whole, of: (collection, key))
        if record.isFailing { try readFailure(of: &record) }
        if joins, record.content.blocks != nil { try join(&record) }
        return StoredRow(record)
      }
    }
  }

  /// The same without its value, which is not read, as it may be large, and without its failures.
  func judgedRecord(
    of key: String, in collection: String
  ) throws(SQLiteError) -> StoredRecord? {
    try first(.readJudged, collection, key) { statement in
      StoredRecord(row: statement, extent: .judged, of: (collection, key))
    }
  }

  private func readFailure(of record: inout StoredRecord) throws(SQLiteError) {
    try withStatement(.readFailure) { (statement) throws(SQLiteError) in
      try statement.bind(record.row, at: 1)
      if try statement.step() { record.readFailure(statement, at: 0) }
    }
  }

  /// True when no collection, prefix or tag was ever invalidated, or sweeps have turned all
  /// invalidations into marks.
  func hasNoInvalidation() throws(SQLiteError) -> Bool {
    try withStatement(.readHasNoInvalidation) { (statement) throws(SQLiteError) in
      try statement.step() && statement.bool(0)
    }
  }
}

extension SQL {
  fileprivate static let readOne = SQL(
    """
    SELECT \(StoredRecord.plainColumns), \(StoredRecord.coveringEpoch), \(StoredRecord.value) FROM record r
    WHERE r.collection = ?1 AND r.key = ?2
    """)
  fileprivate static let readUncovered = SQL(
    """
    SELECT \(StoredRecord.plainColumns), 0, \(StoredRecord.value) FROM record r WHERE r.collection = ?1 AND r.key = ?2
    """)
  fileprivate static let readJudged = SQL(
    "SELECT \(StoredRecord.plainColumns), 0 FROM record r WHERE r.collection = ?1 AND r.key = ?2")
  fileprivate static let readFailure = SQL(
    "SELECT failures, next_attempt, message, pause_named FROM failure WHERE record = ?1")
  fileprivate static let readHasNoInvalidation = SQL(
    "SELECT NOT EXISTS (SELECT 1 FROM invalidation)")
}
