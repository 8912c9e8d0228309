internal import CSQLite
internal import Strategies

/// Values that are kept in blocks (``ContentReference``).
extension Storage {
  // MARK: Writing one that arrives

  /// Adds the next block of a value that arrives, and begins the value with the first block. It belongs to no
  /// record before ``update(_:_:answering:now:)`` stores one with it.
  ///
  /// Returns false in these cases:
  /// - the value is gone meanwhile, or given up;
  /// - it was asked for before a wipe (``isWanted(begunAt:_:)``);
  /// - there are more bytes than `limit` that no record has.
  func add(
    _ block: [UInt8], _ number: Int, to id: Int64, begunAt begun: Int64?, within limit: Int,
    now: ClockReading
  ) throws(StoreError) -> Bool {
    let isAdded = try database.write(.complete, touching: AffectedKeys()) {
      (connection) throws(SQLiteError) -> Bool? in
      // Faster than it grows.
      try self.removeSomeBlocks(number == 0 ? 8 : 2, now: now, connection)
      // The blocks that were just removed stay removed.
      guard try self.hasRoomForBlock(connection) else { return nil }
      if number == 0 {
        let (left, arriving) = try Self.unownedBytes(connection)
        guard left <= limit, arriving <= limit - left else { return false }
        // Later blocks find it gone.
        guard try self.isWanted(begunAt: begun, connection) else { return false }
      }
      let end = self.moment(after: Self.arrivalTime, from: now).millisecondsSinceEpoch
      try connection.run(
        number == 0 ? .beginArrival : .growContent, id, Int64(block.count), end)
      guard connection.changes > 0 else { return false }
      try Self.insert(block[...], number, of: ContentReference(id: id), connection)
      return true
    }
    if let isAdded { return isAdded }
    let full = SQLiteError(
      code: SQLITE_FULL,
      message: "what is left on the disk, less than 8 MiB or than twice the log, is for removals",
      activity: "adding a block")
    throw StoreError(full, .complete, path: database.file.path)
  }

  /// True where a block takes free pages of the file, or the disk has more room than the log may need.
  private func hasRoomForBlock(_ connection: borrowing Connection) throws(SQLiteError) -> Bool {
    let free = Int(try connection.integer("PRAGMA freelist_count"))
    return free >= Self.pagesOfBlock || database.file.hasRoomToGrow
  }

  /// The pages of a block, and of the other rows that change with it, at the smallest size that a store has.
  private static let pagesOfBlock = 2 * ContentReference.blockSize / 4096

  /// Gives up a value that has arrived, or was arriving; its readers have some minutes left. A value that was given
  /// up while it was read may be given up again after that.
  func giveUpContent(_ id: Int64, isRead: Bool, now: ClockReading) throws(StoreError) {
    try database.write(.complete, touching: AffectedKeys()) { (connection) throws(SQLiteError) in
      let end = self.moment(after: isRead ? Self.readersTime : .zero, from: now)
      try connection.run(.giveUpContent, id, end.millisecondsSinceEpoch)
    }
  }

  /// The bytes of the values that were left, and of the values that are arriving, in all processes.
  static func unownedBytes(
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> (left: Int, arriving: Int) {
    let bytes = try connection.first(.unownedBytes) { statement in
      (Int(statement.int(0)), Int(statement.int(1)))
    }
    return bytes ?? (0, 0)
  }

  /// True for a value that has arrived as a whole, and that no record has had yet.
  func isComplete(
    _ blocks: ContentReference, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    try connection.hasRow(.isComplete, blocks.id, blocks.size)
  }

  // MARK: Writing one that is here

  /// The value of a record that is about to be written, if it belongs into blocks but lies in none. A local write's
  /// value stays in the outbox.
  private static func valueToSpread(of record: StoredRecord) -> [UInt8]? {
    guard record.content.isLong, record.content.blocks == nil, !record.isPending else { return nil }
    return record.content.value
  }

  /// The number of blocks that ``spread(_:_:)`` adds; 0 for most records.
  static func blocksToAdd(for record: StoredRecord) -> Int {
    valueToSpread(of: record).map { ContentReference(id: 0, size: Int64($0.count)).blocks } ?? 0
  }

  /// Puts a long value of a record that is about to be written into blocks.
  static func spread(
    _ record: inout StoredRecord, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    guard let value = valueToSpread(of: record) else { return }
    let reference = ContentReference(
      id: ContentReference.drawn(), size: Int64(value.count), checksum: record.contentChecksum)
    try connection.run(.beginContent, reference.id, reference.size)
    for (number, block) in value.blocks.enumerated() {
      try insert(block, number, of: reference, connection)
    }
    record.content.place(in: reference)
  }

  /// Notes which row has a value. It also notes that the value is read outside of snapshots if it is a gateway's
  /// copy, which its fleet may have delivered.
  static func keepBlocks(
    of record: StoredRecord, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    let row = try row(of: record.content.collection, record.content.key, connection)
    try connection.run(
      .keepContent, record.content.blocks?.id, row, record.content.isOnDemand)
  }

  /// Notes that a row has given up its values, except `blocks` and the value of its source beneath a local write.
  /// True where it had others. Cost: one look-up.
  @discardableResult
  func leaveContents(
    of row: Int64, besides blocks: ContentReference?, now: ClockReading,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    // The write may have waited. Readers that find the row until the commit have the whole time.
    let left = moment(from: database.clockWatch?.now ?? now)
    try connection.run(
      .leaveContents, row, blocks?.id, left.millisecondsSinceEpoch,
      left.advanced(by: Self.readersTime).millisecondsSinceEpoch)
    return connection.changes > 0
  }

  private static func insert(
    _ block: ArraySlice<UInt8>, _ number: Int, of reference: ContentReference,
    _ connection: borrowing Connection
  ) throws(SQLiteError) {
    let place = reference.place(of: number)
    try connection.run(
      .insertBlock, place, ContentSum.checksum(of: block, at: place), Array(block))
  }

  // MARK: Reading

  /// One block of a value; `nil` when it is gone, or damaged. `isFirst` is true until a reader is noted that reads
  /// the value in this way (``noteStreaming(of:)``). Cost: a look-up, in a read of its own.
  func block(
    _ number: Int, of reference: ContentReference
  ) throws(StoreError) -> (bytes: [UInt8], isFirst: Bool)? {
    let place = reference.place(of: number)
    return try database.read(.read) {
      (connection) throws(SQLiteError) -> (bytes: [UInt8], isFirst: Bool)? in
      try connection.first(.readBlock, place, reference.id) {
        (statement) -> (bytes: [UInt8], isFirst: Bool)? in
        let bytes = statement.bytes(1)
        guard bytes.count == reference.length(of: number),
          statement.int(0) == ContentSum.checksum(of: bytes[...], at: place)
        else { return nil }
        return (bytes, statement.bool(2))
      } ?? nil
    }
  }

  /// Notes that a value is read outside of snapshots: a later value then leaves its readers time. False where
  /// another value has replaced it already, and its blocks go at once.
  ///
  /// A gateway also serves values that were stored by fetches outside of it.
  ///
  /// It waits for no longer than a write that replaces a value takes. Beside a longer write, the next block makes
  /// up for it.
  func noteStreaming(of reference: ContentReference) throws(StoreError) -> Bool {
    let isThere = try database.writeAtOnce(
      .read, touching: AffectedKeys(), waiting: .milliseconds(100)
    ) { (connection) throws(SQLiteError) -> Bool in
      try connection.run(.noteStreaming, reference.id)
      return connection.changes > 0
    }
    return isThere ?? true
  }
}

extension Connection {
  /// Reads the value of a record that lies in blocks, in the snapshot of its row, whose statement is still open. A
  /// record without all of it is damaged.
  package borrowing func join(_ record: inout StoredRecord) throws(SQLiteError) {
    guard let blocks = record.content.blocks, record.isIntact else { return }
    var value: [UInt8] = []
    let isWhole = try visitBlocks(of: blocks) { block in value += block }
    if isWhole { record.content.join(value) }
    record.isIntact = isWhole
  }

  /// Verifies the value of a record that lies in blocks, and keeps none of it.
  package borrowing func verifyBlocks(of record: inout StoredRecord) throws(SQLiteError) {
    guard let blocks = record.content.blocks, record.isIntact else { return }
    record.isIntact = try visitBlocks(of: blocks) { _ in }
  }

  /// Visits the blocks of a value in their order; false where they differ from the blocks of the reference.
  private borrowing func visitBlocks(
    of reference: ContentReference, _ visit: ([UInt8]) -> Void
  ) throws(SQLiteError) -> Bool {
    try withStatement(.readBlocks, reference.firstPlace, reference.endPlace) {
      (statement) throws(SQLiteError) -> Bool in
      var sum = ContentSum()
      while try statement.step() {
        let (place, bytes) = (statement.int(0), statement.bytes(2))
        guard place == reference.place(of: sum.blocks),
          statement.int(1) == ContentSum.checksum(of: bytes[...], at: place)
        else { return false }
        sum.add(bytes[...])
        visit(bytes)
      }
      return sum.checksum == reference.checksum
    }
  }
}

extension SQL {
  fileprivate static let beginArrival = SQL(
    """
    INSERT INTO content (id, size, size_check, streams, arrives_by) VALUES (?1, ?2, ~?2, 1, ?3)
    """)
  /// This runs before the block is inserted, so that the measured blocks do not include it.
  fileprivate static let growContent = SQL(
    """
    UPDATE content AS c SET
      size = \(StoredRecord.sizeOfContent) + ?2,
      size_check = ~(\(StoredRecord.sizeOfContent) + ?2), arrives_by = ?3
    WHERE id = ?1 AND arrives_by IS NOT NULL
    """)
  fileprivate static let giveUpContent = SQL(
    """
    UPDATE content SET arrives_by = NULL, goes_at = ?2
    WHERE id = ?1 AND (arrives_by IS NOT NULL OR record IS NULL AND goes_at > ?2)
    """)
  fileprivate static let unownedBytes = SQL(
    """
    SELECT
      (SELECT coalesce(sum(max(\(StoredRecord.sizeOfContent), 0)), 0) FROM content c
        WHERE c.goes_at IS NOT NULL),
      (SELECT coalesce(sum(max(\(StoredRecord.sizeOfContent), 0)), 0) FROM content c
        WHERE c.arrives_by IS NOT NULL)
    """)
  fileprivate static let isComplete = SQL(
    """
    SELECT 1 FROM content c
    WHERE c.id = ?1 AND \(StoredRecord.sizeOfContent) = ?2 AND c.arrives_by IS NOT NULL
    """)
  fileprivate static let beginContent = SQL(
    "INSERT INTO content (id, size, size_check, streams) VALUES (?1, ?2, ~?2, 0)")
  fileprivate static let keepContent = SQL(
    """
    UPDATE content SET record = ?2, streams = max(streams, ?3), arrives_by = NULL, goes_at = NULL
    WHERE id = ?1
    """)
  fileprivate static let leaveContents = SQL(
    """
    UPDATE content SET goes_at = iif(streams, ?4, ?3)
    WHERE record = ?1 AND goes_at IS NULL AND id IS NOT ?2
      AND NOT EXISTS (SELECT 1 FROM base b WHERE b.content = content.id)
    """)
  fileprivate static let insertBlock = SQL("INSERT INTO content_block VALUES (?1, ?2, ?3)")
  fileprivate static let readBlock = SQL(
    """
    SELECT checksum, bytes, EXISTS (SELECT 1 FROM content WHERE id = ?2 AND streams = 0)
    FROM content_block WHERE place = ?1
    """)
  /// The value stays if its record is wrongly noted as gone.
  fileprivate static let noteStreaming = SQL(
    """
    UPDATE content SET streams = 1
    WHERE id = ?1 AND (goes_at IS NULL OR EXISTS (
      SELECT 1 FROM record r WHERE r.content = content.id))
    """)
  fileprivate static let readBlocks = SQL(
    """
    SELECT place, checksum, bytes FROM content_block WHERE place >= ?1 AND place < ?2
    ORDER BY place
    """)
}
