/// The form of a date or a time in a text. Neither a zone nor a missing part is guessed.
public enum TimeForm: String, Sendable, Hashable, Codable, CaseIterable {
  /// A day of the Gregorian calendar, `2024-02-29` (ISO 8601 and RFC 3339, `full-date`).
  case date
  /// A time of day without a zone, `23:59` or `23:59:59.5`.
  case time
  /// A day and a time of day without a zone, `2024-02-29T23:59:59`.
  case localDateTime
  /// An instant, `2024-02-29T23:59:59Z` or `…+01:00` (RFC 3339, section 5.6). A leap second, `:60`, is accepted
  /// only at 23:59 UTC at the end of June or December.
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

/// The parts read from a date and a time of day.
struct TimeReading {
  private var month = 1
  private var day = 1
  private var daysInMonth = 31
  private var minutes = 0
  private var offset = 0
  private(set) var second = 0

  mutating func takeDate(_ cursor: inout TextCursor) -> Bool {
    guard let year = cursor.takeNumber(digits: 4), cursor.take("-"),
      let month = cursor.takeNumber(digits: 2), 1...12 ~= month, cursor.take("-"),
      let day = cursor.takeNumber(digits: 2)
    else { return false }
    self.month = month
    self.day = day
    daysInMonth = Self.days(month, year)
    return 1...daysInMonth ~= day
  }

  mutating func takeTime(_ cursor: inout TextCursor, needsSeconds: Bool) -> Bool {
    guard let hour = cursor.takeNumber(digits: 2), hour < 24, cursor.take(":"),
      let minute = cursor.takeNumber(digits: 2), minute < 60
    else { return false }
    minutes = hour * 60 + minute
    guard cursor.take(":") else { return !needsSeconds }
    guard let second = cursor.takeNumber(digits: 2), second <= 60 else { return false }
    self.second = second
    return !cursor.take(".") || cursor.take(while: \.isASCIIDigit) > 0
  }

  mutating func takeOffset(_ cursor: inout TextCursor) -> Bool {
    if cursor.take("Z") || cursor.take("z") { return true }
    guard let sign = cursor.take(where: { $0 == "+" || $0 == "-" }),
      let hours = cursor.takeNumber(digits: 2), hours < 24, cursor.take(":"),
      let minutes = cursor.takeNumber(digits: 2), minutes < 60
    else { return false }
    offset = (hours * 60 + minutes) * (sign == "-" ? -1 : 1)
    return true
  }

  /// True where a leap second may occur: at the end of a month (ITU-R TF.460), in practice June and December.
  func isLeapSecond(_ form: TimeForm) -> Bool {
    guard form == .instant else { return false }
    return switch minutes - offset {
    case 1439: day == daysInMonth && (month == 6 || month == 12)
    // By the text's own offset the next day has begun.
    case -1: day == 1 && (month == 7 || month == 1)
    default: false
    }
  }

  private static func days(_ month: Int, _ year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

extension Rule where Value == String {
  /// Accepts a text that states a date or a time in this form.
  public static func time(_ form: TimeForm) -> Rule {
    Rule(code: "not-a-time", parameters: ["form": .text(form.rawValue)], form.accepts)
  }

  /// Accepts a UUID of any version (RFC 9562, section 4): 8-4-4-4-12 hexadecimal digits in either case, without
  /// braces and `urn:uuid:`.
  public static var uuid: Rule {
    Rule(code: "not-a-uuid") { text in
      var cursor = TextCursor(text)
      for (place, length) in [8, 4, 4, 4, 12].enumerated() {
        guard place == 0 || cursor.take("-"),
          cursor.take(upTo: length, while: \.isHexadecimalDigit) == length
        else { return false }
      }
      return cursor.isAtEnd
    }
  }

  /// Accepts a postal code of the country, in its usual spelling and upper-case. The space of a British, Canadian,
  /// Dutch or Irish code may be left out. Whether the code is assigned is not looked up.
  public static func postalCode(_ country: PostalCountry) -> Rule {
    Rule(code: "not-a-postal-code", parameters: ["country": .text(country.rawValue)]) {
      country.accepts($0)
    }
  }
}
