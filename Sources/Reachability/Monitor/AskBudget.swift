/// Limits how often the routes are asked for while they change without pause: a few questions at
/// once, so that a change which is told in several messages is seen at its last, and then one in
/// every ``interval``.
struct AskBudget {
  static let interval: Duration = .milliseconds(10)
  static let burst = 8

  /// The moment at which every question of the past will have been paid for.
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
