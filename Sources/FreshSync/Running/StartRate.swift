/// Spreads starts evenly: so many a second, and at most a tenth of that at one moment.
///
/// Moments are times on the boot clock.
struct StartRate {
  private let perSecond: Double?
  private let most: Double
  private var tokens: Double
  private var filledAt: Duration?

  init(perSecond: Double?) {
    self.perSecond = perSecond.map { max($0, 0.001) }
    most = max(1, (perSecond ?? 1) / 10)
    tokens = most
  }

  /// Takes the right to start one more now; else returns the time to wait for it.
  mutating func take(at now: Duration) -> Duration? {
    guard let perSecond else { return nil }
    if let filledAt { tokens = min(most, tokens + (now - filledAt) / .seconds(1) * perSecond) }
    filledAt = now
    guard tokens < 1 else {
      tokens -= 1
      return nil
    }
    return .seconds((1 - tokens) / perSecond)
  }

  /// Gives back an unused right.
  mutating func giveBack() {
    if perSecond != nil { tokens = min(most, tokens + 1) }
  }
}
