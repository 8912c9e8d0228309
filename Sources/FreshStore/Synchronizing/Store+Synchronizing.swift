package import Strategies

extension Store {
  /// Takes the lock to synchronize the store.
  package func lockSynchronizing() async throws(SyncLock.Failure) -> SyncLock {
    try await SyncLock(database: path, since: now().wall)
  }

  /// The work that waits to be fetched and pushed, in one snapshot. Cost: a pass over the due part of the queue and
  /// over the outbox; no value is read.
  package func backlog() throws(StoreError) -> Backlog {
    try storage.backlog(now: now())
  }

  /// The head of the refetch queue, oldest deadline first; it hands nothing out.
  /// Each origin gets `perOrigin` records before any gets more (``FairPage``). Cost: one pass over the due part of the
  /// queue's index, in a snapshot, concurrent with writers.
  package func queued(
    limit: Int, perOrigin: Int, origin: @escaping OriginOfRecord
  ) async throws(StoreError) -> QueuePage {
    await flushMarks()
    return try storage.queued(limit: limit, perOrigin: perOrigin, at: now(), origin: origin)
  }

  /// The number of the caller's records that are due by `moment` and that no owner is fetching.
  package func countQueued(
    until moment: Timestamp, origin: @escaping OriginOfRecord
  ) throws(StoreError) -> Int {
    try storage.countQueued(until: moment, at: now(), origin: origin)
  }

  /// The first due time of the caller's records after `moment`; it may have passed since.
  package func nextQueued(
    after moment: Timestamp, origin: @escaping OriginOfRecord
  ) throws(StoreError) -> Timestamp? {
    try storage.nextQueued(after: moment, origin: origin)
  }

  /// Hands out records that were seen in the queue. A record that has left the queue since, or that another owner is
  /// fetching, is skipped.
  package func claim(
    _ records: [QueuedRecord], holding: Duration
  ) async throws(StoreError) -> [DueRecord] {
    let now = now()
    return try await queue.run { [storage, owner] () throws(StoreError) in
      try storage.claim(records, owner: owner, for: holding, now: now)
    }
  }

  /// Returns records to their places in the queue, unless they have been stored since, and releases their leases.
  package func putBack(_ records: [DueRecord]) async throws(StoreError) {
    try await returnClaims(records: records)
  }

  /// Hands out up to `limit` records of the refetch queue, oldest deadline first.
  ///
  /// Several workers and processes may share the queue. Each record has its lease: until `holding` has passed, no other
  /// worker gets or fetches the record. Pass it to ``RecordCollection/refetch(_:policy:fetch:)``, or back to
  /// ``giveBack(_:)``. A record of a hanging worker is due again after that time. A record whose worker has died, or
  /// has closed its store, is due at once.
  package func due(
    collection: String? = nil, limit: Int, holding: Duration = .seconds(60)
  ) async throws(StoreError) -> [DueRecord] {
    guard limit > 0, holding > .zero else {
      throw StoreError(
        .invalidArgument("the limit and the time to hold must be positive"), .due, path: path)
    }
    await flushMarks()
    try await reclaim()
    let now = now()
    return try await queue.run { [storage, owner] () throws(StoreError) in
      try storage.claim(first: limit, of: collection, owner: owner, for: holding, now: now)
    }
  }

  /// Returns records that were not fetched to their places in the queue; they are due at once. When the store fails,
  /// they are returned with the next call that succeeds.
  package func giveBack(_ due: [DueRecord]) async throws(StoreError) {
    try await putBack(due)
    queueSignal.wake()
  }

  /// The head of the outbox: the local writes that may be pushed now; it hands nothing out.
  ///
  /// Of each key it has only the first write. Each origin gets `perOrigin` writes before any gets more; bodies of
  /// `size` bytes and more have a share of their own. Writes of the highest priority come first, then writes that are
  /// due for longest. Cost: one pass over the outbox.
  package func waitingWrites(
    limit: Int, perOrigin: Int, largeFrom size: Int, origin: @escaping OriginOfRecord
  ) throws(StoreError) -> WritePage {
    let now = now()
    return try storage.waitingWrites(
      limit: limit, perOrigin: perOrigin, largeFrom: size, besides: unread.ends(at: now), now: now,
      origin: origin)
  }

  /// The first of all local writes of the caller's sources, or the time from which it may be pushed. It is for a caller
  /// that sends writes one after another, and hands nothing out. Cost: a look at the writes before the first one.
  package func nextWrite(
    largeFrom size: Int, origin: @escaping OriginOfRecord
  ) throws(StoreError) -> WritePage {
    let now = now()
    return try storage.nextWrite(
      largeFrom: size, besides: unread.ends(at: now), now: now, origin: origin)
  }

  /// The writes of these keys that may be pushed now, in no order, and the next time at which another one may be. It
  /// hands nothing out. Cost: some look-ups in an index for each key.
  package func waitingWrites(
    of keys: Set<RecordID>, largeFrom size: Int, origin: @escaping OriginOfRecord
  ) throws(StoreError) -> WritePage {
    let now = now()
    return try storage.waitingWrites(
      of: keys, largeFrom: size, besides: unread.ends(at: now), now: now, origin: origin)
  }

  /// Notes a new migration or codec: local writes that this process could not read may be readable now.
  package func noteReaders() { unread.forgetAll() }

  /// The number of the newest waiting local write; 0 when none waits.
  package func newestWrite() throws(StoreError) -> OutboxEntry.ID {
    try storage.newestWrite()
  }

  /// Hands out local writes that were seen in the outbox. A write is skipped that has left the outbox since, goes to
  /// another address now, or is being pushed by another owner.
  package func claim(
    _ writes: [WaitingWrite], holding: Duration
  ) async throws(StoreError) -> ClaimedWrites {
    let now = now()
    let handedOut = try await queue.run { [storage] () throws(StoreError) in
      try storage.claim(writes, for: holding, now: now)
    }
    return told(handedOut, at: now)
  }

  /// Hands out one local write, even if it is parked or waits for the end of a pause.
  ///
  /// Limits of attempts and of time count anew.
  ///
  /// - Returns: `nil` when there is no such write.
  /// - Throws: `beingPushed`; `invalidArgument` when another write has to be settled before it; `unreadable` for a
  ///   damaged write.
  package func claim(
    byHand id: OutboxEntry.ID, holding: Duration = .seconds(60)
  ) async throws(StoreError) -> DueWrite? {
    let now = now()
    let claimed = try await queue.run { [storage] () throws(StoreError) in
      try storage.claim(byHand: id, for: holding, now: now)
    }
    switch claimed {
    case .gone: return nil
    case .held: throw StoreError(.beingPushed, .push, path: path)
    case .behind(let other):
      throw StoreError(
        .invalidArgument("the local write \(other) has to be settled before \(id)"), .push,
        path: path)
    case .done(let handedOut):
      unread.forget([id])
      guard let due = told(handedOut, at: now).due.first else {
        throw StoreError(.unreadable(StoredWrite.damage), .push, path: path)
      }
      return due
    }
  }

  /// The local writes in the outbox that no owner is pushing. Cost: one pass over the outbox.
  package func unsentWrites(
    origin: @escaping OriginOfRecord
  ) throws(StoreError) -> UnsentWrites {
    try storage.unsentWrites(now: now(), origin: origin)
  }

  /// The number of consecutive failures of an origin.
  package func failures(of origin: String) throws(StoreError) -> Int {
    try storage.failures(of: origin)
  }
}

extension RecordCollection {
  /// The answer to whether a caller that can wait may ask the source now.
  package func sourceState(policy: Policy? = nil) throws(StoreError) -> SourceState {
    try admission(policy ?? self.policy).state()
  }
}

/// The right to synchronize a store as its only daemon; two daemons would neither harm nor help each other.
///
/// It is a lock on a file beside the database, `NAME-sync`, which stays. The daemon can leave a
/// note on its work there for other processes to read.
package final class SyncLock: Sendable {
  /// The reason why the lock is not available.
  package enum Failure: Error {
    /// Another daemon holds it; `nil` when the holder is unknown.
    case held(SweepHolder?)
    /// The file cannot be opened or locked.
    case failed(StoreError)
  }

  private let lock: FileLock

  /// Takes the lock, and waits up to a second for processes that only query the holder.
  init(database: String, since: Timestamp) async throws(Failure) {
    let end = ContinuousClock.now + .seconds(1)
    while true {
      do throws(FileLock.Failure) {
        lock = try FileLock(database: database, suffix: Self.suffix, since: since)
        return
      } catch {
        switch error {
        case .failed(let code, let file): throw .failed(StoreError(code, .open, path: file))
        case .held(let holder):
          guard ContinuousClock.now < end, !Task.isCancelled else { throw .held(holder) }
        }
        // After a cancellation, the next attempt is the last one.
        try? await ContinuousClock().sleep(for: .milliseconds(20))
      }
    }
  }

  /// Leaves a text of up to 60 KB for processes that ask for the holder.
  package func note(_ text: String) { lock.note(text) }

  /// Releases the lock. Calling it again does nothing.
  package func release() { lock.release() }

  /// The process that synchronizes a store now, and its note; `nil` when there is none.
  package static func holder(of database: String) -> (SweepHolder?, note: String)? {
    FileLock.holder(of: database, suffix: suffix)
  }

  private static let suffix = "-sync"
}
