/// Whether a failed fetch is worth another attempt, and how long to wait before it.
struct RetrySchedule {
  private var attemptsLeft: Int
  private var wait = Duration.seconds(1)
  /// A number from 0 up to 1, for waits that many clients do not end at the same moment.
  private let random: @Sendable () -> Double

  init(_ attempts: Int, random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }) {
    attemptsLeft = attempts
    self.random = random
  }

  /// The wait before the next attempt; `nil` when the failure stands, because it would not pass, was
  /// the last one allowed, or leaves no time for another.
  mutating func pause(after failure: HTTPFetchError, within left: Duration) -> Duration? {
    guard attemptsLeft > 0, failure.isTransient else { return nil }
    // A source that names no rest gets one all the same.
    let pause = max(failure.retryAfter ?? .zero, wait * (1 - random() / 2))
    guard pause < left else { return nil }
    attemptsLeft -= 1
    wait = min(wait * 2, Self.longestWait)
    return pause
  }

  private static let longestWait = Duration.seconds(600)
}

extension HTTPFetchError {
  /// True when the same request may succeed a moment later. A time-out is one of connecting where
  /// that is asked: a fetch has no time left after its own.
  fileprivate var isTransient: Bool {
    switch self {
    case .timedOut, .unreachable, .transport: true
    case .status(let status, _, _, _): Self.transientStatuses.contains(status)
    default: false
    }
  }

  private static let transientStatuses: Set = [408, 429, 500, 502, 503, 504]
}
