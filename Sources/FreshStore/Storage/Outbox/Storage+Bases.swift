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
    guard try !connection.hasRow(.readBaseTags, collection, key) else { return }
    let content = RecordContent(collection: collection, key: key, expiry: .unstated)
    var nothing = StoredRecord(content: content, kind: .unfetched, epoch: epoch)
    nothing.contentChecksum = StoredRecord.checksum(of: nil)
    try put(nothing, tags: [], connection)
  }

  /// The base of one key.
  ///
  /// - Parameter joins: False for a caller that needs no value: one that lies in blocks is then not read.
  package static func base(
    _ collection: String, _ key: String, joins: Bool, _ connection: borrowing Connection
  ) throws(SQLiteError) -> StoredRecord? {
    try connection.first(.readBase, collection, key) {
      (statement) throws(SQLiteError) -> StoredRecord in
      var base = StoredRecord(row: statement, extent: .whole, of: (collection, key))
      if joins { try connection.join(&base) }
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

  /// Replaces the base by another state of the source; `tags` of `nil` keep those it has. Returns the number of blocks
  /// that its value was put into.
  ///
  /// The value of the former base is left by ``leaveOthers(of:besides:adding:now:_:)``.
  @discardableResult
  static func replaceBase(
    with base: StoredRecord, tags: Set<String>?, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int {
    if let tags { return try put(base, tags: tags, connection) }
    let kept = try baseTags(base.content.collection, base.content.key, connection)
    return try put(base, tags: kept, connection)
  }

  @discardableResult
  private static func put(
    _ base: StoredRecord, tags: Set<String>, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int {
    var base = base
    base.isTagged = !tags.isEmpty
    let wasPlaced = base.content.blocks != nil
    try spread(&base, connection)
    try run(.putBase, base, connection) { parameters, index in
      parameters.bind(StoredWrite.text(of: tags), index)
      return index + 1
    }
    guard let blocks = base.content.blocks else { return 0 }
    try keepBlocks(of: base, connection)
    return wasPlaced ? 0 : blocks.blocks
  }

  /// Notes the values that a row has given up, but for one, and for that of its base, and removes blocks that nobody
  /// reads any more in return for those that were added.
  func leaveOthers(
    of row: Int64, besides blocks: ContentReference?, adding added: Int = 0, now: ClockReading,
    _ connection: borrowing Connection
  ) throws(SQLiteError) {
    let hasLeft = try leaveContents(of: row, besides: blocks, now: now, connection)
    guard hasLeft || added > 0 else { return }
    try removeSomeBlocks(added + Self.blocksOfReplaced, now: now, connection)
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
    guard var base = try Self.base(collection, key, joins: false, connection), base.isIntact
    else { return }
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
