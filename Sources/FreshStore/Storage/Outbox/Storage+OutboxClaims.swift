internal import Strategies

extension Storage {
  /// Entries handed out.
  struct HandedOut: Sendable {
    /// Entries with the right to push them.
    var due: [StoredWrite] = []
    /// Entries whose bytes changed on the disk, and that were parked here.
    var parked: [StoredWrite] = []
  }

  /// Hands out up to `limit` entries, each the first of its key. The highest priority comes first, then the entry
  /// that has been due for longest. The entries of `unread` are not handed out.
  func claim(
    first limit: Int, of collection: String?, besides unread: [Int64: Timestamp],
    for duration: Duration, now: ClockReading
  ) throws(StoreError) -> HandedOut {
    try database.write(.push) { (connection) throws(SQLiteError) in
      let now = self.present(now)
      // Read before any of them is changed.
      let ids = try self.dueNumbers(
        collection, besides: unread, limit: limit, now: now, connection)
      return try self.handOut(ids, for: duration, now: now, connection)
    }
  }

  /// Hands out the entries that may be pushed now.
  func claim(
    _ writes: [WaitingWrite], for duration: Duration, now: ClockReading
  ) throws(StoreError) -> HandedOut {
    try database.write(.push) { (connection) throws(SQLiteError) in
      try self.handOut(
        writes.map(\.id), for: duration, now: self.present(now), connection)
    }
  }

  /// The outcome of a request for one entry.
  enum HandedOutOne: Sendable {
    case done(HandedOut)
    /// Some owner is pushing it.
    case held
    /// This one has to be settled before it.
    case behind(Int64)
    case gone
  }

  /// Hands out one entry, even if it is parked or waits for the end of a pause. Its limits count from zero again.
  func claim(
    byHand id: Int64, for duration: Duration, now: ClockReading
  ) throws(StoreError) -> HandedOutOne {
    try database.write(.push) { (connection) throws(SQLiteError) in
      let now = self.present(now)
      guard var write = try Self.write(id, connection) else { return .gone }
      guard !write.isHeld(at: now) else { return .held }
      if let before = try connection.first(.writeBefore, id, row: { $0.int(0) }) {
        return .behind(before)
      }
      if write.isIntact {
        write.begin(at: now.wall)
        try Self.update(write, connection)
      }
      return .done(try self.handOut([id], for: duration, now: now, connection))
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
        try log(.pushing, write.collection, write.key, write: .init(id), connection)
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
    _ collection: String?, besides unread: [Int64: Timestamp], limit: Int, now: ClockReading,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> [Int64] {
    try connection.withStatement(.dueWrites) { (statement) throws(SQLiteError) in
      try Self.bind(now, to: statement)
      try statement.bind(collection, at: 5)
      let (most, isMore) = limit.addingReportingOverflow(unread.count)
      try statement.bind(isMore ? Int64.max : Int64(most), at: 6)
      var numbers: [Int64] = []
      // In a damaged file the rows may never end.
      while numbers.count < limit, try statement.step() {
        let number = statement.int(0)
        if unread[number] == nil { numbers.append(number) }
      }
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
    var base: StoredRecord?
    /// True when a mark says that the source may hold another state. It is not determined for a write without a
    /// basis of its own.
    let isBaseMarked: Bool

    /// True while the value of the base, which lies in blocks, was not read.
    var awaitsValue: Bool { base?.content.blocks != nil && base?.content.value == nil }
  }

  /// The beginning of an attempt.
  enum Begun: Sendable {
    /// It is counted, and may be sent.
    case attempt(PushGround)
    /// It was parked meanwhile, or its bytes changed on the disk.
    case parked(StoredWrite)
    /// This program cannot read it, for this reason: nothing is counted, and it is free for others.
    case unread(StoredWrite, String)
  }

  /// Begins an attempt; `nil` when the claim is gone. The attempt is counted before anything is sent, so that an
  /// attempt without a report counts too. The claim is held for its maximum duration.
  ///
  /// Its transaction has to survive a power cut. A value of the base that lies in blocks is not read
  /// (``joined(_:)``).
  ///
  /// - Parameter obstacle: Why this program cannot read the write; `nil` where it can.
  func beginPush(
    _ claim: OutboxClaim, for duration: Duration, unless obstacle: String?,
    now: ClockReading, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Begun? {
    let now = present(now)
    guard var write = try claimed(claim, connection) else { return nil }
    guard !write.needsSomebody else {
      write = write.setAside()
      try Self.update(write, connection)
      try log(.parked, write.collection, write.key, write: write.news, connection)
      return .parked(write)
    }
    if let reason = obstacle {
      (write.holder, write.failure) = (nil, reason)
      try Self.update(write, connection)
      try log(.deferred, write.collection, write.key, write: write.news, connection)
      return .unread(write, reason)
    }
    let base = try Self.base(write.collection, write.key, joins: false, connection)
    let ground = PushGround(
      write: write, base: base,
      isBaseMarked: try isMarked(write.basis == nil ? nil : base, connection))
    write.attempts = write.attempts.oneMore
    write.asked = write.asked ?? claim.fence
    write.askedAt = write.askedAt ?? moment(from: now)
    write.tries = write.tries.oneMore
    write.triedAt = write.triedAt ?? moment(from: now)
    // Where this process ends with it, others have their turn first.
    write.dueAt = max(write.dueAt, moment(from: now))
    try Self.update(write.held(for: duration, now: now), connection)
    return .attempt(ground)
  }

  /// The basis of a push with the value of the base, which is read here, and not under the write lock. `nil` when
  /// another base has replaced it: then the claim is gone.
  func joined(_ ground: PushGround) throws(StoreError) -> PushGround? {
    let write = ground.write
    let base = try database.read(.push) { (connection) throws(SQLiteError) in
      try Self.base(write.collection, write.key, joins: true, connection)
    }
    guard let base, base.content.blocks?.id == ground.base?.content.blocks?.id else { return nil }
    var joined = ground
    joined.base = base
    return joined
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

  /// Extends a claim and hands out all waiting entries of its key; `nil` when it is gone. In both cases its origin
  /// has answered.
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

  /// Gives a claim back without an attempt, unless it is gone.
  func giveBack(
    _ claim: OutboxClaim, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    guard var write = try claimed(claim, connection) else { return }
    write.holder = nil
    try Self.update(write, connection)
    try log(.resumed, write.collection, write.key, write: .init(write.id), connection)
  }

  /// Ends pauses and unparks entries, whose limits count from zero again; returns their new state.
  func retry(_ ids: [Int64], now: ClockReading) throws(StoreError) -> [StoredWrite] {
    try database.write(.outbox, .full) { (connection) throws(SQLiteError) in
      let now = self.present(now).wall
      var retried: [StoredWrite] = []
      for id in ids {
        guard var write = try Self.write(id, connection) else { continue }
        write.begin(at: now)
        try Self.update(write, connection)
        try self.log(.resumed, write.collection, write.key, write: write.news, connection)
        retried.append(write)
      }
      return retried
    }
  }

  /// Entries that were removed on request.
  struct Dropped: Sendable {
    /// The entries that existed.
    var writes: [StoredWrite] = []
    /// The records that have nothing to return to: the known state of the source is damaged.
    var unrestored: [RecordID] = []
  }

  /// Removes entries from the outbox. The remaining entries determine the record.
  ///
  /// - Parameters:
  ///   - verified: The checked values in blocks beneath them.
  ///   - inFleet: True for a process that takes part in a fleet, which has to hear of writes that may have arrived.
  /// - Returns: `nil` when the value beneath one of them was not verified; then nothing is removed.
  func drop(
    _ ids: [Int64], verified: VerifiedValues = VerifiedValues(), inFleet: Bool = false,
    now: ClockReading
  ) throws(StoreError) -> Dropped? {
    try database.write(.outbox, .full) { (connection) throws(SQLiteError) in
      guard try Self.isComplete(verified, beneath: ids, connection) else { return nil }
      var dropped = Dropped()
      for id in ids {
        guard let write = try Self.write(id, connection) else { continue }
        try Self.delete(write, connection)
        // The answer to an attempt may have been lost.
        if write.asked != nil {
          try self.keepMark(ofPushed: write.collection, write.key, inFleet: inFleet, connection)
        }
        let isRestored = try self.settleRecord(
          of: write, staleReason: "a local write was dropped", verified: verified, now: now,
          connection)
        if !isRestored { dropped.unrestored.append(RecordID(write.collection, write.key)) }
        try self.logRestored(write, connection)
        dropped.writes.append(write)
      }
      return dropped
    }
  }

  /// Tells observers of an entry that is gone without its source's acceptance. Its record has another state again,
  /// and the writes after it need not wait any more.
  func logRestored(
    _ write: StoredWrite, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    try log(.restored, write.collection, write.key, write: .init(write.id), connection)
    try free([write.id], connection)
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
  /// The write that has to be settled before another: an earlier one of its key, or the write named by `after`.
  fileprivate static let writeBefore = SQL(
    """
    SELECT p.id FROM outbox o JOIN outbox p
      ON p.id < o.id AND (p.id = o.after OR p.collection = o.collection AND p.key = o.key)
    WHERE o.id = ?1 ORDER BY p.id LIMIT 1
    """)
  fileprivate static let dueWrite = SQL(
    """
    SELECT \(StoredWrite.columns) FROM outbox o
    WHERE o.id = ?5 AND \(isDue) AND \(isNext)
    """)
}
