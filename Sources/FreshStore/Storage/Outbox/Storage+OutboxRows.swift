internal import Strategies

/// The rows of the outbox, each operation inside its caller's transaction.
extension Storage {
  /// Writes a new row, under a new number unless it has one, or replaces the row with its number. The holder of a
  /// replaced row loses the right to push it.
  static func put(
    _ write: StoredWrite, _ connection: borrowing Connection
  ) throws(SQLiteError) -> StoredWrite {
    var write = write
    if write.id == 0 {
      // The checksum covers the number.
      write.id = try connection.first(.nextWrite) { statement in statement.int(0) } ?? 0
    }
    connection.log.touchesOutbox = true
    try connection.run(
      .putWrite, write.id, write.collection, write.key, write.kind.stored, write.idempotencyKey,
      write.writtenAt.millisecondsSinceEpoch, write.patchType, write.contentType, write.codec,
      write.contentVersion, write.attempts, write.nextAttempt?.millisecondsSinceEpoch,
      write.failure, write.isParked, write.checksum, write.asked, write.conflicts, write.address,
      write.tagsText, write.askedAt?.millisecondsSinceEpoch, write.priority, write.after,
      write.basis?.encoded, write.isPauseNamed, write.refusal, write.tries,
      write.triedAt?.millisecondsSinceEpoch, write.dueAt.millisecondsSinceEpoch, write.isSuspect,
      write.mergedText, write.patch, write.payload)
    return write
  }

  /// Writes the mutable fields of an entry: its attempts and conflicts, its pause and its place, its state
  /// and its holder.
  static func update(
    _ write: StoredWrite, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    try connection.run(
      .updateWrite, write.id, write.attempts, write.nextAttempt?.millisecondsSinceEpoch,
      write.failure, write.isParked, write.holder?.owner, write.holder?.fence, write.holder?.boot,
      write.holder?.deadline, write.asked, write.conflicts, write.askedAt?.millisecondsSinceEpoch,
      write.isPauseNamed, write.refusal, write.tries, write.triedAt?.millisecondsSinceEpoch,
      write.dueAt.millisecondsSinceEpoch, write.isSuspect)
  }

  static func delete(
    _ write: StoredWrite, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    connection.log.touchesOutbox = true
    try connection.run(.deleteWrite, write.id)
  }

  /// An entry; `nil` when it is gone.
  static func write(
    _ id: Int64, _ connection: borrowing Connection
  ) throws(SQLiteError) -> StoredWrite? {
    try connection.first(.readWrite, id) { statement in StoredWrite(row: statement) }
  }

  /// The oldest entry of a key. Cost: one row, for any number of entries.
  static func firstWrite(
    _ collection: String, _ key: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> StoredWrite? {
    try connection.first(.readFirstWrite, collection, key) { statement in
      StoredWrite(row: statement)
    }
  }

  /// The newest entry of a key. Cost: one row, for any number of entries.
  static func lastWrite(
    _ collection: String, _ key: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> StoredWrite? {
    try connection.first(.readLastWrite, collection, key) { statement in StoredWrite(row: statement)
    }
  }

  /// The number of the entry that has replaced another after a conflict; the given number where none has.
  static func heir(
    of number: Int64, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int64 {
    try connection.first(.readHeir, number) { statement in statement.int(0) } ?? number
  }

  /// The idempotency keys of the entries of a key, in push order.
  static func idempotencyKeys(
    _ collection: String, _ key: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [String] {
    try connection.rows(.readIdempotencyKeys, collection, key) { statement in statement.text(0) }
  }

  /// The entries of a key, in push order, with all their content.
  static func writes(
    _ collection: String, _ key: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [StoredWrite] {
    try connection.rows(.readWrites, collection, key) { statement in StoredWrite(row: statement) }
  }

  /// Whether any local write waits.
  func hasLocalWrites(_ connection: borrowing Connection) throws(SQLiteError) -> Bool {
    try connection.hasRow(.hasLocalWrites)
  }

  /// The highest number that an entry has ever had; 0 when there was none.
  func lastWriteNumber() throws(StoreError) -> Int64 {
    try database.read(.outbox) { (connection) throws(SQLiteError) in
      try connection.first(.lastWriteNumber) { statement in statement.int(0) } ?? 0
    }
  }

  /// The number of the newest entry; 0 when there is none.
  func newestWrite() throws(StoreError) -> Int64 {
    try database.read(.outbox) { (connection) throws(SQLiteError) in try connection.newestWrite() }
  }
}

extension Connection {
  /// The number of the newest entry of the outbox; 0 when there is none.
  func newestWrite() throws(SQLiteError) -> Int64 {
    try first(.newestWrite) { statement in statement.int(0) } ?? 0
  }
}

extension SQL {
  /// SQLite's sequence table never forgets the highest number, even after deletions.
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
      tags, asked_at, priority, after, basis, pause_named, refusal, tries, tried_at,
      due_at, suspect, merged, patch, payload)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20,
      ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31,
      ?32)
    """)
  fileprivate static let updateWrite = SQL(
    """
    UPDATE outbox SET attempts = ?2, next_attempt = ?3, failure = ?4, parked = ?5, owner = ?6,
      fence = ?7, boot = ?8, deadline = ?9, asked = ?10, conflicts = ?11, asked_at = ?12,
      pause_named = ?13, refusal = ?14, tries = ?15, tried_at = ?16, due_at = ?17, suspect = ?18
    WHERE id = ?1
    """)
  fileprivate static let deleteWrite = SQL("DELETE FROM outbox WHERE id = ?1")
  fileprivate static let readWrite = SQL(
    "SELECT \(StoredWrite.columns) FROM outbox o WHERE o.id = ?1")
  fileprivate static let readFirstWrite = SQL(
    """
    SELECT \(StoredWrite.columns) FROM outbox o WHERE o.collection = ?1 AND o.key = ?2
    ORDER BY o.id LIMIT 1
    """)
  fileprivate static let readLastWrite = SQL(
    """
    SELECT \(StoredWrite.columns) FROM outbox o WHERE o.collection = ?1 AND o.key = ?2
    ORDER BY o.id DESC LIMIT 1
    """)
  fileprivate static let readHeir = SQL(
    """
    SELECT id FROM outbox
    WHERE merged IS NOT NULL AND instr(merged, ',' || CAST(?1 AS TEXT) || ',') > 0
    """)
  fileprivate static let readIdempotencyKeys = SQL(
    "SELECT idempotency_key FROM outbox WHERE collection = ?1 AND key = ?2 ORDER BY id")
  fileprivate static let readWrites = SQL(
    """
    SELECT \(StoredWrite.columns) FROM outbox o WHERE o.collection = ?1 AND o.key = ?2
    ORDER BY o.id
    """)
  fileprivate static let hasLocalWrites = SQL("SELECT 1 FROM outbox LIMIT 1")
  fileprivate static let lastWriteNumber = SQL(
    "SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'outbox'), 0)")
  fileprivate static let newestWrite = SQL("SELECT coalesce(max(id), 0) FROM outbox")
}
