internal import Strategies

/// The known source states of records with local writes, each operation inside its caller's
/// transaction. A key has a base exactly as long as it has entries in the outbox.
extension Storage {
  /// Keeps the record's source state before the first local write replaces it. A missing record
  /// leaves an empty base.
  static func keepBase(
    _ collection: String, _ key: String, epoch: Int64, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    let tags = try tags(of: row(of: collection, key, connection), connection)
    try connection.run(.copyToBase, collection, key, StoredWrite.text(of: tags))
    guard try base(collection, key, connection) == nil else { return }
    let content = RecordContent(collection: collection, key: key, expiry: .unstated)
    var nothing = StoredRecord(content: content, kind: .unfetched, epoch: epoch)
    nothing.contentChecksum = StoredRecord.checksum(of: nil)
    try put(nothing, tags: [], connection)
  }

  package static func base(
    _ collection: String, _ key: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> StoredRecord? {
    try connection.first(.readBase, collection, key) {
      (statement) throws(SQLiteError) -> StoredRecord in
      var base = StoredRecord(row: statement, extent: .whole, of: (collection, key))
      try connection.join(&base)
      return base
    }
  }

  package static func baseTags(
    _ collection: String, _ key: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Set<String> {
    try connection.withStatement(.readBaseTags, collection, key) {
      (statement) throws(SQLiteError) in
      return try statement.step() ? StoredWrite.tags(statement.text(0)) : []
    }
  }

  /// Replaces the base by another state of the source; `tags` of `nil` keep those it has.
  static func replaceBase(
    with base: StoredRecord, tags: Set<String>?, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    if let tags { return try put(base, tags: tags, connection) }
    let kept = try baseTags(base.content.collection, base.content.key, connection)
    try put(base, tags: kept, connection)
  }

  private static func put(
    _ base: StoredRecord, tags: Set<String>, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    var base = base
    base.isTagged = !tags.isEmpty
    try run(.putBase, base, connection) { parameters, index in
      parameters.bind(StoredWrite.text(of: tags), index)
      return index + 1
    }
  }

  /// Removes the base; the record represents its source again.
  static func endBase(
    _ collection: String, _ key: String, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    try connection.run(.deleteBase, collection, key)
  }

  /// Marks the state that will replace the record's local writes.
  func markBase(
    _ collection: String, _ key: String, _ mark: StoredRecord.Mark,
    _ connection: borrowing Connection
  ) throws(SQLiteError) {
    guard var base = try Self.base(collection, key, connection), base.isIntact else { return }
    let mark = mark.replacing(base.mark)
    base.mark = mark
    try connection.run(
      .markBase, collection, key, mark.at.millisecondsSinceEpoch, mark.reason, mark.epoch,
      base.rowChecksum)
  }
}

extension SQL {
  fileprivate static let copyToBase = SQL(
    """
    INSERT OR IGNORE INTO base (\(RecordColumns.list), tags, value)
    SELECT \(RecordColumns.list), ?3, value FROM record WHERE collection = ?1 AND key = ?2
    """)
  fileprivate static let putBase = SQL(
    """
    INSERT OR REPLACE INTO base (\(RecordColumns.list), tags, value)
    VALUES (\(RecordColumns.parameters), ?\(RecordColumns.first), ?\(RecordColumns.second))
    """)
  fileprivate static let readBase = SQL(
    """
    SELECT \(StoredRecord.plainColumns), 0, r.value FROM base r
    WHERE r.collection = ?1 AND r.key = ?2
    """)
  fileprivate static let readBaseTags = SQL(
    "SELECT tags FROM base WHERE collection = ?1 AND key = ?2")
  fileprivate static let deleteBase = SQL("DELETE FROM base WHERE collection = ?1 AND key = ?2")
  fileprivate static let markBase = SQL(
    """
    UPDATE base SET stale_at = ?3, stale_reason = ?4, stale_epoch = ?5, checksum = ?6
    WHERE collection = ?1 AND key = ?2
    """)
}
