/// Growing pauses between attempts: exponential, capped, with full jitter.
struct Backoff: Sendable {
  let base: Duration
  let maximum: Duration

  /// The longest pause that a source may name for itself.
  static let longestNamed = Duration.seconds(86_400)

  /// The longest pause after `doublings` doublings.
  func longest(_ doublings: Int) -> Duration {
    guard base > .zero else { return .zero }
    // 2^40 times any base of a millisecond or more is beyond every maximum in use.
    let factor = Double(1 << min(max(0, doublings), 40))
    // Compared before it is multiplied: the product may be longer than a duration can be.
    return factor < maximum / base ? base * factor : max(.zero, maximum)
  }

  /// The pause after so many failures in a row; `random` lies in 0 ..< 1.
  func pause(afterFailures failures: Int, random: Double) -> Duration {
    longest(failures - 1) * random
  }
}
