package import Strategies

extension Store {
  /// Hands out up to `limit` local writes that may be pushed now. Several workers and processes may share the outbox.
  ///
  /// Writes of the highest priority go first, then the writes that have been due for longest. A failed write is due at
  /// the end of its pause, so that it delays no other write and new writes do not starve it.
  ///
  /// Only the first write of each key is handed out. It blocks the later writes of its key until it is settled, and it
  /// blocks no other key. No other worker gets it until `holding` has passed. Then the write of a hanging worker is due
  /// again. The write of a worker that has died, or closed its store, is due at once.
  ///
  /// Pass the write to ``RecordCollection/push(_:policy:conflicts:push:)``, or back to `giveBack`.
  package func dueWrites(
    collection: String? = nil, limit: Int, holding: Duration = .seconds(60)
  ) async throws(StoreError) -> [DueWrite] {
    guard limit > 0, holding > .zero else {
      throw StoreError(
        .invalidArgument("the limit and the time to hold must be positive"), .push, path: path)
    }
    try await reclaim()
    let now = now()
    let unread = unread.ends(at: now)
    let handedOut = try await queue.run { [storage] () throws(StoreError) in
      try storage.claim(first: limit, of: collection, besides: unread, for: holding, now: now)
    }
    return told(handedOut, at: now).due
  }

  /// Reports the parked entries, and returns the handed-out ones with them.
  func told(_ handedOut: Storage.HandedOut, at now: ClockReading) -> ClaimedWrites {
    let parked = handedOut.parked.map { $0.entry(at: now) }
    for entry in parked { report(.parked(entry, reason: StoredWrite.damage)) }
    return ClaimedWrites(due: handedOut.due.compactMap { DueWrite($0, at: now) }, parked: parked)
  }

  /// Returns local writes that were handed out and not pushed; they are due at once. When the store fails, they are
  /// returned with the next call that succeeds.
  package func giveBack(_ writes: [DueWrite]) async throws(StoreError) {
    try await returnClaims(writes: writes.map(\.claim))
    queueSignal.wake()
  }

  /// Local writes that their sources have not accepted yet, in the order of writing.
  ///
  /// An entry whose bytes changed on the disk is listed as parked and never pushed. Cost: the bytes of the listed
  /// entries are read, to verify them. To count entries, take ``statistics()``.
  ///
  /// - Parameters:
  ///   - after: The last entry of the page before.
  ///   - limit: The greatest number of entries; all of them by default.
  public func outbox(
    collection: String? = nil, key: String? = nil, state: OutboxEntry.State? = nil,
    after: OutboxEntry.ID = 0, limit: Int = .max
  ) throws(StoreError) -> [OutboxEntry] {
    let now = now()
    return try Paging.all(limit, after: after, id: \.id) { (last, count) throws(StoreError) in
      try storage.outbox(
        .init(collection: collection, key: key, state: state, after: last, limit: count), now: now)
    }
  }

  /// A local write with its content, and the last known state of its source before it; `nil` when there is no such
  /// write.
  package func localWrite(_ id: OutboxEntry.ID) throws(StoreError) -> LocalWriteVersions? {
    try storage.writeWithBase(id).map { LocalWriteVersions($0.write, $0.base, at: now()) }
  }

  /// Makes local writes due now that are parked, or wait for the end of a pause.
  ///
  /// The limits of attempts and of time count anew. The change is durable when this returns.
  ///
  /// - Returns: The existing writes, in their new state.
  @discardableResult
  public func retry(_ ids: [OutboxEntry.ID]) async throws(StoreError) -> [OutboxEntry] {
    let now = now()
    let retried = try await queue.run { [storage] () throws(StoreError) in
      try storage.retry(ids, now: now)
    }
    unread.forget(ids)
    return retried.map { $0.entry(at: now) }
  }

  /// Removes local writes from the outbox without the source's acceptance. The removal is durable when this returns.
  ///
  /// This is the only way to lose a local write, except a conflict's resolution.
  ///
  /// The record then has the state of its remaining local writes. Without any, it returns to the last known state of
  /// its source, marked stale: the source may have received a write whose answer was lost. Where that state is damaged
  /// on the disk, the record waits to be fetched, and ``StoreEvent/unrestored(collection:key:)`` says so.
  ///
  /// A running push no longer changes anything. In a fleet, the record of a write that the source may have received is
  /// also marked for all hosts.
  ///
  /// Cost: long values that the records return to are read, to verify them, while no writer waits.
  ///
  /// - Returns: The existing writes, in their former state.
  @discardableResult
  public func drop(_ ids: [OutboxEntry.ID]) async throws(StoreError) -> [OutboxEntry] {
    try await dropNamingUnrestored(ids).dropped
  }

  /// Removes local writes as ``drop(_:)``, and also returns the records that have no state to return to.
  package func dropNamingUnrestored(
    _ ids: [OutboxEntry.ID]
  ) async throws(StoreError) -> (dropped: [OutboxEntry], unrestored: [RecordID]) {
    let (drop, now) = try await dropVerified(ids)
    let dropped = drop.writes.map { $0.entry(at: now) }
    outcomes.note(dropped.map(\.id), .discarded)
    for entry in dropped {
      closeFlights(entry.collection) { $0.hasSameBytes(as: entry.key) }
    }
    if let fleet, drop.writes.contains(where: { $0.asked != nil }) { catchUpSoon(with: fleet) }
    if !dropped.isEmpty { report(.discarded(dropped)) }
    for record in drop.unrestored {
      report(.unrestored(collection: record.collection, key: record.key))
    }
    return (dropped, drop.unrestored)
  }

  /// Verifies the states that records return to, and removes the writes.
  ///
  /// Another drop of the same key may come in between. The record then returns to the state beneath both, which is
  /// verified, too.
  private func dropVerified(
    _ ids: [OutboxEntry.ID]
  ) async throws(StoreError) -> (Storage.Dropped, at: ClockReading) {
    // The reads have a queue of their own: neither writes nor the renewal of leases may wait for long values.
    let reads = WorkQueue(taskClock: configuration.taskClock)
    var verified = Storage.VerifiedValues()
    while true {
      verified = try await reads.run { [storage, verified] () throws(StoreError) in
        try storage.verifiedValues(beneath: ids, known: verified)
      }
      let now = now()
      let inFleet = fleet != nil
      let drop = try await queue.run { [storage, verified] () throws(StoreError) in
        try storage.drop(ids, verified: verified, inFleet: inFleet, now: now)
      }
      if let drop { return (drop, now) }
    }
  }

  /// The earliest moment at which ``dueWrites(collection:limit:holding:)`` has a write to hand out.
  ///
  /// A worker can sleep exactly that long. It is now when there is a write already, and `nil` when only a new write or
  /// a retry can change that.
  package func nextWriteDue(collection: String? = nil) throws(StoreError) -> Timestamp? {
    try storage.nextDueWrite(collection, now: now())
  }

  /// The earliest moment at which ``due(collection:limit:holding:)`` has a record to hand out; `nil` when no record
  /// waits for a refetch.
  ///
  /// It is in the past when there is a record already. Expiring records are added when a read or a sweep finds them
  /// stale.
  package func nextDue(collection: String? = nil) throws(StoreError) -> Timestamp? {
    try storage.nextDue(collection)
  }
}

extension DueWrite {
  /// An entry that was handed out; `nil` for an entry without a holder.
  init?(_ write: StoredWrite, at now: ClockReading) {
    guard let claim = OutboxClaim(write) else { return nil }
    self.init(entry: write.entry(at: now), address: write.address, claim: claim)
  }
}

extension OutboxClaim {
  /// The claim of the entry's holder.
  init?(_ write: StoredWrite) {
    guard let holder = write.holder else { return nil }
    self.init(
      id: write.id, idempotencyKey: write.idempotencyKey, collection: write.collection,
      key: write.key, owner: holder.owner, fence: holder.fence,
      format: write.kind == .delete
        ? nil : Format(codec: write.codec, contentVersion: write.contentVersion))
  }
}

extension Store {
  /// Waits until a local write is settled or parked, for a program that goes on once its source has taken the write.
  ///
  /// This sends nothing: a synchronizer does, in this process or another one.
  ///
  /// ```swift
  /// let entry = try await notes.write(note, for: "7")
  /// if try await store.outcome(of: entry) == .accepted { close() }
  /// ```
  ///
  /// Cost: an observer of changes (``changes(buffering:)``), and a look at the write after each change that may concern
  /// it.
  ///
  /// - Throws: `cancelled` when the task is cancelled, `closed` when the store is closed first, or the error of the
  ///   file.
  public func outcome(of write: OutboxEntry) async throws(StoreError) -> WriteOutcome {
    // The observer begins before the first look, so that it sees every later change.
    let changes = changes(collection: write.collection, key: write.key, buffering: 1024)
    let begun = numberOfRequest()
    var id = write.id
    switch try standing(of: &id) {
    case .gone: return outcomes[id] ?? .unknown
    case .parked(let reason): return .parked(reason)
    case .waiting: break
    }
    for await change in changes {
      if let outcome = try outcome(of: &id, after: change, begun: begun) { return outcome }
    }
    throw StoreError(isClosed ? .closed : .cancelled, .outbox, path: path)
  }

  private enum WriteStanding {
    case waiting, gone
    case parked(String)
  }

  /// The state of a write; `id` becomes the number of the write that has merged it.
  private func standing(of id: inout OutboxEntry.ID) throws(StoreError) -> WriteStanding {
    guard let found = try storage.writeOrHeir(id) else { return .gone }
    id = found.id
    guard found.needsSomebody else { return .waiting }
    return .parked(found.isIntact ? found.failure ?? "" : StoredWrite.damage)
  }

  /// The outcome of a write by a change of its record; `nil` when the write still waits.
  private func outcome(
    of id: inout OutboxEntry.ID, after change: Change, begun: Int64?
  ) throws(StoreError) -> WriteOutcome? {
    switch (change.kind, change.write?.id) {
    case (.pushed, id): return .accepted
    case (.parked, id): return .parked(change.write?.reason ?? "")
    case (.pushed, _), (.parked, _), (.pushing, _), (.deferred, _), (.marked, _),
      (.revalidated, _):
      guard change.missed > 0 else { return nil }
    default: break
    }
    switch try standing(of: &id) {
    case .waiting: return nil
    case .parked(let reason): return .parked(reason)
    case .gone: break
    }
    if let outcome = outcomes[id] { return outcome }
    if change.missed > 0 || change.kind == .unknown { return .unknown }
    switch change.kind {
    // The write was merged into an earlier one. If that is gone as well, a later change tells so.
    case .written:
      id = change.write.map { min(id, $0.id) } ?? id
      return nil
    case .restored, .stored, .absent, .removed:
      if change.write?.id == id { return .discarded }
      // The change that tells the end of the write comes after this one, unless a wipe has taken everything.
      guard change.key == nil else { return nil }
      return try storage.isWiped(since: begun) ? .discarded : nil
    default: return nil
    }
  }
}
