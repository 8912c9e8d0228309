package import Strategies

/// `Retry-After` (RFC 9110 section 10.2.3).
package enum RetryAfter {
  /// The time to wait from the arrival of an answer: stated in seconds or as a date. `nil` when there is
  /// no such field or it is neither; never negative.
  ///
  /// A date is one of the origin's clock, which may differ from ours, so it is measured from the `Date`
  /// of the same answer where there is one.
  package static func delay(_ fields: HeaderFields, arrival: Timestamp) -> Duration? {
    guard let text = fields.first("Retry-After") else { return nil }
    if let seconds = DeltaSeconds(text) { return seconds.duration }
    let sent = fields.first("Date").flatMap { HTTPDate.parse($0, now: arrival) } ?? arrival
    return HTTPDate.parse(text, now: arrival).map { max(.zero, $0.duration(since: sent)) }
  }
}
