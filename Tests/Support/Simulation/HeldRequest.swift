import Synchronization

/// A request that waits for its source's answer.
final class HeldRequest<Answer: Sendable>: Sendable {
  private enum State {
    case new
    case waiting(CheckedContinuation<Answer, any Error>)
    case givenUp(CheckedContinuation<Answer, any Error>)
    case over
  }

  private let state = Mutex(State.new)
  private let isStubborn: Bool

  /// - Parameter isStubborn: True for one that still waits when it is cancelled.
  init(isStubborn: Bool) {
    self.isStubborn = isStubborn
  }

  var isOver: Bool { state.withLock { if case .over = $0 { true } else { false } } }

  /// True when it was cancelled and waits all the same.
  var isGivenUp: Bool { state.withLock { if case .givenUp = $0 { true } else { false } } }

  /// The answer; throws when the task is cancelled first, and it is not a stubborn one.
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
      giveUp()
    }
  }

  private func giveUp() {
    let waits = state.withLock { state in
      guard isStubborn, case .waiting(let continuation) = state else { return false }
      state = .givenUp(continuation)
      return true
    }
    if !waits { end(.failure(CancellationError())) }
  }

  func end(_ result: Result<Answer, any Error>) {
    let waiting = state.withLock { state -> CheckedContinuation<Answer, any Error>? in
      defer { state = .over }
      return switch state {
      case .waiting(let continuation), .givenUp(let continuation): continuation
      case .new, .over: nil
      }
    }
    waiting?.resume(with: result)
  }
}
