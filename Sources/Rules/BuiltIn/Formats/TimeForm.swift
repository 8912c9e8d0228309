/// The form of a date or a time in a text. Nothing is guessed: neither a zone nor a missing part.
public enum TimeForm: String, Sendable, Hashable, Codable, CaseIterable {
  /// A day of the Gregorian calendar, `2024-02-29` (ISO 8601 and RFC 3339, `full-date`).
  case date
  /// A time of day without a zone, `23:59` or `23:59:59.5`.
  case time
  /// A day and a time of day without a zone, `2024-02-29T23:59:59`.
  case localDateTime
  /// An instant, `2024-02-29T23:59:59Z` or `…+01:00` (RFC 3339, section 5.6). A leap second, `:60`,
  /// is accepted where there can be one: at 23:59 UTC at the end of June or December.
  case instant

  func accepts(_ text: String) -> Bool {
    var cursor = TextCursor(text)
    var reading = TimeReading()
    let isRead =
      switch self {
      case .date: reading.takeDate(&cursor)
      case .time: reading.takeTime(&cursor, needsSeconds: false)
      case .localDateTime:
        reading.takeDate(&cursor) && cursor.take("T")
          && reading.takeTime(&cursor, needsSeconds: false)
      case .instant:
        reading.takeDate(&cursor) && (cursor.take("T") || cursor.take("t"))
          && reading.takeTime(&cursor, needsSeconds: true) && reading.takeOffset(&cursor)
      }
    return isRead && cursor.isAtEnd && (reading.second < 60 || reading.isLeapSecond(self))
  }
}
