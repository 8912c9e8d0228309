internal import Testing

@testable import FreshHTTP

@Suite struct RetryAfterTests {
  @Test(
    arguments: [
      ("120", 120), ("0", 0), (date(30), 30), (date(-30), 0), ("-1", nil), ("soon", nil), ("", nil),
    ] as [(String, Int?)])
  func `RFC 9110 10.2.3: seconds or a date, never negative`(text: String, seconds: Int?) {
    #expect(
      RetryAfter.delay(["Retry-After": text], arrival: arrival) == seconds.map { .seconds($0) })
  }

  @Test func `a date is measured by the origin's clock, whatever the local clock shows`() {
    for skew in [-3600, 0, 3600] as [Int64] {
      let fields: HeaderFields = ["Date": date(skew), "Retry-After": date(skew + 30)]
      #expect(RetryAfter.delay(fields, arrival: arrival) == .seconds(30))
    }
  }

  @Test func `a date is measured from the arrival where the origin states no time`() {
    #expect(
      RetryAfter.delay(["Date": "today", "Retry-After": date(30)], arrival: arrival) == .seconds(30)
    )
  }
}
