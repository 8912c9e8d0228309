#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

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

  /// The age at `now` of an object last updated at this moment. Zero when the moment lies in the future within the
  /// skew; `nil` when it lies further ahead.
  package func age(at now: Timestamp, allowedSkew: Duration) -> Duration? {
    let age = now.duration(since: self)
    guard age < .zero else { return age }
    return duration(since: now) > allowedSkew ? nil : .zero
  }
}

extension Timestamp {
  /// The moment that the machine's wall clock shows.
  public static var now: Timestamp { Timestamp(Date()) }

  /// The moment of a date, to the nearest millisecond and clamped to `Int64`.
  public init(_ date: Date) {
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
    self.init(
      millisecondsSinceEpoch: Int64(exactly: milliseconds) ?? (milliseconds < 0 ? .min : .max))
  }
}

extension Date {
  /// The date of a moment, to the millisecond.
  public init(_ timestamp: Timestamp) {
    self.init(timeIntervalSince1970: Double(timestamp.millisecondsSinceEpoch) / 1000)
  }
}

extension Timestamp: CustomStringConvertible {
  /// ISO 8601, in UTC, to the second: `2026-11-21T08:03:06Z`. A moment outside the years 1600 to 9999 is given in
  /// milliseconds since 1970, because calendars differ there or the form ends.
  public var description: String {
    guard Self.years.contains(millisecondsSinceEpoch) else {
      return "\(millisecondsSinceEpoch) ms since 1970"
    }
    return Date(timeIntervalSince1970: Double(millisecondsSinceEpoch) / 1000).formatted(.iso8601)
  }

  private static let years: Range<Int64> = -11_676_096_000_000..<253_402_300_800_000
}
