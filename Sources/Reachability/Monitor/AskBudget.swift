/// Limits the queries of the routes under continuous changes: a few questions at once, and then one in every
/// ``interval``. A few at once are needed to see the last of several messages about a change.
struct AskBudget {
  static let interval: Duration = .milliseconds(10)
  static let burst = 8

  /// The moment at which all past questions are paid for.
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

/// The times at which the routes are queried once more without an announcement.
///
/// The kernel announces some changes a moment before it makes them. A query in between gets the old routes, and
/// their removal is not announced.
struct RouteRecheck {
  // The gap is some microseconds, unless the kernel is interrupted in it.
  private static let delays: [Duration] = [.milliseconds(10), .seconds(1)]

  private var announced: ContinuousClock.Instant?
  private var done = 0

  /// The moment of the next question; `nil` when none is left.
  var due: ContinuousClock.Instant? {
    guard let announced, done < Self.delays.count else { return nil }
    return announced + Self.delays[done]
  }

  /// Starts over: something was announced.
  mutating func restart(at now: ContinuousClock.Instant) {
    announced = now
    done = 0
  }

  /// Takes the next question if it is due.
  mutating func take(at now: ContinuousClock.Instant) -> Bool {
    guard let due, now >= due else { return false }
    done += 1
    return true
  }
}
