extension Connection {
  /// The record of one key.
  ///
  /// - Parameter isUncovered: True when it is known that no invalidation covers it.
  func record(
    of key: String, in collection: String, isUncovered: Bool
  ) throws(SQLiteError) -> StoredRow? {
    try withStatement(isUncovered ? .readUncovered : .readOne) { (statement) throws(SQLiteError) in
      try statement.withBound(collection, key) { (statement) throws(SQLiteError) in
        guard try statement.step() else { return nil }
        return StoredRow(
          StoredRecord(row: statement, extent: .whole, of: (collection, key)))
      }
    }
  }

  /// True when no collection, prefix or tag was ever invalidated, or sweeps have turned all of it into
  /// marks.
  func hasNoInvalidation() throws(SQLiteError) -> Bool {
    try withStatement(.readHasNoInvalidation) { (statement) throws(SQLiteError) in
      try statement.step() && statement.bool(0)
    }
  }
}

extension SQL {
  fileprivate static let readOne = SQL(
    """
    SELECT \(StoredRecord.unnamedColumns), \(StoredRecord.coveringEpoch), r.value FROM record r
    WHERE r.collection = ?1 AND r.key = ?2
    """)
  fileprivate static let readUncovered = SQL(
    """
    SELECT \(StoredRecord.unnamedColumns), 0, r.value FROM record r WHERE r.collection = ?1 AND r.key = ?2
    """)
  fileprivate static let readHasNoInvalidation = SQL(
    "SELECT NOT EXISTS (SELECT 1 FROM invalidation)")
}
