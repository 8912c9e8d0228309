import FreshStore
import StoreSupport
import Synchronization

/// A source that ignores the cancellation of its callers: it answers on request.
final class StubbornSource: Sendable {
  private struct State {
    var isOpen = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  /// Waits, cancelled or not, until ``answer()``.
  func fetch(_ value: String) async -> Fetched<String> {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiting.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
    return .value(value)
  }

  /// Answers every present and later caller.
  func answer() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}
