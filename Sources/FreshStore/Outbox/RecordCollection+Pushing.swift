internal import Strategies

extension RecordCollection {
  /// Pushes local writes from ``Store/dueWrites(collection:limit:holding:)`` to their source, one
  /// after the other; writes of other collections are left alone. To push in parallel, call it
  /// several times at once.
  ///
  /// No lock is held and no transaction is open while `push` runs, under ``Policy/hardTimeout``;
  /// the write is held at least that long. An error that it throws leaves the write waiting: the
  /// pause grows with every attempt (``Policy/retryPause``), unless the error names one
  /// (``FetchErrorTraits/retryAfter``). Where the source is provably unreachable, or its route or
  /// its origin is in a pause, nothing is sent, and no attempt is counted.
  ///
  /// A conflict between two equal sides is none: the write had arrived, and its answer was lost. A
  /// merged write is pushed at once, unless the last write that it replaces named another address:
  /// then it is handed out anew. When it meets a conflict again, or something was written during
  /// the resolution, everything is resolved anew after a pause that grows with each consecutive
  /// conflict (``Policy/retryPause``).
  ///
  /// - Parameters:
  ///   - policy: Replaces the collection's.
  ///   - conflicts: The winner when the source holds another change; by default neither side, and
  ///     the write is parked.
  ///   - push: Sends one write to the source. It may be called again for a write that had arrived,
  ///     under the same idempotency key.
  /// - Returns: The outcome of each write, by the number of its entry; the store's error when it
  ///   could not be settled: it is then due again at once, under the same idempotency key.
  package func push(
    _ due: [DueWrite], policy: Policy? = nil, conflicts: ConflictPolicy<Value> = .parks,
    limits: PushLimits = PushLimits(),
    push: @escaping @Sendable (PendingWrite<Value>) async throws -> Pushed<Value>
  ) async -> [OutboxEntry.ID: Result<PushOutcome<Value>, StoreError>] {
    let pusher = Pusher(
      collection: self, policy: policy ?? self.policy, conflicts: conflicts, limits: limits,
      push: push)
    var outcomes: [OutboxEntry.ID: Result<PushOutcome<Value>, StoreError>] = [:]
    for write in due where write.entry.collection.hasSameBytes(as: name) {
      do throws(StoreError) {
        outcomes[write.entry.id] = .success(try await pusher.outcome(of: write))
      } catch {
        store.report(.notStored(error))
        outcomes[write.entry.id] = .failure(error)
      }
    }
    return outcomes
  }
}
