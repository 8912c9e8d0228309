/// Decides how long a network that has returned must hold before it is used: briefly the first
/// time, longer each time it comes and goes within a minute.
///
/// Moments are times on the boot clock.
struct NetworkDamper {
  private let settle: Duration
  private let longest: Duration
  private var isAway = false
  private var returns: [Duration] = []
  private var settledAt: Duration?
  /// True from a return until its end was taken note of.
  private var hasReturned = false

  /// Earlier returns say nothing about the network's health.
  private static let memory = Duration.seconds(60)

  init(settle: Duration, longest: Duration) {
    self.settle = settle
    self.longest = longest
  }

  /// Takes the present state; returns the remaining wait before the network is used.
  mutating func note(isAway: Bool, at now: Duration) -> Duration {
    defer { self.isAway = isAway }
    if isAway {
      (settledAt, hasReturned) = (nil, false)
      return .zero
    }
    if self.isAway {
      returns.removeAll { now - $0 > Self.memory }
      returns.append(now)
      settledAt = now + pause(afterReturns: returns.count)
      hasReturned = true
    }
    guard let settledAt, settledAt > now else { return .zero }
    return settledAt - now
  }

  /// True once for each return of the network, when that has settled.
  mutating func takeReturn(at now: Duration) -> Bool {
    guard hasReturned, settledAt.map({ $0 <= now }) ?? true else { return false }
    hasReturned = false
    return true
  }

  private func pause(afterReturns count: Int) -> Duration {
    var pause = settle
    for _ in 1..<max(2, count) where count > 1 && pause < longest { pause += pause }
    return min(pause, longest)
  }
}
