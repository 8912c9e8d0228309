internal import Strategies

extension Storage {
  func members(of list: String, in collection: String) throws(StoreError) -> [String] {
    try database.read(.read) { (connection) throws(SQLiteError) in
      guard let state = try self.listState(list, in: collection, connection) else { return [] }
      return try self.members(of: state.row, connection)
    }
  }

  func members(
    of row: Int64, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [String] {
    try connection.rows(.readMembers, row) { statement in statement.text(0) }
  }

  /// The keys that have left a list while something kept their records, in order of their bytes.
  func formerMembers(
    of row: Int64, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [String] {
    try connection.rows(.readFormerMembers, row) { statement in statement.text(0) }
  }

  /// Notes whether the record of a key that has left a list stays for now: each later answer looks at it
  /// again.
  func noteFormerMember(
    _ key: String, of row: Int64, stays: Bool, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    try connection.run(stays ? .addFormerMember : .dropFormerMember, row, key)
  }

  /// Queues a member without a stored value; false when it is queued already.
  func queueMember(
    _ key: String, of collection: String, over current: StoredRecord?, now: ClockReading,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    let record: StoredRecord
    if let current {
      record = current
    } else {
      let content = RecordContent(collection: collection, key: key, expiry: .unstated)
      record = try store(
        Write(content: content, kind: .unfetched), epoch: try currentNumber(connection), mark: nil,
        now: now, connection)
    }
    try connection.run(.queueMember, record.row, self.moment(from: now).millisecondsSinceEpoch)
    return connection.changes > 0
  }

  /// Queues a key without a stored value, if it is on a list; false when it is on none.
  @discardableResult
  func queueMember(
    _ key: String, of collection: String, now: ClockReading, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    guard try isOnList(key, of: collection, connection) else { return false }
    let current = try record(collection, key, joins: false, connection)
    _ = try queueMember(key, of: collection, over: current, now: now, connection)
    return true
  }

  /// Makes the next update of each list with a removed record a full one: a cursor returns only
  /// later changes, and would never return the record; nor do the pages of a walk that has passed it.
  /// A list that it has left has no more to remove.
  func beginListsAnew(
    with key: String, in collection: String, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    for sql in [SQL.beginAnew, .forgetFormerMember] { try connection.run(sql, collection, key) }
  }

  /// Lets no list vouch for a copy under this number: it was asked for earlier, and is marked because
  /// of what came in meanwhile. A later mark may take the place of that one.
  func doubtMember(
    _ key: String, of collection: String, upTo number: Int64, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    try connection.run(.doubtMember, collection, key, number)
  }

  func isOnList(
    _ key: String, of collection: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    try connection.hasRow(.isMember, collection, key)
  }
}

extension SQL {
  fileprivate static let readMembers = SQL(
    "SELECT key FROM list_member WHERE list = ?1 ORDER BY key")
  fileprivate static let isMember = SQL(
    """
    SELECT 1 FROM list_member m JOIN list l ON l.id = m.list
    WHERE l.collection = ?1 AND m.key = ?2 LIMIT 1
    """)
  fileprivate static let beginAnew = SQL(
    """
    UPDATE list SET last_update = NULL, walk_at = NULL
    WHERE collection = ?1 AND id IN (SELECT list FROM list_member WHERE key = ?2)
    """)
  fileprivate static let readFormerMembers = SQL(
    "SELECT key FROM former_member WHERE list = ?1 ORDER BY key")
  fileprivate static let addFormerMember = SQL(
    "INSERT OR IGNORE INTO former_member (list, key) VALUES (?1, ?2)")
  fileprivate static let dropFormerMember = SQL(
    "DELETE FROM former_member WHERE list = ?1 AND key = ?2")
  fileprivate static let forgetFormerMember = SQL(
    """
    DELETE FROM former_member
    WHERE key = ?2 AND list IN (SELECT id FROM list WHERE collection = ?1)
    """)
  fileprivate static let doubtMember = SQL(
    """
    UPDATE list_member SET doubt = ?3
    WHERE key = ?2 AND list IN (SELECT id FROM list WHERE collection = ?1)
    """)
  /// A record in the queue keeps its place, and one in a pause its pause.
  fileprivate static let queueMember = SQL(
    """
    UPDATE record SET queue_at = max(?2, \(StoredRecord.endOfPause))
    WHERE id = ?1 AND queue_at IS NULL
    """)
}
