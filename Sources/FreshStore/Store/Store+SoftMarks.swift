internal import Strategies

extension Store {
  /// Remembers that a read found a record stale, so that the refetch queue will see it. Returns at
  /// once; the mark is written within a second or so, with others.
  func noteStale(_ decision: Decision, _ record: StoredRecord) {
    guard configuration.access == .readWrite, decision.outcome == .stale, record.mark == nil,
      record.isIntact, !record.isPending, case .chain(let reason) = decision.cause
    else { return }
    // The words of a mark that covers the record stay what they are.
    let words = if case .marked(let words) = reason { words } else { "\(reason)" }
    let mark = Storage.SoftMark(
      row: record.row, checksum: record.rowChecksum, at: decision.now, reason: words)
    switch marks.add(mark) {
    case .nothing: break
    case .now: Task { [weak self] in _ = await self?.flushMarks() }
    case .later:
      Task { [weak self, clock = configuration.clock] in
        do {
          try await clock.sleep(for: .seconds(1))
        } catch {
          return
        }
        _ = await self?.flushMarks()
      }
    }
  }

  /// Writes down the marks that wait.
  @discardableResult
  func flushMarks() async -> Result<Void, StoreError> {
    let waiting = marks.take()
    guard !waiting.isEmpty else { return .success(()) }
    do throws(StoreError) {
      try await queue.run { [storage] () throws(StoreError) in try storage.mark(waiting) }
      queueSignal.wake()
      return .success(())
    } catch {
      report(.notStored(error))
      return .failure(error)
    }
  }
}
