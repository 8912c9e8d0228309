internal import Synchronization

/// A value that becomes known once, to any number of tasks that wait for it.
final class Announcement<Value: Sendable>: Sendable {
  private struct State {
    var value: Value?
    var waiters: [Int: CheckedContinuation<Value?, Never>] = [:]
    var nextWaiter = 0
  }

  private let state = Mutex(State())

  /// The value, if it is known already.
  var made: Value? { state.withLock { $0.value } }

  /// Tells all who wait, and all who ask later; only the first value counts.
  func make(_ value: Value) {
    let waiters = state.withLock { state -> [CheckedContinuation<Value?, Never>] in
      guard state.value == nil else { return [] }
      state.value = value
      defer { state.waiters.removeAll() }
      return Array(state.waiters.values)
    }
    for waiter in waiters { waiter.resume(returning: value) }
  }

  /// The value; `nil` when the task is cancelled first.
  func value() async -> Value? {
    let waiter = state.withLock { state in
      state.nextWaiter += 1
      return state.nextWaiter
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let known = state.withLock { state -> Value?? in
          if let value = state.value { return .some(value) }
          // A cancellation that came first found nothing to resume.
          guard !Task.isCancelled else { return .some(nil) }
          state.waiters[waiter] = continuation
          return nil
        }
        if let known { continuation.resume(returning: known) }
      }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: waiter) }?.resume(returning: nil)
    }
  }
}
