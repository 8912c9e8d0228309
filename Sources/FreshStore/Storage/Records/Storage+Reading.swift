internal import Strategies

extension Storage {
  /// The records of `keys`, by key, in one snapshot: one SELECT for up to 256 keys.
  func records(
    _ collection: String, _ keys: [String], for operation: StoreOperation = .read
  ) throws(StoreError) -> [String: StoredRecord] {
    try database.read(operation) { (connection) throws(SQLiteError) in
      guard keys.count > 256 else {
        return try self.records(collection, keys[...], connection)
      }
      return try connection.snapshot { (connection) throws(SQLiteError) in
        var found: [String: StoredRecord] = [:]
        for start in stride(from: 0, to: keys.count, by: 256) {
          let part = keys[start..<min(start + 256, keys.count)]
          found.merge(try self.records(collection, part, connection)) { first, _ in first }
        }
        return found
      }
    }
  }

  /// The current record of one key.
  func record(_ collection: String, _ key: String) throws(StoreError) -> StoredRecord? {
    try database.record(of: key, in: collection).row?.record
  }

  /// The record of one key.
  ///
  /// - Parameter joins: False for a caller that needs no value: one that lies in blocks is then not read.
  func record(
    _ collection: String, _ key: String, joins: Bool, _ connection: borrowing Connection
  ) throws(SQLiteError) -> StoredRecord? {
    let row = try connection.record(of: key, in: collection, isUncovered: false, joins: joins)
    guard let row else { return nil }
    return try Self.believed(row.record, connection)
  }

  /// A record that is about to be changed. A damaged row's flag for local writes is ignored: the
  /// outbox decides.
  package static func believed(
    _ record: StoredRecord, _ connection: borrowing Connection
  ) throws(SQLiteError) -> StoredRecord {
    guard !record.isIntact else { return record }
    var record = record
    record.isPending =
      try lastWrite(record.content.collection, record.content.key, connection) != nil
    return record
  }

  func records(
    _ collection: String, _ keys: ArraySlice<String>, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [String: StoredRecord] {
    let sql: SQL = keys.count <= 16 ? .readSixteen : .readMany
    return try connection.withStatement(sql) { (statement) throws(SQLiteError) in
      try statement.bind(collection, at: 1)
      // Slots without a key stay NULL, which equals nothing.
      for (index, key) in keys.enumerated() {
        try statement.bind(key, at: Int32(index + 2))
      }
      var found: [String: StoredRecord] = [:]
      while try statement.step() {
        var record = StoredRecord(row: statement, extent: .whole)
        try connection.join(&record)
        found[record.content.key] = record
      }
      return found
    }
  }

  /// The tags of a record, sorted.
  func tags(of row: Int64) throws(StoreError) -> [String] {
    try database.read(.read) { (connection) throws(SQLiteError) in
      try Self.tags(of: row, connection)
    }
  }

  package static func tags(
    of row: Int64, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [String] {
    try connection.rows(.readTags, row) { statement in statement.text(0) }
  }

  /// The newest invalidation by collection, prefix or tag that covers a record; `nil` when a sweep
  /// has just turned it into marks.
  func coveringMark(of record: StoredRecord) throws(StoreError) -> StoredRecord.Mark? {
    try database.read(.read) { (connection) throws(SQLiteError) in
      try connection.withStatement(.readCoveringMark, record.coveringEpoch) {
        (statement) throws(SQLiteError) in
        guard try statement.step() else { return nil }
        return StoredRecord.Mark(
          at: Timestamp(millisecondsSinceEpoch: statement.int(0)), reason: statement.text(1),
          epoch: record.coveringEpoch)
      }
    }
  }
}

extension SQL {
  private static func read(slots: Int) -> SQL {
    let parameters = (0..<slots).map { "?\($0 + 2)" }.joined(separator: ", ")
    return SQL(
      """
      SELECT \(StoredRecord.columns), \(StoredRecord.coveringEpoch), \(StoredRecord.value)
      FROM \(StoredRecord.table)
      WHERE r.collection = ?1 AND r.key IN (\(parameters))
      """)
  }

  fileprivate static let readSixteen = read(slots: 16)
  fileprivate static let readMany = read(slots: 256)
  fileprivate static let readTags = SQL("SELECT tag FROM record_tag WHERE record = ?1 ORDER BY tag")
  fileprivate static let readCoveringMark = SQL(
    "SELECT at, reason FROM invalidation WHERE epoch = ?1")
}
