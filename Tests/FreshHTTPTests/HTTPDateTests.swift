internal import Strategies
internal import Testing

@testable import FreshHTTP

@Suite struct HTTPDateTests {
  /// 2026-01-01T00:00:00Z.
  private let now = Timestamp(millisecondsSinceEpoch: 1_767_225_600_000)

  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
    ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
    ("Sun Nov  6 08:49:37 1994", 784_111_777),
    ("Sun Nov 06 08:49:37 1994", 784_111_777),
  ])
  func `RFC 9110 5.6.7: all three forms are read`(text: String, seconds: Int64) {
    #expect(HTTPDate.parse(text, now: now)?.millisecondsSinceEpoch == seconds * 1000)
  }

  @Test(arguments: [
    ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
    ("Tue, 29 Feb 2000 23:59:59 GMT", 951_868_799),
    ("Thu, 29 Feb 2024 12:00:00 GMT", 1_709_208_000),
    ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
    ("Mon, 01 Jan 0001 00:00:00 GMT", -62_135_596_800),
  ])
  func `a date is a day of the Gregorian calendar`(text: String, seconds: Int64) {
    #expect(HTTPDate.parse(text, now: now)?.millisecondsSinceEpoch == seconds * 1000)
  }

  @Test(arguments: [Int64.min, -1, 0, .max])
  func `a year of two digits is read at any time`(now: Int64) {
    let moment = Timestamp(millisecondsSinceEpoch: now)
    let date = HTTPDate.parse("Sunday, 06-Nov-94 08:49:37 GMT", now: moment)
    #expect(date.map { abs($0.duration(since: moment) / .seconds(86400)) <= 18_264 } == true)
  }

  @Test func `RFC 9110 5.6.7: a leap second is read as the second after it`() {
    let moment = HTTPDate.parse("Sat, 31 Dec 2016 23:59:60 GMT", now: now)
    #expect(moment?.millisecondsSinceEpoch == 1_483_228_800_000)
  }

  @Test(arguments: ["sUN, 06 nOV 1994 08:49:37 gmt", "Mon, 06 Nov 1994 08:49:37 GMT"])
  func `RFC 9111 4.2: letters may be in either case, and a wrong name of the day is ignored`(
    text: String
  ) {
    #expect(HTTPDate.parse(text, now: now)?.millisecondsSinceEpoch == 784_111_777_000)
  }

  @Test(arguments: [
    // 76 is 2076-11-06 or 1976-11-06; the former is more than 50 years after 2026-01-01.
    ("Saturday, 06-Nov-76 08:49:37 GMT", 216_118_177),
    // Exactly 50 years ahead is not more than 50.
    ("Wednesday, 01-Jan-76 00:00:00 GMT", 3_345_062_400),
  ])
  func `RFC 9110 5.6.7: a year more than 50 years ahead is the past one with those digits`(
    text: String, seconds: Int64
  ) {
    #expect(HTTPDate.parse(text, now: now)?.millisecondsSinceEpoch == seconds * 1000)
  }

  @Test func `a two-digit year is resolved across the turn of a century`() {
    let end = Timestamp(millisecondsSinceEpoch: 946_681_200_000)
    let moment = HTTPDate.parse("Monday, 06-Nov-00 08:49:37 GMT", now: end)
    #expect(moment?.millisecondsSinceEpoch == 973_500_577_000)
  }

  @Test(arguments: [
    "", "0", "-1", "now", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC",
    "Sun, 06 Nov 1994 08:49:37 +0000", "Sun, 06 Nov 1994 08:49:37 CET",
    "Sun, 6 Nov 1994 08:49:37 GMT",
    "Sun, 31 Nov 1994 08:49:37 GMT", "Sun, 29 Feb 1900 00:00:00 GMT",
    "Sun, 00 Nov 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:37 GMT",
    "Sun, 06 Nov 1994 08:49:61 GMT",
    "Sun, 06 Foo 1994 08:49:37 GMT", "Xyz, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT",
    "Sun, 06 Nov 1994 08:49:37 GMT junk", "Sunday, 06-Nov-1994 08:49:37 GMT",
    "Sun Nov 6 08:49:37 1994", "Sun Nov  6 08:49:37 1994 GMT", "784111777",
  ])
  func `any other text is not a date`(text: String) {
    #expect(HTTPDate.parse(text, now: now) == nil)
  }

  @Test(arguments: [0, 784_111_777, 951_868_799, 4_102_444_800, -1, -62_135_596_800] as [Int64])
  func `a written date is read back`(seconds: Int64) {
    let moment = Timestamp(millisecondsSinceEpoch: seconds * 1000)
    #expect(HTTPDate.parse(HTTPDate.format(moment), now: now) == moment)
  }

  @Test func `the written form is the fixed-length one`() {
    #expect(HTTPDate.format(arrival) == "Sun, 06 Nov 1994 08:49:37 GMT")
  }

  @Test(arguments: [
    (Int64.min, "Sat, 01 Jan 0000 00:00:00 GMT"), (Int64.max, "Fri, 31 Dec 9999 23:59:59 GMT"),
  ])
  func `moments out of range are clamped`(milliseconds: Int64, text: String) {
    #expect(HTTPDate.format(Timestamp(millisecondsSinceEpoch: milliseconds)) == text)
  }
}
