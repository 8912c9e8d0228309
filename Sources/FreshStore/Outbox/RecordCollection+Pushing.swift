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
  /// merged write is pushed at once, unless the last write that it replaces named another address, or its
  /// source was held or went out of reach meanwhile: then it is handed out anew. When it meets a conflict
  /// again, or a write of the key was made, corrected or dropped during the resolution, everything is
  /// resolved anew after a pause that grows with each consecutive conflict (``Policy/retryPause``).
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
    for write in own(due) {
      outcomes[write.entry.id] = await outcome(
        of: write, size: write.entry.size, past: await pusher.source.admitAll(), pusher)
    }
    return outcomes
  }

  /// As ``push(_:policy:conflicts:limits:push:)``, all in one request; a write that was merged after a
  /// conflict goes in a request of its own.
  ///
  /// - Parameter push: Sends the writes, of different keys, to the source, and returns its answers by key. A
  ///   write without an answer has failed, and waits.
  package func push(
    together due: [DueWrite], policy: Policy? = nil, conflicts: ConflictPolicy<Value> = .parks,
    limits: PushLimits = PushLimits(),
    push: @escaping @Sendable ([PendingWrite<Value>]) async throws -> [String: Pushed<Value>]
  ) async -> [OutboxEntry.ID: Result<PushOutcome<Value>, StoreError>] {
    let due = own(due)
    // An admission may be the only one for a trial.
    guard !due.isEmpty else { return [:] }
    let batch = PushBatch(members: due.count, push: push)
    let round = PushRound(chance: store.configuration.random())
    let size = due.reduce(0) { $0 + $1.entry.size }
    let admission = await self.admission(policy ?? self.policy).admitAll()
    return await withTaskGroup(
      of: (OutboxEntry.ID, Result<PushOutcome<Value>, StoreError>).self
    ) { group in
      for (number, write) in due.enumerated() {
        let member = PushBatch<Value>.Member(number, of: batch)
        let pusher = Pusher(
          collection: self, policy: policy ?? self.policy, conflicts: conflicts, limits: limits,
          blames: batch.blames, round: round, leaves: member.end, push: member.push)
        group.addTask {
          defer { member.end() }
          return (write.entry.id, await outcome(of: write, size: size, past: admission, pusher))
        }
      }
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
  }

  private func own(_ due: [DueWrite]) -> [DueWrite] {
    due.filter { $0.entry.collection.hasSameBytes(as: name) }
  }

  private func outcome(
    of write: DueWrite, size: Int, past admission: Result<SourceObstacle?, StoreError>,
    _ pusher: Pusher<Value>
  ) async -> Result<PushOutcome<Value>, StoreError> {
    do throws(StoreError) {
      return .success(try await pusher.outcome(of: write, size: size, past: admission))
    } catch {
      store.report(.notStored(error))
      return .failure(error)
    }
  }
}
