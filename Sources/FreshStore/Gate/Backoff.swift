internal import Strategies

/// Growing pauses between attempts: exponential, capped, with full jitter.
struct Backoff: Sendable {
  let base: Duration
  let maximum: Duration

  /// The longest pause that a source may name for itself.
  static let longestNamed = Duration.seconds(86_400)

  /// The end of a pause that is not over at `now`; `nil` when there is none. A pause longer than
  /// the maximum was stamped by a clock that has since been set back.
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
    // Compared before it is multiplied: the product may exceed the range of a duration.
    return factor < maximum / base ? base * factor : max(.zero, maximum)
  }

  /// The pause after that many consecutive failures; `random` lies in 0 ..< 1.
  func pause(afterFailures failures: Int, random: Double) -> Duration {
    longest(failures - 1) * random
  }
}
