package import Strategies

extension Storage {
  /// One record to store.
  package struct Write {
    package var content: RecordContent
    package var kind: StoredRecord.Kind = .value
    /// The new tags; `nil` keeps the tags of the row.
    package var tags: Set<String>?
    /// Pins or unpins; `nil` keeps the row's setting.
    package var isPinned: Bool?
    /// True for a local write, which waits to reach its source.
    package var isPending = false
    /// The clock of a stated last update, if it differs from the write's. The clock may have been set since then,
    /// while a rule was awaited. `nil` for the clock of the write.
    var statedAt: ClockReading?

    package init(
      content: RecordContent, kind: StoredRecord.Kind = .value, tags: Set<String>? = nil,
      isPinned: Bool? = nil, isPending: Bool = false, statedAt: ClockReading? = nil
    ) {
      (self.content, self.kind, self.tags) = (content, kind, tags)
      (self.isPinned, self.isPending, self.statedAt) = (isPinned, isPending, statedAt)
    }
  }

  /// The facts a write needs about the row it replaces.
  struct Identity {
    let row: Int64
    let isTagged: Bool
    let isPinned: Bool
    let isFailing: Bool
    let isPending: Bool
  }

  /// Writes the row, its tags and its checksums; ends its failures.
  package func store(
    _ write: Write, epoch: Int64, mark: StoredRecord.Mark?, now: ClockReading,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> StoredRecord {
    try store(
      write, over: try identity(write.content.collection, write.content.key, connection),
      epoch: epoch, mark: mark, now: now, connection)
  }

  /// As above, with the row to be replaced.
  func store(
    _ write: Write, over old: Identity?, epoch: Int64, mark: StoredRecord.Mark?,
    now: ClockReading, _ connection: borrowing Connection
  ) throws(SQLiteError) -> StoredRecord {
    var record = Self.row(of: write, epoch: epoch, mark: mark, now: now)
    record.isPinned = write.isPinned ?? old?.isPinned ?? false
    record.isTagged = write.tags.map { !$0.isEmpty } ?? old?.isTagged ?? false
    // The room of blocks that were left before is taken first.
    let added = Self.blocksToAdd(for: record)
    if added > 0 { try removeSomeBlocks(added, now: now, connection) }
    try Self.spread(&record, connection)
    try Self.put(record, queueAt: queuePlace(of: mark, now), connection)
    record.row = old?.row ?? connection.lastInsertedRow
    var hasLeft = false
    if let old {
      hasLeft = try leaveContents(
        of: old.row, besides: record.content.blocks, now: now, connection)
    }
    if hasLeft || added > 0 {
      try removeSomeBlocks(added + Self.blocksOfReplaced, now: now, connection)
    }
    if let tags = write.tags, old?.isTagged == true || !tags.isEmpty {
      try Self.replaceTags(of: record.row, with: tags, connection)
    }
    // Below a local write the failures of the source's fetches stay.
    if let old, old.isFailing, !record.isPending { try Self.endFailures(of: old.row, connection) }
    return record
  }

  /// The due time of a marked record: at once, even if the mark was stamped by a clock that has
  /// since been set back.
  func queuePlace(of mark: StoredRecord.Mark?, _ now: ClockReading) -> Timestamp? {
    mark.map { min($0.at, moment(from: now)) }
  }

  /// The row of a write, as far as the write itself determines it.
  static func row(
    of write: Write, epoch: Int64, mark: StoredRecord.Mark?, now: ClockReading
  ) -> StoredRecord {
    var record = StoredRecord(content: write.content, kind: write.kind, epoch: epoch)
    record.content.lastUpdate = write.content.lastUpdate.map(\.storable)
    record.contentChecksum =
      write.content.blocks?.checksum ?? StoredRecord.checksum(of: write.content.value)
    record.isPending = write.isPending
    record.stampBoot(write.statedAt ?? now)
    record.mark = mark
    return record
  }

  /// The facts a write needs about the row it replaces.
  func identity(
    _ collection: String, _ key: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Identity? {
    try connection.withLendingStatement(.readIdentity) { (statement) throws(SQLiteError) in
      try statement.withBound(collection, key) { (statement) throws(SQLiteError) in
        guard try statement.step() else { return nil }
        let flags = statement.int(1)
        return Identity(
          row: statement.int(0), isTagged: flags & RecordFlags.tagged != 0,
          isPinned: flags & RecordFlags.pinned != 0, isFailing: statement.bool(2),
          isPending: statement.bool(3))
      }
    }
  }

  /// Writes a row, new or replacing the one with its key. It waits in the refetch queue from `queueAt` on, unless
  /// that is `nil`, or it has no place there.
  static func put(
    _ record: StoredRecord, queueAt: Timestamp? = nil, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    var record = record
    if record.isPending, record.content.value?.count ?? 0 >= StoredRecord.largeValue {
      record.content.value = nil
    }
    try spread(&record, connection)
    try run(.put, record, connection) { parameters, index in
      parameters.bind(record.sweepPlace?.millisecondsSinceEpoch, index)
      parameters.bind(record.queuePlace(queueAt)?.millisecondsSinceEpoch, index + 1)
      return index + 2
    }
    if record.content.blocks != nil { try keepBlocks(of: record, connection) }
  }

  /// Restores a row that was below a local write, with its tags: it is due again at the end of its
  /// source's pause. Returns the number of the row.
  package static func put(
    _ record: StoredRecord, tags: Set<String>, queueAt: Timestamp?,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int64 {
    try put(record, queueAt: queueAt, connection)
    let row = try row(of: record.content.collection, record.content.key, connection)
    if queueAt != nil {
      try connection.run(.heedPause, row)
    }
    try replaceTags(of: row, with: tags, connection)
    return row
  }

  /// Runs a statement with the columns of a record, the parameters of `bind`, and the value, unless that lies in
  /// blocks.
  static func run(
    _ sql: SQL, _ record: StoredRecord, _ connection: borrowing Connection,
    binding bind: (inout Statement.Parameters, Int32) -> Int32
  ) throws(SQLiteError) {
    var (record, sum) = (record, RecordSum())
    record.visit(&sum)
    record.checksum = sum.checksum
    try connection.withLendingStatement(sql) { (statement) throws(SQLiteError) in
      try statement.run(
        lending: record.content.collection, record.content.key,
        record.content.blocks == nil ? record.content.value : nil
      ) { (parameters) in
        var binder = RecordBinder(parameters)
        record.visit(&binder)
        parameters = binder.parameters
        return bind(&parameters, binder.index)
      }
    }
  }

  /// The number of the row with a key.
  static func row(
    of collection: String, _ key: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int64 {
    try connection.withLendingStatement(.readIdentity) { (statement) throws(SQLiteError) in
      try statement.withBound(collection, key) { (statement) throws(SQLiteError) in
        try statement.step() ? statement.int(0) : 0
      }
    }
  }

  static func replaceTags(
    of row: Int64, with tags: Set<String>, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    try connection.run(.deleteTags, row)
    for tag in tags {
      try connection.run(.insertTag, row, tag)
    }
  }

  /// Forgets the failed fetches of a row.
  static func endFailures(
    of row: Int64, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    for sql in [SQL.deleteFailure, .unsetFailing] {
      try connection.run(sql, row)
    }
  }

  /// Pins or unpins a record; false when there is none.
  func setPinned(
    _ collection: String, _ key: String, _ isPinned: Bool
  ) throws(StoreError) -> Bool {
    try database.write(.pin, .full, touching: AffectedKeys(collection, [key])) {
      (connection) throws(SQLiteError) in
      guard var record = try self.record(collection, key, joins: false, connection) else {
        return false
      }
      record.isPinned = isPinned
      try Self.writeFlags(of: record, connection)
      return true
    }
  }

  /// Writes a row's flags, and the checksum that covers them; a damaged row stays detectable.
  package static func writeFlags(
    of record: StoredRecord, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    try connection.run(.writeFlags, record.row, record.flags, record.checksumToWrite)
  }

  /// Deletes a record that has no local write.
  func delete(
    _ collection: String, _ key: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    let row = try connection.first(.removableOne, collection, key) { statement in statement.int(0) }
    guard let row else { return false }
    if try deleteRow(row, connection), let now = database.clockWatch?.now {
      try removeSomeBlocks(Self.blocksOfReplaced, now: now, connection)
    }
    return true
  }

  /// Deletes a row, its tags and its failures; true where its value lies in blocks, which are left to be collected.
  @discardableResult
  func deleteRow(_ row: Int64, _ connection: borrowing Connection) throws(SQLiteError) -> Bool {
    var hasLeft = false
    if let now = database.clockWatch?.now {
      hasLeft = try leaveContents(of: row, besides: nil, now: now, connection)
    }
    for sql in [SQL.deleteTags, .deleteFailure, .deleteRow] {
      try connection.run(sql, row)
    }
    return hasLeft
  }
}

extension Storage.Identity {
  /// The identity of a row that was read under the write lock.
  init(_ record: StoredRecord) {
    self.init(
      row: record.row, isTagged: record.isTagged, isPinned: record.isPinned,
      // A damaged row's flag for failures is ignored.
      isFailing: record.isFailing || !record.isIntact, isPending: record.isPending)
  }
}

extension Timestamp {
  /// Clamped to some 30,000 years around 1970, so that adding an expiry in SQL stays an integer.
  fileprivate var storable: Timestamp {
    let limit: Int64 = 1_000_000_000_000_000
    return Timestamp(millisecondsSinceEpoch: min(limit, max(-limit, millisecondsSinceEpoch)))
  }
}

extension StoredRecord {
  /// The time at which a sweep must examine the row; `nil` for a row that never expires, or is stale already.
  var sweepPlace: Timestamp? { kind == .unfetched || isPending || mark != nil ? nil : deadline }

  /// A place in the refetch queue, if the row may have one: every statement that gives one asks here.
  package func queuePlace(_ place: Timestamp?) -> Timestamp? { content.isOnDemand ? nil : place }

  /// The checksum of the row to be written; a damaged row keeps its wrong one.
  var checksumToWrite: Int64 { isIntact ? rowChecksum : checksum }

  /// Stamps the last update on the boot clock.
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
    SELECT id, flags, EXISTS (SELECT 1 FROM failure f WHERE f.record = record.id),
      \(StoredRecord.isPending)
    FROM record WHERE collection = ?1 AND key = ?2
    """)

  fileprivate static let put = SQL(
    """
    INSERT INTO record (\(RecordColumns.list), sweep_at, queue_at, value)
    VALUES (\(RecordColumns.parameters), ?\(RecordColumns.first), ?\(RecordColumns.second), ?\(RecordColumns.third))
    ON CONFLICT (collection, key) DO UPDATE SET \(RecordColumns.assignments), sweep_at = excluded.sweep_at,
      queue_at = excluded.queue_at, value = excluded.value
    """)
  fileprivate static let deleteTags = SQL("DELETE FROM record_tag WHERE record = ?1")
  fileprivate static let insertTag = SQL("INSERT INTO record_tag VALUES (?1, ?2)")
  fileprivate static let heedPause = SQL(
    """
    UPDATE record SET queue_at = max(queue_at, \(StoredRecord.endOfPause)) WHERE id = ?1
    """)
  fileprivate static let deleteFailure = SQL("DELETE FROM failure WHERE record = ?1")
  fileprivate static let unsetFailing = SQL(
    """
    UPDATE record SET flags = flags & ~\(RecordFlags.failing)
    WHERE id = ?1 AND \(RecordFlags.isFailing)
    """)
  fileprivate static let writeFlags = SQL(
    "UPDATE record SET flags = ?2, checksum = ?3 WHERE id = ?1")
  fileprivate static let removableOne = SQL(
    "SELECT id FROM record WHERE collection = ?1 AND key = ?2 AND NOT \(StoredRecord.isPending)")
  fileprivate static let deleteRow = SQL("DELETE FROM record WHERE id = ?1")
}
