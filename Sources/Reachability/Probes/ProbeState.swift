internal import Platform
internal import Strategies

/// The memory of a ``SocketProbe``: the last answer, the time of the next attempt, and the callers
/// that wait.
struct ProbeState {
  private(set) var reachability: Reachability = .unknown("no attempt has ended yet")
  private(set) var nextAttempt: ContinuousClock.Instant?
  private var failures = 0
  private var waiting: [CheckedContinuation<Reachability, Never>] = []
  /// The process in which an attempt is under way; a forked child has no thread of its parent.
  private var process: UInt64?

  /// The present state. A missing route counts only until the next attempt has had its time, so
  /// that it does not outlive its cause when nobody asks for long, or an attempt never ends.
  func reachability(at now: ContinuousClock.Instant, attemptsEndWithin timeout: Duration)
    -> Reachability
  {
    guard reachability.isProvablyOffline, let nextAttempt, now > nextAttempt + timeout else {
      return reachability
    }
    return .unknown("the last attempt is too long ago")
  }

  /// Begins an attempt if none is under way and the time has come.
  mutating func begin(ifDueAt now: ContinuousClock.Instant) -> Bool {
    if let nextAttempt, now < nextAttempt { return false }
    return begin()
  }

  /// Lets a caller wait for the attempt under way; true when the caller has to begin it.
  mutating func join(_ continuation: CheckedContinuation<Reachability, Never>) -> Bool {
    waiting.append(continuation)
    return begin()
  }

  /// Takes the attempt's result and returns the callers that waited for it; `random` lies in 0 ..<
  /// 1.
  mutating func end(
    with result: Reachability, at now: ContinuousClock.Instant, random: Double
  ) -> [CheckedContinuation<Reachability, Never>] {
    defer { waiting = [] }
    process = nil
    reachability = result
    if result == .online {
      failures = 0
      nextAttempt = now + AttemptBackoff.limit(afterFailures: 0)
    } else {
      failures += 1
      nextAttempt = now + AttemptBackoff.pause(afterFailures: failures, random: random)
    }
    return waiting
  }

  private mutating func begin() -> Bool {
    let present = ForkCount.begin()
    guard process != present else { return false }
    process = present
    return true
  }
}
