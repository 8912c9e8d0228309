internal import Strategies

extension Store {
  /// Remembers that a read found a record stale, so that the refetch queue will see it, or wanted
  /// one that waits there already, so that it goes before others. Returns at once; it is written
  /// within some seconds, with others.
  func noteStale(_ decision: Decision, _ record: StoredRecord) {
    guard configuration.access == .readWrite, record.isIntact, !record.isPending,
      let due = note(decision, record)
    else { return }
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

  private func note(_ decision: Decision, _ record: StoredRecord) -> SoftMarks.Due? {
    if record.mark != nil {
      guard decision.outcome == .stale || decision.outcome == .offline else { return nil }
      return marks.addWant(row: record.row, checksum: record.rowChecksum)
    }
    guard decision.outcome == .stale, case .chain(let reason) = decision.cause else { return nil }
    // The words of a mark that covers the record stay what they are.
    let words = if case .marked(let words) = reason { words } else { "\(reason)" }
    return marks.add(
      Storage.SoftMark(
        row: record.row, checksum: record.rowChecksum, at: decision.now, reason: words))
  }

  /// Writes down the marks that wait.
  @discardableResult
  func flushMarks() async -> Result<Void, StoreError> {
    let waiting = marks.take()
    guard !waiting.marks.isEmpty || !waiting.wants.isEmpty else { return .success(()) }
    let now = now()
    do throws(StoreError) {
      try await queue.run { [storage] () throws(StoreError) in
        try storage.mark(waiting.marks, wanted: waiting.wants, now: now)
      }
      queueSignal.wake()
      return .success(())
    } catch {
      report(.notStored(error))
      return .failure(error)
    }
  }
}
