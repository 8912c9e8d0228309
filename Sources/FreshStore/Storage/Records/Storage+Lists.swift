internal import Strategies

extension Storage {
  /// The name of the right to follow a list.
  private static func question(about list: String, in collection: String) -> String {
    "\(collection.utf8.count):\(collection)\(list)"
  }

  /// Takes the right to follow a list, and returns its stored state.
  ///
  /// - Parameter begun: The number of the request (``isWanted(begunAt:_:)``).
  /// - Throws: `wiped` for a request from before a wipe.
  func claimList(
    _ list: String, in collection: String, owner: String, for duration: Duration,
    begun: Int64? = nil, now: ClockReading
  ) throws(StoreError) -> (claim: Claim, state: ListState?) {
    try write(.follow, begunAt: begun, in: collection) { (connection) throws(SQLiteError) in
      let claim = try self.lease(
        Self.noCollection, Self.question(about: list, in: collection), owner: owner, for: duration,
        now: now, connection)
      return (claim, try self.listState(list, in: collection, connection))
    }
  }

  /// Stores a source's answer about a list, or a page of it, in one transaction; `nil` when the lease
  /// is no longer valid. With a page that is not the last one the lease lasts, for the next page.
  func follow(_ change: ListChange, now: ClockReading) throws(StoreError) -> FollowedList? {
    let (name, collection) = (change.list, change.collection)
    return try database.write(.follow) { (connection) throws(SQLiteError) in
      if let origin = change.origin, try self.isCurrent(change.lease.fence, connection) {
        try self.note(.answered, at: origin, now: now, connection)
      }
      guard try self.end(change.lease, connection) else { return nil }
      let old = try self.listState(name, in: collection, connection)
      var known = change
      known.basis = change.basis?.moved(with: old)
      // Corrected for steps of the clock since then.
      let present = self.present(now)
      let number = try self.nextNumber(connection)
      let row = try self.write(
        change.state(after: old, answered: number, at: present), of: name, in: collection,
        connection)
      let mark = StoredRecord.Mark(
        at: present.wall, reason: "changed, by the list \(name)", epoch: number)
      let update = ListUpdate(
        storage: self, change: known, row: row, mark: mark, began: change.began(old, at: present),
        now: present)
      let followed = try update.applied(connection)
      if change.next != nil {
        // The lease keeps its own number: a mark from now on covers the next page.
        try self.retake(change.lease, for: change.holding, now: now, connection)
      }
      return followed
    }
  }

  /// Notes that following a list failed, and the time of the next attempt, which begins with the first
  /// page if the walk ends.
  func noteListFailure(
    _ failure: Failure, _ list: String, _ lease: Lease, endsWalk: Bool = false,
    origin: OriginGuard?, now: ClockReading
  ) throws(StoreError) {
    let collection = lease.collectionOfList
    try database.write(.follow) { (connection) throws(SQLiteError) in
      if let origin, try self.isCurrent(lease.fence, connection) {
        try self.note(failure.verdict, at: origin, now: now, connection)
      }
      guard try self.end(lease, connection) else { return }
      var state = try self.listState(list, in: collection, connection) ?? ListState()
      state.failures = state.failures.oneMore
      state.failure = failure.message
      state.dueAt = self.moment(
        after: failure.pause(Int(state.failures)).duration, from: now)
      if endsWalk { state.walk = nil }
      _ = try self.write(state, of: list, in: collection, connection)
    }
  }

  // MARK: Ends

  /// Lets the next update of a list request all of it, now; false when it was never followed. A running update
  /// stores nothing more.
  func restartList(
    _ list: String, in collection: String, now: ClockReading
  ) throws(StoreError) -> Bool {
    try database.write(.follow, .full, touching: AffectedKeys()) {
      (connection) throws(SQLiteError) in
      try self.dropLease(
        Self.noCollection, Self.question(about: list, in: collection), connection)
      guard var state = try self.listState(list, in: collection, connection) else { return false }
      (state.cursor, state.lastUpdate, state.walk) = (nil, nil, nil)
      (state.failures, state.failure, state.dueAt) = (0, nil, self.moment(from: now))
      _ = try self.write(state, of: list, in: collection, connection)
      try self.log(.resumed, collection, nil, connection)
      return true
    }
  }

  /// Forgets a list, and removes the members that nothing else keeps, if they are to be removed; returns their
  /// keys. A running update stores nothing more.
  func forgetList(
    _ list: String, in collection: String, removingMembers: Bool, now: ClockReading
  ) throws(StoreError) -> [String] {
    try database.write(.follow, .full) { (connection) throws(SQLiteError) in
      try self.dropLease(
        Self.noCollection, Self.question(about: list, in: collection), connection)
      guard let state = try self.listState(list, in: collection, connection) else { return [] }
      var members: [String] = []
      if removingMembers {
        members = try self.members(of: state.row, connection)
        members += try self.formerMembers(of: state.row, connection)
      }
      for sql in [SQL.forgetMembers, .forgetFormerMembers, .forgetList] {
        try connection.run(sql, state.row)
      }
      var removed: [String] = []
      for key in members {
        guard let record = try self.record(collection, key, joins: false, connection),
          !record.isPinned,
          !record.isPending, try !self.isOnList(key, of: collection, connection)
        else { continue }
        try self.coverQuestions(about: key, in: collection, now: now, connection)
        try self.dropLease(collection, key, connection)
        try self.deleteRow(record.row, connection)
        removed.append(key)
      }
      try self.log(.removed, eachOf: removed, in: collection, connection)
      try self.log(.listed, collection, nil, connection)
      // The followers of the list begin again.
      try self.log(.resumed, collection, nil, connection)
      return removed
    }
  }

  /// Logs one change for each key, or one for all of many.
  func log(
    _ kind: Change.Kind, eachOf keys: [String], in collection: String,
    _ connection: borrowing Connection
  ) throws(SQLiteError) {
    guard keys.count <= Change.mostOfOneKind else {
      return try log(kind, collection, nil, connection)
    }
    for key in keys { try log(kind, collection, key, connection) }
  }

  // MARK: Members

  func members(of list: String, in collection: String) throws(StoreError) -> [String] {
    try database.read(.read) { (connection) throws(SQLiteError) in
      guard let state = try self.listState(list, in: collection, connection) else { return [] }
      return try self.members(of: state.row, connection)
    }
  }

  func members(
    of row: Int64, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [String] {
    try connection.rows(.readMembers, row) { statement in statement.text(0) }
  }

  /// The keys that have left a list while something kept their records, in order of their bytes.
  func formerMembers(
    of row: Int64, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [String] {
    try connection.rows(.readFormerMembers, row) { statement in statement.text(0) }
  }

  /// Notes whether the record of a key that has left a list stays for now: each later answer looks at it
  /// again.
  func noteFormerMember(
    _ key: String, of row: Int64, stays: Bool, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    try connection.run(stays ? .addFormerMember : .dropFormerMember, row, key)
  }

  /// Queues a member without a stored value; false when it is queued already.
  func queueMember(
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
    try connection.run(.queueMember, record.row, self.moment(from: now).millisecondsSinceEpoch)
    return connection.changes > 0
  }

  /// Queues a key without a stored value, if it is on a list; false when it is on none.
  @discardableResult
  func queueMember(
    _ key: String, of collection: String, now: ClockReading, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    guard try isOnList(key, of: collection, connection) else { return false }
    let current = try record(collection, key, joins: false, connection)
    _ = try queueMember(key, of: collection, over: current, now: now, connection)
    return true
  }

  /// Makes the next update of each list with a removed record a full one. A cursor returns only later changes, and
  /// would never return the record; nor do the pages of a walk that has passed it. A list that the record has left
  /// has no more to remove.
  func beginListsAnew(
    with key: String, in collection: String, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    for sql in [SQL.beginAnew, .forgetFormerMember] { try connection.run(sql, collection, key) }
  }

  /// Lets no list vouch for a copy under this number. It was asked for earlier, and is marked because of another
  /// value that came in meanwhile. A later mark may replace that mark.
  func doubtMember(
    _ key: String, of collection: String, upTo number: Int64, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    try connection.run(.doubtMember, collection, key, number)
  }

  func isOnList(
    _ key: String, of collection: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    try connection.hasRow(.isMember, collection, key)
  }
}

extension SQL {
  fileprivate static let forgetMembers = SQL("DELETE FROM list_member WHERE list = ?1")
  fileprivate static let forgetFormerMembers = SQL("DELETE FROM former_member WHERE list = ?1")
  fileprivate static let forgetList = SQL("DELETE FROM list WHERE id = ?1")
  fileprivate static let readMembers = SQL(
    "SELECT key FROM list_member WHERE list = ?1 ORDER BY key")
  static let isMember = SQL(
    """
    SELECT 1 FROM list_member m JOIN list l ON l.id = m.list
    WHERE l.collection = ?1 AND m.key = ?2 LIMIT 1
    """)
  fileprivate static let beginAnew = SQL(
    """
    UPDATE list SET last_update = NULL, walk_at = NULL
    WHERE collection = ?1 AND id IN (SELECT list FROM list_member WHERE key = ?2)
    """)
  fileprivate static let readFormerMembers = SQL(
    "SELECT key FROM former_member WHERE list = ?1 ORDER BY key")
  fileprivate static let addFormerMember = SQL(
    "INSERT OR IGNORE INTO former_member (list, key) VALUES (?1, ?2)")
  fileprivate static let dropFormerMember = SQL(
    "DELETE FROM former_member WHERE list = ?1 AND key = ?2")
  fileprivate static let forgetFormerMember = SQL(
    """
    DELETE FROM former_member
    WHERE key = ?2 AND list IN (SELECT id FROM list WHERE collection = ?1)
    """)
  fileprivate static let doubtMember = SQL(
    """
    UPDATE list_member SET doubt = ?3
    WHERE key = ?2 AND list IN (SELECT id FROM list WHERE collection = ?1)
    """)
  /// A record in the queue keeps its place, and one in a pause its pause.
  fileprivate static let queueMember = SQL(
    """
    UPDATE record SET queue_at = max(?2, \(StoredRecord.endOfPause))
    WHERE id = ?1 AND queue_at IS NULL
    """)
}
