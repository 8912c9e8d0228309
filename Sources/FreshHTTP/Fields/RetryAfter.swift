internal import Strategies

/// `Retry-After` (RFC 9110 section 10.2.3).
enum RetryAfter {
  /// The time to wait from `now`: stated in seconds or as a date. `nil` when there is no such
  /// field or it is neither; never negative.
  static func delay(_ text: String?, now: Timestamp) -> Duration? {
    guard let text else { return nil }
    if let seconds = DeltaSeconds(text) { return seconds.duration }
    return HTTPDate.parse(text, now: now).map { max(.zero, $0.duration(since: now)) }
  }
}
