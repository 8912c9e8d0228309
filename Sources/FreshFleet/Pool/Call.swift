#if Fleet
  internal import FreshStore
  internal import Synchronization

  /// A call to the database: its steps, and the task that waits for the answer. The first outcome counts.
  final class Call: Sendable {
    typealias Outcome = Result<[[Row]], SharedTierError>

    let steps: [Step]
    let lane: Lane
    /// The time until which its caller waits.
    let deadline: Waiting.Deadline
    /// True when it changes state that others rely on. After a lost call nobody knows whether it was executed.
    let isUncertain: Bool
    /// Receives an answer that came after the caller had left.
    private let whenLate: (@Sendable ([[Row]]) -> Void)?
    /// Is called when the user lacks a right for it.
    private let whenRefused: (@Sendable () -> Void)?
    private let state = Mutex(State())

    private struct State {
      var continuation: CheckedContinuation<Outcome, Never>?
      var outcome: Outcome?
      var isSent = false
      var isTaken = false
      var isFirst = false
      /// The number of answers in its lane before it.
      var answersBefore = 0
      var retries = 0
    }

    init(
      _ steps: [Step], lane: Lane = .questions, deadline: Waiting.Deadline,
      isUncertain: Bool = false, whenLate: (@Sendable ([[Row]]) -> Void)? = nil,
      whenRefused: (@Sendable () -> Void)? = nil
    ) {
      (self.steps, self.lane, self.deadline) = (steps, lane, deadline)
      (self.isUncertain, self.whenLate) = (isUncertain, whenLate)
      self.whenRefused = whenRefused
    }

    var isFinished: Bool { state.withLock { $0.outcome != nil } }

    /// Notes that it waits for a session.
    func noteWaiting(after answers: Int) { state.withLock { $0.answersBefore = answers } }

    /// Notes that a session has taken it.
    func noteTaken() { state.withLock { $0.isTaken = true } }

    /// True once a session has taken it.
    var isTaken: Bool { state.withLock { $0.isTaken } }

    /// Notes that a session has taken it, ahead of the other calls of a round trip.
    func noteFirst() { state.withLock { $0.isFirst = true } }

    /// True when nothing of its lane was answered while it waited, for a call that is the first of a round
    /// trip or that no session has taken.
    func isUnanswered(at answers: Int) -> Bool {
      state.withLock { ($0.isFirst || !$0.isTaken) && $0.answersBefore == answers }
    }

    /// Notes that it is sent, so that a failure leaves doubt. False when its caller has left.
    func beginSending() -> Bool {
      state.withLock { state in
        guard state.outcome == nil else { return false }
        state.isSent = true
        return true
      }
    }

    /// True once, for a call that has met a conflicting one, or an idle connection that had ended.
    func takeRetry() -> Bool {
      state.withLock { state in
        state.retries += 1
        return state.retries == 1 && state.outcome == nil
      }
    }

    /// Passes the outcome to the caller, unless it has one already.
    ///
    /// - Parameter note: Runs for the first outcome, before the caller continues: the caller's next call must
    ///   find the state that this one has changed.
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
        if case .failure(let error) = outcome, error.code == .noRights { whenRefused?() }
      } else if case .success(let rows) = outcome {
        whenLate?(rows)
      }
      waiting?.resume(returning: final)
    }

    /// The outcome, once there is one. One task calls it, once.
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
    /// True for failures after which a transaction may still have been committed.
    fileprivate var leavesDoubt: Bool {
      switch code {
      case .unreachable, .slow, .cancelled, .closed: true
      default: false
      }
    }
  }
#endif
