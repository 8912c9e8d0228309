internal import Strategies

/// The ends of conflicts, each inside the transaction that settles the conflicting write. A resolution ends the
/// entries that it was shown (`mergeable`); the others stay behind it.
extension Storage {
  /// The source's version wins.
  func discard(
    _ claim: OutboxClaim, _ write: StoredWrite, for state: SourceState, now: ClockReading,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> Settled {
    var state = state
    // The row's tags belong to the local write, which is discarded.
    let tags = try Self.baseTags(claim.collection, claim.key, connection)
    state.write.tags = state.write.tags ?? tags
    let waiting = try Self.writes(write.collection, write.key, connection)
    let fallen = waiting.mergeable
    let next = waiting.dropFirst(fallen.count).first
    for fallen in fallen { try Self.delete(fallen, connection) }
    // A conflict shows the source's state at the last request.
    let asked = state.asked ?? claim.fence
    if let next {
      // The record goes on showing the newest write.
      try replaceBase(with: state, claim, asked: asked, now: now, connection)
      try Self.keepBasis(of: next, madeFrom: fallen.last, connection)
      try log(.restored, claim.collection, claim.key, write: .init(write.id), connection)
    } else {
      try log(
        state.change, claim.collection, claim.key, write: .init(write.id), connection)
      try replaceRecord(with: state, claim, asked: asked, now: now, connection)
    }
    // Each of them may be awaited.
    for other in fallen where other.id != write.id {
      try log(.restored, claim.collection, claim.key, write: .init(other.id), connection)
    }
    try free(fallen.map(\.id), connection)
    return .done(write, fallen: fallen, isBeneath: next != nil)
  }

  /// Another write replaces the ones that it merges.
  func rewrite(
    _ claim: OutboxClaim, _ write: StoredWrite, as entry: StoredWrite, upon state: SourceState,
    expiry: Expiry, for duration: Duration?, now: ClockReading,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> Settled {
    let waiting = try Self.writes(write.collection, write.key, connection)
    let merged = waiting.mergeable
    let next = waiting.dropFirst(merged.count).first
    for merged in merged { try Self.delete(merged, connection) }
    try replaceBase(
      with: state, claim, asked: state.asked ?? claim.fence, now: now, connection)
    var entry = entry
    // It keeps its place, and the writes after it.
    (entry.id, entry.priority, entry.after) = (write.id, write.priority, write.after)
    entry.dueAt = write.dueAt
    // Their writers may still add writes that come after them.
    entry.merged = merged.flatMap { $0.merged + [$0.id] }.filter { $0 != write.id }
    entry = try Self.put(entry, connection)
    if let duration {
      entry.holder = .init(
        owner: claim.owner, fence: try nextNumber(connection), boot: now.boot,
        deadline: now.deadline(after: duration))
      try Self.update(entry, connection)
    }
    if let next {
      // The record goes on showing the newest write.
      try Self.keepBasis(of: next, madeFrom: merged.last, connection)
    } else {
      let current = try connection.judgedRecord(of: claim.key, in: claim.collection)
      var shown = Self.optimistic(entry, upon: current, expiry: expiry, now: now)
      shown.tags = entry.tags
      _ = try store(shown, epoch: claim.fence, mark: nil, now: now, connection)
    }
    // The writes after one of them now come after the write that holds it. The next write of the key was just put
    // again.
    for merged in merged { try connection.run(.moveFollowers, merged.id, write.id) }
    try log(.written, claim.collection, claim.key, write: .init(entry.id), connection)
    return .done(entry, fallen: merged)
  }

  /// Keeps the source's state beneath the parked write, which was made from another state. The conflict is not
  /// decided yet.
  func park(
    _ write: StoredWrite, upon met: Met, _ claim: OutboxClaim, now: ClockReading,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> Settled {
    var write = write
    // A damaged row must stay detectable: its checksum is not renewed.
    if write.isIntact {
      let asked = met.state.asked ?? claim.fence
      try replaceBase(with: met.state, claim, asked: asked, now: now, connection)
      write.basis = met.basis
      write = try Self.put(write, connection)
    } else {
      try Self.update(write, connection)
    }
    try log(.parked, claim.collection, claim.key, write: write.news, connection)
    return .done(write, fallen: [])
  }

  /// A write was made from the write before it, which stays its basis when the source comes to hold something else.
  static func keepBasis(
    of next: StoredWrite, madeFrom write: StoredWrite?, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    // A damaged row must stay detectable: its checksum is not renewed.
    guard let write, next.basis == nil, next.isIntact else { return }
    var next = next
    next.basis = WriteBasis(of: write)
    next.basis?.written = write.valueChecksum
    _ = try put(next, connection)
  }

  // MARK: Corrections

  /// The new content of an entry.
  struct Correction: Sendable {
    let id: Int64
    /// The idempotency key of the content that it replaces.
    let replaced: String
    /// The attempts of that: another one may have met another state of the source.
    let attempts: Int
    let idempotencyKey: String
    let payload: [UInt8]
    let patch: [UInt8]?
    let codec: String
    let contentVersion: Int64
    let expiry: Expiry
  }

  /// The outcome of a correction.
  enum Corrected: Sendable {
    case done(StoredWrite)
    /// There is no such entry.
    case gone
    /// Some owner is pushing it.
    case held
    /// Its bytes changed on the disk.
    case damaged
    /// Another content came under its number.
    case changed
  }

  /// Replaces the content of an entry that is not being pushed, and makes it due at once, in one transaction that
  /// survives a power cut.
  func correct(
    _ correction: Correction, in collection: String, now: ClockReading
  ) throws(StoreError) -> Corrected {
    try database.write(.write, .full, marksWrites: true) { (connection) throws(SQLiteError) in
      let now = self.present(now)
      guard var write = try Self.write(correction.id, connection),
        write.collection.hasSameBytes(as: collection)
      else { return .gone }
      guard write.isIntact else { return .damaged }
      guard write.idempotencyKey == correction.replaced else { return .changed }
      guard !write.isHeld(at: now) else { return .held }
      if write.basis?.hasMetAnother == true {
        guard write.attempts == correction.attempts else { return .changed }
        try Self.standUponMet(&write, connection)
      }
      write.idempotencyKey = correction.idempotencyKey
      write.payload = correction.payload
      if write.kind == .patch { write.patch = correction.patch }
      (write.codec, write.contentVersion) = (correction.codec, correction.contentVersion)
      (write.attempts, write.holder) = (0, nil)
      // The source cannot hold it for longer than from its next attempt on.
      (write.askedAt, write.failure, write.refusal) = (nil, nil, nil)
      write.begin(at: now.wall)
      write = try Self.put(write, connection)
      let isLast = try Self.lastWrite(collection, write.key, connection)?.id == write.id
      guard isLast else {
        try self.log(.written, collection, write.key, write: write.news, connection)
        return .done(write)
      }
      let local = LocalWrite(
        write: write, tags: write.tags, expiry: correction.expiry, coalesces: false)
      try self.storeOptimistic(write, local, now: now, connection)
      return .done(write)
    }
  }

  /// The resolved content of a conflict is based on the source's state that was met. Where nothing of that state
  /// may be kept, no user has seen it, and the source is asked again.
  private static func standUponMet(
    _ write: inout StoredWrite, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    guard let base = try base(write.collection, write.key, joins: false, connection),
      base.isIntact, base.kind != .unfetched
    else { return }
    write.basis = nil
    if base.kind == .absent {
      (write.kind, write.patch, write.patchType) = (.create, nil, nil)
    } else if write.kind == .create {
      write.kind = .replace
    }
  }
}

extension SQL {
  fileprivate static let moveFollowers = SQL(
    "UPDATE outbox SET after = ?2 WHERE after = ?1 AND ?1 <> ?2")
}
