package import Strategies

/// A date and time of day in the proleptic Gregorian calendar, in universal time.
package struct CivilTime: Sendable, Hashable {
  var year: Int
  /// 1 to 12.
  var month: Int
  /// 1 to 31.
  var day: Int
  var hour = 0
  var minute = 0
  /// 0 to 60: a leap second counts as the second after it.
  var second = 0

  /// False for a thirtieth of February and the like.
  var isValid: Bool {
    (1...12).contains(month) && (1...Self.daysInMonth(month, of: year)).contains(day)
      && (0...23).contains(hour) && (0...59).contains(minute) && (0...60).contains(second)
  }

  /// Clamped to the range of a timestamp.
  package var timestamp: Timestamp {
    let seconds = ((daysSinceEpoch * 24 + hour) * 60 + minute) * 60 + second
    let (milliseconds, overflow) = Int64(seconds).multipliedReportingOverflow(by: 1000)
    guard overflow else { return Timestamp(millisecondsSinceEpoch: milliseconds) }
    return Timestamp(millisecondsSinceEpoch: seconds < 0 ? .min : .max)
  }

  /// 0 is Sunday.
  var weekday: Int {
    let day = (daysSinceEpoch + 4) % 7
    return day < 0 ? day + 7 : day
  }

  /// The whole second the moment lies in.
  package init(_ timestamp: Timestamp) {
    let seconds = Self.floorDivide(timestamp.millisecondsSinceEpoch, by: 1000)
    let days = Int(Self.floorDivide(seconds, by: 86400))
    let secondOfDay = Int(seconds - Int64(days) * 86400)
    (year, month, day) = Self.date(daysSinceEpoch: days)
    (hour, minute, second) = (secondOfDay / 3600, secondOfDay / 60 % 60, secondOfDay % 60)
  }

  init(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = second
  }

  static func isLeap(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  static func daysInMonth(_ month: Int, of year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days from 1970-01-01; the year is counted from March, so that the leap day is its last.
  private var daysSinceEpoch: Int {
    let marchYear = month < 3 ? year - 1 : year
    let marchMonth = (month + 9) % 12
    let leapDays =
      Self.floorDivide(marchYear, by: 4) - Self.floorDivide(marchYear, by: 100)
      + Self.floorDivide(marchYear, by: 400)
    return marchYear * 365 + leapDays + (marchMonth * 153 + 2) / 5 + day - 1 - Self.epochDay
  }

  /// 1970-01-01 in days from the first of March of the year 0.
  private static let epochDay = 719_468
  /// The days of 400 years.
  private static let eraDays = 146_097

  private static func date(daysSinceEpoch: Int) -> (year: Int, month: Int, day: Int) {
    let days = daysSinceEpoch + epochDay
    let era = floorDivide(days, by: eraDays)
    let dayOfEra = days - era * eraDays
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / (eraDays - 1)) / 365
    let dayOfYear = dayOfEra - (yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (dayOfYear * 5 + 2) / 153
    let month = (marchMonth + 2) % 12 + 1
    let year = era * 400 + yearOfEra + (month < 3 ? 1 : 0)
    return (year, month, dayOfYear - (marchMonth * 153 + 2) / 5 + 1)
  }

  private static func floorDivide<Number: BinaryInteger>(_ value: Number, by divisor: Number)
    -> Number
  {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
