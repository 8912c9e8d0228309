internal import Strategies

extension Storage {
  /// Hands out up to `limit` entries, oldest first, each the first of its key, with the right to push
  /// it. An entry whose bytes changed on the disk is parked in passing.
  func dueWrites(
    _ collection: String?, limit: Int, for duration: Duration, now: ClockReading
  ) throws(StoreError) -> [(write: StoredWrite, source: String?)] {
    try database.write(.push) { (connection) throws(SQLiteError) in
      var due: [(write: StoredWrite, source: String?)] = []
      var last: Int64 = 0
      // One row at a time: a row is changed as soon as it is found.
      while due.count < limit,
        let (found, source) = try self.nextDue(collection, after: last, now, connection),
        // In a damaged file rows may come in any order, and for ever.
        found.id > last
      {
        last = found.id
        if let write = try self.handOut(found, for: duration, now: now, connection) {
          due.append((write, source))
        }
      }
      return due
    }
  }

  /// Hands out those of the entries that may be pushed now.
  func claimWrites(
    _ ids: [Int64], for duration: Duration, now: ClockReading
  ) throws(StoreError) -> [(write: StoredWrite, source: String?)] {
    try database.write(.push) { (connection) throws(SQLiteError) in
      var claimed: [(write: StoredWrite, source: String?)] = []
      for id in ids {
        guard
          let (found, source) = try self.nextDue(nil, after: id &- 1, through: id, now, connection),
          let write = try self.handOut(found, for: duration, now: now, connection)
        else { continue }
        claimed.append((write, source))
      }
      return claimed
    }
  }

  /// The entry with the right to push it; `nil` for one that had to be parked.
  private func handOut(
    _ found: StoredWrite, for duration: Duration, now: ClockReading,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> StoredWrite? {
    var write = found
    if write.isIntact {
      write.holder = .init(
        owner: owner, fence: try nextNumber(connection), boot: now.boot,
        deadline: now.deadline(after: duration))
    } else {
      write.isParked = true
      write.failure = StoredWrite.damage
    }
    try Self.update(write, connection)
    return write.isIntact ? write : nil
  }

  private func nextDue(
    _ collection: String?, after last: Int64, through end: Int64 = .max, _ now: ClockReading,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> (StoredWrite, String?)? {
    try connection.withStatement(.nextDueWrite) { (statement) throws(SQLiteError) in
      try statement.bind(collection, at: 1)
      try statement.bind(last, at: 2)
      try statement.bind(now.wall.millisecondsSinceEpoch, at: 3)
      try statement.bind(now.wall.advanced(by: Backoff.longestNamed).millisecondsSinceEpoch, at: 4)
      try statement.bind(now.boot, at: 5)
      try statement.bind(now.sinceBoot, at: 6)
      try statement.bind(end, at: 7)
      guard try statement.step() else { return nil }
      return (StoredWrite(row: statement), statement.optionalText(22))
    }
  }

  /// What a push rests on.
  struct PushGround: Sendable {
    let write: StoredWrite
    /// What the source is known to hold.
    let shadow: StoredRecord?
  }

  /// Begins an attempt: counts it before anything is sent, so that one which is never reported back
  /// is counted too, and holds the claim for the time it may take. `nil` when the claim is gone.
  func beginPush(
    _ claim: OutboxClaim, for duration: Duration, now: ClockReading
  ) throws(StoreError) -> PushGround? {
    try database.write(.push, .full) { (connection) throws(SQLiteError) in
      guard var write = try self.claimed(claim, connection) else { return nil }
      let shadow = try Self.shadow(write.collection, write.key, connection)
      let ground = PushGround(write: write, shadow: shadow)
      guard !write.needsSomebody else { return ground }
      write.attempts += 1
      write.asked = write.asked ?? claim.fence
      try Self.update(write.held(for: duration, now: now), connection)
      return ground
    }
  }

  /// Holds a claim for longer and hands out all that waits for its key; `nil` when it is gone. Either
  /// way its origin has answered.
  func holdPush(
    _ claim: OutboxClaim, for duration: Duration, note: OriginNote?, now: ClockReading
  ) throws(StoreError) -> [StoredWrite]? {
    try database.write(.push) { (connection) throws(SQLiteError) in
      if let note { try self.note(note.blame, at: note.origin, now: now, connection) }
      guard let write = try self.claimed(claim, connection) else { return nil }
      try Self.update(write.held(for: duration, now: now), connection)
      return try Self.writes(write.collection, write.key, connection)
    }
  }

  /// The entry of a claim; `nil` when the claim is gone: the entry was dropped or taken over.
  func claimed(
    _ claim: OutboxClaim, _ connection: borrowing Connection
  ) throws(SQLiteError) -> StoredWrite? {
    guard let write = try Self.write(claim.id, connection), let holder = write.holder,
      holder.owner == claim.owner, holder.fence == claim.fence
    else { return nil }
    return write
  }

  /// Gives claims back without an attempt.
  func giveBack(_ claims: [OutboxClaim]) throws(StoreError) {
    try database.write(.push) { (connection) throws(SQLiteError) in
      for claim in claims {
        guard var write = try self.claimed(claim, connection) else { continue }
        write.holder = nil
        try Self.update(write, connection)
      }
    }
  }

  /// Ends pauses and lets parked entries go on; the entries as they are now.
  func retry(_ ids: [Int64]) throws(StoreError) -> [StoredWrite] {
    try database.write(.outbox, .full) { (connection) throws(SQLiteError) in
      var retried: [StoredWrite] = []
      for id in ids {
        guard var write = try Self.write(id, connection) else { continue }
        write.nextAttempt = nil
        write.isParked = false
        try Self.update(write, connection)
        retried.append(write)
      }
      return retried
    }
  }

  /// Takes entries out of the outbox; those that were there. What is left decides of the record.
  func drop(_ ids: [Int64], now: ClockReading) throws(StoreError) -> [StoredWrite] {
    try database.write(.outbox, .full) { (connection) throws(SQLiteError) in
      var dropped: [StoredWrite] = []
      for id in ids {
        guard let write = try Self.write(id, connection) else { continue }
        try Self.delete(write, connection)
        try self.settleRecord(
          of: write, staleReason: "a local write was dropped", now: now, connection)
        try self.log(.restored, write.collection, write.key, connection)
        dropped.append(write)
      }
      return dropped
    }
  }
}

extension StoredWrite {
  /// The entry held at least for so long from now.
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
  /// The first entry of its key that is neither parked, nor paused, nor held. A pause longer than
  /// any was stamped by a clock that has since been set back.
  fileprivate static let nextDueWrite = SQL(
    """
    SELECT \(StoredWrite.columns),
      (SELECT r.source FROM record r WHERE r.collection = o.collection AND r.key = o.key)
    FROM outbox o
    WHERE o.id > ?2 AND o.id <= ?7 AND (?1 IS NULL OR o.collection = ?1) AND o.parked = 0
      AND (o.next_attempt IS NULL OR o.next_attempt <= ?3 OR o.next_attempt > ?4)
      AND (o.owner IS NULL OR o.boot <> ?5 OR o.deadline <= ?6)
      AND NOT EXISTS (SELECT 1 FROM outbox p
        WHERE p.collection = o.collection AND p.key = o.key AND p.id < o.id)
    ORDER BY o.id LIMIT 1
    """)
}
