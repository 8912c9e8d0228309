extension Timestamp {
  /// The age at `now` of an object last updated at this moment; zero when the moment lies in the
  /// future within the skew, `nil` when it lies further ahead.
  package func age(at now: Timestamp, allowedSkew: Duration) -> Duration? {
    let age = now.duration(since: self)
    guard age < .zero else { return age }
    return duration(since: now) > allowedSkew ? nil : .zero
  }
}
