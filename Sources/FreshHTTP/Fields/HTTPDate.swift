package import Strategies

/// The dates of header fields (RFC 9110 section 5.6.7).
package enum HTTPDate {
  /// Reads any of the three forms a recipient must accept: `Sun, 06 Nov 1994 08:49:37 GMT`,
  /// `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`.
  ///
  /// Letters may be in either case. A zone other than GMT is invalid (RFC 9111 section 4.2). A two-digit year
  /// more than 50 years after `now` is the most recent past year with those digits. The name of the day must
  /// be a day, but is not compared with the date.
  ///
  /// Returns `nil` for any other text. Any text is safe.
  package static func parse(_ text: String, now: Timestamp) -> Timestamp? {
    let text = FieldSyntax.trimmed(text)
    let time = fixed(text) ?? obsolete(text, now: now) ?? asctime(text)
    return time.flatMap { $0.isValid ? $0.timestamp : nil }
  }

  /// Writes the form that every sender must use; years outside 0 to 9999 are clamped.
  package static func format(_ moment: Timestamp) -> String {
    let first = CivilTime(year: 0, month: 1, day: 1)
    let last = CivilTime(year: 9999, month: 12, day: 31, hour: 23, minute: 59, second: 59)
    let time = CivilTime(min(max(moment, first.timestamp), last.timestamp))
    let date = "\(padded(time.day)) \(months[time.month - 1]) \(padded(time.year, to: 4))"
    let clock = "\(padded(time.hour)):\(padded(time.minute)):\(padded(time.second))"
    return "\(days[time.weekday]), \(date) \(clock) GMT"
  }

  /// `IMF-fixdate`.
  private static func fixed(_ text: String) -> CivilTime? {
    var scanner = ByteScanner(text)
    guard scanner.take(oneOf: days) != nil, scanner.take(", "),
      let day = scanner.number(digits: 2), scanner.take(" "),
      let month = scanner.take(oneOf: months), scanner.take(" "),
      let year = scanner.number(digits: 4), scanner.take(" "),
      let clock = clock(&scanner), scanner.take(" GMT"), scanner.isAtEnd
    else { return nil }
    return time(year, month, day, clock)
  }

  /// `rfc850-date`.
  private static func obsolete(_ text: String, now: Timestamp) -> CivilTime? {
    var scanner = ByteScanner(text)
    guard scanner.take(oneOf: longDays) != nil, scanner.take(", "),
      let day = scanner.number(digits: 2), scanner.take("-"),
      let month = scanner.take(oneOf: months), scanner.take("-"),
      let digits = scanner.number(digits: 2), scanner.take(" "),
      let clock = clock(&scanner), scanner.take(" GMT"), scanner.isAtEnd
    else { return nil }
    // The result is the latest year with these digits that is at most 50 years ahead. The search begins a
    // century late, so that it also works at the turn of a century.
    var candidate = time(CivilTime(now).year / 100 * 100 + 100 + digits, month, day, clock)
    while isMoreThanFiftyYears(candidate, after: now) {
      candidate.year -= 100
    }
    return candidate
  }

  /// `asctime-date`.
  private static func asctime(_ text: String) -> CivilTime? {
    var scanner = ByteScanner(text)
    guard scanner.take(oneOf: days) != nil, scanner.take(" "),
      let month = scanner.take(oneOf: months), scanner.take(" "),
      let day = scanner.take(" ") ? scanner.number(digits: 1) : scanner.number(digits: 2),
      scanner.take(" "), let clock = clock(&scanner), scanner.take(" "),
      let year = scanner.number(digits: 4), scanner.isAtEnd
    else { return nil }
    return time(year, month, day, clock)
  }

  private typealias Clock = (hour: Int, minute: Int, second: Int)

  private static func clock(_ scanner: inout ByteScanner) -> Clock? {
    guard let hour = scanner.number(digits: 2), scanner.take(":"),
      let minute = scanner.number(digits: 2), scanner.take(":"),
      let second = scanner.number(digits: 2)
    else { return nil }
    return (hour, minute, second)
  }

  private static func time(_ year: Int, _ monthIndex: Int, _ day: Int, _ clock: Clock)
    -> CivilTime
  {
    CivilTime(
      year: year, month: monthIndex + 1, day: day, hour: clock.hour, minute: clock.minute,
      second: clock.second)
  }

  private static func isMoreThanFiftyYears(_ time: CivilTime, after now: Timestamp) -> Bool {
    var shifted = time
    shifted.year -= 50
    return shifted.timestamp > now
  }

  private static func padded(_ number: Int, to width: Int = 2) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let longDays = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}

/// A date and time of day in the proleptic Gregorian calendar, in universal time.
package struct CivilTime: Sendable, Hashable {
  var year: Int
  /// 1 to 12.
  var month: Int
  /// 1 to 31.
  var day: Int
  var hour = 0
  var minute = 0
  /// 0 to 60; a leap second counts as the second after it.
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

  /// The whole second in which the moment lies.
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

  /// Days from 1970-01-01. The year begins in March, so that the leap day is its last day.
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

/// `Retry-After` (RFC 9110 section 10.2.3).
package enum RetryAfter {
  /// The time to wait from the arrival of a response, stated in seconds or as a date; never negative. `nil`
  /// when the field is absent or is neither.
  ///
  /// A date is one of the origin's clock, which may differ from ours. So it is measured from the `Date` of
  /// the same response where there is one.
  package static func delay(_ fields: HeaderFields, arrival: Timestamp) -> Duration? {
    guard let text = fields.first("Retry-After") else { return nil }
    if let seconds = DeltaSeconds(text) { return seconds.duration }
    let sent = fields.first("Date").flatMap { HTTPDate.parse($0, now: arrival) } ?? arrival
    return HTTPDate.parse(text, now: arrival).map { max(.zero, $0.duration(since: sent)) }
  }
}
