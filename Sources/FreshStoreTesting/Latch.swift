internal import Synchronization

/// A latch that tests close and open. A caller that reaches it while it is closed waits.
package final class Latch: Sendable {
  private struct State {
    var isOpen: Bool
    var next = 0
    var waiters: [Int: CheckedContinuation<Bool, Never>] = [:]
    var cancelledEarly: Set<Int> = []
  }

  private let state: Mutex<State>

  /// Creates a latch.
  package init(isOpen: Bool = true) {
    state = Mutex(State(isOpen: isOpen))
  }

  /// The callers that wait for it to open.
  package var waiting: Int { state.withLock { $0.waiters.count } }

  /// Closes the latch to later callers.
  package func close() { state.withLock { $0.isOpen = false } }

  /// Opens it and lets every caller through.
  package func open() {
    let waiters = state.withLock { state in
      state.isOpen = true
      defer { state.waiters = [:] }
      return Array(state.waiters.values)
    }
    for waiter in waiters { waiter.resume(returning: true) }
  }

  /// Returns once the latch is open; throws `CancellationError` when the task is cancelled first.
  package func pass() async throws {
    let number = state.withLock { state in
      state.next += 1
      return state.next
    }
    let passed = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let outcome = state.withLock { state -> Bool? in
          if state.cancelledEarly.remove(number) != nil { return false }
          if state.isOpen { return true }
          state.waiters[number] = continuation
          return nil
        }
        if let outcome { continuation.resume(returning: outcome) }
      }
    } onCancel: {
      let waiter = state.withLock { state -> CheckedContinuation<Bool, Never>? in
        guard let waiter = state.waiters.removeValue(forKey: number) else {
          state.cancelledEarly.insert(number)
          return nil
        }
        return waiter
      }
      waiter?.resume(returning: false)
    }
    if !passed { throw CancellationError() }
  }
}

/// The requests of one kind so far, and the tasks that wait for more of them.
final class Arrivals<Request: Sendable>: Sendable {
  private struct State {
    var all: [Request] = []
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())

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

  /// Returns once at least so many requests have arrived.
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
