#if Fleet
  internal import FreshStore
  internal import Synchronization

  /// A call on its way to the database: its steps, and the task that waits for the answer. The first outcome
  /// counts.
  final class Call: Sendable {
    typealias Outcome = Result<[[Row]], SharedTierError>

    let steps: [Step]
    /// When its caller no longer waits.
    let deadline: Waiting.Deadline
    /// True when it changes what others rely on, so that nobody knows whether a lost one was done.
    let isUncertain: Bool
    /// Gets an answer that came after the caller had left.
    private let whenLate: (@Sendable ([[Row]]) -> Void)?
    private let state = Mutex(State())

    private struct State {
      var continuation: CheckedContinuation<Outcome, Never>?
      var outcome: Outcome?
      var isSent = false
      var retries = 0
    }

    init(
      _ steps: [Step], deadline: Waiting.Deadline, isUncertain: Bool,
      whenLate: (@Sendable ([[Row]]) -> Void)?
    ) {
      (self.steps, self.deadline, self.isUncertain) = (steps, deadline, isUncertain)
      self.whenLate = whenLate
    }

    var isFinished: Bool { state.withLock { $0.outcome != nil } }

    func noteSent() { state.withLock { $0.isSent = true } }

    /// True once for a call that met another one, or an idle connection that had ended.
    func takeRetry() -> Bool {
      state.withLock { state in
        state.retries += 1
        return state.retries == 1 && state.outcome == nil
      }
    }

    /// Gives the outcome to the caller, unless it has one already.
    ///
    /// - Parameter note: Runs for the first outcome, before the caller goes on: its next call must find what
    ///   this one has taught.
    func finish(_ outcome: Outcome, noting note: () -> Void = {}) {
      let (isFirst, waiting, final) = state.withLock { state in
        guard state.outcome == nil else {
          return (false, nil as CheckedContinuation<Outcome, Never>?, outcome)
        }
        var final = outcome
        if case .failure(var error) = outcome, isUncertain, state.isSent, error.leavesDoubt {
          error.isUncertain = true
          final = .failure(error)
        }
        state.outcome = final
        defer { state.continuation = nil }
        return (true, state.continuation, final)
      }
      if isFirst {
        note()
      } else if case .success(let rows) = outcome {
        whenLate?(rows)
      }
      waiting?.resume(returning: final)
    }

    /// The outcome, once there is one. Called by one task, once.
    func outcome() async -> Outcome {
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let outcome = state.withLock { state -> Outcome? in
            if state.outcome == nil { state.continuation = continuation }
            return state.outcome
          }
          if let outcome { continuation.resume(returning: outcome) }
        }
      } onCancel: {
        finish(.failure(SharedTierError(.cancelled, "the task was cancelled")))
      }
    }
  }

  extension SharedTierError {
    /// True for failures after which a transaction may have been committed all the same.
    fileprivate var leavesDoubt: Bool {
      switch code {
      case .unreachable, .slow, .cancelled, .closed: true
      default: false
      }
    }
  }
#endif
