internal import Strategies

/// The return of a record to the known state of its source, once its local writes are gone.
extension Storage {
  /// Restores the record from the base, with the pause of its source; an empty base removes the
  /// record, unless a mark or a list shows that there is something to fetch. A value in blocks stays where it lies.
  ///
  /// A damaged base leaves a record without a value, which waits to be fetched.
  ///
  /// - Parameter damaged: The values in blocks that are known not to be whole.
  /// - Returns: False for a damaged base.
  func restore(
    _ collection: String, _ key: String, staleReason: String?, besides damaged: Set<Int64>,
    now: ClockReading, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    let current = try identity(collection, key, connection)
    var base = try Self.base(collection, key, joins: false, connection)
    let tags = try Self.baseTags(collection, key, connection)
    try Self.endBase(collection, key, connection)
    let isDamaged = base?.isDamaged(besides: damaged) == true
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
    // The base may have taken the place of another, and a damaged one leaves its own.
    try leaveOthers(of: row, besides: restored.content.blocks, now: now, connection)
    if !isFailing { try Self.endFailures(of: row, connection) }
    if restored.kind == .unfetched {
      try queueMember(key, of: collection, now: now, connection)
    }
    return !isDamaged
  }

  private static var damagedBase: String { "what its source was known to hold is damaged" }

  /// The values in blocks that records return to without these local writes, and that are not whole. What lies beneath
  /// others as well is not looked at. Cost: the former are read, in snapshots, and no writer waits.
  func damagedValues(beneath ids: [Int64]) throws(StoreError) -> Set<Int64> {
    var (seen, damaged): (Set<RecordID>, Set<Int64>) = ([], [])
    let all = Set(ids)
    for id in ids {
      let record = try database.read(.outbox) { (connection) throws(SQLiteError) -> RecordID? in
        try connection.first(.recordOfWrite, id) { row in RecordID(row.text(0), row.text(1)) }
      }
      // One key may have thousands of writes.
      guard let record, seen.insert(record).inserted else { continue }
      let value = try database.read(.outbox) { (connection) throws(SQLiteError) -> Int64? in
        try Self.damagedValue(of: record, without: all, connection)
      }
      if let value { damaged.insert(value) }
    }
    return damaged
  }

  private static func damagedValue(
    of record: RecordID, without writes: Set<Int64>, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int64? {
    guard var base = try base(record.collection, record.key, joins: false, connection),
      let blocks = base.content.blocks
    else { return nil }
    let all = try connection.rows(.writesOfRecord, record.collection, record.key) { row in
      row.int(0)
    }
    guard all.allSatisfy({ writes.contains($0) }) else { return nil }
    try connection.verifyBlocks(of: &base)
    return base.isIntact ? nil : blocks.id
  }
}

extension StoredRecord {
  fileprivate func isDamaged(besides damaged: Set<Int64>) -> Bool {
    !isIntact || content.blocks.map { damaged.contains($0.id) } ?? false
  }

  /// What can be relied on of a damaged state of a source: that there is something to fetch, and, where the columns
  /// are sound, from where.
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
  fileprivate static let recordOfWrite = SQL("SELECT collection, key FROM outbox WHERE id = ?1")
  fileprivate static let writesOfRecord = SQL(
    "SELECT id FROM outbox WHERE collection = ?1 AND key = ?2")
}
