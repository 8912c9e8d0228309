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

  /// True where a leap second may occur: by ITU-R TF.460 at the end of a month, in practice of June
  /// and December.
  func isLeapSecond(_ form: TimeForm) -> Bool {
    guard form == .instant else { return false }
    return switch minutes - offset {
    case 1439: day == daysInMonth && (month == 6 || month == 12)
    // By the clock of the text's own offset the next day has begun.
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
