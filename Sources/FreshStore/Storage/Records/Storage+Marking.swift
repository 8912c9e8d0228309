internal import Strategies

extension Storage {
  /// The scope of an explicit mark.
  package enum Scope {
    case key(String, String)
    case collection(String)
    case tag(String)
    case prefix(String, String)
    case all

    /// The kinds of invalidation, as the file has them.
    static let collectionNumber: Int64 = 0
    static let tagNumber: Int64 = 1
    static let prefixNumber: Int64 = 2
    /// Covers the answers to requests that were open when a key was marked; the row itself, if
    /// there was one, has its own mark.
    static let keyNumber: Int64 = 3
    /// The same. In addition no answer to an earlier request is stored for the key. Its source has answered a later
    /// one, and nothing of that is kept.
    static let answerNumber: Int64 = 4
    /// Covers every record.
    static let allNumber: Int64 = 5

    /// The first columns of its row.
    var columns: (number: Int64, collection: String, name: String) {
      switch self {
      case .key(let collection, let key): (Self.keyNumber, collection, key)
      case .collection(let collection): (Self.collectionNumber, collection, "")
      case .tag(let tag): (Self.tagNumber, "", tag)
      case .prefix(let collection, let prefix): (Self.prefixNumber, collection, prefix)
      case .all: (Self.allNumber, "", "")
      }
    }

    /// The records that all of them name; `nil` when only the file knows.
    static func touched(by scopes: [Scope]) -> AffectedKeys? {
      var touched = AffectedKeys()
      for scope in scopes {
        guard case .key(let collection, let key) = scope else { return nil }
        touched.add(key, of: collection)
      }
      return touched
    }
  }

  /// A verdict to be stored: the row that it judged, and that row's due time.
  struct SoftMark: Sendable {
    let collection: String
    let key: String
    let row: Int64
    /// Distinguishes the judged row from its replacement: SQLite reuses the numbers of deleted
    /// rows.
    let checksum: Int64
    let at: Timestamp
    let reason: String
  }

  /// The number of requests for a record that waits for a refetch.
  struct Want: Sendable {
    let row: Int64
    let checksum: Int64
    let count: Int
  }

  /// The advance of a record in the queue for each request, and its maximum. The maximum gives a turn to records
  /// that are never read.
  private static let leapOfWant: Int64 = 60_000
  private static let longestLeap: Int64 = 86_400_000

  /// Marks all records in the scope stale. The mark is durable when this returns, and visible to every process at
  /// its next read. It costs the same for any number of rows. A running fetch of a covered key stores its result as
  /// stale.
  ///
  /// Returns false for a single key that is neither stored nor being fetched.
  package func mark(_ scope: Scope, reason: String, now: ClockReading) throws(StoreError) -> Bool {
    try mark([scope], reason: reason, now: now) == [true]
  }

  /// The same for several, in one transaction.
  func mark(
    _ scopes: [Scope], reason: String, now: ClockReading
  ) throws(StoreError) -> [Bool] {
    try database.write(.markStale, .full, touching: Scope.touched(by: scopes)) {
      (connection) throws(SQLiteError) in
      let mark = StoredRecord.Mark(
        at: self.present(now).wall, reason: reason, epoch: try self.nextNumber(connection))
      return try self.mark(scopes, mark, connection)
    }
  }

  /// The same inside a transaction.
  func mark(
    _ scopes: [Scope], _ mark: StoredRecord.Mark, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [Bool] {
    var found: [Bool] = []
    for scope in scopes { found.append(try self.mark(scope, mark, connection)) }
    return found
  }

  /// The same for one.
  func mark(
    _ scope: Scope, _ mark: StoredRecord.Mark, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    let (number, collection, name) = scope.columns
    switch scope {
    case .key:
      guard try self.mark(collection, name, mark, connection) else { return false }
      try log(.marked, collection, name, connection)
    case .collection, .prefix:
      try invalidate(number, collection, name, mark, connection)
      try log(.marked, collection, nil, connection)
    case .tag, .all:
      try invalidate(number, collection, name, mark, connection)
      try log(.marked, nil, nil, connection)
    }
    return true
  }

  /// Marks one record, and the answers to all open requests for its key; false when it is neither
  /// stored nor being fetched.
  func mark(
    _ collection: String, _ key: String, _ mark: StoredRecord.Mark,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    try cover(collection, key, by: mark, connection)
    let isStored = try markRow(collection, key, mark, connection)
    if isStored { return true }
    return try isLeased(collection, key, connection)
  }

  /// Makes a mark cover the answers to open requests for a key.
  func cover(
    _ collection: String, _ key: String, by mark: StoredRecord.Mark,
    _ connection: borrowing Connection
  ) throws(SQLiteError) {
    guard try hasLeases(connection) else { return }
    try invalidate(Scope.keyNumber, collection, key, mark, connection)
  }

  func markRow(
    _ collection: String, _ key: String, _ mark: StoredRecord.Mark,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    guard let record = try record(collection, key, joins: false, connection),
      record.kind != .unfetched
    else {
      return false
    }
    // The optimistic value is served in any case; the mark is for the row that will replace it.
    guard !record.isPending else {
      try markBase(collection, key, mark, connection)
      return true
    }
    // A damaged row must stay detectable: its checksum is not renewed.
    guard record.isIntact else { return true }
    try markStanding(record, mark, connection)
    return true
  }

  /// Marks an existing row that is not a local write.
  func markStanding(
    _ record: StoredRecord, _ mark: StoredRecord.Mark, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    var record = record
    record.mark = mark.replacing(record.mark)
    // A record read before the clock was set back is due anyway.
    let now = database.clockWatch.map { moment(from: $0.now) } ?? mark.at
    try writeMark(of: record, queueAt: min(mark.at, now), connection)
  }

  /// Makes a removal cover the answers to open requests: a list or an import that began before it
  /// may bring the removed records again. `nil` is every key of the collection.
  func coverQuestions(
    about key: String?, in collection: String, now: ClockReading,
    _ connection: borrowing Connection
  ) throws(SQLiteError) {
    guard try hasLeases(connection) else { return }
    let mark = StoredRecord.Mark(
      at: moment(from: now), reason: "removed meanwhile", epoch: try nextNumber(connection))
    try invalidate(
      key == nil ? Scope.collectionNumber : Scope.keyNumber, collection, key ?? "", mark, connection
    )
  }

  /// Notes an answer of which nothing is kept, as long as requests are open that may bring the key. So the answer
  /// to an earlier request does not replace it. Without a number it is newer than all of them.
  func noteAnswer(
    about key: String, in collection: String, asked number: Int64? = nil, now: ClockReading,
    _ connection: borrowing Connection
  ) throws(SQLiteError) {
    guard try hasQuestions(connection) else { return }
    let epoch = if let number { number } else { try nextNumber(connection) }
    let mark = StoredRecord.Mark(
      at: moment(from: now), reason: "the source has answered meanwhile", epoch: epoch)
    try invalidate(Scope.answerNumber, collection, key, mark, connection)
  }

  /// True when the source has answered a later request about a key, and nothing of that is kept.
  func isAnswered(
    _ collection: String, _ key: String, after number: Int64, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    try connection.hasRow(
      .laterAnswer, Scope.answerNumber, collection, Array(key.utf8), number)
  }

  private func invalidate(
    _ scope: Int64, _ collection: String, _ name: String, _ mark: StoredRecord.Mark,
    _ connection: borrowing Connection
  ) throws(SQLiteError) {
    var mark = mark
    if Self.isOfFleet(mark.epoch) {
      let standing = try connection.first(.readInvalidation, scope, collection, Array(name.utf8)) {
        statement in StoredRecord.Mark(at: mark.at, reason: "", epoch: statement.int(0))
      }
      mark = mark.replacing(standing)
    }
    try connection.run(
      .invalidate, scope, collection, Array(name.utf8), mark.epoch,
      mark.at.millisecondsSinceEpoch, mark.reason)
  }

  /// Stores verdicts as marks, so that the refetch queue sees them; true when it grew. A row written since its
  /// verdict stays as it is, and a requested one moves among the due ones.
  @discardableResult
  func mark(
    _ marks: [SoftMark], wanted wants: [Want] = [], now: ClockReading
  ) throws(StoreError) -> Bool {
    var touched = AffectedKeys()
    for soft in marks { touched.add(soft.key, of: soft.collection) }
    return try database.write(.markStale, touching: touched) { (connection) throws(SQLiteError) in
      // A reading from before a clock step must not move a paused row ahead of the end of its pause.
      let now = self.present(now)
      var marked: Set<ExactName> = []
      for soft in marks {
        guard var record = try self.stamps(of: soft.row, connection),
          record.rowChecksum == soft.checksum, record.mark == nil, !record.isPending,
          record.isIntact
        else { continue }
        record.mark = .init(at: soft.at, reason: soft.reason, epoch: 0)
        // A record that a strategy considers stale before its expiry is due anyway.
        let place = now.place(since: min(record.deadline ?? soft.at, soft.at))
        try self.writeMark(of: record, queueAt: place, connection)
        marked.insert(soft.collection)
      }
      for collection in marked {
        try self.log(.marked, collection.text, nil, toOthers: true, connection)
      }
      for want in wants { try self.moveForward(want, now: now, connection) }
      return !marked.isEmpty
    }
  }

  private func moveForward(
    _ want: Want, now: ClockReading, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    try connection.run(
      .moveForward, want.row, want.checksum, now.wall.millisecondsSinceEpoch,
      Int64(want.count) * Self.leapOfWant, Self.longestLeap, Int64.min / 2)
  }

  /// A row without its value.
  func stamps(
    of row: Int64, _ connection: borrowing Connection
  ) throws(SQLiteError) -> StoredRecord? {
    try connection.first(.readStamps, row) { statement in
      StoredRecord(row: statement, extent: .stamps)
    }
  }

  /// Writes a row's mark, its place in the refetch queue, if it may have one, and the checksum that covers the mark.
  func writeMark(
    of record: StoredRecord, queueAt: Timestamp?, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    try connection.run(
      .writeMark, record.row, record.mark?.at.millisecondsSinceEpoch, record.mark?.reason,
      record.mark?.epoch, record.rowChecksum, record.queuePlace(queueAt)?.millisecondsSinceEpoch,
      record.sweepPlace?.millisecondsSinceEpoch)
  }
}

extension SQL {
  /// A row that is not due was handed out, or pauses after a failure: it keeps its place. So does
  /// one from the distant past, whose new place could overflow.
  fileprivate static let moveForward = SQL(
    """
    UPDATE record SET queue_at = max(queue_at - ?4, stale_at - ?5)
    WHERE id = ?1 AND checksum = ?2 AND \(RecordFlags.isNotPending) AND min(queue_at, stale_at) > ?6
      AND queue_at <= ?3 AND queue_at > stale_at - ?5
    """)
  fileprivate static let invalidate = SQL(
    "INSERT OR REPLACE INTO invalidation VALUES (?1, ?2, ?3, ?4, ?5, ?6)")
  fileprivate static let readInvalidation = SQL(
    "SELECT epoch FROM invalidation WHERE scope = ?1 AND collection = ?2 AND name = ?3")
  fileprivate static let laterAnswer = SQL(
    """
    SELECT 1 FROM invalidation WHERE scope = ?1 AND collection = ?2 AND name = ?3 AND epoch > ?4
    """)
  fileprivate static let readStamps = SQL(
    "SELECT \(StoredRecord.columns) FROM \(StoredRecord.table) WHERE r.id = ?1")
  /// A due row keeps its place; one whose last fetch failed waits in the queue for the end of its
  /// pause.
  fileprivate static let writeMark = SQL(
    """
    UPDATE record SET stale_at = ?2, stale_reason = ?3, stale_epoch = ?4, checksum = ?5,
      sweep_at = ?7, queue_at = iif(queue_at <= ?6, queue_at, max(?6, \(StoredRecord.endOfPause)))
    WHERE id = ?1
    """)
}
