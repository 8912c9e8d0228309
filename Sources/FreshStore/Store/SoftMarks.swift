internal import Synchronization

/// Verdicts that wait to be written down as marks. They are kept in memory, bounded, off the
/// reader's path; one that is lost is harmless, because the next read decides again.
final class SoftMarks: Sendable {
  private struct State {
    var marks: [Int64: Storage.SoftMark] = [:]
    var isScheduled = false
  }

  /// What the caller of ``add(_:)`` is to do.
  enum Due {
    case nothing
    /// Flush after a while.
    case later
    /// Flush now: the buffer is full.
    case now
  }

  private let state = Mutex(State())
  private static let capacity = 256

  /// Keeps a verdict; one for the same row is replaced.
  func add(_ mark: Storage.SoftMark) -> Due {
    state.withLock { state in
      if state.marks.count < Self.capacity || state.marks[mark.row] != nil {
        state.marks[mark.row] = mark
      }
      if state.marks.count == Self.capacity { return .now }
      if state.isScheduled { return .nothing }
      state.isScheduled = true
      return .later
    }
  }

  /// Takes everything out.
  func take() -> [Storage.SoftMark] {
    state.withLock { state in
      defer { state = State() }
      return Array(state.marks.values)
    }
  }
}
