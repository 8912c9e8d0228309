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
    /// Every key that is on the list, or was added to it.
    var members: [String] = []
    var writes: [Write] = []
    var named: [String] = []
    var changed: [String] = []
    var removals: [String] = []
    /// The result as far as it is known ahead of the transaction.
    var followed = FollowedList()

    var collection: String { lease.collectionOfList }

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

  /// Above this number of changes of one kind, observers get one change without a key.
  static let mostListChanges = 256

  // MARK: Reading

  func listState(_ list: String, in collection: String) throws(StoreError) -> ListState? {
    try database.read(.follow) { (connection) throws(SQLiteError) in
      try self.listState(list, in: collection, connection)
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

  func listState(
    _ list: String, in collection: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> ListState? {
    try connection.withStatement(.readList, collection, list) { (statement) throws(SQLiteError) in
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

  static func listChecksum(_ collection: String, _ list: String, _ cursor: String?) -> Int64 {
    var checksum = Checksum()
    checksum.combine(collection)
    checksum.combine(list)
    checksum.combine(cursor)
    return Int64(bitPattern: checksum.value)
  }

  // MARK: Following

  /// Stores a source's answer about a list, in one transaction; `nil` when the lease is no longer valid.
  func follow(_ change: ListChange, now: ClockReading) throws(StoreError) -> FollowedList? {
    let name = change.list
    return try database.write(.follow) { (connection) throws(SQLiteError) in
      if let origin = change.origin { try self.note(.answered, at: origin, now: now, connection) }
      guard try self.end(change.lease, connection) else { return nil }
      let collection = change.collection
      let old = try self.listState(name, in: collection, connection)
      // A member was removed here during the request: the answer must not hide that again.
      let beginsAnew = !change.isOfWhole && old?.lastUpdate == nil && !change.followed.isFull
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
      return try update.applied(connection)
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
    try connection.withStatement(
      .writeList, collection, list, cursor, lastUpdate?.millisecondsSinceEpoch,
      dueAt?.millisecondsSinceEpoch, failures, failure, Self.listChecksum(collection, list, cursor)
    ) { (statement) throws(SQLiteError) in
      _ = try statement.step()
      return statement.int(0)
    }
  }
}

extension Lease {
  /// The collection of the list that this lease gives the right to follow.
  var collectionOfList: String {
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
}
