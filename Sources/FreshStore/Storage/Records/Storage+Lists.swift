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
    let claimed = try database.write(.follow) {
      (connection) throws(SQLiteError) -> (claim: Claim, state: ListState?)? in
      guard try self.isWanted(begunAt: begun, connection) else { return nil }
      let claim = try self.lease(
        Self.noCollection, Self.question(about: list, in: collection), owner: owner, for: duration,
        now: now, connection)
      return (claim, try self.listState(list, in: collection, connection))
    }
    guard let claimed else { throw wipedMeanwhile(.follow, collection) }
    return claimed
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
        // Under its own number: what is marked from now on covers the next page.
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

  /// Lets the next update of a list request all of it, now; false when it was never followed. An update
  /// under way stores nothing more.
  func restartList(
    _ list: String, in collection: String, now: ClockReading
  ) throws(StoreError) -> Bool {
    try database.write(.follow, .full, touching: Touched()) { (connection) throws(SQLiteError) in
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

  /// Forgets a list, and removes the members that nothing else keeps, if they are to be removed; returns
  /// their keys. An update under way stores nothing more.
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
      // Whoever follows it begins anew.
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
}

extension SQL {
  fileprivate static let forgetMembers = SQL("DELETE FROM list_member WHERE list = ?1")
  fileprivate static let forgetFormerMembers = SQL("DELETE FROM former_member WHERE list = ?1")
  fileprivate static let forgetList = SQL("DELETE FROM list WHERE id = ?1")
}
