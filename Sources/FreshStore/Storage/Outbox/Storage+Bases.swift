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
  /// - Parameter joins: False for a caller that needs no value: a value in blocks is then not read.
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
    try connection.first(.readBaseTags, collection, key) { statement in
      StoredWrite.tags(statement.text(0))
    } ?? []
  }

  /// Replaces the base by another state of the source; `nil` keeps its tags. Returns the number of blocks that its
  /// value was put into.
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

  /// Notes the values that a row has given up, except `blocks` and the value of its base. In return for added
  /// blocks it also removes blocks that are not read any more.
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

/// The return of a record to the known state of its source, once its local writes are gone.
extension Storage {
  /// Restores the record from the base, with the pause of its source. An empty base removes the record, unless a
  /// mark or a list shows that there is something to fetch. A value in blocks stays where it lies.
  ///
  /// A damaged base leaves a record without a value, which waits to be fetched.
  ///
  /// - Parameter verified: The checked values in blocks; a value that was not checked counts as whole.
  /// - Returns: False for a damaged base.
  func restore(
    _ collection: String, _ key: String, staleReason: String?, verified: VerifiedValues,
    now: ClockReading, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    let current = try identity(collection, key, connection)
    var base = try Self.base(collection, key, joins: false, connection)
    let tags = try Self.baseTags(collection, key, connection)
    try Self.endBase(collection, key, connection)
    let isDamaged = base?.isDamaged(by: verified) == true
    if isDamaged {
      base = base?.emptied
      base?.mark = .init(
        at: moment(from: now), reason: Self.damagedBase, epoch: try nextNumber(connection))
    }
    // A recovery may have lost the failures that a base refers to.
    let isFailing = base?.isFailing == true && current?.isFailing == true
    guard var restored = base, restored.kind != .unfetched || restored.mark != nil || isFailing
    else {
      if let current { try deleteRow(current.row, connection) }
      try queueMember(key, of: collection, now: now, connection)
      return true
    }
    if let staleReason, restored.kind != .unfetched {
      restored.mark = .init(
        at: moment(from: now), reason: staleReason, epoch: try nextNumber(connection))
    } else {
      // A mark from the meantime skipped the record.
      restored.mark =
        try mark(
          over: collection, key, tags: tags, standing: restored.mark, since: restored.epoch,
          connection) ?? restored.mark
    }
    // Validators that may not be kept were kept only for the waiting writes.
    if restored.kind == .unfetched { restored.content.validators = Validators() }
    restored.isPinned = current?.isPinned ?? restored.isPinned
    restored.isTagged = !tags.isEmpty
    restored.isFailing = isFailing
    let row = try Self.put(
      restored, tags: tags, queueAt: queuePlace(of: restored.mark, now), connection)
    // The base may have replaced another one, and a damaged base leaves its own value.
    try leaveOthers(of: row, besides: restored.content.blocks, now: now, connection)
    if !isFailing { try Self.endFailures(of: row, connection) }
    if restored.kind == .unfetched {
      try queueMember(key, of: collection, now: now, connection)
    }
    return !isDamaged
  }

  private static var damagedBase: String { "what its source was known to hold is damaged" }

  /// The values in blocks that were checked, and whether they are whole.
  struct VerifiedValues: Sendable {
    fileprivate(set) var areWhole: [Int64: Bool] = [:]
  }

  /// Verifies the values in blocks that records return to without these local writes. A value beneath other writes
  /// as well is not verified. Cost: a read of the values, in snapshots; no writer waits.
  ///
  /// - Parameter known: The values that were verified before, which are not read again.
  func verifiedValues(
    beneath ids: [Int64], known: VerifiedValues = VerifiedValues()
  ) throws(StoreError) -> VerifiedValues {
    var (seen, verified) = (Set<RecordID>(), known)
    let all = Set(ids)
    for id in ids {
      let read = try database.read(.outbox) { [seen, verified] (connection) throws(SQLiteError) in
        var seen = seen
        let base = try Self.base(beneath: id, without: all, seen: &seen, connection)
        guard var base, let blocks = base.content.blocks, verified.areWhole[blocks.id] == nil
        else { return (seen: seen, whole: [Int64: Bool]()) }
        try connection.verifyBlocks(of: &base)
        return (seen: seen, whole: [blocks.id: base.isIntact])
      }
      seen = read.seen
      verified.areWhole.merge(read.whole) { _, new in new }
    }
    return verified
  }

  /// True when all values in blocks that records return to without these local writes were verified. Since the
  /// check other writes of their keys may be gone, and another answer of the source may have come.
  static func isComplete(
    _ verified: VerifiedValues, beneath ids: [Int64], _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    var seen = Set<RecordID>()
    let all = Set(ids)
    for id in ids {
      let base = try base(beneath: id, without: all, seen: &seen, connection)
      if let blocks = base?.content.blocks, verified.areWhole[blocks.id] == nil { return false }
    }
    return true
  }

  /// The state that a record returns to without these local writes, of which `id` is one. `nil` where other writes
  /// are left, or the record was seen before: one key may have thousands of writes.
  private static func base(
    beneath id: Int64, without writes: Set<Int64>, seen: inout Set<RecordID>,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> StoredRecord? {
    let record = try connection.first(.recordOfWrite, id) { row in
      RecordID(row.text(0), row.text(1))
    }
    guard let record, seen.insert(record).inserted,
      let base = try base(record.collection, record.key, joins: false, connection),
      base.content.blocks != nil
    else { return nil }
    let all = try connection.rows(.writesOfRecord, record.collection, record.key) { row in
      row.int(0)
    }
    return all.allSatisfy { writes.contains($0) } ? base : nil
  }
}

extension StoredRecord {
  fileprivate func isDamaged(by verified: Storage.VerifiedValues) -> Bool {
    !isIntact || content.blocks.map { verified.areWhole[$0.id] == false } ?? false
  }

  /// The reliable part of a damaged state of a source: there is something to fetch, and, where the columns are
  /// sound, from where.
  fileprivate var emptied: StoredRecord {
    var left = RecordContent(
      collection: content.collection, key: content.key, expiry: .unstated)
    let areColumnsSound = rowChecksum == checksum
    if areColumnsSound {
      (left.source, left.address) = (content.source, content.address)
      left.isOnDemand = content.isOnDemand
    }
    var record = StoredRecord(content: left, kind: .unfetched, epoch: areColumnsSound ? epoch : 0)
    record.contentChecksum = Self.checksum(of: nil)
    record.isFailing = areColumnsSound && isFailing
    return record
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
  fileprivate static let recordOfWrite = SQL("SELECT collection, key FROM outbox WHERE id = ?1")
  fileprivate static let writesOfRecord = SQL(
    "SELECT id FROM outbox WHERE collection = ?1 AND key = ?2")
}
