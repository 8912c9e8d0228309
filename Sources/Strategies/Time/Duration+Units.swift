extension Duration {
  /// Minutes of 60 seconds.
  public static func minutes(_ minutes: Int) -> Duration { .seconds(60) * minutes }

  /// Hours of 60 minutes.
  public static func hours(_ hours: Int) -> Duration { .minutes(60) * hours }

  /// Days of 24 hours, as on a clock that is never set.
  public static func days(_ days: Int) -> Duration { .hours(24) * days }

  /// Longer than any record lives: some 30,000 years.
  public static var unlimited: Duration { .milliseconds(1_000_000_000_000_000 as Int64) }
}
