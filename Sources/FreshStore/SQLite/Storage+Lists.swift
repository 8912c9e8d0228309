internal import Strategies

extension Storage {
  /// What is known of a list.
  struct ListState: Sendable {
    let row: Int64
    let cursor: String?
    let lastUpdate: Timestamp?
    let dueAt: Timestamp?
    let failures: Int64
    let count: Int
  }

  /// What a source said of a list, ready to be stored.
  struct ListChange: Sendable {
    let lease: Lease
    let list: String
    let expiry: Expiry
    let origin: OriginGuard?
    /// `nil` leaves the cursor as it is.
    var cursor: String??
    var isFull = false
    /// Every key that is on the list, or has come onto it.
    var members: [String] = []
    var writes: [Write] = []
    var named: [String] = []
    var changed: [String] = []
    var removals: [String] = []

    init(lease: Lease, list: String, expiry: Expiry, origin: OriginGuard?) {
      self.lease = lease
      self.list = list
      self.expiry = expiry
      self.origin = origin
    }
  }

  /// What became of it, by key.
  struct ListResult: Sendable {
    var stored: [String] = []
    var queued: [String] = []
    var pending: [String] = []
    var removed: [String] = []
    var kept: [String] = []
  }

  /// Beyond so many changes of one kind observers are told once that many may be concerned.
  static let mostListChanges = 256

  // MARK: Looking

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

  /// Takes the right to follow a list, and hands out what is known of it.
  func claimList(
    _ list: String, in collection: String, owner: String, for duration: Duration,
    now: ClockReading
  ) throws(StoreError) -> (claim: Claim, state: ListState?) {
    try database.write(.follow) { (connection) throws(SQLiteError) in
      // No collection's name is empty, so this is the lease of no record.
      let claim = try self.lease(
        "", "\(collection.utf8.count):\(collection)\(list)", owner: owner, for: duration, now: now,
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
        // A cursor that is damaged would bring the wrong changes; without one the list comes whole.
        cursor: isIntact ? cursor : nil,
        lastUpdate: statement.optionalInt(2).map(Timestamp.init(millisecondsSinceEpoch:)),
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

  /// Stores what a source said of a list, in one transaction; `nil` when the lease no longer stands.
  func follow(_ change: ListChange, now: ClockReading) throws(StoreError) -> ListResult? {
    let name = change.list
    return try database.write(.follow) { (connection) throws(SQLiteError) in
      guard try self.end(change.lease, connection) != nil else { return nil }
      let collection = change.collection
      let old = try self.listState(name, in: collection, connection)
      let cursor = change.cursor ?? old?.cursor
      let row = try self.writeList(
        name, in: collection, cursor: cursor, lastUpdate: now.wall,
        dueAt: change.expiry.end(after: now.wall), failures: 0, failure: nil, connection)
      let update = ListUpdate(storage: self, change: change, row: row, now: now)
      let result = try update.apply(connection)
      if let origin = change.origin { try self.note(nil, at: origin, now: now, connection) }
      return result
    }
  }

  /// Remembers that a list could not be followed, and when to try again.
  func noteListFailure(
    _ failure: Failure, _ list: String, _ lease: Lease, origin: OriginGuard?, now: ClockReading
  ) throws(StoreError) {
    let collection = lease.collectionOfList
    try database.write(.follow) { (connection) throws(SQLiteError) in
      guard try self.end(lease, connection) != nil else { return }
      let old = try self.listState(list, in: collection, connection)
      let failures = (old?.failures ?? 0) + 1
      _ = try self.writeList(
        list, in: collection, cursor: old?.cursor, lastUpdate: old?.lastUpdate,
        dueAt: now.wall.advanced(by: failure.pause(Int(failures))), failures: failures,
        failure: failure.message, connection)
      guard let origin, let blame = failure.blame else { return }
      try self.note(blame, at: origin, now: now, connection)
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
    let now: ClockReading

    func apply(_ connection: borrowing Connection) throws(SQLiteError) -> ListResult {
      var result = ListResult()
      var leaving = change.removals
      if change.isFull {
        let present = Set(change.members.map(ExactKey.init))
        leaving = try storage.members(of: row, connection).filter {
          !present.contains(ExactKey($0))
        }
      }
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
      let current = try storage.record(change.collection, key, connection)
      guard current?.isPending != true else {
        try noteBeneath(key, connection)
        result.pending.append(key)
        return
      }
      let marks = [try takeLease(of: key, connection), current?.mark].compactMap { $0 }
      // What was marked while the source was asked may be older than the mark.
      let mark = marks.filter { $0.epoch > change.lease.fence }.max { $0.epoch < $1.epoch }
      _ = try storage.store(
        write, epoch: change.lease.fence, mark: mark, now: now, connection)
      result.stored.append(key)
    }

    /// Has a record fetched that is missing or has changed.
    private func queue(
      _ key: String, isChanged: Bool, _ result: inout ListResult,
      _ connection: borrowing Connection
    ) throws(SQLiteError) {
      let current = try storage.record(change.collection, key, connection)
      if isChanged, current?.isPending == true { try noteBeneath(key, connection) }
      if var record = current, record.kind != .unfetched {
        // A record the source was last said not to have has changed, too.
        guard isChanged || record.kind == .absent, record.mark == nil, !record.isPending,
          record.isIntact
        else { return }
        _ = try takeLease(of: key, connection)
        record.mark = .init(
          at: now.wall, reason: "changed, by the list \(change.list)", epoch: change.lease.fence)
        try storage.writeMark(of: record, queueAt: now.wall, connection)
      } else {
        let missing = current == nil ? try placeholder(for: key, connection) : nil
        guard let record = missing ?? current else { return }
        try connection.withStatement(.queueMember) { (statement) throws(SQLiteError) in
          try statement.bind(record.row, at: 1)
          try statement.bind(now.wall.millisecondsSinceEpoch, at: 2)
          try statement.run()
        }
        guard connection.changes > 0 else { return }
      }
      result.queued.append(key)
    }

    /// A row for a record that is to be fetched for the first time.
    private func placeholder(
      for key: String, _ connection: borrowing Connection
    ) throws(SQLiteError) -> StoredRecord {
      let content = RecordContent(collection: change.collection, key: key, expiry: .unstated)
      return try storage.store(
        Write(content: content, kind: .unfetched), epoch: change.lease.fence, mark: nil, now: now,
        connection)
    }

    /// Takes a key off the list; its record goes with it unless something holds it.
    private func drop(
      _ key: String, _ result: inout ListResult, _ connection: borrowing Connection
    ) throws(SQLiteError) {
      try run(.dropMember, key, connection)
      let wasMember = connection.changes > 0
      guard let record = try storage.record(change.collection, key, connection) else { return }
      if record.isPending { try noteBeneath(key, connection) }
      guard wasMember else { return }
      let isOnAnother = try connection.withStatement(.isMember) { (statement) throws(SQLiteError) in
        try statement.bind(change.collection, at: 1)
        try statement.bind(key, at: 2)
        return try statement.step()
      }
      guard !record.isPinned, !record.isPending, !isOnAnother else {
        result.kept.append(key)
        return
      }
      _ = try takeLease(of: key, connection)
      try storage.deleteRow(record.row, connection)
      result.removed.append(key)
    }

    /// Remembers beneath the local writes of a record that its source holds something else: the
    /// answer to a write that is sent again may tell of the time before.
    private func noteBeneath(
      _ key: String, _ connection: borrowing Connection
    ) throws(SQLiteError) {
      let mark = StoredRecord.Mark(
        at: now.wall, reason: "changed, by the list \(change.list)", epoch: change.lease.fence)
      try storage.markShadow(change.collection, key, mark, connection)
    }

    /// Ends the lease of a fetch under way, which then stores nothing; the mark that came meanwhile.
    private func takeLease(
      of key: String, _ connection: borrowing Connection
    ) throws(SQLiteError) -> StoredRecord.Mark? {
      try connection.withStatement(.takeLease) { (statement) throws(SQLiteError) in
        try statement.bind(change.collection, at: 1)
        try statement.bind(key, at: 2)
        guard try statement.step(), let at = statement.optionalInt(0) else { return nil }
        return .init(
          at: Timestamp(millisecondsSinceEpoch: at), reason: statement.text(1),
          epoch: statement.int(2))
      }
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

extension Storage.ListChange {
  fileprivate var collection: String { lease.collectionOfList }
}

extension Lease {
  /// The collection of the list that this lease gives the right to follow.
  fileprivate var collectionOfList: String {
    let parts = key.split(separator: ":", maxSplits: 1)
    guard parts.count == 2, let count = Int(parts[0]) else { return "" }
    return String(decoding: parts[1].utf8.prefix(count), as: UTF8.self)
  }
}

extension Expiry {
  /// When something updated at `moment` expires; `nil` when never.
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
  fileprivate static let takeLease = SQL(
    """
    DELETE FROM lease WHERE collection = ?1 AND key = ?2
    RETURNING stale_at, stale_reason, stale_epoch
    """)
  /// A record in the queue keeps its place, and one in a pause its pause.
  fileprivate static let queueMember = SQL(
    """
    UPDATE record SET queue_at = max(?2, coalesce(next_attempt, ?2))
    WHERE id = ?1 AND queue_at IS NULL
    """)
}
