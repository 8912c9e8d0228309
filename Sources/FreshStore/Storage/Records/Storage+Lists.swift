internal import Strategies

extension Storage {
  /// The stored state of a list.
  struct ListState: Sendable {
    let row: Int64
    let cursor: String?
    let lastUpdate: Timestamp?
    let dueAt: Timestamp?
    let failures: Int64
    let count: Int
  }

  /// A source's answer about a list, ready to be stored.
  struct ListChange: Sendable {
    let lease: Lease
    let list: String
    let expiry: Expiry
    let origin: OriginGuard?
    /// The time of the source's answer: the list and its members are as old as that.
    let known: ClockReading
    /// True when the whole list was requested, and not only its changes.
    var isOfWhole = true
    /// `nil` leaves the cursor as it is.
    var cursor: String??
    var isFull = false
    /// Every key that is on the list, or was added to it.
    var members: [String] = []
    var writes: [Write] = []
    var named: [String] = []
    var changed: [String] = []
    var removals: [String] = []

    init(
      lease: Lease, list: String, expiry: Expiry, origin: OriginGuard?, known: ClockReading
    ) {
      self.lease = lease
      self.list = list
      self.expiry = expiry
      self.origin = origin
      self.known = known
    }
  }

  /// The outcome, by key.
  struct ListResult: Sendable {
    var stored: [String] = []
    var queued: [String] = []
    var pending: [String] = []
    var removed: [String] = []
    var kept: [String] = []
  }

  /// Above this number of changes of one kind, observers get one change without a key.
  static let mostListChanges = 256

  // MARK: Reading

  func listState(_ list: String, in collection: String) throws(StoreError) -> ListState? {
    try database.read(.follow) { (connection) throws(SQLiteError) in
      try self.listState(list, in: collection, connection)
    }
  }

  func members(of list: String, in collection: String) throws(StoreError) -> [String] {
    try database.read(.read) { (connection) throws(SQLiteError) in
      guard let state = try self.listState(list, in: collection, connection) else { return [] }
      return try self.members(of: state.row, connection)
    }
  }

  /// Takes the right to follow a list, and returns its stored state.
  func claimList(
    _ list: String, in collection: String, owner: String, for duration: Duration,
    now: ClockReading
  ) throws(StoreError) -> (claim: Claim, state: ListState?) {
    try database.write(.follow) { (connection) throws(SQLiteError) in
      let claim = try self.lease(
        Self.noCollection, "\(collection.utf8.count):\(collection)\(list)", owner: owner,
        for: duration, now: now,
        connection)
      return (claim, try self.listState(list, in: collection, connection))
    }
  }

  private func listState(
    _ list: String, in collection: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> ListState? {
    try connection.withStatement(.readList) { (statement) throws(SQLiteError) in
      try statement.bind(collection, at: 1)
      try statement.bind(list, at: 2)
      guard try statement.step() else { return nil }
      let cursor = statement.optionalText(1)
      let isIntact = statement.int(5) == Self.listChecksum(collection, list, cursor)
      return ListState(
        row: statement.int(0),
        // A damaged cursor would return the wrong changes; without one the whole list is requested.
        cursor: isIntact ? cursor : nil,
        lastUpdate: isIntact
          ? statement.optionalInt(2).map(Timestamp.init(millisecondsSinceEpoch:)) : nil,
        dueAt: statement.optionalInt(3).map(Timestamp.init(millisecondsSinceEpoch:)),
        failures: statement.int(4), count: Int(statement.int(6)))
    }
  }

  private func members(
    of row: Int64, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [String] {
    try connection.withStatement(.readMembers) { (statement) throws(SQLiteError) in
      try statement.bind(row, at: 1)
      var keys: [String] = []
      while try statement.step() { keys.append(statement.text(0)) }
      return keys
    }
  }

  private static func listChecksum(_ collection: String, _ list: String, _ cursor: String?) -> Int64
  {
    var checksum = Checksum()
    checksum.combine(collection)
    checksum.combine(list)
    checksum.combine(cursor)
    return Int64(bitPattern: checksum.value)
  }

  // MARK: Following

  /// Stores a source's answer about a list, in one transaction; `nil` when the lease is no longer valid.
  func follow(_ change: ListChange, now: ClockReading) throws(StoreError) -> ListResult? {
    let name = change.list
    return try database.write(.follow) { (connection) throws(SQLiteError) in
      if let origin = change.origin { try self.note(.answered, at: origin, now: now, connection) }
      guard try self.end(change.lease, connection) else { return nil }
      let collection = change.collection
      let old = try self.listState(name, in: collection, connection)
      // A member was removed here during the request: the answer must not hide that again.
      let beginsAnew = !change.isOfWhole && old?.lastUpdate == nil && !change.isFull
      let cursor = beginsAnew ? nil : change.cursor ?? old?.cursor
      let present = self.present(now)
      // Corrected for steps of the clock since then.
      let askedAt = change.known.wall(at: present)
      let row = try self.writeList(
        name, in: collection, cursor: cursor, lastUpdate: beginsAnew ? nil : askedAt,
        dueAt: change.expiry.end(after: askedAt), failures: 0, failure: nil, connection)
      let mark = StoredRecord.Mark(
        at: present.wall, reason: "changed, by the list \(name)",
        epoch: try self.nextNumber(connection))
      let update = ListUpdate(
        storage: self, change: change, row: row, mark: mark, askedAt: askedAt, now: present)
      return try update.apply(connection)
    }
  }

  /// Notes that following a list failed, and the time of the next attempt.
  func noteListFailure(
    _ failure: Failure, _ list: String, _ lease: Lease, origin: OriginGuard?, now: ClockReading
  ) throws(StoreError) {
    let collection = lease.collectionOfList
    try database.write(.follow) { (connection) throws(SQLiteError) in
      if let origin { try self.note(failure.verdict, at: origin, now: now, connection) }
      guard try self.end(lease, connection) else { return }
      let old = try self.listState(list, in: collection, connection)
      let failures = (old?.failures ?? 0).oneMore
      _ = try self.writeList(
        list, in: collection, cursor: old?.cursor, lastUpdate: old?.lastUpdate,
        dueAt: self.moment(after: failure.pause(Int(failures)).duration, from: now),
        failures: failures,
        failure: failure.message, connection)
    }
  }

  private func writeList(
    _ list: String, in collection: String, cursor: String?, lastUpdate: Timestamp?,
    dueAt: Timestamp?, failures: Int64, failure: String?, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int64 {
    try connection.withStatement(.writeList) { (statement) throws(SQLiteError) in
      try statement.bind(collection, at: 1)
      try statement.bind(list, at: 2)
      try statement.bind(cursor, at: 3)
      try statement.bind(lastUpdate?.millisecondsSinceEpoch, at: 4)
      try statement.bind(dueAt?.millisecondsSinceEpoch, at: 5)
      try statement.bind(failures, at: 6)
      try statement.bind(failure, at: 7)
      try statement.bind(Self.listChecksum(collection, list, cursor), at: 8)
      _ = try statement.step()
      return statement.int(0)
    }
  }

  // MARK: Members

  /// One change of a list, inside its transaction.
  private struct ListUpdate {
    let storage: Storage
    let change: ListChange
    let row: Int64
    /// The source's news of members without their values may be as recent as this transaction: the
    /// mark covers every open request.
    let mark: StoredRecord.Mark
    let askedAt: Timestamp
    let now: ClockReading

    func apply(_ connection: borrowing Connection) throws(SQLiteError) -> ListResult {
      var result = ListResult()
      let present = Set(names: change.members)
      // A member that was removed and added again since the cursor exists.
      let leaving = try (change.isFull ? storage.members(of: row, connection) : change.removals)
        .filter { !present.contains($0) }
      for key in change.members { try run(.addMember, key, connection) }
      for write in change.writes { try store(write, &result, connection) }
      for key in change.named { try queue(key, isChanged: false, &result, connection) }
      for key in change.changed { try queue(key, isChanged: true, &result, connection) }
      for key in leaving { try drop(key, &result, connection) }
      try log(.stored, result.stored, connection)
      try log(.marked, result.queued, connection)
      try log(.removed, result.removed, connection)
      return result
    }

    private func store(
      _ write: Write, _ result: inout ListResult, _ connection: borrowing Connection
    ) throws(SQLiteError) {
      let key = write.content.key
      var write = write
      write.content.lastUpdate = write.content.lastUpdate ?? askedAt
      switch try storage.land(write, asked: change.lease.fence, now: now, connection) {
      case .stored: result.stored.append(key)
      case .pending:
        try storage.markBase(change.collection, key, mark, connection)
        result.pending.append(key)
      case .overtaken(let standing):
        // It is unknown whether the source changed before or after the stored row, and the cursor
        // moves past the change.
        guard standing.contentChecksum != StoredRecord.checksum(of: write.content.value) else {
          return
        }
        _ = try storage.mark(change.collection, key, mark, connection)
        result.queued.append(key)
      }
    }

    /// Queues a record that is missing or has changed.
    private func queue(
      _ key: String, isChanged: Bool, _ result: inout ListResult,
      _ connection: borrowing Connection
    ) throws(SQLiteError) {
      let current = try storage.record(change.collection, key, connection)
      guard let current, current.kind != .unfetched else {
        // A running fetch may have been answered before the change.
        if isChanged { _ = try storage.mark(change.collection, key, mark, connection) }
        if try storage.queue(key, of: change.collection, over: current, now: now, connection) {
          result.queued.append(key)
        }
        return
      }
      // A record that was absent at the source has changed, too; below a local write the base holds
      // the source's state.
      let known =
        current.isPending ? try Storage.base(change.collection, key, connection) : current
      let mayDiffer = isChanged || known?.kind == .absent
      guard try mayDiffer ? true : isBeingSent(key, connection) else { return }
      _ = try storage.mark(change.collection, key, mark, connection)
      if !current.isPending, current.isIntact, current.mark == nil { result.queued.append(key) }
    }

    /// True when a local write was sent whose answer may be older than the list's.
    private func isBeingSent(
      _ key: String, _ connection: borrowing Connection
    ) throws(SQLiteError) -> Bool {
      try Storage.writes(change.collection, key, connection).contains { $0.asked != nil }
    }

    /// Removes a key from the list, and its record unless something keeps it.
    private func drop(
      _ key: String, _ result: inout ListResult, _ connection: borrowing Connection
    ) throws(SQLiteError) {
      try run(.dropMember, key, connection)
      let wasMember = connection.changes > 0
      // Earlier requests store nothing, and open requests may have been answered before.
      try storage.dropLease(
        change.collection, key, askedBefore: change.lease.fence, connection)
      try storage.cover(change.collection, key, by: mark, connection)
      guard let record = try storage.record(change.collection, key, connection) else { return }
      // The answer to a repeated write may report the earlier state.
      if record.isPending { try storage.markBase(change.collection, key, mark, connection) }
      guard wasMember else { return }
      if record.epoch > change.lease.fence, record.isIntact, record.kind != .unfetched {
        // The answer to a newer request stays, until the source is asked about it.
        _ = try storage.mark(change.collection, key, mark, connection)
        result.kept.append(key)
        return
      }
      let isOnAnother = try connection.withStatement(.isMember) { (statement) throws(SQLiteError) in
        try statement.bind(change.collection, at: 1)
        try statement.bind(key, at: 2)
        return try statement.step()
      }
      guard !record.isPinned, !record.isPending, !isOnAnother else {
        result.kept.append(key)
        return
      }
      try storage.deleteRow(record.row, connection)
      result.removed.append(key)
    }

    private func run(
      _ sql: SQL, _ key: String, _ connection: borrowing Connection
    ) throws(SQLiteError) {
      try connection.withStatement(sql) { (statement) throws(SQLiteError) in
        try statement.bind(row, at: 1)
        try statement.bind(key, at: 2)
        try statement.run()
      }
    }

    private func log(
      _ kind: Change.Kind, _ keys: [String], _ connection: borrowing Connection
    ) throws(SQLiteError) {
      guard keys.count <= Storage.mostListChanges else {
        return try storage.log(kind, change.collection, nil, connection)
      }
      for key in keys { try storage.log(kind, change.collection, key, connection) }
    }
  }
}

extension Storage {
  /// Queues a member without a stored value; false when it is queued already.
  private func queue(
    _ key: String, of collection: String, over current: StoredRecord?, now: ClockReading,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    let record: StoredRecord
    if let current {
      record = current
    } else {
      let content = RecordContent(collection: collection, key: key, expiry: .unstated)
      record = try store(
        Write(content: content, kind: .unfetched), epoch: try currentNumber(connection), mark: nil,
        now: now, connection)
    }
    try connection.withStatement(.queueMember) { (statement) throws(SQLiteError) in
      try statement.bind(record.row, at: 1)
      try statement.bind(self.moment(from: now).millisecondsSinceEpoch, at: 2)
      try statement.run()
    }
    return connection.changes > 0
  }

  /// Queues a key without a stored value, if it is on a list; false when it is on none.
  @discardableResult
  func queueMember(
    _ key: String, of collection: String, now: ClockReading, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    guard try !lists(with: key, in: collection, connection).isEmpty else { return false }
    let current = try record(collection, key, connection)
    _ = try queue(key, of: collection, over: current, now: now, connection)
    return true
  }

  /// Makes the next update of each list with a removed record a full one: a cursor returns only
  /// later changes, and would never return the record.
  func beginListsAnew(
    with key: String, in collection: String, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    for (row, name) in try lists(with: key, in: collection, connection) {
      try connection.withStatement(.forgetCursor) { (statement) throws(SQLiteError) in
        try statement.bind(row, at: 1)
        try statement.bind(Self.listChecksum(collection, name, nil), at: 2)
        try statement.run()
      }
    }
  }

  func lists(
    with key: String, in collection: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [(row: Int64, name: String)] {
    try connection.withStatement(.listsWith) { (statement) throws(SQLiteError) in
      try statement.bind(collection, at: 1)
      try statement.bind(key, at: 2)
      var lists: [(Int64, String)] = []
      while try statement.step() { lists.append((statement.int(0), statement.text(1))) }
      return lists
    }
  }
}

extension Storage.ListChange {
  fileprivate var collection: String { lease.collectionOfList }
}

extension Lease {
  /// The collection of the list that this lease gives the right to follow.
  fileprivate var collectionOfList: String {
    // By bytes: a combining mark after the colon would join it to one character.
    let digits = key.utf8.prefix { $0 != UInt8(ascii: ":") }
    guard let count = Int(String(decoding: digits, as: UTF8.self)) else { return "" }
    return String(decoding: key.utf8.dropFirst(digits.count + 1).prefix(count), as: UTF8.self)
  }
}

extension Expiry {
  /// The expiry of data updated at `moment`; `nil` when it never expires.
  fileprivate func end(after moment: Timestamp) -> Timestamp? {
    switch self {
    case .after(let duration): moment.advanced(by: duration)
    case .immediately: moment
    case .never, .unstated: nil
    }
  }
}

extension SQL {
  fileprivate static let readList = SQL(
    """
    SELECT l.id, l.cursor, l.last_update, l.due_at, l.failures, l.checksum,
      (SELECT count(*) FROM list_member m WHERE m.list = l.id)
    FROM list l WHERE l.collection = ?1 AND l.name = ?2
    """)
  fileprivate static let writeList = SQL(
    """
    INSERT INTO list (collection, name, cursor, last_update, due_at, failures, failure, checksum)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
    ON CONFLICT (collection, name) DO UPDATE SET
      cursor = ?3, last_update = ?4, due_at = ?5, failures = ?6, failure = ?7, checksum = ?8
    RETURNING id
    """)
  fileprivate static let readMembers = SQL(
    "SELECT key FROM list_member WHERE list = ?1 ORDER BY key")
  fileprivate static let addMember = SQL("INSERT OR IGNORE INTO list_member VALUES (?1, ?2)")
  fileprivate static let dropMember = SQL("DELETE FROM list_member WHERE list = ?1 AND key = ?2")
  fileprivate static let isMember = SQL(
    """
    SELECT 1 FROM list_member m JOIN list l ON l.id = m.list
    WHERE l.collection = ?1 AND m.key = ?2 LIMIT 1
    """)
  fileprivate static let listsWith = SQL(
    """
    SELECT l.id, l.name FROM list_member m JOIN list l ON l.id = m.list
    WHERE l.collection = ?1 AND m.key = ?2
    """)
  fileprivate static let forgetCursor = SQL(
    "UPDATE list SET cursor = NULL, last_update = NULL, checksum = ?2 WHERE id = ?1")
  /// A record in the queue keeps its place, and one in a pause its pause.
  fileprivate static let queueMember = SQL(
    """
    UPDATE record SET queue_at = max(?2, \(StoredRecord.endOfPause))
    WHERE id = ?1 AND queue_at IS NULL
    """)
}
