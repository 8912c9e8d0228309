extension Store {
  /// Waits until a local write is settled or parked, for a program that goes on once its source has taken it. It sends
  /// nothing: a synchronizer does, in this process or another one.
  ///
  /// ```swift
  /// let entry = try await notes.write(note, for: "7")
  /// if try await store.outcome(of: entry) == .accepted { close() }
  /// ```
  ///
  /// Cost: that of an observer of changes (``changes(buffering:)``), and a look at the write after each change that may
  /// concern it.
  ///
  /// - Throws: `cancelled` when the task is cancelled, `closed` when the store is closed first, or the error of the file.
  public func outcome(of write: OutboxEntry) async throws(StoreError) -> WriteOutcome {
    // Before the first look: what happens later is told.
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

  /// How a write stands; its number becomes that of the one that has merged it.
  private func standing(of id: inout OutboxEntry.ID) throws(StoreError) -> WriteStanding {
    guard let found = try storage.writeOrHeir(id) else { return .gone }
    id = found.id
    guard found.needsSomebody else { return .waiting }
    return .parked(found.isIntact ? found.failure ?? "" : StoredWrite.damage)
  }

  /// What a change of the record says of the end of a write; `nil` when it still waits.
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
    // It was merged into an earlier one, which may be gone as well: that is told next.
    case .written:
      id = change.write.map { min(id, $0.id) } ?? id
      return nil
    case .restored, .stored, .absent, .removed:
      if change.write?.id == id { return .discarded }
      // The change that tells of its end comes after this one, unless a wipe has taken all.
      guard change.key == nil else { return nil }
      return try storage.isWiped(since: begun) ? .discarded : nil
    default: return nil
    }
  }
}
