extension Store {
  /// Hands out up to `limit` records of the refetch queue, oldest deadline first; several workers
  /// and processes may share it.
  ///
  /// Each comes with its lease: until `holding` has passed no other worker fetches it or is handed
  /// it. Pass it to ``RecordCollection/refetch(_:policy:fetch:)``, or back to ``giveBack(_:)``. A
  /// record of a hanging worker is due again after that time, and one whose worker has died, or
  /// closed its store, at once.
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

  /// Puts records that were not fetched back to their places in the queue; they are due at once.
  /// When the store fails they are returned with the next call that succeeds.
  package func giveBack(_ due: [DueRecord]) async throws(StoreError) {
    try await putBack(due)
    queueSignal.wake()
  }

  /// Work that waits to be fetched and pushed, in one snapshot. Cost: a pass over the due part of
  /// the queue and over the outbox; no value is read.
  package func backlog() throws(StoreError) -> Backlog {
    try storage.backlog(now: now())
  }
}
