internal import Strategies

/// The values in blocks that no record has any more, or never had.
extension Storage {
  /// The fate of a value.
  enum ContentFate: Equatable {
    case stays
    /// It stays, but the note of its length has changed on the disk.
    case isMeasuredAnew
    /// A record has it, of which that is not noted: its row, or 0 where that is missing.
    case returns(Int64)
    /// No record has it from now on; its readers go on for a while.
    case leaves
    /// Its time is over.
    case goes
  }

  /// A value whose state has changed.
  struct ChangedContent: Sendable {
    let id: Int64
    let fate: ContentFate
  }

  /// The time that readers have for a value that is left. Nothing waits for a slower reader, whose answer ends
  /// early.
  static let readersTime = Duration.seconds(600)
  /// The time that a value stays without a visible reader (``ReadingLocks``). A reader that has found its record
  /// before it was left is visible sooner.
  static let noticeTime = Duration.seconds(1)
  /// The time that an arriving value may bring nothing new.
  static let arrivalTime = Duration.seconds(3600)

  /// The number of blocks that a write removes after it has left some.
  static let blocksOfReplaced = 8

  /// The values looked at in one snapshot.
  private static let contentsAtOnce = 500

  /// True where there are values in blocks at all. Cost: one look-up.
  func hasContents() throws(StoreError) -> Bool {
    try database.read(.sweep) { (connection) throws(SQLiteError) in
      try connection.hasRow(.anyContent)
    }
  }

  /// The values after `id` whose state has changed, and where the next look goes on; `nil` at the end. Cost: for
  /// each value a look-up of its record, by the index of records with blocks.
  func changedContents(
    after id: Int64, now: ClockReading
  ) throws(StoreError) -> (changed: [ChangedContent], end: Int64?) {
    let moment = moment(from: now)
    return try database.read(.sweep) { (connection) throws(SQLiteError) in
      try connection.withStatement(.contentsAfter, id, Int64(Self.contentsAtOnce)) {
        (statement) throws(SQLiteError) in
        var (changed, seen, last) = ([ChangedContent](), 0, id)
        while try statement.step() {
          (seen, last) = (seen + 1, statement.int(0))
          let fate = self.fate(statement, at: moment)
          if fate != .stays { changed.append(ChangedContent(id: last, fate: fate)) }
        }
        // In a damaged file rows may come in any order, and never end.
        return (changed, seen < Self.contentsAtOnce || last <= id ? nil : last)
      }
    }
  }

  /// Notes the fate of values, and removes the blocks of the ones that go, in one write transaction. It handles as
  /// many as the time allows, and at least one.
  ///
  /// The work done counts both values and blocks, `most` at the most. The changed ones are the values that need no
  /// further turn; the bytes are the removed ones.
  func collect(
    _ contents: ArraySlice<ChangedContent>, most: Int, within budget: Duration, now: ClockReading
  ) throws(StoreError) -> Database.Turn {
    let moment = moment(from: now)
    let end = moment.advanced(by: Self.readersTime)
    return try database.turn(.sweep) { (connection, start) throws(SQLiteError) in
      var work = Database.Work()
      for content in contents {
        // It may have been stored, or wiped, since it was found.
        let fate = try connection.first(.content, content.id) { statement in
          self.fate(statement, at: moment)
        }
        if let fate, fate != .goes { try connection.run(.noteContentSize, content.id) }
        switch fate {
        case nil, .stays?, .isMeasuredAnew?: break
        case .returns(let row)?: try connection.run(.noteContentReturns, content.id, row)
        case .leaves?:
          try connection.run(.noteContentLeft, content.id, end.millisecondsSinceEpoch)
        case .goes?:
          // A value that is removed in part belongs to no record.
          try connection.run(.noteContentGoes, content.id, moment.millisecondsSinceEpoch)
          let isGone = try Self.removeBlocks(
            of: ContentReference(id: content.id), most: most, until: start + budget, &work,
            connection)
          guard isGone else { return work }
        }
        work.done += 1
        work.changed += 1
        if work.done >= most || ContinuousClock.now - start >= budget { break }
      }
      return work
    }
  }

  /// Removes blocks of values whose time is over, `most` at the most, as a part of a write that adds blocks or
  /// leaves some. So a file in which values replace one another grows only by the values that are still being read.
  func removeSomeBlocks(
    _ most: Int, now: ClockReading, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    let moment = moment(from: now)
    var left = most
    while left > 0 {
      guard let id = try contentToGo(at: moment, connection) else { return }
      let fate = try connection.first(.content, id) { statement in
        self.fate(statement, at: moment)
      }
      // A sweep does the other work.
      guard fate == .goes else { return }
      // A value that is removed in part belongs to no record.
      try connection.run(.noteContentGoes, id, moment.millisecondsSinceEpoch)
      var removed: Int64 = 0
      while left > 0 {
        guard let bytes = try Self.removeBlock(of: ContentReference(id: id), connection) else {
          try connection.run(.removeContent, id)
          break
        }
        (left, removed) = (left - 1, removed + bytes)
      }
      if left == 0 { try connection.run(.lessenContent, id, removed) }
    }
  }

  /// A value whose time is over, or that has no reader, of the values that were left first.
  private func contentToGo(
    at moment: Timestamp, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int64? {
    let unread = moment.advanced(by: Self.readersTime - Self.noticeTime)
    return try connection.withStatement(
      .contentsToGo, unread.millisecondsSinceEpoch, Int64(Self.contentsAskedFor)
    ) { (statement) throws(SQLiteError) -> Int64? in
      while try statement.step() {
        let (id, goesAt) = (statement.int(0), statement.int(1))
        if goesAt <= moment.millisecondsSinceEpoch || readingLocks.isUnread(id) { return id }
      }
      return nil
    }
  }

  /// The number of values for which a write asks whether they have readers.
  private static let contentsAskedFor = 100

  /// Removes the blocks of a value, and then its row; false when the turn was over before.
  private static func removeBlocks(
    of reference: ContentReference, most: Int, until end: ContinuousClock.Instant,
    _ work: inout Database.Work, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    var removed: Int64 = 0
    while let bytes = try removeBlock(of: reference, connection) {
      work.done += 1
      work.bytes += ContentReference.blockSize
      removed += bytes
      if work.done >= most || ContinuousClock.now >= end {
        try connection.run(.lessenContent, reference.id, removed)
        return false
      }
    }
    try connection.run(.removeContent, reference.id)
    return true
  }

  /// Removes the first block of a value that is left; returns its bytes, `nil` where there is none.
  private static func removeBlock(
    of reference: ContentReference, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int64? {
    let block = try connection.first(.firstBlock, reference.firstPlace, reference.endPlace) {
      statement in (place: statement.int(0), bytes: statement.int(1))
    }
    guard let block else { return nil }
    try connection.run(.removeBlock, block.place)
    // A damaged file might return the same block again and again.
    return connection.changes > 0 ? block.bytes : nil
  }

  /// Reads the columns of a statement on values.
  private func fate(_ row: borrowing Statement, at now: Timestamp) -> ContentFate {
    let fate = fateAsNoted(row, at: now)
    return fate == .stays && row.bool(6) ? .isMeasuredAnew : fate
  }

  /// None of these columns has a checksum: they say when a value goes, and not whether it goes.
  private func fateAsNoted(_ row: borrowing Statement, at now: Timestamp) -> ContentFate {
    let arrivesBy = row.optionalMoment(3)
    let goesAt = row.optionalMoment(4)
    if let owner = row.optionalInt(5) {
      let isNoted = arrivesBy == nil && goesAt == nil && row.optionalInt(1) == owner
      return isNoted ? .stays : .returns(owner)
    }
    if let goesAt {
      if goesAt <= now { return .goes }
      guard Self.isNear(goesAt, now, Self.readersTime) else { return .leaves }
      let isSeen = goesAt > now.advanced(by: Self.readersTime - Self.noticeTime)
      return isSeen || !readingLocks.isUnread(row.int(0)) ? .stays : .goes
    }
    if let arrivesBy {
      return arrivesBy > now && Self.isNear(arrivesBy, now, Self.arrivalTime) ? .stays : .leaves
    }
    return row.bool(2) ? .leaves : .goes
  }

  /// False for a moment that is further away than any that was noted. It has changed on the disk, and would keep a
  /// value for ever. Another process may have noted a moment a little later than `now`.
  private static func isNear(_ end: Timestamp, _ now: Timestamp, _ time: Duration) -> Bool {
    end <= now.advanced(by: time + time)
  }
}

extension SQL {
  /// The last column but one is the row of the record that has the value; `NULL` where no record has it. The record
  /// has it itself, or as the state of its source beneath a local write.
  ///
  /// The record is looked for where it is noted, without the indexes by value, and then by these. So a change on
  /// the disk in either of them costs no value.
  private static let columns = """
    c.id, c.record, c.streams, c.arrives_by, c.goes_at, coalesce(
      (SELECT r.id FROM record r NOT INDEXED WHERE r.id = c.record AND (r.content = c.id OR EXISTS (
        SELECT 1 FROM base b INDEXED BY sqlite_autoindex_base_1
        WHERE b.collection = r.collection AND b.key = r.key AND b.content = c.id))),
      (SELECT r.id FROM record r WHERE r.content = c.id),
      (SELECT coalesce(r.id, 0) FROM base b
        LEFT JOIN record r ON r.collection = b.collection AND r.key = b.key
        WHERE b.content = c.id)), c.size IS NOT ~c.size_check
    """
  fileprivate static let anyContent = SQL("SELECT 1 FROM content LIMIT 1")
  fileprivate static let contentsAfter = SQL(
    "SELECT \(columns) FROM content c WHERE c.id > ?1 ORDER BY c.id LIMIT ?2")
  fileprivate static let content = SQL("SELECT \(columns) FROM content c WHERE c.id = ?1")
  fileprivate static let contentsToGo = SQL(
    "SELECT id, goes_at FROM content WHERE goes_at <= ?1 ORDER BY goes_at LIMIT ?2")
  fileprivate static let noteContentReturns = SQL(
    "UPDATE content SET record = ?2, arrives_by = NULL, goes_at = NULL WHERE id = ?1")
  fileprivate static let noteContentLeft = SQL(
    "UPDATE content SET arrives_by = NULL, goes_at = ?2 WHERE id = ?1")
  fileprivate static let noteContentGoes = SQL(
    """
    UPDATE content SET arrives_by = NULL, goes_at = ?2
    WHERE id = ?1 AND (goes_at IS NULL OR goes_at > ?2)
    """)
  /// Writes the size of a value whose noted size has changed on the disk.
  fileprivate static let noteContentSize = SQL(
    """
    UPDATE content AS c SET
      size = \(StoredRecord.bytesOfBlocks), size_check = ~\(StoredRecord.bytesOfBlocks)
    WHERE id = ?1 AND size IS NOT ~size_check
    """)
  /// Skips a size that has changed on the disk: its blocks are measured.
  fileprivate static let lessenContent = SQL(
    """
    UPDATE content SET size = size - ?2, size_check = size_check + ?2
    WHERE id = ?1 AND size = ~size_check
    """)
  /// The length of a block is known without a look at its bytes.
  fileprivate static let firstBlock = SQL(
    """
    SELECT place, length(bytes) FROM content_block WHERE place >= ?1 AND place < ?2
    ORDER BY place LIMIT 1
    """)
  fileprivate static let removeBlock = SQL("DELETE FROM content_block WHERE place = ?1")
  fileprivate static let removeContent = SQL("DELETE FROM content WHERE id = ?1")
}
