internal import Strategies

extension Storage {
  /// One record to store.
  struct Write {
    var content: RecordContent
    var kind: StoredRecord.Kind = .value
    /// The new tags; `nil` keeps those of the row.
    var tags: Set<String>?
    /// Pins or unpins; `nil` keeps what the row has.
    var isPinned: Bool?
    /// True for a local write, which waits to reach its source.
    var isPending = false
    /// The clock by which a last update was stated that is not the store's own: it may have been set since
    /// then, while a rule was awaited. `nil` for the clock of the write.
    var statedAt: ClockReading?
  }

  /// What a write has to know of the row it takes the place of.
  struct Identity {
    let row: Int64
    let version: Int64
    let isTagged: Bool
    let isPinned: Bool
    let isPending: Bool
  }

  /// Where a row belongs.
  enum RecordTable {
    case record
    /// What sources are known to hold of records with local writes.
    case shadow
  }

  /// Stores what callers put, ahead of any fetch that is under way for these keys: a lease taken
  /// before is gone, so the late answer is refused. One transaction for all of them.
  ///
  /// Stores nothing of a put when one of its records has a local write, and answers with its key.
  func put(_ puts: [PutQueue.Put]) throws(StoreError) -> [String?] {
    let isFull = puts.contains { $0.durability == .full }
    return try database.write(.put, isFull ? .full : .normal, touching: Self.touched(by: puts)) {
      (connection) throws(SQLiteError) in try self.put(puts, connection)
    }
  }

  /// As ``put(_:)``, at once; `nil` when somebody else is writing.
  func putAtOnce(_ puts: [PutQueue.Put]) throws(StoreError) -> [String?]? {
    try database.writeAtOnce(.put, touching: Self.touched(by: puts)) {
      (connection) throws(SQLiteError) in try self.put(puts, connection)
    }
  }

  private static func touched(by puts: [PutQueue.Put]) -> Touched {
    var touched = Touched()
    for write in puts.lazy.flatMap(\.writes) {
      touched.add(write.content.key, of: write.content.collection)
    }
    return touched
  }

  private func put(
    _ puts: [PutQueue.Put], _ connection: borrowing Connection
  ) throws(SQLiteError) -> [String?] {
    let hasLeases = try hasLeases(connection)
    // What is put is younger than every question that is open.
    let number = try hasLeases ? nextNumber(connection) : currentNumber(connection)
    let state = (number: number, hasLeases: hasLeases)
    var answers: [String?] = []
    for put in puts { answers.append(try self.put(put, state, connection)) }
    return answers
  }

  private func put(
    _ put: PutQueue.Put, _ state: (number: Int64, hasLeases: Bool),
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> String? {
    var olds: [Identity?] = []
    for write in put.writes {
      let old = try identity(write.content.collection, write.content.key, connection)
      if old?.isPending == true { return write.content.key }
      olds.append(old)
    }
    for (write, old) in zip(put.writes, olds) {
      let (collection, key) = (write.content.collection, write.content.key)
      if state.hasLeases { try dropLease(collection, key, connection) }
      _ = try store(write, over: old, epoch: state.number, mark: nil, now: put.now, connection)
      try log(.stored, collection, key, connection)
    }
    return nil
  }

  /// Writes the row, its tags and its checksums; ends its failures.
  func store(
    _ write: Write, epoch: Int64, mark: StoredRecord.Mark?, now: ClockReading,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> StoredRecord {
    try store(
      write, over: try identity(write.content.collection, write.content.key, connection),
      epoch: epoch, mark: mark, now: now, connection)
  }

  /// As above, where it is known what the row takes the place of.
  private func store(
    _ write: Write, over old: Identity?, epoch: Int64, mark: StoredRecord.Mark?,
    now: ClockReading, _ connection: borrowing Connection
  ) throws(SQLiteError) -> StoredRecord {
    var record = Self.row(of: write, epoch: epoch, mark: mark, now: now)
    record.version = (old?.version ?? 0).oneMore
    record.isPinned = write.isPinned ?? old?.isPinned ?? false
    record.isTagged = write.tags.map { !$0.isEmpty } ?? old?.isTagged ?? false
    try Self.upsert(record, into: .record, queueAt: queuePlace(of: mark, now), connection)
    record.row = old?.row ?? connection.lastInsertedRow
    if let tags = write.tags, old?.isTagged == true || !tags.isEmpty {
      try Self.replaceTags(of: record.row, with: tags, connection)
    }
    return record
  }

  /// When a record is due that bears a mark: at once, though the mark may have been stamped by a clock
  /// that has since been set back.
  func queuePlace(of mark: StoredRecord.Mark?, _ now: ClockReading) -> Timestamp? {
    mark.map { min($0.at, moment(from: now)) }
  }

  /// The row that a write makes, as far as the write itself says.
  static func row(
    of write: Write, epoch: Int64, mark: StoredRecord.Mark?, now: ClockReading
  ) -> StoredRecord {
    var record = StoredRecord(content: write.content, kind: write.kind, version: 1, epoch: epoch)
    record.content.lastUpdate = write.content.lastUpdate.map(\.storable)
    record.content.size = Int64(write.content.value?.count ?? 0)
    record.contentChecksum = StoredRecord.checksum(of: write.content.value)
    record.isPending = write.isPending
    record.stampBoot(write.statedAt ?? now)
    record.mark = mark
    return record
  }

  /// What a write has to know of the row in its place.
  func identity(
    _ collection: String, _ key: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Identity? {
    try connection.withStatement(.readIdentity) { (statement) throws(SQLiteError) in
      try statement.withBound(collection, key) { (statement) throws(SQLiteError) in
        guard try statement.step() else { return nil }
        return Identity(
          row: statement.int(0), version: statement.int(1), isTagged: statement.bool(2),
          isPinned: statement.bool(3), isPending: statement.bool(4))
      }
    }
  }

  /// Writes a row, new or in place of the one with its key; it waits in the refetch queue from
  /// `queueAt` on, unless that is `nil`.
  static func upsert(
    _ record: StoredRecord, into table: RecordTable, queueAt: Timestamp? = nil,
    _ connection: borrowing Connection
  ) throws(SQLiteError) {
    try connection.withStatement(
      table == .record ? .upsertRecord : .upsertShadow
    ) { (statement) throws(SQLiteError) in
      let content = record.content
      try statement.bind(content.collection, at: 1)
      try statement.bind(content.key, at: 2)
      try statement.bind(record.kind.rawValue, at: 3)
      try statement.bind(record.version, at: 4)
      try statement.bind(record.epoch, at: 5)
      try statement.bind(content.lastUpdate?.millisecondsSinceEpoch, at: 6)
      try statement.bind(content.expiry.stored, at: 7)
      try statement.bind(record.boot, at: 8)
      try statement.bind(record.bootStamp, at: 9)
      try statement.bind(content.hardEnd?.wholeMilliseconds, at: 10)
      try statement.bind(content.graceWhileRevalidating?.wholeMilliseconds, at: 11)
      try statement.bind(content.graceOnError?.wholeMilliseconds, at: 12)
      try statement.bind(content.mustRevalidate, at: 13)
      try statement.bind(record.mark?.at.millisecondsSinceEpoch, at: 14)
      try statement.bind(record.mark?.reason, at: 15)
      try statement.bind(record.mark?.epoch, at: 16)
      try statement.bind(content.validators.entityTag, at: 17)
      try statement.bind(content.validators.lastModified, at: 18)
      try statement.bind(content.source, at: 19)
      try statement.bind(content.contentType, at: 20)
      try statement.bind(content.codec, at: 21)
      try statement.bind(content.contentVersion, at: 22)
      try statement.bind(content.variant, at: 23)
      try statement.bind(content.metadata, at: 24)
      try statement.bind(content.fetchCost, at: 25)
      try statement.bind(record.isTagged, at: 26)
      try statement.bind(content.size, at: 27)
      try statement.bind(record.contentChecksum, at: 28)
      try statement.bind(record.rowChecksum, at: 29)
      try statement.bind(queueAt?.millisecondsSinceEpoch, at: 30)
      try statement.bind(record.isPinned, at: 31)
      try statement.bind(record.isPending, at: 32)
      try statement.run(lending: content.value, at: 33)
    }
  }

  /// The number of the row with a key.
  static func row(
    of collection: String, _ key: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int64 {
    try connection.withStatement(.readIdentity) { (statement) throws(SQLiteError) in
      try statement.withBound(collection, key) { (statement) throws(SQLiteError) in
        try statement.step() ? statement.int(0) : 0
      }
    }
  }

  static func replaceTags(
    of row: Int64, with tags: Set<String>, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    try connection.withStatement(.deleteTags) { (statement) throws(SQLiteError) in
      try statement.bind(row, at: 1)
      try statement.run()
    }
    for tag in tags {
      try connection.withStatement(.insertTag) { (statement) throws(SQLiteError) in
        try statement.bind(row, at: 1)
        try statement.bind(tag, at: 2)
        try statement.run()
      }
    }
  }

  /// Pins a record or lets it go; false when there is none.
  func setPinned(
    _ collection: String, _ key: String, _ isPinned: Bool
  ) throws(StoreError) -> Bool {
    try database.write(.pin, .full, touching: Touched(collection, [key])) {
      (connection) throws(SQLiteError) in
      try connection.withStatement(.setPinned) { (statement) throws(SQLiteError) in
        try statement.bind(collection, at: 1)
        try statement.bind(key, at: 2)
        try statement.bind(isPinned, at: 3)
        try statement.run()
      }
      return connection.changes > 0
    }
  }
}

extension Timestamp {
  /// Held within some 30,000 years of 1970, so that adding an expiry in SQL stays an integer.
  fileprivate var storable: Timestamp {
    let limit: Int64 = 1_000_000_000_000_000
    return Timestamp(millisecondsSinceEpoch: min(limit, max(-limit, millisecondsSinceEpoch)))
  }
}

extension StoredRecord {
  /// A row about to be written.
  init(content: RecordContent, kind: Kind, version: Int64, epoch: Int64) {
    self.content = content
    self.kind = kind
    self.version = version
    self.epoch = epoch
  }

  /// Notes where the last update lies on the boot clock.
  mutating func stampBoot(_ now: ClockReading) {
    guard let lastUpdate = content.lastUpdate, now.boot != 0 else { return }
    boot = now.boot
    let age = now.wall.duration(since: lastUpdate).wholeMilliseconds
    bootStamp = now.sinceBoot.subtractingReportingOverflow(age).partialValue
  }
}

extension SQL {
  fileprivate static let readIdentity = SQL(
    """
    SELECT id, version, tagged, pinned, \(StoredRecord.isPending)
    FROM record WHERE collection = ?1 AND key = ?2
    """)
  fileprivate static let upsertRecord = upsert(into: "record")
  fileprivate static let upsertShadow = upsert(into: "shadow")
  private static func upsert(into table: String) -> SQL {
    SQL(
      """
      INSERT INTO \(table) (
        collection, key, kind, version, epoch, last_update, expiry, boot, boot_stamp, hard_end,
        grace_revalidating, grace_error, must_revalidate, stale_at, stale_reason, stale_epoch,
        entity_tag, last_modified, source, content_type, codec, content_version, variant, metadata,
        fetch_cost, tagged, size, content_checksum, checksum, queue_at, pinned, pending, value)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19,
        ?20, ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31, ?32,
        ?33)
      ON CONFLICT (collection, key) DO UPDATE SET
        kind = ?3, version = ?4, epoch = ?5, last_update = ?6, expiry = ?7, boot = ?8,
        boot_stamp = ?9, hard_end = ?10, grace_revalidating = ?11, grace_error = ?12,
        must_revalidate = ?13, stale_at = ?14, stale_reason = ?15, stale_epoch = ?16,
        entity_tag = ?17, last_modified = ?18, source = ?19, content_type = ?20, codec = ?21,
        content_version = ?22, variant = ?23, metadata = ?24, fetch_cost = ?25, tagged = ?26,
        size = ?27, content_checksum = ?28, checksum = ?29, queue_at = ?30, pinned = ?31,
        pending = ?32, value = ?33, failures = 0, next_attempt = NULL, failure = NULL,
        pause_named = 0
      """)
  }
  fileprivate static let deleteTags = SQL("DELETE FROM record_tag WHERE record = ?1")
  fileprivate static let insertTag = SQL("INSERT INTO record_tag VALUES (?1, ?2)")
  fileprivate static let setPinned = SQL(
    "UPDATE record SET pinned = ?3 WHERE collection = ?1 AND key = ?2")
}
