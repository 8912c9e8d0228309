#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension Timestamp: CustomStringConvertible {
  /// ISO 8601, in UTC, to the second: `2026-11-21T08:03:06Z`. A moment outside the years 1600 to
  /// 9999, where calendars differ or that form ends, is given in milliseconds since 1970.
  public var description: String {
    guard Self.years.contains(millisecondsSinceEpoch) else {
      return "\(millisecondsSinceEpoch) ms since 1970"
    }
    return Date(timeIntervalSince1970: Double(millisecondsSinceEpoch) / 1000).formatted(.iso8601)
  }

  private static let years: Range<Int64> = -11_676_096_000_000..<253_402_300_800_000
}
