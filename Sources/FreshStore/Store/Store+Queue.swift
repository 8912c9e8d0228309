extension Store {
  /// Hands out up to `limit` records of the refetch queue, oldest deadline first; several workers
  /// and processes may share it.
  ///
  /// Each comes with its lease: until `holding` has passed no other worker fetches it or is handed
  /// it. Pass it to ``RecordCollection/refetch(_:policy:fetch:)``, or back to ``giveBack(_:)``. A
  /// record of a hanging worker is due again after that time, and one whose worker has died, or
  /// closed its store, at once.
  public func due(
    collection: String? = nil, limit: Int, holding: Duration = .seconds(60)
  ) async throws(StoreError) -> [DueRecord] {
    guard limit > 0, holding > .zero else {
      throw StoreError(
        .invalidArgument("the limit and the time to hold must be positive"), .due, path: path)
    }
    await flushMarks()
    try await reclaim()
    let now = now()
    let rows = try await queue.run { [storage, owner] () throws(StoreError) in
      try storage.due(collection, limit: limit, owner: owner, for: holding, now: now)
    }
    return rows.map { lease, record in
      DueRecord(
        collection: lease.collection, key: lease.key, source: record.content.source,
        address: record.content.addressToAsk,
        deadline: record.deadline, failures: Int(record.failures), lease: lease)
    }
  }

  /// Puts records back into the queue, due at once.
  public func giveBack(_ due: [DueRecord]) async throws(StoreError) {
    let now = now()
    for record in due {
      try await queue.run { [storage] () throws(StoreError) in
        try storage.giveBack(record.lease, now: now)
      }
    }
    queueSignal.wake()
  }

  /// Work that waits to be fetched and pushed, in one snapshot. Cost: a pass over the due part of
  /// the queue's index and over the outbox; no record is read.
  public func backlog() throws(StoreError) -> Backlog {
    try storage.backlog(now: now())
  }
}
