internal import Strategies

/// The rules for pausing an origin that keeps failing. The state lives in the store: all processes
/// share it, and it survives restarts.
public struct BreakerPolicy: Sendable, Hashable {
  /// Consecutive failures after which the breaker opens; at least 1.
  public var threshold: Int
  /// The first pause; one attempt is admitted after each pause, and each failure doubles it.
  public var minimumPause: Duration
  /// The longest pause.
  public var maximumPause: Duration
  /// The longest pause that counts of those that the origin names for itself; a longer one is over by then.
  package var longestNamedPause = Backoff.longestNamed

  /// Creates a policy; by default 5 failures open it, and pauses grow from 10 s to 5 min, so a
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
  /// The check of its numbers.
  package var numbers: NumberCheck {
    var numbers = NumberCheck()
    numbers.require("threshold", threshold, from: 1)
    numbers.require("minimumPause", minimumPause)
    numbers.require("maximumPause", maximumPause)
    return numbers
  }
}
