internal import Strategies

/// The values in blocks that no record has any more, or never had.
extension Storage {
  /// What becomes of a value.
  enum ContentFate: Equatable {
    case stays
    /// A record has it again.
    case returns
    /// Nobody has it from now on; whoever reads it goes on for a while.
    case leaves
    /// It was left for long enough.
    case goes
  }

  /// A value that is not as it was found last.
  struct ChangedContent: Sendable {
    let id: Int64
    let fate: ContentFate
  }

  /// How long whoever reads a value that is left has for it. Nobody waits for a slower one, whose answer ends
  /// early.
  private static let readersTime = Duration.seconds(600)
  /// How long a value may take to arrive.
  private static let arrivalTime = Duration.seconds(3600)

  /// The blocks that a write removes which has left some.
  static let blocksOfReplaced = 8

  /// The values looked at in one snapshot.
  private static let contentsAtOnce = 500

  /// True where there are values in blocks at all. Cost: one look-up.
  func hasContents() throws(StoreError) -> Bool {
    try database.read(.sweep) { (connection) throws(SQLiteError) in
      try connection.hasRow(.anyContent)
    }
  }

  /// The values after `id` that are not as they were found last, and where the next look goes on; `nil` at the end.
  /// Cost: a look-up of its record for each.
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
          let fate = Self.fate(statement, at: moment)
          if fate != .stays { changed.append(ChangedContent(id: last, fate: fate)) }
        }
        // In a damaged file rows may come in any order, and never end.
        return (changed, seen < Self.contentsAtOnce || last <= id ? nil : last)
      }
    }
  }

  /// Notes what has become of values, and removes the blocks of those that go, as many as the time allows and at least
  /// one, in one write transaction. The work done counts the values that need no further turn; the bytes are those
  /// that were removed.
  func collect(
    _ contents: ArraySlice<ChangedContent>, within budget: Duration, now: ClockReading
  ) throws(StoreError) -> Database.Turn {
    let moment = moment(from: now)
    return try database.turn(.sweep) { (connection, start) throws(SQLiteError) in
      var work = Database.Work()
      for content in contents {
        // It may have been stored, or wiped, since it was found.
        let fate = try connection.first(.content, content.id) { statement in
          Self.fate(statement, at: moment)
        }
        switch fate {
        case nil, .stays?: break
        case .returns?: try connection.run(.noteContentLeft, content.id, Int64?.none)
        case .leaves?:
          try connection.run(.noteContentLeft, content.id, moment.millisecondsSinceEpoch)
        case .goes?:
          // What is removed in part belongs to nobody.
          try connection.run(.noteContentGoes, content.id)
          let isGone = try Self.removeBlocks(
            of: ContentReference(id: content.id), until: start + budget, &work, connection)
          guard isGone else { return work }
        }
        work.done += 1
        if ContinuousClock.now - start >= budget { break }
      }
      return work
    }
  }

  /// Removes blocks of values whose time is over, `most` at the most, as a part of a write that adds blocks or leaves
  /// some: so a file in which values replace one another grows no further than those need that are still being read.
  func removeSomeBlocks(
    _ most: Int, now: ClockReading, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    let moment = moment(from: now)
    let end = moment.advanced(by: .zero - Self.readersTime).millisecondsSinceEpoch
    var left = most
    while left > 0 {
      let id = try connection.first(.contentToGo, end) { statement in statement.int(0) }
      guard let id else { return }
      let fate = try connection.first(.content, id) { statement in
        Self.fate(statement, at: moment)
      }
      // Only a sweep does what else there is to do.
      guard fate == .goes else { return }
      let reference = ContentReference(id: id)
      while left > 0 {
        try connection.run(.removeBlock, reference.firstPlace, reference.endPlace)
        guard connection.changes > 0 else {
          try connection.run(.removeContent, id)
          break
        }
        left -= 1
      }
    }
  }

  /// Removes the blocks of a value, and then its row; false when the time was over before.
  private static func removeBlocks(
    of reference: ContentReference, until end: ContinuousClock.Instant, _ work: inout Database.Work,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    while true {
      try connection.run(.removeBlock, reference.firstPlace, reference.endPlace)
      guard connection.changes > 0 else { break }
      work.bytes += ContentReference.blockSize
      if ContinuousClock.now >= end { return false }
    }
    try connection.run(.removeContent, reference.id)
    work.changed += 1
    return true
  }

  /// Reads the columns of a statement on values. The clock may have been set back since a time was noted.
  private static func fate(_ row: borrowing Statement, at now: Timestamp) -> ContentFate {
    let left = row.optionalInt(3).map(Timestamp.init(millisecondsSinceEpoch:))
    if row.bool(4) { return left == nil ? .stays : .returns }
    if let left {
      guard left <= now else { return .leaves }
      return now.duration(since: left) >= readersTime ? .goes : .stays
    }
    // Nobody reads it but in a snapshot.
    if row.int(2) == 0 { return .goes }
    guard row.isNull(1) else { return .leaves }
    let begun = Timestamp(millisecondsSinceEpoch: row.int(2))
    let age = begun <= now ? now.duration(since: begun) : begun.duration(since: now)
    return age >= arrivalTime ? .leaves : .stays
  }
}

extension SQL {
  /// The last column tells whether a record has the value, or the state of its source beneath a local write.
  private static let columns = """
    c.id, c.record, c.begun_at, c.left_at, EXISTS (
      SELECT 1 FROM record r WHERE r.id = c.record AND (r.content = c.id OR EXISTS (
        SELECT 1 FROM base b
        WHERE b.collection = r.collection AND b.key = r.key AND b.content = c.id)))
    """
  fileprivate static let anyContent = SQL("SELECT 1 FROM content LIMIT 1")
  fileprivate static let contentsAfter = SQL(
    "SELECT \(columns) FROM content c WHERE c.id > ?1 ORDER BY c.id LIMIT ?2")
  fileprivate static let content = SQL("SELECT \(columns) FROM content c WHERE c.id = ?1")
  fileprivate static let contentToGo = SQL(
    "SELECT id FROM content WHERE left_at <= ?1 ORDER BY left_at LIMIT 1")
  fileprivate static let noteContentLeft = SQL("UPDATE content SET left_at = ?2 WHERE id = ?1")
  fileprivate static let noteContentGoes = SQL(
    "UPDATE content SET left_at = 0 WHERE id = ?1 AND left_at IS NULL")
  fileprivate static let removeBlock = SQL(
    """
    DELETE FROM content_block WHERE place = (
      SELECT min(place) FROM content_block WHERE place >= ?1 AND place < ?2)
    """)
  fileprivate static let removeContent = SQL("DELETE FROM content WHERE id = ?1")
}
