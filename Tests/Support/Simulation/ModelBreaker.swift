import FreshStore

/// The shared state of a failing origin.
struct ModelBreaker: Hashable {
  /// The number of failures in a row.
  var failures: Int
  /// The time of the next attempt, on the wall clock.
  var openUntil: Int64

  /// Counts another failure, after which requests to the origin back off for some time.
  static func counting(_ breaker: ModelBreaker?, at wall: Int64) -> ModelBreaker {
    let failures = (breaker?.failures ?? 0) + 1
    guard failures >= Setting.breaker.threshold else {
      return ModelBreaker(failures: failures, openUntil: wall)
    }
    let (shortest, longest) = (
      Setting.breaker.minimumPause.milliseconds, Setting.breaker.maximumPause.milliseconds
    )
    let most = min(longest, shortest << Int64(min(failures - Setting.breaker.threshold, 20)))
    let pause = shortest + Int64(Double(most - shortest) * Setting.chance)
    return ModelBreaker(failures: failures, openUntil: wall + pause)
  }

  var isOpen: Bool { failures >= Setting.breaker.threshold }

  /// The end of the current pause; an end further away than the longest pause was stamped by a clock
  /// that has since been set back.
  func pause(at wall: Int64) -> Int64? {
    let left = openUntil - wall
    return isOpen && left > 0 && left <= Setting.breaker.maximumPause.milliseconds
      ? openUntil : nil
  }

  /// Lets an attempt through, which puts the next one off.
  mutating func admit(at wall: Int64) {
    if isOpen { openUntil = wall + Setting.breaker.minimumPause.milliseconds }
  }
}
