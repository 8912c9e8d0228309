import Foundation
import Strategies

@testable import FreshHTTP

/// The laws that reading and writing HTTP dates keep for any text and any time.
struct HTTPDateLaws {
  let text: String
  let now: Timestamp

  /// The laws for a time in milliseconds since 1970, which is the first line, and the text of a date,
  /// which is the rest.
  static func check(_ input: [UInt8]) {
    let end = input.firstIndex(of: UInt8(ascii: "\n")) ?? input.endIndex
    let number = Int64(String(decoding: input[..<end], as: UTF8.self))
    let text = String(decoding: input[end...].dropFirst(), as: UTF8.self)
    HTTPDateLaws(text: text, now: Timestamp(millisecondsSinceEpoch: number ?? 0)).check()
  }

  private func check() {
    checkReading()
    Self.checkWriting(of: now)
    let delay = RetryAfter.delay(["Retry-After": text], arrival: now)
    law("nobody is asked to wait a negative time", delay ?? .zero >= .zero)
    if let seconds = DeltaSeconds(text) {
      law("seconds lie in their range", 0...DeltaSeconds.greatest ~= seconds.seconds)
      law("a number of seconds is no date", HTTPDate.parse(text, now: now) == nil)
      law("a number of seconds is waited", delay == seconds.duration)
    }
  }

  // MARK: Reading

  private func checkReading() {
    let moment = HTTPDate.parse(text, now: now)
    law("the same text is the same date", HTTPDate.parse(text, now: now) == moment)
    let padded = HTTPDate.parse(" \t\(text) ", now: now)
    law("white space around it changes nothing", padded == moment)
    let lowered = String(decoding: text.utf8.map(FieldSyntax.lowercased), as: UTF8.self)
    law("the case of letters changes nothing", HTTPDate.parse(lowered, now: now) == moment)
    guard let moment else { return }
    let isWhole = moment.millisecondsSinceEpoch.isMultiple(of: 1000)
    // The second that ends with the last millisecond of all is not whole.
    let isHeld = [.min, .max].contains(moment.millisecondsSinceEpoch)
    law("a date is whole seconds", isWhole || isHeld)
    if text.utf8.contains(UInt8(ascii: "-")) {
      checkTwoDigits(moment)
    } else {
      let other = Timestamp(millisecondsSinceEpoch: 0)
      law("a year of four digits is that year", HTTPDate.parse(text, now: other) == moment)
    }
    Self.checkWriting(of: moment)
  }

  /// RFC 9110 section 5.6.7: a year of two digits is the latest that is not more than 50 years ahead.
  private func checkTwoDigits(_ moment: Timestamp) {
    // More days than the leap days of a century make up for, and away from the ends of a
    // timestamp's range, where a clamped date is nearer.
    let fiftyYears = Duration.seconds(86400 * 18_265)
    let century = Int64(4_000_000_000_000)
    guard Int64.min + century...Int64.max - century ~= now.millisecondsSinceEpoch else { return }
    let distance = moment.duration(since: now)
    law("two digits are a year near by", (.zero - fiftyYears...fiftyYears).contains(distance))
  }

  // MARK: Writing

  private static func checkWriting(of moment: Timestamp) {
    let text = HTTPDate.format(moment)
    let read = HTTPDate.parse(text, now: moment)
    law("what is written can be read", read != nil)
    guard let read else { return }
    law("what was written is written the same again", HTTPDate.format(read) == text)
    let (first, last) = (seconds(ofYear: 0), seconds(ofYear: 10_000))
    let seconds = floor(moment)
    if first..<last ~= seconds {
      law("what is written is the second that was meant", floor(read) == seconds)
      law("the reference writes the same", text == reference(seconds))
    } else {
      law("what cannot be written is held at an end", [first, last - 1].contains(floor(read)))
    }
    checkCalendar(moment)
  }

  /// The C library's calendar is the same.
  private static func checkCalendar(_ moment: Timestamp) {
    let time = CivilTime(moment)
    law("every moment is a valid time", time.isValid)
    law("a moment is the reference's", time == calendar(floor(moment)).time)
    law("the day of the week is the reference's", time.weekday == calendar(floor(moment)).weekday)
    // The first second of all begins before the first millisecond.
    if floor(moment) > Int64.min / 1000 {
      law("a time is its second", floor(time.timestamp) == floor(moment))
    }
  }

  private static func reference(_ seconds: Int64) -> String {
    let (time, weekday) = calendar(seconds)
    let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let (day, year) = (String(format: "%02d", time.day), String(format: "%04d", time.year))
    let clock = String(format: "%02d:%02d:%02d", time.hour, time.minute, time.second)
    return "\(days[weekday]), \(day) \(months[time.month - 1]) \(year) \(clock) GMT"
  }

  private static func calendar(_ seconds: Int64) -> (time: CivilTime, weekday: Int) {
    var (seconds, parts) = unsafe (time_t(seconds), tm())
    law("the reference knows every second", unsafe gmtime_r(&seconds, &parts) != nil)
    let time = unsafe CivilTime(
      year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday),
      hour: Int(parts.tm_hour), minute: Int(parts.tm_min), second: Int(parts.tm_sec))
    return (time, unsafe Int(parts.tm_wday))
  }

  private static func seconds(ofYear year: Int32) -> Int64 {
    var parts = unsafe tm()
    unsafe parts.tm_year = year - 1900
    unsafe parts.tm_mday = 1
    return Int64(unsafe timegm(&parts))
  }

  /// The second that a moment lies in.
  private static func floor(_ moment: Timestamp) -> Int64 {
    let (quotient, rest) = moment.millisecondsSinceEpoch.quotientAndRemainder(dividingBy: 1000)
    return rest < 0 ? quotient - 1 : quotient
  }
}
