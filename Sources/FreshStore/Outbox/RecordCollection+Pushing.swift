internal import Strategies

extension RecordCollection {
  /// Pushes local writes that ``Store/dueWrites(collection:limit:holding:)`` handed out to their
  /// source, one after the other; writes of other collections are left alone. To push in parallel,
  /// call it several times at once.
  ///
  /// No lock is held and no transaction is open while `push` runs, under ``Policy/hardTimeout``; the
  /// write is held at least that long. An error that it throws leaves the write waiting: the pause
  /// grows with every attempt (``Policy/retryPause``), unless the error names one
  /// (``FetchErrorTraits/retryAfter``). Where the source is provably out of reach, or its way or its
  /// origin is left alone, nothing is sent, and no attempt is counted.
  ///
  /// A conflict whose two sides are the same is none: the write had arrived, and its answer was lost.
  /// A merged write is pushed at once, unless the last write that it takes the place of named another
  /// address: then it is handed out anew. When it meets a conflict again, or something was written while
  /// it was resolved, all is resolved anew after a pause that grows with each conflict in a row
  /// (``Policy/retryPause``).
  ///
  /// - Parameters:
  ///   - policy: In place of the collection's.
  ///   - conflicts: Who wins when the source holds another change; by default nobody does, and the
  ///     write is parked.
  ///   - push: Sends one write to the source. It may be called again for a write that had arrived,
  ///     under the same idempotency key.
  /// - Returns: What became of each write, by the number of its entry; the store's error when it
  ///   could not be settled: it is then due again at once, under the same idempotency key.
  public func push(
    _ due: [DueWrite], policy: Policy? = nil, conflicts: ConflictPolicy<Value> = .parks,
    push: @escaping @Sendable (PendingWrite<Value>) async throws -> Pushed<Value>
  ) async -> [OutboxEntry.ID: Result<PushOutcome<Value>, StoreError>] {
    let pusher = Pusher(
      collection: self, policy: policy ?? self.policy, conflicts: conflicts, push: push)
    var outcomes: [OutboxEntry.ID: Result<PushOutcome<Value>, StoreError>] = [:]
    for write in due where write.entry.collection.hasSameBytes(as: name) {
      do throws(StoreError) {
        outcomes[write.entry.id] = .success(try await pusher.outcome(of: write.claim))
      } catch {
        store.report(.notStored(error))
        outcomes[write.entry.id] = .failure(error)
      }
    }
    return outcomes
  }
}
