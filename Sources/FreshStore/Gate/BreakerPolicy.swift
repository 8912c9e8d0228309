internal import Strategies

/// The rules for pausing an origin that keeps failing.
/// The state lives in the store: all processes share it, and it survives restarts.
public struct BreakerPolicy: Sendable, Hashable {
  /// Consecutive failures after which the breaker opens; at least 1.
  public var threshold: Int
  /// The first pause; one attempt is admitted after each pause, and each failure doubles it.
  public var minimumPause: Duration
  /// The longest pause.
  public var maximumPause: Duration
  /// The limit of a pause that the origin names for itself; a longer one ends then.
  package var longestNamedPause = Backoff.longestNamed

  /// Creates a policy. By default 5 failures open the breaker, and pauses grow from 10 s to 5 min, so a
  /// failed origin is asked at most 6 times a minute.
  public init(
    threshold: Int = 5, minimumPause: Duration = .seconds(10),
    maximumPause: Duration = .seconds(300)
  ) {
    self.threshold = threshold
    self.minimumPause = minimumPause
    self.maximumPause = maximumPause
  }
}

extension BreakerPolicy {
  package var numbers: NumberCheck {
    var numbers = NumberCheck()
    numbers.require("threshold", threshold, from: 1)
    numbers.require("minimumPause", minimumPause)
    numbers.require("maximumPause", maximumPause)
    return numbers
  }
}

/// Growing pauses between attempts: exponential, capped, with full jitter.
struct Backoff: Sendable {
  let base: Duration
  let maximum: Duration

  /// The longest pause that a source may name for itself.
  static let longestNamed = Duration.seconds(86_400)

  /// The end of a pause that is not over at `now`; `nil` when there is none. A pause longer than the maximum does not
  /// count: a clock that has since been set back stamped it.
  static func end(_ nextAttempt: Timestamp?, at now: Timestamp, maximum: Duration) -> Timestamp? {
    guard let nextAttempt else { return nil }
    let left = nextAttempt.duration(since: now)
    return left > .zero && left <= max(maximum, longestNamed) ? nextAttempt : nil
  }

  /// The longest pause after `doublings` doublings.
  func longest(_ doublings: Int) -> Duration {
    guard base > .zero else { return .zero }
    // 2^40 times any base of a millisecond or more is beyond every maximum in use.
    let factor = Double(1 << min(max(0, doublings), 40))
    // The comparison comes first: the product may exceed the range of a duration.
    return factor < maximum / base ? base * factor : max(.zero, maximum)
  }

  /// The pause after that many consecutive failures; `random` lies in 0 ..< 1.
  func pause(afterFailures failures: Int, random: Double) -> Duration {
    longest(failures - 1) * random
  }
}

/// The pause of a source after a failure.
///
/// A source that names a pause knows how long it will take, but not how often it is asked. So a
/// named pause lengthens the policy's own pause and never shortens it: otherwise a failing source
/// with named pauses of zero would be asked without end.
struct FailurePause: Sendable, Equatable {
  let duration: Duration
  /// True when the source named the pause: then it also applies to callers that have nothing to serve.
  let isNamed: Bool

  init(named: Duration?, own: Duration) {
    isNamed = named.map { $0 > own } ?? false
    duration = max(named ?? own, own)
  }
}

/// The reason why a wanted fetch is not tried for a while.
struct AttemptPause: Sendable, Equatable {
  /// The cause of a pause.
  enum Origin: Sendable, Equatable {
    /// The last attempt failed, and the pause is the policy's own.
    case backoff
    /// The source asked for a pause of this length.
    case named
    /// The breaker of an origin is open.
    case breaker(String)
    /// The origin is held until it is released. A caller that waits for a moment looks again at `until`.
    case hold(String)
  }

  let until: Timestamp
  let cause: String
  var origin = Origin.backoff

  var isHold: Bool {
    if case .hold = origin { true } else { false }
  }

  /// The failure of a call that the pause keeps from fetching.
  var failure: FetchFailure {
    switch origin {
    case .backoff:
      FetchFailure(
        .pausing(until: until),
        "no attempt was made, because the last one failed (\(cause)); the next one is due at \(until)"
      )
    case .named:
      FetchFailure(
        .pausing(until: until),
        "no attempt was made, because the source asked to be left alone until \(until) (\(cause))")
    case .breaker(let name): .originIsDown(name, until: until)
    case .hold(let name): .held(name, because: cause)
    }
  }
}

/// The reason why a source is not asked.
enum SourceObstacle: Sendable, Equatable {
  case offline(String)
  case paused(AttemptPause)

  /// The failure of a call that the obstacle keeps from fetching.
  var failure: FetchFailure {
    switch self {
    case .offline(let cause): .offline(cause)
    case .paused(let pause): pause.failure
    }
  }
}
