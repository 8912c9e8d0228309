internal import Synchronization

/// What is still to come of requests: their answers, the requests to origins that are under way, and what is being
/// stored of those.
final class RunRegistry: Sendable {
  private struct State {
    var count = 0
    var ended: CheckedContinuation<Void, Never>?
  }

  private let state = Mutex(State())

  func begin() { state.withLock { $0.count += 1 } }

  func end() {
    let ended = state.withLock { state -> CheckedContinuation<Void, Never>? in
      state.count -= 1
      return state.count == 0 ? state.ended.take() : nil
    }
    ended?.resume()
  }

  /// Returns once all have ended, or the task is cancelled; for one task.
  func drain() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isDone = state.withLock { state in
          guard state.count > 0, !Task.isCancelled else { return true }
          state.ended = continuation
          return false
        }
        if isDone { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.ended.take() }?.resume()
    }
  }
}
