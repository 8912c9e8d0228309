internal import Strategies

/// The rows of the outbox, each operation inside its caller's transaction.
extension Storage {
  /// Writes a new row, under a new number unless it has one, or replaces the row with its number,
  /// whose holder loses the right to push it.
  static func put(
    _ write: StoredWrite, _ connection: borrowing Connection
  ) throws(SQLiteError) -> StoredWrite {
    var write = write
    if write.id == 0 {
      // The checksum covers the number.
      write.id = try connection.withStatement(.nextWrite) { (statement) throws(SQLiteError) in
        _ = try statement.step()
        return statement.int(0)
      }
    }
    try connection.withStatement(.putWrite) { (statement) throws(SQLiteError) in
      try statement.bind(write.id, at: 1)
      try statement.bind(write.collection, at: 2)
      try statement.bind(write.key, at: 3)
      try statement.bind(write.kind.stored, at: 4)
      try statement.bind(write.idempotencyKey, at: 5)
      try statement.bind(write.writtenAt.millisecondsSinceEpoch, at: 6)
      try statement.bind(write.patchType, at: 7)
      try statement.bind(write.contentType, at: 8)
      try statement.bind(write.codec, at: 9)
      try statement.bind(write.contentVersion, at: 10)
      try statement.bind(write.attempts, at: 11)
      try statement.bind(write.nextAttempt?.millisecondsSinceEpoch, at: 12)
      try statement.bind(write.failure, at: 13)
      try statement.bind(write.isParked, at: 14)
      try statement.bind(write.checksum, at: 15)
      try statement.bind(write.asked, at: 16)
      try statement.bind(write.conflicts, at: 17)
      try statement.bind(write.address, at: 18)
      try statement.bind(write.tagsText, at: 19)
      try statement.bind(write.askedAt?.millisecondsSinceEpoch, at: 20)
      try statement.bind(write.patch, at: 21)
      try statement.bind(write.payload, at: 22)
      try statement.run()
    }
    return write
  }

  /// Writes the mutable fields of an entry: its attempts and conflicts, its pause, its state and
  /// its holder.
  static func update(
    _ write: StoredWrite, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    try connection.withStatement(.updateWrite) { (statement) throws(SQLiteError) in
      try statement.bind(write.id, at: 1)
      try statement.bind(write.attempts, at: 2)
      try statement.bind(write.nextAttempt?.millisecondsSinceEpoch, at: 3)
      try statement.bind(write.failure, at: 4)
      try statement.bind(write.isParked, at: 5)
      try statement.bind(write.holder?.owner, at: 6)
      try statement.bind(write.holder?.fence, at: 7)
      try statement.bind(write.holder?.boot, at: 8)
      try statement.bind(write.holder?.deadline, at: 9)
      try statement.bind(write.asked, at: 10)
      try statement.bind(write.conflicts, at: 11)
      try statement.bind(write.askedAt?.millisecondsSinceEpoch, at: 12)
      try statement.run()
    }
  }

  static func delete(
    _ write: StoredWrite, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    try connection.withStatement(.deleteWrite) { (statement) throws(SQLiteError) in
      try statement.bind(write.id, at: 1)
      try statement.run()
    }
  }

  /// An entry; `nil` when it is gone.
  static func write(
    _ id: Int64, _ connection: borrowing Connection
  ) throws(SQLiteError) -> StoredWrite? {
    try connection.withStatement(.readWrite) { (statement) throws(SQLiteError) in
      try statement.bind(id, at: 1)
      return try statement.step() ? StoredWrite(row: statement) : nil
    }
  }

  /// The newest entry of a key. Cost: one row, however many wait.
  static func lastWrite(
    _ collection: String, _ key: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> StoredWrite? {
    try connection.withStatement(.readLastWrite) { (statement) throws(SQLiteError) in
      try statement.bind(collection, at: 1)
      try statement.bind(key, at: 2)
      return try statement.step() ? StoredWrite(row: statement) : nil
    }
  }

  /// The entries of a key, in push order, with all their content.
  static func writes(
    _ collection: String, _ key: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [StoredWrite] {
    try connection.withStatement(.readWrites) { (statement) throws(SQLiteError) in
      try statement.bind(collection, at: 1)
      try statement.bind(key, at: 2)
      var writes: [StoredWrite] = []
      while try statement.step() { writes.append(StoredWrite(row: statement)) }
      return writes
    }
  }
}

extension SQL {
  /// SQLite's sequence table never forgets the highest number, whatever was deleted since.
  fileprivate static let nextWrite = SQL(
    """
    SELECT 1 + max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'outbox'), 0),
      coalesce((SELECT max(id) FROM outbox), 0))
    """)
  fileprivate static let putWrite = SQL(
    """
    INSERT OR REPLACE INTO outbox (
      id, collection, key, kind, idempotency_key, written_at, patch_type, content_type, codec,
      content_version, attempts, next_attempt, failure, parked, checksum, asked, conflicts, address,
      tags, asked_at, patch, payload)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20,
      ?21, ?22)
    """)
  fileprivate static let updateWrite = SQL(
    """
    UPDATE outbox SET attempts = ?2, next_attempt = ?3, failure = ?4, parked = ?5, owner = ?6,
      fence = ?7, boot = ?8, deadline = ?9, asked = ?10, conflicts = ?11, asked_at = ?12
    WHERE id = ?1
    """)
  fileprivate static let deleteWrite = SQL("DELETE FROM outbox WHERE id = ?1")
  fileprivate static let readWrite = SQL(
    "SELECT \(StoredWrite.columns) FROM outbox o WHERE o.id = ?1")
  fileprivate static let readLastWrite = SQL(
    """
    SELECT \(StoredWrite.columns) FROM outbox o WHERE o.collection = ?1 AND o.key = ?2
    ORDER BY o.id DESC LIMIT 1
    """)
  fileprivate static let readWrites = SQL(
    """
    SELECT \(StoredWrite.columns) FROM outbox o WHERE o.collection = ?1 AND o.key = ?2
    ORDER BY o.id
    """)
}
