internal import Synchronization

/// A latch that tests open: a waiting task continues when the gate is open, or when the task is
/// cancelled.
public final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var nextWaiter = 0
    var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
  }

  private let state = Mutex(State())

  /// Creates a closed gate.
  public init() {}

  /// True once it has been opened.
  public var isOpen: Bool { state.withLock(\.isOpen) }

  /// Opens the gate for good; may be called more than once.
  public func open() {
    let waiters = state.withLock { state in
      state.isOpen = true
      defer { state.waiters.removeAll() }
      return Array(state.waiters.values)
    }
    for waiter in waiters {
      waiter.resume()
    }
  }

  /// Returns once the gate is open or the task is cancelled.
  public func wait() async {
    let waiter = state.withLock { state in
      state.nextWaiter += 1
      return state.nextWaiter
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let goesOn = state.withLock { state in
          // A cancellation that came first found nothing to resume.
          guard !state.isOpen, !Task.isCancelled else { return true }
          state.waiters[waiter] = continuation
          return false
        }
        if goesOn {
          continuation.resume()
        }
      }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: waiter) }?.resume()
    }
  }
}
