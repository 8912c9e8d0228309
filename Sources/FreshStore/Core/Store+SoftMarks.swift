internal import Strategies

extension Store {
  /// Remembers that a read found a record stale, so that the refetch queue will see it, or
  /// requested one that waits there already, so that it moves ahead of others. Returns at once; it
  /// is stored within some seconds, with others.
  func noteStale(
    _ decision: Decision, row: Int64, checksum: @autoclosure () -> Int64, isMarked: Bool
  ) {
    // While marks of the fleet may be missing here, a verdict may be due to that alone.
    guard configuration.access == .readWrite, fleet?.behind == nil else { return }
    let due: SoftMarks.Due
    if isMarked {
      guard decision.outcome == .stale || decision.outcome == .offline else { return }
      due = marks.addWant(row: row, checksum: checksum())
    } else {
      // A copy that is too old for one caller may be fresh for the others.
      guard decision.outcome == .stale, !decision.facts.isByPolicy,
        case .chain(let reason) = decision.cause
      else { return }
      // The reason of a mark that covers the record stays the same.
      let words = if case .marked(let words) = reason { words } else { "\(reason)" }
      due = marks.add(
        Storage.SoftMark(
          collection: decision.collection, key: decision.key, row: row, checksum: checksum(),
          at: decision.now, reason: words))
    }
    switch due {
    case .nothing: break
    case .now: Task { [weak self] in _ = await self?.flushMarks() }
    case .after(let pause):
      Task { [weak self, clock = configuration.clock] in
        do {
          try await clock.sleep(for: pause)
        } catch {
          return
        }
        _ = await self?.flushMarks()
      }
    }
  }

  /// Stores the waiting marks; true when the refetch queue has grown. When it returns, those that
  /// another flush was storing are stored, too.
  @discardableResult
  package func flushMarks() async -> Result<Bool, StoreError> {
    guard marks.isAnyUnstored else { return .success(false) }
    do throws(StoreError) {
      let now = now()
      // Taken in the queue: another flush meanwhile comes behind this one, and returns with all stored.
      let hasGrown = try await queue.run { [storage, marks] () throws(StoreError) in
        let waiting = marks.take()
        defer { marks.noteStored() }
        guard !waiting.marks.isEmpty || !waiting.wants.isEmpty else { return false }
        return try storage.mark(waiting.marks, wanted: waiting.wants, now: now)
      }
      if hasGrown { queueSignal.wake() }
      return .success(hasGrown)
    } catch {
      report(.notStored(error))
      return .failure(error)
    }
  }
}
