/// The pauses between connection attempts: below a limit that doubles from 1 s to 60 s.
enum AttemptBackoff {
  private static let first: Duration = .seconds(1)
  private static let longest: Duration = .seconds(60)

  /// The longest pause after so many failures in a row; after none, as after a success, the
  /// maximum.
  static func limit(afterFailures failures: Int) -> Duration {
    guard failures > 0 else { return longest }
    // Sixty seconds are reached long before the shift could overflow.
    return min(first * (1 << min(failures - 1, 6)), longest)
  }

  /// A pause after so many failures in a row; `random` in 0 ..< 1 spreads it over the whole time up
  /// to the limit, so that many hosts that failed together do not try again together.
  static func pause(afterFailures failures: Int, random: Double) -> Duration {
    limit(afterFailures: failures) * random
  }
}
