package import Strategies

extension Store {
  /// The head of the refetch queue, oldest deadline first, `perOrigin` records for each origin before
  /// more of any (``FairPage``); hands nothing out. Cost: one pass over the due part of the queue's index, in a
  /// snapshot, beside writers.
  package func queued(
    limit: Int, perOrigin: Int, origin: @escaping OriginOfRecord
  ) async throws(StoreError) -> QueuePage {
    await flushMarks()
    return try storage.queued(limit: limit, perOrigin: perOrigin, at: now(), origin: origin)
  }

  /// How many of the caller's records are due by `moment`.
  package func countQueued(
    until moment: Timestamp, origin: @escaping OriginOfRecord
  ) throws(StoreError) -> Int {
    try storage.countQueued(until: moment, origin: origin)
  }

  /// When the first of the caller's records falls due that was not by `moment`: past, when it has
  /// fallen due since.
  package func nextQueued(
    after moment: Timestamp, origin: @escaping OriginOfRecord
  ) throws(StoreError) -> Timestamp? {
    try storage.nextQueued(after: moment, origin: origin)
  }

  /// Hands out records that were seen in the queue; one that has left it since, or that somebody else
  /// is fetching, is left out.
  package func claim(
    _ records: [QueuedRecord], holding: Duration
  ) async throws(StoreError) -> [QueueClaim] {
    let now = now()
    return try await queue.run { [storage, owner] () throws(StoreError) in
      try storage.claim(records, owner: owner, for: holding, now: now)
    }
  }

  /// Puts records back to their places in the queue, unless they have been stored since, and gives
  /// their leases back.
  package func putBack(_ claims: [QueueClaim]) async throws(StoreError) {
    try await owed.giveBack(records: claims, to: storage, on: queue)
  }

  /// The head of the outbox: local writes that may be pushed now, of each key the first, `perOrigin` for
  /// each origin before more of any; those with the fewest attempts go first, then the oldest. Hands
  /// nothing out. Cost: one pass over the outbox.
  package func waitingWrites(
    limit: Int, perOrigin: Int, origin: @escaping OriginOfRecord
  ) throws(StoreError) -> WritePage {
    try storage.waitingWrites(limit: limit, perOrigin: perOrigin, now: now(), origin: origin)
  }

  /// The number of the newest local write that waits; 0 when none does.
  package func newestWrite() throws(StoreError) -> OutboxEntry.ID {
    try storage.newestWrite()
  }

  /// Hands out local writes that were seen in the outbox; one that has left it since, goes to another
  /// address now, or is being pushed by somebody else is left out.
  package func claim(
    _ writes: [WaitingWrite], holding: Duration
  ) async throws(StoreError) -> ClaimedWrites {
    let now = now()
    let handedOut = try await queue.run { [storage] () throws(StoreError) in
      try storage.claim(writes, for: holding, now: now)
    }
    return told(handedOut, at: now)
  }

  /// The local writes that stand in the outbox though nobody is pushing them. Cost: one pass over the
  /// outbox.
  package func unsentWrites(
    origin: @escaping OriginOfRecord
  ) throws(StoreError) -> UnsentWrites {
    try storage.unsentWrites(now: now(), origin: origin)
  }

  /// How often in a row an origin has failed.
  package func failures(of origin: String) throws(StoreError) -> Int {
    try storage.failures(of: origin)
  }
}

extension RecordCollection {
  /// Whether the source is to be asked now by somebody who can wait.
  package func sourceState(policy: Policy? = nil) throws(StoreError) -> SourceState {
    try admission(policy ?? self.policy).state()
  }
}
