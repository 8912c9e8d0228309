/// Limits how often the routes are queried under continuous changes: a few questions at once, so
/// that the last of several messages about a change is seen, and then one in every ``interval``.
struct AskBudget {
  static let interval: Duration = .milliseconds(10)
  static let burst = 8

  /// The moment by which all past questions are paid for.
  private var paid: ContinuousClock.Instant

  init(now: ContinuousClock.Instant) {
    paid = now
  }

  /// The next moment at which a question is allowed.
  var nextAllowed: ContinuousClock.Instant {
    paid - Self.interval * (Self.burst - 1)
  }

  /// Takes one question if one is allowed now.
  mutating func take(at now: ContinuousClock.Instant) -> Bool {
    guard now >= nextAllowed else { return false }
    paid = max(paid, now) + Self.interval
    return true
  }
}
