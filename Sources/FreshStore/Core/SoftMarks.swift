internal import Strategies
internal import Synchronization

/// Verdicts that wait to be stored as marks, and the numbers of requests for records that wait for
/// a refetch. They are kept in memory, bounded, off the reader's path; losing one is harmless,
/// because the next read decides again.
final class SoftMarks: Sendable {
  private struct State {
    var marks: [Int64: Storage.SoftMark] = [:]
    var wants: [Int64: Storage.Want] = [:]
    var isScheduled = false
    var areWantsScheduled = false
    /// True when somebody was told to flush the full buffer.
    var isFlushDue = false
    /// How many have been taken and are not stored yet.
    var underWay = 0
  }

  /// The next step of the caller of ``add(_:)``.
  enum Due {
    case nothing
    /// Flush after this time.
    case after(Duration)
    /// Flush now: the buffer is full.
    case now
  }

  private let state = Mutex(State())
  private static let capacity = 256

  /// Keeps a verdict; it replaces one for the same row.
  func add(_ mark: Storage.SoftMark) -> Due {
    state.withLock { state in
      if state.marks.count < Self.capacity || state.marks[mark.row] != nil {
        state.marks[mark.row] = mark
      }
      if state.marks.count == Self.capacity {
        defer { state.isFlushDue = true }
        return state.isFlushDue ? .nothing : .now
      }
      if state.isScheduled { return .nothing }
      state.isScheduled = true
      return .after(.seconds(1))
    }
  }

  /// Counts a request for a record that waits for a refetch.
  func addWant(row: Int64, checksum: Int64) -> Due {
    state.withLock { state in
      let want = state.wants[row]
      guard want != nil || state.wants.count < Self.capacity else { return .nothing }
      state.wants[row] = Storage.Want(
        row: row, checksum: checksum, count: want.map { $0.count + 1 } ?? 1)
      if state.areWantsScheduled { return .nothing }
      state.areWantsScheduled = true
      // The place in the queue matters only when the queue moves, and then it is flushed.
      return .after(.seconds(10))
    }
  }

  /// True when some wait to be stored, or are being stored now.
  var isAnyUnstored: Bool {
    state.withLock { !$0.marks.isEmpty || !$0.wants.isEmpty || $0.underWay > 0 }
  }

  /// Takes all verdicts and counts; ``noteStored()`` says when they are stored.
  func take() -> (marks: [Storage.SoftMark], wants: [Storage.Want]) {
    state.withLock { state in
      defer {
        let underWay = state.underWay + 1
        state = State()
        state.underWay = underWay
      }
      return (Array(state.marks.values), Array(state.wants.values))
    }
  }

  /// The marks that were taken once are stored, or lost.
  func noteStored() { state.withLock { $0.underWay -= 1 } }
}

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
