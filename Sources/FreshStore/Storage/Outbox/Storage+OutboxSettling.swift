internal import Strategies

extension Storage {
  /// The number of failed requests after which a write is no longer sent with others.
  private static var mostTriesTogether: Int64 { 3 }

  /// Settles one attempt, if its claim is still valid, in a transaction that has to survive a power cut.
  ///
  /// A resolution takes effect only if the writes of the key are still the ones that it was `shown`.
  ///
  /// - Parameter inFleet: True for a process that takes part in a fleet. In a fleet, and on a file of one, a mark
  ///   is kept where the source may have changed, to be delivered after the transaction.
  func settle(
    _ claim: OutboxClaim, _ settlement: Settlement, wasSent: Bool = true, shown: Shown? = nil,
    inFleet: Bool = false, note: OriginNote?, now: ClockReading, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Settled {
    let now = present(now)
    if let note, try isCurrent(claim.fence, connection) {
      try self.note(note.verdict, at: note.origin, now: now, connection)
    }
    guard var write = try claimed(claim, connection) else {
      if wasSent, settlement.mayHaveArrived {
        try doubt(claim, inFleet: inFleet, now: now, connection)
      }
      return .superseded
    }
    let holder = write.holder
    write.holder = nil
    if !settlement.isCounted(wasSent: wasSent) { write.uncount() }
    // A write that was never sent cannot have arrived.
    if !wasSent, write.asked == claim.fence { (write.asked, write.askedAt) = (nil, nil) }
    if let shown,
      try Self.idempotencyKeys(write.collection, write.key, connection) != shown.writes
    {
      write.contest(StoredWrite.outdated) { due(after: shown.pause($0), from: now) }
      try Self.update(write, connection)
      try log(.deferred, claim.collection, claim.key, write: write.news, connection)
      return .outdated(write)
    }
    switch settlement {
    case .accepted(let state):
      try keepMark(ofPushed: claim.collection, claim.key, inFleet: inFleet, connection)
      return try accept(claim, write, state, now: now, connection)
    case .remote(let state):
      try keepMark(ofMet: write, claim, inFleet: inFleet, connection)
      return try discard(claim, write, for: state, now: now, connection)
    case .rewritten(let entry, let state, let expiry, let duration):
      try keepMark(ofMet: write, claim, inFleet: inFleet, connection)
      return try rewrite(
        claim, write, as: entry.contested(after: write), upon: state, expiry: expiry,
        for: entry.address.hasSameBytes(as: write.address) ? duration : nil, now: now, connection)
    case .versioned(let state, _):
      try replaceBase(with: state, claim, asked: claim.fence, now: now, connection)
      write.holder = holder
      try Self.update(write, connection)
      return .done(write, fallen: [])
    case .parked(let reason, let refusal, let met):
      write.park(reason, refusal)
      if let met { return try park(write, upon: met, claim, now: now, connection) }
    case .deferred(let reason, let pause, let end, let suspects):
      let pause = pause?(Int(write.attempts))
      // A write may break its source, too. The writes that go with it have to get past it.
      let isBroken = pause?.isNamed != true && write.tries >= Self.mostTriesTogether
      write.isSuspect = write.isSuspect || suspects || isBroken
      if let end = end?(write, now.wall) {
        write.park("\(end): \(reason)")
      } else {
        write.failure = reason
        write.pause(
          until: pause.map { due(after: $0.duration, from: now) },
          isNamed: pause?.isNamed ?? false)
      }
    case .held(let reason), .givenUp(let reason), .unread(let reason):
      write.failure = reason
      write.pause(until: nil)
    case .contested(let reason, let pause, let end, let met):
      if let end = end(write) {
        write.park("\(end): \(reason)")
        return try park(write, upon: met, claim, now: now, connection)
      } else {
        write.contest(reason) { due(after: pause($0), from: now) }
      }
    }
    try Self.update(write, connection)
    try log(
      write.isParked ? .parked : .deferred, claim.collection, claim.key, write: write.news,
      connection)
    return .done(write, fallen: [])
  }

  /// Keeps a mark of a write that ends with a conflict: the conflict may be with an earlier attempt, whose answer
  /// was lost.
  private func keepMark(
    ofMet write: StoredWrite, _ claim: OutboxClaim, inFleet: Bool,
    _ connection: borrowing Connection
  ) throws(SQLiteError) {
    guard let asked = write.asked, asked != claim.fence else { return }
    try keepMark(ofPushed: claim.collection, claim.key, inFleet: inFleet, connection)
  }

  /// A missing entry was dropped while it was sent: later fetches may have been answered before it
  /// arrived.
  private func doubt(
    _ claim: OutboxClaim, inFleet: Bool, now: ClockReading, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    let write = try Self.write(claim.id, connection)
    guard write?.idempotencyKey != claim.idempotencyKey else { return }
    // A write from before a wipe has no owner here any more.
    guard try isCurrent(claim.fence, connection) else { return }
    try keepMark(ofPushed: claim.collection, claim.key, inFleet: inFleet, connection)
    let mark = StoredRecord.Mark(
      at: now.wall, reason: "a local write was dropped while it was sent",
      epoch: try nextNumber(connection))
    guard try self.mark(claim.collection, claim.key, mark, connection) else { return }
    try log(.marked, claim.collection, claim.key, connection)
  }

  private func accept(
    _ claim: OutboxClaim, _ write: StoredWrite, _ state: SourceState, now: ClockReading,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> Settled {
    try Self.delete(write, connection)
    // The answer to a write that had arrived earlier reports the source's state at that time.
    var asked = state.asked ?? write.asked ?? claim.fence
    let beneath =
      state.isPartial
      ? try Self.base(claim.collection, claim.key, joins: false, connection) : nil
    if let beneath { asked = min(asked, beneath.epoch) }
    var state = state
    state.write.tags = state.write.tags ?? write.tags
    if asked == StoredWrite.askedBeforeLostMarks {
      state.staleReason = state.staleReason ?? StoredRecord.Mark.salvagedReason
    }
    if asked != claim.fence {
      state.write.content.lastUpdate = state.write.content.lastUpdate ?? write.askedAt
    }
    if state.isPartial { state.age(asOf: beneath, at: now) }
    try log(.pushed, claim.collection, claim.key, write: .init(write.id), connection)
    // It was the first of its key.
    if let next = try Self.firstWrite(claim.collection, claim.key, connection) {
      try replaceBase(with: state, claim, asked: asked, now: now, connection)
      if state.isChanged { try Self.keepBasis(of: next, madeFrom: write, connection) }
    } else {
      try replaceRecord(with: state, claim, asked: asked, now: now, connection)
    }
    try free([write.id], connection)
    return .done(write, fallen: [])
  }

  /// Tells observers of the local writes after these, which are gone.
  func free(_ ids: [Int64], _ connection: borrowing Connection) throws(SQLiteError) {
    var freed: [RecordID] = []
    for id in ids {
      freed += try connection.rows(.followers, id) { row in RecordID(row.text(0), row.text(1)) }
    }
    for record in freed { try log(.resumed, record.collection, record.key, connection) }
  }

  /// The time of the next attempt. It is within a day, as a longer pause would seem to come from another clock.
  private func due(after pause: Duration, from now: ClockReading) -> Timestamp {
    moment(after: min(pause, Backoff.longestNamed), from: now)
  }

  /// Lets the record represent its source again. The source's accepted state is newer than every open request,
  /// whose answer may be from before.
  func replaceRecord(
    with state: SourceState, _ claim: OutboxClaim, asked number: Int64, now: ClockReading,
    _ connection: borrowing Connection
  ) throws(SQLiteError) {
    let mark = try mark(of: state, claim, asked: number, now: now, connection)
    try Self.endBase(claim.collection, claim.key, connection)
    if state.isKept {
      let number = try nextNumber(connection)
      try dropLease(claim.collection, claim.key, connection)
      _ = try store(state.write(at: now), epoch: number, mark: mark, now: now, connection)
      // Where the source was not asked, the state is as old as before, in spite of its number: no list vouches for
      // it.
      if mark != nil || state.asked != nil {
        try doubtMember(claim.key, of: claim.collection, upTo: number, connection)
      }
      if mark != nil { try log(.marked, claim.collection, claim.key, connection) }
      return
    }
    _ = try delete(claim.collection, claim.key, connection)
    try noteAnswer(about: claim.key, in: claim.collection, now: now, connection)
    try dropLease(claim.collection, claim.key, connection)
    // A list that included the key meanwhile does not include it again.
    guard mark != nil,
      try queueMember(claim.key, of: claim.collection, now: now, connection)
    else { return }
    try log(.marked, claim.collection, claim.key, connection)
  }

  func replaceBase(
    with state: SourceState, _ claim: OutboxClaim, asked number: Int64, now: ClockReading,
    _ connection: borrowing Connection
  ) throws(SQLiteError) {
    let mark = try mark(of: state, claim, asked: number, now: now, connection)
    let base = Self.row(of: state.ground(at: now), epoch: number, mark: mark, now: now)
    let added = try Self.replaceBase(with: base, tags: state.write.tags, connection)
    let row = try Self.row(of: claim.collection, claim.key, connection)
    try leaveOthers(of: row, besides: nil, adding: added, now: now, connection)
  }

  /// The reason why the state is stale already, one of these:
  /// - a mark from after the write was first sent;
  /// - the mark of the base, where the source was not asked and the state is the base's;
  /// - a reason of its own.
  private func mark(
    of state: SourceState, _ claim: OutboxClaim, asked number: Int64, now: ClockReading,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> StoredRecord.Mark? {
    let base = try Self.base(claim.collection, claim.key, joins: false, connection)
    let standing = base.flatMap { $0.isIntact ? $0.mark : nil }
    // The record may keep the tags of the local write.
    let row = try Self.row(of: claim.collection, claim.key, connection)
    let tags =
      try Array(Self.baseTags(claim.collection, claim.key, connection))
      + Self.tags(of: row, connection) + Array(state.write.tags ?? [])
    let covering = try mark(
      over: claim.collection, claim.key, tags: tags, standing: standing, since: number, connection)
    return covering ?? (state.asked == nil ? nil : standing)
      ?? state.staleReason.map { .init(at: moment(from: now), reason: $0, epoch: claim.fence) }
  }
}

extension StoredWrite {
  /// The attempt has not failed.
  fileprivate mutating func uncount() {
    attempts = max(0, attempts - 1)
    tries = max(0, tries - 1)
    if tries == 0 { triedAt = nil }
  }

  /// Counts one more conflict; the entry is due again at a moment that depends on their number.
  fileprivate mutating func contest(
    _ reason: String, until moment: (_ conflicts: Int) -> Timestamp
  ) {
    failure = reason
    conflicts = conflicts.oneMore
    pause(until: moment(Int(conflicts)))
  }

  /// The replacement of `write` continues its count of conflicts.
  fileprivate func contested(after write: StoredWrite) -> StoredWrite {
    var entry = self
    entry.conflicts = write.conflicts.oneMore
    return entry
  }
}

extension SQL {
  fileprivate static let followers = SQL(
    "SELECT collection, key FROM outbox WHERE after = ?1")
}
