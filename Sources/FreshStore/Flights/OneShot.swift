internal import Synchronization

/// A value that is set once and awaited by one task; the first caller that sets it wins.
final class OneShot<Value: Sendable>: Sendable {
  private enum State {
    case empty
    case awaited(CheckedContinuation<Value, Never>)
    case set(Value)
    case delivered
  }

  private let state = Mutex(State.empty)

  /// Sets the value unless it is set.
  func resolve(_ value: Value) {
    let waiting = state.withLock { state -> CheckedContinuation<Value, Never>? in
      switch state {
      case .empty:
        state = .set(value)
        return nil
      case .awaited(let continuation):
        state = .delivered
        return continuation
      case .set, .delivered: return nil
      }
    }
    waiting?.resume(returning: value)
  }

  /// The value, once it is set. Called by one task, once.
  func value() async -> Value {
    await withCheckedContinuation { continuation in
      let value = state.withLock { state -> Value? in
        if case .set(let value) = state {
          state = .delivered
          return value
        }
        state = .awaited(continuation)
        return nil
      }
      if let value { continuation.resume(returning: value) }
    }
  }
}
