/// How long after its last update an object may be served without asking its source.
///
/// The four cases cannot be confused. In the libraries that this package replaces, "never" meant *never valid* in
/// one place and *never expires* in another.
public enum Expiry: Sendable, Hashable {
  /// Fresh while its age is below the duration. Zero or negative reads as ``immediately``.
  case after(Duration)
  /// Fresh for ever.
  case never
  /// Stale from the start: every use asks the source.
  case immediately
  /// No expiry is stated, so the timestamp strategy cannot decide.
  case unstated

  /// The opinion on an object of that age. No other code decides what is fresh by its age.
  ///
  /// - Parameter isInclusive: True when an age equal to the expiry is still fresh.
  package func opinion(ofAge age: Duration, isInclusive: Bool = false) -> Opinion {
    switch self {
    case .unstated: return .unknown(.noExpiry)
    case .never: return .valid(.neverExpires)
    case .after(let expiry) where expiry > .zero:
      let isFresh = age < expiry || (isInclusive && age == expiry)
      return Opinion(isFresh ? .valid : .invalid, .age(age, expiry: expiry))
    case .after, .immediately: return .invalid(.expiresImmediately)
    }
  }
}

extension Duration {
  /// Minutes of 60 seconds. Minutes, hours and days are clamped to the whole seconds that `Duration` can hold.
  public static func minutes(_ minutes: Int) -> Duration { held(minutes, of: 60) }

  /// Hours of 60 minutes.
  public static func hours(_ hours: Int) -> Duration { held(hours, of: 3600) }

  /// Days of 24 hours, without changes of the clock.
  public static func days(_ days: Int) -> Duration { held(days, of: 86_400) }

  /// Longer than any record lives: some 30,000 years.
  public static var unlimited: Duration { .milliseconds(1_000_000_000_000_000 as Int64) }

  private static func held(_ count: Int, of seconds: Int) -> Duration {
    let (product, overflows) = count.multipliedReportingOverflow(by: seconds)
    return .seconds(overflows ? (count < 0 ? Int.min : Int.max) : product)
  }

  /// The duration in whole milliseconds, rounded down and clamped to `Int64`.
  package var wholeMilliseconds: Int64 {
    let perMillisecond: Int128 = 1_000_000_000_000_000
    let (quotient, remainder) = attoseconds.quotientAndRemainder(dividingBy: perMillisecond)
    return Int64(clamping: remainder < 0 ? quotient - 1 : quotient)
  }

  /// The duration for a reader, in at most two units: `250 ms`, `4.2 s`, `3 min 20 s`, `1 h 3 min`, `2 d 4 h`.
  ///
  /// Rounds toward zero, so that a figure just below a bound never reads as the bound.
  package var brief: String {
    let (seconds, rest) = attoseconds.magnitude.quotientAndRemainder(
      dividingBy: 1_000_000_000_000_000_000)
    let text = Self.brief(seconds: seconds, nanoseconds: rest / 1_000_000_000)
    return attoseconds < 0 ? "-\(text)" : text
  }

  private static func brief(seconds: UInt128, nanoseconds: UInt128) -> String {
    switch seconds {
    case 0: fraction(nanoseconds)
    case ..<60:
      nanoseconds < 100_000_000 ? "\(seconds) s" : "\(seconds).\(nanoseconds / 100_000_000) s"
    case ..<3600: pair(seconds / 60, "min", seconds % 60, "s")
    case ..<86_400: pair(seconds / 3600, "h", seconds % 3600 / 60, "min")
    default: pair(seconds / 86_400, "d", seconds % 86_400 / 3600, "h")
    }
  }

  private static func fraction(_ nanoseconds: UInt128) -> String {
    switch nanoseconds {
    case 0: "0 s"
    case ..<1000: "\(nanoseconds) ns"
    case ..<1_000_000: "\(nanoseconds / 1000) µs"
    default: "\(nanoseconds / 1_000_000) ms"
    }
  }

  private static func pair(
    _ whole: UInt128, _ wholeUnit: String, _ rest: UInt128, _ restUnit: String
  ) -> String {
    rest == 0 ? "\(whole) \(wholeUnit)" : "\(whole) \(wholeUnit) \(rest) \(restUnit)"
  }
}
