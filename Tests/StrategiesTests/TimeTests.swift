import Foundation
import Strategies
import Testing

@Suite struct TimeTests {
  @Test(arguments: [0, 1, -1, 1_780_000_000_123, -1_780_000_000_123, 253_402_300_799_999])
  func `a moment and its date are the same to the millisecond`(milliseconds: Int64) {
    let moment = Timestamp(millisecondsSinceEpoch: milliseconds)
    #expect(Timestamp(Date(moment)) == moment)
  }

  @Test(
    arguments: [
      (Date.distantFuture, 64_092_211_200_000), (Date(timeIntervalSince1970: 1e300), .max),
      (Date(timeIntervalSince1970: -1e300), .min), (Date(timeIntervalSince1970: .infinity), .max),
    ] as [(Date, Int64)])
  func `a date beyond all moments is held at their ends`(date: Date, milliseconds: Int64) {
    #expect(Timestamp(date).millisecondsSinceEpoch == milliseconds)
  }

  @Test func `now lies between two looks at the wall clock`() {
    let before = Date()
    let now = Timestamp.now
    #expect(now.duration(since: Timestamp(before)) >= .milliseconds(-1))
    #expect(Timestamp(Date()).duration(since: now) >= .milliseconds(-1))
  }

  @Test func `minutes, hours and days are seconds`() {
    #expect(Duration.minutes(2) == .seconds(120))
    #expect(Duration.hours(2) == .seconds(7200))
    #expect(Duration.days(2) == .seconds(172_800))
  }

  @Test(arguments: [
    (Duration.zero, Int64(0)), (.milliseconds(1), 1), (.milliseconds(-1), -1),
    (.nanoseconds(1_999_999), 1), (.nanoseconds(-1), -1), (.nanoseconds(-1_000_001), -2),
    (.milliseconds(Int64.max), .max), (.milliseconds(Int64.min), .min),
    (.seconds(Int64.max), .max), (.seconds(Int64.min), .min),
    (Duration(attoseconds: .max), .max), (Duration(attoseconds: .min), .min),
  ])
  func `whole milliseconds round down and stop at the ends`(
    duration: Duration, milliseconds: Int64
  ) {
    #expect(duration.wholeMilliseconds == milliseconds)
  }

  @Test(arguments: [
    (Duration.zero, "0 s"), (.nanoseconds(7), "7 ns"), (.microseconds(42), "42 µs"),
    (.milliseconds(250), "250 ms"), (.milliseconds(4_260), "4.2 s"), (.seconds(5), "5 s"),
    (.milliseconds(4_999), "4.9 s"), (.milliseconds(59_999), "59.9 s"),
    (.seconds(200), "3 min 20 s"), (.seconds(180), "3 min"), (.seconds(3_780), "1 h 3 min"),
    (.seconds(187_200), "2 d 4 h"), (.seconds(-5), "-5 s"), (.milliseconds(-250), "-250 ms"),
    (Duration(attoseconds: .max), "1969226660422097 d 14 h"),
    (Duration(attoseconds: .min), "-1969226660422097 d 14 h"),
  ])
  func `a duration is written in at most two units, rounded toward zero`(
    duration: Duration, text: String
  ) {
    #expect(duration.brief == text)
  }

  @Test(arguments: [
    (Int64(0), "1970-01-01T00:00:00Z"), (1_780_000_000_999, "2026-05-28T20:26:40Z"),
    (-1, "1969-12-31T23:59:59Z"), (-11_676_096_000_000, "1600-01-01T00:00:00Z"),
    (253_402_300_799_999, "9999-12-31T23:59:59Z"),
    (253_402_300_800_000, "253402300800000 ms since 1970"),
    (.max, "9223372036854775807 ms since 1970"), (.min, "-9223372036854775808 ms since 1970"),
  ])
  func `a moment is written in universal time, to the second`(milliseconds: Int64, text: String) {
    #expect(Timestamp(millisecondsSinceEpoch: milliseconds).description == text)
  }

  @Test func `moments are ordered and measured`() {
    let later = Timestamp.test.advanced(by: .milliseconds(1_500))
    #expect(Timestamp.test < later)
    #expect(later.duration(since: .test) == .milliseconds(1_500))
    #expect(Timestamp.test.duration(since: later) == .milliseconds(-1_500))
  }

  @Test func `arithmetic on moments stops at the ends instead of trapping`() {
    let first = Timestamp(millisecondsSinceEpoch: .min)
    let last = Timestamp(millisecondsSinceEpoch: .max)
    #expect(last.advanced(by: .milliseconds(1)) == last)
    #expect(first.advanced(by: .milliseconds(-1)) == first)
    #expect(last.duration(since: first) == .milliseconds(Int64.max))
    #expect(first.duration(since: last) == .milliseconds(Int64.min))
  }
}
