internal import Synchronization

/// The requests of one kind so far, and the tasks that wait for more of them.
final class Arrivals<Request: Sendable>: Sendable {
  private struct State {
    var all: [Request] = []
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())

  /// Oldest first.
  var all: [Request] { state.withLock { $0.all } }

  func note(_ request: Request) {
    let due = state.withLock { state in
      state.all.append(request)
      let count = state.all.count
      let due = state.watchers.filter { $0.count <= count }
      state.watchers.removeAll { $0.count <= count }
      return due
    }
    for watcher in due { watcher.continuation.resume() }
  }

  /// Returns once there were at least so many.
  func atLeast(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let areThere = state.withLock { state in
        if state.all.count >= count { return true }
        state.watchers.append((count, continuation))
        return false
      }
      if areThere { continuation.resume() }
    }
  }
}
