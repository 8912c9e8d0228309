internal import Testing

@testable import FreshHTTP

@Suite struct RetryAfterTests {
  @Test(
    arguments: [
      ("120", 120), ("0", 0), (date(30), 30), (date(-30), 0), ("-1", nil), ("soon", nil), ("", nil),
    ] as [(String, Int?)])
  func `RFC 9110 10.2.3: seconds or a date, never negative`(text: String, seconds: Int?) {
    #expect(RetryAfter.delay(text, now: arrival) == seconds.map { .seconds($0) })
  }
}
