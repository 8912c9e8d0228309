internal import Strategies

extension Storage {
  /// A page of the outbox, in the order of writing.
  struct OutboxPage: Sendable {
    var collection: String?
    var key: String?
    var state: OutboxEntry.State?
    var after: Int64
    var limit: Int
  }

  /// The entries of a page.
  ///
  /// Throws `damaged` where a listing might return to the last of them again and again.
  func outbox(_ page: OutboxPage, now: ClockReading) throws(StoreError) -> [OutboxEntry] {
    let entries = try entries(of: page, now: now)
    if entries.count == page.limit, let last = entries.last, last.id <= page.after {
      throw StoreError(.damaged, .outbox, path: database.file.path)
    }
    return entries
  }

  /// A local write, or the one that has replaced it after a conflict; `nil` when both are gone.
  func writeOrHeir(_ id: Int64) throws(StoreError) -> StoredWrite? {
    try database.read(.outbox) { (connection) throws(SQLiteError) in
      if let write = try Self.write(id, connection) { return write }
      let heir = try Self.heir(of: id, connection)
      return heir == id ? nil : try Self.write(heir, connection)
    }
  }

  /// A local write, and the known state of its source.
  func writeWithBase(
    _ id: Int64
  ) throws(StoreError) -> (write: StoredWrite, base: StoredRecord?)? {
    try database.read(.outbox) { (connection) throws(SQLiteError) in
      try connection.snapshot { (connection) throws(SQLiteError) in
        guard let write = try Self.write(id, connection) else { return nil }
        return (write, try Self.base(write.collection, write.key, joins: true, connection))
      }
    }
  }

  private func entries(
    of page: OutboxPage, now: ClockReading
  ) throws(StoreError) -> [OutboxEntry] {
    try database.read(.outbox) { (connection) throws(SQLiteError) in
      return try connection.withStatement(.listWrites, page.collection, page.key, page.after) {
        (statement) throws(SQLiteError) in
        var entries: [OutboxEntry] = []
        // The state depends on the checksum, which SQL cannot compute.
        while entries.count < page.limit, try statement.step() {
          let entry = StoredWrite(row: statement).entry(at: now)
          if page.state == nil || page.state == entry.state { entries.append(entry) }
        }
        return entries
      }
    }
  }

  /// The earliest moment at which an entry may be handed out, which is past when one may be now; `nil` when there
  /// is none.
  func nextDueWrite(
    _ collection: String?, now: ClockReading
  ) throws(StoreError) -> Timestamp? {
    try database.read(.outbox) { (connection) throws(SQLiteError) in
      try self.nextDueWrite(collection, now: now, connection)
    }
  }

  private func nextDueWrite(
    _ collection: String?, now: ClockReading, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Timestamp? {
    return try connection.withStatement(.nextWriteMoment) { (statement) throws(SQLiteError) in
      try Self.bind(now, to: statement)
      try statement.bind(collection, at: 5)
      _ = try statement.step()
      return statement.optionalMoment(0)
    }
  }

  /// The work that waits to be fetched and pushed.
  func backlog(now: ClockReading) throws(StoreError) -> Backlog {
    try database.read(.statistics) { (connection) throws(SQLiteError) in
      try connection.snapshot { (connection) throws(SQLiteError) in
        Backlog(
          try connection.waitingWork(at: now),
          nextWrite: try self.nextDueWrite(nil, now: now, connection))
      }
    }
  }

  /// The writes that may be pushed now, at most `perOrigin` for each origin, and the next time at which another one
  /// may be. The highest priority comes first, then the write that has been due for longest. The writes of `unread`
  /// are due at the end of their pause.
  func waitingWrites(
    limit: Int, perOrigin: Int, largeFrom size: Int, besides unread: [Int64: Timestamp],
    now: ClockReading, origin: @escaping OriginOfRecord
  ) throws(StoreError) -> WritePage {
    try database.read(.outbox) { (connection) throws(SQLiteError) in
      return try connection.withStatement(.waitingWrites) { (statement) throws(SQLiteError) in
        try Self.bind(now, to: statement)
        var (page, waiting) = (
          WritePage(), FairPage<WaitingWrite>(limit: limit, perOrigin: perOrigin)
        )
        while try statement.step() {
          guard
            let write = Self.waiting(
              statement, largeFrom: size, besides: unread, now: now, next: &page.next,
              origin: origin)
          else { continue }
          waiting.add(write, of: FairShare(write.origin, isLarge: write.isLarge))
        }
        waiting.finish()
        (page.writes, page.truncated) = (waiting.elements, waiting.truncated)
        return page
      }
    }
  }

  /// The first of all writes, if it may be pushed now. Writes of collections that are not pushed here are skipped.
  func nextWrite(
    largeFrom size: Int, besides unread: [Int64: Timestamp], now: ClockReading,
    origin: @escaping OriginOfRecord
  ) throws(StoreError) -> WritePage {
    try database.read(.outbox) { (connection) throws(SQLiteError) in
      try connection.withStatement(.writesInOrder) { (statement) throws(SQLiteError) in
        try Self.bind(now, to: statement)
        var page = WritePage()
        while try statement.step() {
          guard origin(statement.text(1), statement.optionalText(2)) != nil else { continue }
          // The caller waits for a write that is parked, or that waits for another one.
          guard statement.bool(10) else { break }
          let write = Self.waiting(
            statement, largeFrom: size, besides: unread, now: now, next: &page.next, origin: origin)
          if let write { page.writes = [write] }
          break
        }
        return page
      }
    }
  }

  /// The writes of these keys that may be pushed now, and the next time at which one of the others may be.
  func waitingWrites(
    of keys: Set<RecordID>, largeFrom size: Int, besides unread: [Int64: Timestamp],
    now: ClockReading, origin: @escaping OriginOfRecord
  ) throws(StoreError) -> WritePage {
    try database.read(.outbox) { (connection) throws(SQLiteError) in
      var page = WritePage()
      for record in keys {
        try connection.withStatement(.waitingWrite) { (statement) throws(SQLiteError) in
          try Self.bind(now, to: statement)
          try statement.bind(record.collection, at: 5)
          try statement.bind(record.key, at: 6)
          guard try statement.step(),
            let write = Self.waiting(
              statement, largeFrom: size, besides: unread, now: now, next: &page.next,
              origin: origin)
          else { return }
          page.writes.append(write)
        }
      }
      return page
    }
  }

  /// A row of the outbox that may be pushed now. `nil` for a write of a collection that is not pushed here. `nil`
  /// also for one that is due later: then `next` is that moment, or an earlier one.
  private static func waiting(
    _ row: borrowing Statement, largeFrom size: Int, besides unread: [Int64: Timestamp],
    now: ClockReading, next: inout Timestamp?, origin: OriginOfRecord
  ) -> WaitingWrite? {
    let (id, collection, address) = (row.int(0), row.text(1), row.optionalText(2))
    guard let name = origin(collection, address) else { return nil }
    var due = row.moment(3)
    if let end = unread[id] { due = max(due, end) }
    guard due <= now.wall else {
      next = min(next ?? due, due)
      return nil
    }
    return WaitingWrite(
      id: id, collection: collection, key: row.text(7), origin: name, address: address,
      isLarge: row.int(5) >= size, hasFailed: row.bool(9), isSuspect: row.bool(8),
      priority: row.int(6), dueAt: row.moment(4))
  }

  /// The writes in the outbox that no owner is pushing.
  func unsentWrites(
    now: ClockReading, origin: @escaping OriginOfRecord
  ) throws(StoreError) -> UnsentWrites {
    try database.read(.outbox) { (connection) throws(SQLiteError) in
      return try connection.withStatement(.unsentWrites, now.boot, now.sinceBoot) {
        (statement) throws(SQLiteError) in
        var unsent = UnsentWrites()
        while try statement.step() {
          guard origin(statement.text(1), statement.optionalText(2)) != nil else { continue }
          if statement.bool(3) {
            unsent.behindParked += 1
          } else {
            unsent.first.append(statement.int(0))
          }
        }
        return unsent
      }
    }
  }

  /// Binds the moments that decide when an entry may be pushed.
  static func bind(
    _ now: ClockReading, to statement: borrowing Statement
  ) throws(SQLiteError) {
    try statement.bind(now.wall.millisecondsSinceEpoch, at: 1)
    try statement.bind(now.wall.advanced(by: Backoff.longestNamed).millisecondsSinceEpoch, at: 2)
    try statement.bind(now.boot, at: 3)
    try statement.bind(now.sinceBoot, at: 4)
  }
}

extension SQL {
  fileprivate static let listWrites = SQL(
    """
    SELECT \(StoredWrite.columns) FROM outbox o
    WHERE (?1 IS NULL OR o.collection = ?1) AND (?2 IS NULL OR o.key = ?2) AND o.id > ?3
    ORDER BY o.id
    """)
  /// The time from which an entry may be pushed: a claim ends on the boot clock, a pause on the wall
  /// clock.
  private static let writeMoment = """
    max(iif(o.next_attempt IS NULL OR o.next_attempt > ?2, ?1, max(?1, o.next_attempt)),
      iif(o.owner IS NULL OR o.boot <> ?3, ?1, ?1 + max(0, o.deadline - ?4)))
    """
  /// Only the first entry of a key is ever pushed.
  static let isFirstWriteOfKey = """
    NOT EXISTS (SELECT 1 FROM outbox p
      WHERE p.collection = o.collection AND p.key = o.key AND p.id < o.id)
    """
  /// The write named by `after`, which has to be settled first. It has a smaller number, so that no numbers in the
  /// file can make writes wait for each other in a circle.
  private static let predecessor = "SELECT 1 FROM outbox a WHERE a.id = o.after AND a.id < o.id"
  /// An entry that waits for no other one.
  static let isNext = "(\(isFirstWriteOfKey) AND NOT EXISTS (\(predecessor)))"
  /// A failed write goes to the back of its priority at the end of its pause. So it delays no others, and later
  /// writes do not delay it.
  static let writeOrder = "o.priority DESC, o.due_at, o.id"
  fileprivate static let nextWriteMoment = SQL(
    """
    SELECT min(\(writeMoment)) FROM outbox o
    WHERE (?5 IS NULL OR o.collection = ?5) AND o.parked = 0 AND \(isNext)
    """)
  private static let waitingColumns = """
    o.id, o.collection, o.address, \(writeMoment), o.due_at, \
    coalesce(length(o.patch), length(o.payload), 0), o.priority, o.key, o.suspect, o.attempts > 0
    """
  private static let waiting = """
    SELECT \(waitingColumns) FROM outbox o WHERE o.parked = 0 AND \(isNext)
    """
  fileprivate static let writesInOrder = SQL(
    """
    SELECT \(waitingColumns), o.parked = 0 AND \(isNext) FROM outbox o ORDER BY o.id
    """)
  fileprivate static let waitingWrites = SQL("\(waiting) ORDER BY \(writeOrder)")
  fileprivate static let waitingWrite = SQL(
    """
    \(waiting) AND o.id = (SELECT min(f.id) FROM outbox f WHERE f.collection = ?5 AND f.key = ?6)
    """)
  fileprivate static let unsentWrites = SQL(
    """
    SELECT o.id, o.collection, o.address, NOT \(isNext)
    FROM outbox o
    WHERE o.parked = 0 AND (o.owner IS NULL OR o.boot <> ?1 OR o.deadline <= ?2)
      AND (\(isNext) OR EXISTS (\(predecessor) AND a.parked = 1) OR EXISTS (SELECT 1 FROM outbox q
        WHERE q.collection = o.collection AND q.key = o.key AND q.id < o.id AND q.parked = 1))
    ORDER BY o.id
    """)
}
