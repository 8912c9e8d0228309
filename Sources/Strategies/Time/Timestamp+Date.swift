#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Timestamp {
  /// The moment that the machine's wall clock shows.
  public static var now: Timestamp { Timestamp(Date()) }

  /// The moment of a date; to the nearest millisecond; what lies outside `Int64` is
  /// held at its ends.
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
