internal import Strategies

/// What sources are known to hold of the records that have local writes, each operation inside
/// somebody's transaction. A key has a shadow exactly as long as it has entries in the outbox.
extension Storage {
  /// Keeps what the record says of its source, before the first local write takes its place. A
  /// record that is not there leaves a shadow of which nothing is known.
  static func keepShadow(
    _ collection: String, _ key: String, epoch: Int64, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    for sql in [SQL.copyToShadow, .copyTagsToShadow] {
      try connection.withStatement(sql) { (statement) throws(SQLiteError) in
        try statement.bind(collection, at: 1)
        try statement.bind(key, at: 2)
        try statement.run()
      }
    }
    guard try shadow(collection, key, connection) == nil else { return }
    let content = RecordContent(collection: collection, key: key, expiry: .unstated)
    var nothing = StoredRecord(content: content, kind: .unfetched, version: 1, epoch: epoch)
    nothing.contentChecksum = StoredRecord.checksum(of: nil)
    try upsert(nothing, into: .shadow, connection)
  }

  static func shadow(
    _ collection: String, _ key: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> StoredRecord? {
    try connection.withStatement(.readShadow) { (statement) throws(SQLiteError) in
      try statement.bind(collection, at: 1)
      try statement.bind(key, at: 2)
      return try statement.step() ? StoredRecord(row: statement, extent: .whole) : nil
    }
  }

  static func shadowTags(
    _ collection: String, _ key: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Set<String> {
    try connection.withStatement(.readShadowTags) { (statement) throws(SQLiteError) in
      try statement.bind(collection, at: 1)
      try statement.bind(key, at: 2)
      var tags: Set<String> = []
      while try statement.step() { tags.insert(statement.text(0)) }
      return tags
    }
  }

  /// Puts another state of the source in place of the shadow; `tags` of `nil` keep those it has.
  static func replaceShadow(
    with shadow: StoredRecord, tags: Set<String>?, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    let (collection, key) = (shadow.content.collection, shadow.content.key)
    let kept: Set<String>
    if let tags {
      kept = tags
    } else {
      kept = try shadowTags(collection, key, connection)
    }
    var shadow = shadow
    shadow.isTagged = !kept.isEmpty
    try upsert(shadow, into: .shadow, connection)
    try run(.deleteShadowTags, collection, key, connection)
    for tag in kept {
      try connection.withStatement(.insertShadowTag) { (statement) throws(SQLiteError) in
        try statement.bind(collection, at: 1)
        try statement.bind(key, at: 2)
        try statement.bind(tag, at: 3)
        try statement.run()
      }
    }
  }

  /// Takes the shadow away; the record speaks for its source again.
  static func endShadow(
    _ collection: String, _ key: String, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    try run(.deleteShadow, collection, key, connection)
    try run(.deleteShadowTags, collection, key, connection)
  }

  private static func run(
    _ sql: SQL, _ collection: String, _ key: String, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    try connection.withStatement(sql) { (statement) throws(SQLiteError) in
      try statement.bind(collection, at: 1)
      try statement.bind(key, at: 2)
      try statement.run()
    }
  }

  /// Marks what takes the place of the record's local writes.
  func markShadow(
    _ collection: String, _ key: String, _ mark: StoredRecord.Mark,
    _ connection: borrowing Connection
  ) throws(SQLiteError) {
    guard var shadow = try Self.shadow(collection, key, connection), shadow.isIntact else { return }
    shadow.mark = mark
    try Self.writeMark(ofShadow: shadow, connection)
  }

  /// Writes the mark of a shadow, and nothing else: the failures of its source's fetches stay.
  private static func writeMark(
    ofShadow shadow: StoredRecord, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    try connection.withStatement(.markShadow) { (statement) throws(SQLiteError) in
      try statement.bind(shadow.content.collection, at: 1)
      try statement.bind(shadow.content.key, at: 2)
      try statement.bind(shadow.mark?.at.millisecondsSinceEpoch, at: 3)
      try statement.bind(shadow.mark?.reason, at: 4)
      try statement.bind(shadow.mark?.epoch, at: 5)
      try statement.bind(shadow.rowChecksum, at: 6)
      try statement.run()
    }
  }

  /// Gives a record its failures back, and its pause, which its local writes had covered.
  static func restorePause(
    of shadow: StoredRecord, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    guard shadow.failures > 0 else { return }
    try connection.withStatement(.restorePause) { (statement) throws(SQLiteError) in
      try statement.bind(shadow.content.collection, at: 1)
      try statement.bind(shadow.content.key, at: 2)
      try statement.bind(shadow.failures, at: 3)
      try statement.bind(shadow.nextAttempt?.millisecondsSinceEpoch, at: 4)
      try statement.bind(shadow.failure, at: 5)
      try statement.bind(shadow.isPauseNamed, at: 6)
      try statement.run()
    }
  }
}

extension SQL {
  private static let columns = """
    collection, key, kind, version, epoch, last_update, expiry, boot, boot_stamp, hard_end,
    grace_revalidating, grace_error, must_revalidate, stale_at, stale_reason, stale_epoch,
    entity_tag, last_modified, source, content_type, codec, content_version, variant, metadata,
    fetch_cost, tagged, size, content_checksum, checksum, queue_at, failures, next_attempt, failure,
    pending, pinned, pause_named, value
    """
  fileprivate static let copyToShadow = SQL(
    """
    INSERT OR IGNORE INTO shadow (\(columns))
    SELECT \(columns) FROM record WHERE collection = ?1 AND key = ?2
    """)
  fileprivate static let copyTagsToShadow = SQL(
    """
    INSERT OR IGNORE INTO shadow_tag SELECT r.collection, r.key, t.tag
    FROM record r JOIN record_tag t ON t.record = r.id WHERE r.collection = ?1 AND r.key = ?2
    """)
  fileprivate static let readShadow = SQL(
    """
    SELECT \(StoredRecord.columns), 0, r.value FROM shadow r
    WHERE r.collection = ?1 AND r.key = ?2
    """)
  fileprivate static let readShadowTags = SQL(
    "SELECT tag FROM shadow_tag WHERE collection = ?1 AND key = ?2")
  fileprivate static let deleteShadow = SQL(
    "DELETE FROM shadow WHERE collection = ?1 AND key = ?2")
  fileprivate static let deleteShadowTags = SQL(
    "DELETE FROM shadow_tag WHERE collection = ?1 AND key = ?2")
  fileprivate static let insertShadowTag = SQL("INSERT INTO shadow_tag VALUES (?1, ?2, ?3)")
  fileprivate static let markShadow = SQL(
    """
    UPDATE shadow SET stale_at = ?3, stale_reason = ?4, stale_epoch = ?5, checksum = ?6
    WHERE collection = ?1 AND key = ?2
    """)
  fileprivate static let restorePause = SQL(
    """
    UPDATE record SET failures = ?3, next_attempt = ?4, failure = ?5, pause_named = ?6,
      queue_at = max(queue_at, coalesce(?4, queue_at))
    WHERE collection = ?1 AND key = ?2
    """)
}
