package import Strategies

/// The dates of header fields (RFC 9110 section 5.6.7).
package enum HTTPDate {
  /// Reads any of the three forms a recipient must accept: `Sun, 06 Nov 1994 08:49:37 GMT`,
  /// `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`.
  ///
  /// Letters may be in either case, and a zone other than GMT is invalid (RFC 9111 section 4.2). A
  /// two-digit year more than 50 years after `now` is the most recent past one with those digits.
  /// The name of the day must be a day, but is not compared with the date. Returns `nil` for
  /// everything else; any text is safe to hand in.
  package static func parse(_ text: String, now: Timestamp) -> Timestamp? {
    let text = FieldSyntax.trimmed(text)
    let time = fixed(text) ?? obsolete(text, now: now) ?? asctime(text)
    return time.flatMap { $0.isValid ? $0.timestamp : nil }
  }

  /// Writes the form every sender must use; years outside 0 to 9999 are clamped.
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
    // The latest year with these digits that is not more than 50 years ahead; beginning a century
    // late finds it across the turn of one, too.
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
