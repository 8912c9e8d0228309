internal import Strategies
internal import Testing

@testable import FreshHTTP

@Suite struct FreshnessCalculationTests {
  private func freshness(
    _ response: String, status: Int = 200, request: String = "", delay: Duration = .zero,
    at time: Timestamp = arrival, heuristic: HeuristicFreshness = .standard
  ) -> ResponseFreshness {
    FreshnessCalculation(heuristic: heuristic).freshness(
      of: HTTPExchange(
        status: status, request: fields(request), response: fields(response), responseTime: time,
        responseDelay: delay))
  }

  @Test(arguments: [Int64.min, .max]) func `a response may arrive at any time`(_ time: Int64) {
    let time = Timestamp(millisecondsSinceEpoch: time)
    let freshness = freshness("Date: \(date(0)) | Expires: \(date(10)) | Age: 5", at: time)
    #expect(freshness.lastUpdate <= time)
    #expect(freshness.expiry == .after(.seconds(10)))
  }

  @Test(arguments: [
    ("Cache-Control: max-age=60 | Expires: \(date(10))", Expiry.after(.seconds(60))),
    ("Cache-Control: s-maxage=10, max-age=60", .after(.seconds(60))),
    ("Cache-Control: s-maxage=10 | Expires: \(date(30))", .after(.seconds(30))),
    ("Cache-Control: private | Cache-Control: max-age=60", .after(.seconds(60))),
    ("Cache-Control: max-age=0 | Expires: \(date(10))", .immediately),
    ("Cache-Control: max-age=x | Expires: \(date(10))", .immediately),
    ("Date: \(date(-5)) | Expires: \(date(10))", .after(.seconds(15))),
    ("Expires: \(date(10))", .after(.seconds(10))),
    ("Date: junk | Expires: \(date(10))", .after(.seconds(10))),
    ("Date: \(date(0)) | Expires: \(date(0))", .immediately),
    ("Date: \(date(0)) | Expires: \(date(-10))", .immediately),
    ("Expires: 0", .immediately), ("Expires: -1", .immediately),
    ("Expires: \(date(10)) | Expires: \(date(20))", .immediately),
    ("Expires: \(date(10)) | Expires: \(date(10))", .after(.seconds(10))),
    ("Cache-Control: max-age=60 | Last-Modified: \(date(-100))", .after(.seconds(60))),
    ("", .unstated), ("Cache-Control: private", .unstated),
  ])
  func `RFC 9111 4.2.1 and 5.3: the first rule that applies states the lifetime`(
    response: String, expected: Expiry
  ) {
    #expect(freshness(response).expiry == expected)
  }

  @Test(arguments: [
    ("Last-Modified: \(date(-36000))", 200, Expiry.after(.seconds(3600))),
    ("Date: \(date(-1000)) | Last-Modified: \(date(-11000))", 200, .after(.seconds(1000))),
    ("Last-Modified: \(date(-31_536_000))", 200, .after(.seconds(86400))),
    ("Last-Modified: \(date(0))", 200, .unstated),
    ("Last-Modified: \(date(100))", 200, .unstated),
    ("Last-Modified: junk", 200, .unstated),
    ("Last-Modified: \(date(-36000))", 404, .after(.seconds(3600))),
    ("Last-Modified: \(date(-36000))", 302, .unstated),
    ("Last-Modified: \(date(-36000)) | Cache-Control: public", 302, .after(.seconds(3600))),
  ])
  func `RFC 9111 4.2.2: without a stated lifetime it is a tenth of the age of the content`(
    response: String, status: Int, expected: Expiry
  ) {
    #expect(freshness(response, status: status).expiry == expected)
  }

  @Test func `RFC 9111 4.2.2: the heuristic can be turned off`() {
    let off = freshness("Last-Modified: \(date(-36000))", heuristic: .off)
    #expect(off.expiry == .unstated)
  }

  @Test(arguments: [
    (Double.nan, 0.0), (-1, 0), (2, 1), (0.5, 0.5),
  ])
  func `a heuristic's fraction is clamped between 0 and 1`(given: Double, held: Double) {
    #expect(HeuristicFreshness(fraction: given, limit: .seconds(1)).fraction == held)
  }

  @Test(
    arguments: [
      ("", 0, 0), ("", 2, 2),
      ("Date: \(date(-5))", 0, 5), ("Date: \(date(-5))", 2, 5), ("Date: \(date(-5))", 7, 7),
      ("Age: 10", 0, 10), ("Age: 10", 2, 12),
      ("Date: \(date(-20)) | Age: 10", 2, 20), ("Date: \(date(-5)) | Age: 10", 2, 12),
      ("Date: \(date(5))", 0, 0), ("Date: junk | Age: 3", 0, 3),
      ("Age: junk", 0, 0), ("Age: -1", 0, 0), ("Age: 7, 9", 0, 7), ("Age: 7 | Age: 9", 0, 7),
      ("Age: 99999999999999999999", 0, 2_147_483_648),
    ] as [(String, Int64, Int64)])
  func `RFC 9111 4.2.3 and 5.1: the age at arrival`(
    response: String, delay: Int64, expected: Int64
  ) {
    let lastUpdate = freshness(response, delay: .seconds(delay)).lastUpdate
    #expect(arrival.duration(since: lastUpdate) == .seconds(expected))
  }

  @Test func `the fraction of the second of arrival does not count as age`() {
    let late = arrival.advanced(by: .milliseconds(900))
    #expect(freshness("Date: \(date(0))", at: late).lastUpdate == late)
  }

  @Test func `a negative delay, as after a clock change, counts as none`() {
    #expect(freshness("", delay: .seconds(-5)).lastUpdate == arrival)
  }

  @Test(arguments: [
    ("", 200, "", true), ("Cache-Control: no-store", 200, "", false),
    ("Cache-Control: no-store, max-age=60", 404, "", false),
    ("", 200, "Cache-Control: no-store", false),
    ("Cache-Control: must-understand, no-store", 200, "", true),
    ("Cache-Control: must-understand, no-store", 500, "", false),
    ("Cache-Control: private", 200, "", true), ("", 200, "Authorization: Basic x", true),
    ("", 206, "", false), ("", 500, "", false), ("", 203, "", true), ("", 410, "", true),
  ])
  func `RFC 9111 3: responses that a private store may keep`(
    response: String, status: Int, request: String, expected: Bool
  ) {
    #expect(freshness(response, status: status, request: request).isStorable == expected)
  }

  @Test(arguments: [
    ("max-age=60, no-cache", Expiry.immediately, true),
    ("max-age=60, no-cache=\"set-cookie\"", .after(.seconds(60)), false),
    ("max-age=60, must-revalidate", .after(.seconds(60)), true),
    ("max-age=60, proxy-revalidate", .after(.seconds(60)), false),
    ("max-age=60", .after(.seconds(60)), false),
  ])
  func `RFC 9111 5.2.2.2 and 5.2.2.4: directives that require revalidation`(
    control: String, expiry: Expiry, mustRevalidate: Bool
  ) {
    let freshness = freshness("Cache-Control: \(control)")
    #expect(freshness.expiry == expiry)
    #expect(freshness.mustRevalidate == mustRevalidate)
  }

  @Test func `RFC 9111 4.1: a response with Vary: * is stale from the start`() {
    let freshness = freshness("Cache-Control: max-age=60 | Vary: *")
    #expect(freshness.expiry == .immediately)
    #expect(freshness.mustRevalidate)
  }

  @Test func `RFC 5861: the grace windows are adopted`() {
    let freshness = freshness("Cache-Control: stale-while-revalidate=5, stale-if-error=7")
    #expect(freshness.staleWhileRevalidate == .seconds(5))
    #expect(freshness.staleIfError == .seconds(7))
  }

  @Test(arguments: ["must-revalidate", "no-cache"])
  func `RFC 9111 4.2.4: a directive that forbids stale answers overrides the grace windows`(
    directive: String
  ) {
    let freshness = freshness(
      "Cache-Control: \(directive), stale-while-revalidate=5, stale-if-error=7")
    #expect(freshness.staleWhileRevalidate == nil)
    #expect(freshness.staleIfError == nil)
  }

  @Test(arguments: [("max-age=60, immutable", true), ("max-age=60", false)])
  func `RFC 8246: immutable`(control: String, expected: Bool) {
    #expect(freshness("Cache-Control: \(control)").isImmutable == expected)
  }
}
