extension Duration {
  /// Minutes of 60 seconds; held at the ends of what `Duration` can hold as whole seconds, as hours and days are.
  public static func minutes(_ minutes: Int) -> Duration { held(minutes, of: 60) }

  /// Hours of 60 minutes.
  public static func hours(_ hours: Int) -> Duration { held(hours, of: 3600) }

  /// Days of 24 hours, as on a clock that is never set.
  public static func days(_ days: Int) -> Duration { held(days, of: 86_400) }

  /// Longer than any record lives: some 30,000 years.
  public static var unlimited: Duration { .milliseconds(1_000_000_000_000_000 as Int64) }

  private static func held(_ count: Int, of seconds: Int) -> Duration {
    let (product, overflows) = count.multipliedReportingOverflow(by: seconds)
    return .seconds(overflows ? (count < 0 ? Int.min : Int.max) : product)
  }
}
