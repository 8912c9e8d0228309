import Synchronization

/// A request that waits for its source's answer.
final class HeldRequest<Answer: Sendable>: Sendable {
  private enum State {
    case new
    case waiting(CheckedContinuation<Answer, any Error>)
    case over
  }

  private let state = Mutex(State.new)

  var isOver: Bool { state.withLock { if case .over = $0 { true } else { false } } }

  /// The answer; throws when the task is cancelled first.
  func answer() async throws -> Answer {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isOver = state.withLock { state in
          if case .over = state { return true }
          state = .waiting(continuation)
          return false
        }
        if isOver { continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      end(.failure(CancellationError()))
    }
  }

  func end(_ result: Result<Answer, any Error>) {
    let waiting = state.withLock { state -> CheckedContinuation<Answer, any Error>? in
      defer { state = .over }
      if case .waiting(let continuation) = state { return continuation }
      return nil
    }
    waiting?.resume(with: result)
  }
}
