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

  /// What was taken once is stored, or lost.
  func noteStored() { state.withLock { $0.underWay -= 1 } }
}
