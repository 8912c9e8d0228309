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
  func outbox(_ page: OutboxPage, now: ClockReading) throws(StoreError) -> [OutboxEntry] {
    try database.read(.outbox) { (connection) throws(SQLiteError) in
      guard try self.hasOutbox(connection) else { return [] }
      return try connection.withStatement(.listWrites) { (statement) throws(SQLiteError) in
        try statement.bind(page.collection, at: 1)
        try statement.bind(page.key, at: 2)
        try statement.bind(page.after, at: 3)
        var entries: [OutboxEntry] = []
        // The state rests on the checksum, which SQL cannot tell.
        while entries.count < page.limit, try statement.step() {
          let entry = StoredWrite(row: statement).entry(at: now)
          if page.state == nil || page.state == entry.state { entries.append(entry) }
        }
        return entries
      }
    }
  }

  /// The earliest moment at which an entry may be handed out; `nil` when there is none, and a moment
  /// that is past when one may be now.
  func nextDueWrite(
    _ collection: String?, now: ClockReading
  ) throws(StoreError) -> Timestamp? {
    try database.read(.outbox) { (connection) throws(SQLiteError) in
      guard try self.hasOutbox(connection) else { return nil }
      return try connection.withStatement(.nextWriteMoment) { (statement) throws(SQLiteError) in
        try statement.bind(collection, at: 1)
        try statement.bind(now.wall.millisecondsSinceEpoch, at: 2)
        try statement.bind(
          now.wall.advanced(by: Backoff.longestNamed).millisecondsSinceEpoch, at: 3)
        try statement.bind(now.boot, at: 4)
        try statement.bind(now.sinceBoot, at: 5)
        _ = try statement.step()
        return statement.optionalInt(0).map(Timestamp.init(millisecondsSinceEpoch:))
      }
    }
  }

  /// The earliest moment at which a row of the refetch queue may be handed out.
  func nextDue(_ collection: String?) throws(StoreError) -> Timestamp? {
    try database.read(.due) { (connection) throws(SQLiteError) in
      try connection.withStatement(.nextMoment) { (statement) throws(SQLiteError) in
        try statement.bind(collection, at: 1)
        guard try statement.step() else { return nil }
        return statement.optionalInt(0).map(Timestamp.init(millisecondsSinceEpoch:))
      }
    }
  }

  /// How many entries wait, and how many are parked.
  func outboxCounts(
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> (waiting: Int, parked: Int) {
    guard try hasOutbox(connection) else { return (0, 0) }
    return try connection.withStatement(.countWrites) { (statement) throws(SQLiteError) in
      _ = try statement.step()
      return (Int(statement.int(0)), Int(statement.int(1)))
    }
  }

  /// False in a file of an older schema that is only read, and so stays as it is.
  private func hasOutbox(_ connection: borrowing Connection) throws(SQLiteError) -> Bool {
    try connection.withStatement(.countOutboxes) { (statement) throws(SQLiteError) in
      _ = try statement.step()
      return statement.int(0) > 0
    }
  }
}

extension SQL {
  fileprivate static let listWrites = SQL(
    """
    SELECT \(StoredWrite.columns) FROM outbox o
    WHERE (?1 IS NULL OR o.collection = ?1) AND (?2 IS NULL OR o.key = ?2) AND o.id > ?3
    ORDER BY o.id
    """)
  /// A claim ends on the boot clock, a pause on the wall clock.
  fileprivate static let nextWriteMoment = SQL(
    """
    SELECT min(max(
        iif(o.next_attempt IS NULL OR o.next_attempt > ?3, ?2, max(?2, o.next_attempt)),
        iif(o.owner IS NULL OR o.boot <> ?4, ?2, ?2 + max(0, o.deadline - ?5))))
    FROM outbox o
    WHERE (?1 IS NULL OR o.collection = ?1) AND o.parked = 0
      AND NOT EXISTS (SELECT 1 FROM outbox p
        WHERE p.collection = o.collection AND p.key = o.key AND p.id < o.id)
    """)
  fileprivate static let nextMoment = SQL(
    """
    SELECT r.queue_at FROM record r
    WHERE r.queue_at IS NOT NULL AND (?1 IS NULL OR r.collection = ?1) AND r.pending = 0
    ORDER BY r.queue_at LIMIT 1
    """)
  fileprivate static let countWrites = SQL(
    "SELECT coalesce(sum(parked = 0), 0), coalesce(sum(parked), 0) FROM outbox")
  fileprivate static let countOutboxes = SQL(
    "SELECT count(*) FROM sqlite_schema WHERE name = 'outbox'")
}
