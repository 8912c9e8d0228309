internal import Strategies

extension Storage {
  /// Entries handed out.
  struct HandedOut: Sendable {
    /// Entries with the right to push them.
    var due: [StoredWrite] = []
    /// Entries whose bytes changed on the disk; they were parked in passing.
    var parked: [StoredWrite] = []
  }

  /// Hands out up to `limit` entries, each the first of its key: those with the fewest attempts first,
  /// then the oldest.
  func claim(
    first limit: Int, of collection: String?, for duration: Duration, now: ClockReading
  ) throws(StoreError) -> HandedOut {
    try database.write(.push) { (connection) throws(SQLiteError) in
      let now = self.present(now)
      // Read before any of them is changed.
      let ids = try self.dueNumbers(collection, limit: limit, now: now, connection)
      return try self.handOut(ids, for: duration, now: now, connection)
    }
  }

  /// Hands out those entries that may be pushed now.
  func claim(
    _ writes: [WaitingWrite], for duration: Duration, now: ClockReading
  ) throws(StoreError) -> HandedOut {
    try database.write(.push) { (connection) throws(SQLiteError) in
      try self.handOut(
        writes.map(\.id), for: duration, now: self.present(now), connection)
    }
  }

  private func handOut(
    _ ids: [Int64], for duration: Duration, now: ClockReading, _ connection: borrowing Connection
  ) throws(SQLiteError) -> HandedOut {
    var handedOut = HandedOut()
    for id in ids {
      guard var write = try dueWrite(id, now, connection) else { continue }
      if write.isIntact {
        write.holder = .init(
          owner: claimant, fence: try nextNumber(connection), boot: now.boot,
          deadline: now.deadline(after: duration))
        handedOut.due.append(write)
      } else {
        write = write.setAside()
        handedOut.parked.append(write)
        try log(.parked, write.collection, write.key, write: write.news, connection)
      }
      try Self.update(write, connection)
    }
    return handedOut
  }

  private func dueNumbers(
    _ collection: String?, limit: Int, now: ClockReading, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [Int64] {
    try connection.withStatement(.dueWrites) { (statement) throws(SQLiteError) in
      try Self.bind(now, to: statement)
      try statement.bind(collection, at: 5)
      try statement.bind(Int64(limit), at: 6)
      var numbers: [Int64] = []
      // In a damaged file the rows may never end.
      while numbers.count < limit, try statement.step() { numbers.append(statement.int(0)) }
      return numbers
    }
  }

  private func dueWrite(
    _ id: Int64, _ now: ClockReading, _ connection: borrowing Connection
  ) throws(SQLiteError) -> StoredWrite? {
    try connection.withStatement(.dueWrite) { (statement) throws(SQLiteError) in
      try Self.bind(now, to: statement)
      try statement.bind(id, at: 5)
      return try statement.step() ? StoredWrite(row: statement) : nil
    }
  }

  /// The basis of a push.
  struct PushGround: Sendable {
    let write: StoredWrite
    /// The known state of the source.
    let base: StoredRecord?
    /// True when a mark says that the source may hold another one; not asked for a write without a basis of
    /// its own.
    let isBaseMarked: Bool
  }

  /// Begins an attempt: counts it before anything is sent, so that an attempt without a report is
  /// counted too, and holds the claim for its maximum duration. `nil` when the claim is gone.
  ///
  /// Its transaction has to survive a power cut.
  func beginPush(
    _ claim: OutboxClaim, for duration: Duration, now: ClockReading,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> PushGround? {
    let now = present(now)
    guard var write = try claimed(claim, connection) else { return nil }
    let base = try Self.base(write.collection, write.key, connection)
    let ground = PushGround(
      write: write, base: base,
      isBaseMarked: try isMarked(write.basis == nil ? nil : base, connection))
    guard !write.needsSomebody else {
      try Self.update(write.setAside(), connection)
      return ground
    }
    write.attempts = write.attempts.oneMore
    write.asked = write.asked ?? claim.fence
    write.askedAt = write.askedAt ?? moment(from: now)
    write.tries = write.tries.oneMore
    write.triedAt = write.triedAt ?? moment(from: now)
    try Self.update(write.held(for: duration, now: now), connection)
    return ground
  }

  /// True when the known state of a source has a mark, or is covered by one.
  private func isMarked(
    _ base: StoredRecord?, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    guard let base else { return false }
    guard base.mark == nil else { return true }
    let (collection, key) = (base.content.collection, base.content.key)
    let tags = try Self.baseTags(collection, key, connection)
    return try mark(
      over: collection, key, tags: tags, standing: nil, since: base.epoch, connection) != nil
  }

  /// Extends a claim and hands out all waiting entries of its key; `nil` when it is gone. Either
  /// way its origin has answered.
  func holdPush(
    _ claim: OutboxClaim, for duration: Duration, note: OriginNote?, now: ClockReading
  ) throws(StoreError) -> [StoredWrite]? {
    try database.write(.push) { (connection) throws(SQLiteError) in
      let now = self.present(now)
      if let note, try self.isCurrent(claim.fence, connection) {
        try self.note(note.verdict, at: note.origin, now: now, connection)
      }
      guard let write = try self.claimed(claim, connection) else { return nil }
      try Self.update(write.held(for: duration, now: now), connection)
      return try Self.writes(write.collection, write.key, connection)
    }
  }

  /// The entry of a claim; `nil` when the claim is gone: the entry was dropped or another owner has it.
  func claimed(
    _ claim: OutboxClaim, _ connection: borrowing Connection
  ) throws(SQLiteError) -> StoredWrite? {
    guard let write = try Self.write(claim.id, connection), let holder = write.holder,
      holder.owner == claim.owner, holder.fence == claim.fence,
      write.idempotencyKey == claim.idempotencyKey
    else { return nil }
    return write
  }

  /// Gives a claim back without an attempt.
  func giveBack(_ claim: OutboxClaim, _ connection: borrowing Connection) throws(SQLiteError) {
    guard var write = try claimed(claim, connection) else { return }
    write.holder = nil
    try Self.update(write, connection)
    try log(.resumed, write.collection, write.key, connection)
  }

  /// Ends pauses and unparks entries, and has limits count anew; returns their new state.
  func retry(_ ids: [Int64]) throws(StoreError) -> [StoredWrite] {
    try database.write(.outbox, .full) { (connection) throws(SQLiteError) in
      var retried: [StoredWrite] = []
      for id in ids {
        guard var write = try Self.write(id, connection) else { continue }
        write.begin()
        try Self.update(write, connection)
        try self.log(.resumed, write.collection, write.key, write: write.news, connection)
        retried.append(write)
      }
      return retried
    }
  }

  /// Removes entries from the outbox; returns those that existed. The remaining entries determine the
  /// record.
  func drop(_ ids: [Int64], now: ClockReading) throws(StoreError) -> [StoredWrite] {
    try database.write(.outbox, .full) { (connection) throws(SQLiteError) in
      var dropped: [StoredWrite] = []
      for id in ids {
        guard let write = try Self.write(id, connection) else { continue }
        try Self.delete(write, connection)
        try self.settleRecord(
          of: write, staleReason: "a local write was dropped", now: now, connection)
        try self.log(.restored, write.collection, write.key, write: .init(id), connection)
        dropped.append(write)
      }
      return dropped
    }
  }
}

extension StoredWrite {
  /// The entry without a holder, until it is retried or dropped.
  fileprivate func setAside() -> StoredWrite {
    var write = self
    write.holder = nil
    write.isParked = true
    write.failure = isIntact ? failure : StoredWrite.damage
    return write
  }

  /// The entry held at least for that long from now.
  fileprivate func held(for duration: Duration, now: ClockReading) -> StoredWrite {
    guard let holder else { return self }
    var write = self
    let deadline = now.deadline(after: duration)
    write.holder = Holder(
      owner: holder.owner, fence: holder.fence, boot: now.boot,
      deadline: holder.boot == now.boot ? max(holder.deadline, deadline) : deadline)
    return write
  }
}

extension SQL {
  /// An entry that is neither parked, nor paused, nor held. A pause longer than the maximum was
  /// stamped by a clock that has since been set back.
  private static let isDue = """
    o.parked = 0 AND (o.next_attempt IS NULL OR o.next_attempt <= ?1 OR o.next_attempt > ?2)
      AND (o.owner IS NULL OR o.boot <> ?3 OR o.deadline <= ?4)
    """
  fileprivate static let dueWrites = SQL(
    """
    SELECT o.id FROM outbox o
    WHERE (?5 IS NULL OR o.collection = ?5) AND \(isDue) AND \(isNext)
    ORDER BY \(writeOrder) LIMIT ?6
    """)
  fileprivate static let dueWrite = SQL(
    """
    SELECT \(StoredWrite.columns) FROM outbox o
    WHERE o.id = ?5 AND \(isDue) AND \(isNext)
    """)
}
