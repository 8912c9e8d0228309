/// A moment on the wall clock: whole milliseconds since 1970-01-01T00:00:00Z.
///
/// Arithmetic saturates at the ends of `Int64` instead of trapping, so an absurd stored stamp is
/// judged like any other and never stops the process.
public struct Timestamp: Sendable, Hashable, Comparable, Codable {
  /// Milliseconds since the epoch; negative before 1970.
  public let millisecondsSinceEpoch: Int64

  /// Creates the moment that lies `millisecondsSinceEpoch` after the epoch.
  public init(millisecondsSinceEpoch: Int64) {
    self.millisecondsSinceEpoch = millisecondsSinceEpoch
  }

  /// The moment `duration` later (earlier when negative); fractions of a millisecond round down.
  public func advanced(by duration: Duration) -> Timestamp {
    let (sum, overflow) = millisecondsSinceEpoch.addingReportingOverflow(duration.wholeMilliseconds)
    guard overflow else { return Timestamp(millisecondsSinceEpoch: sum) }
    return Timestamp(millisecondsSinceEpoch: millisecondsSinceEpoch < 0 ? .min : .max)
  }

  /// The time that passed from `earlier` to this moment; negative when `earlier` is later.
  public func duration(since earlier: Timestamp) -> Duration {
    let (difference, overflow) = millisecondsSinceEpoch.subtractingReportingOverflow(
      earlier.millisecondsSinceEpoch)
    guard overflow else { return .milliseconds(difference) }
    return .milliseconds(millisecondsSinceEpoch < 0 ? Int64.min : Int64.max)
  }

  /// Orders moments by time.
  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.millisecondsSinceEpoch < right.millisecondsSinceEpoch
  }
}
