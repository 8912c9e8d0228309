internal import FreshStore
internal import Strategies
internal import Testing

@testable import FreshHTTP

/// The lifetime of a copy under an address that redirects to another one.
@Suite struct RedirectFreshnessTests {
  private static let year = "Cache-Control: max-age=31536000"

  private func details(
    _ target: String, _ configuration: HTTPConfiguration = HTTPConfiguration(),
    status: Int = 200, via redirects: [(Int, String)]
  ) throws -> FetchDetails {
    var plan = FetchPlan(
      address: try HTTPAddress("https://example.org/latest"), configuration: configuration,
      previous: Previous<[UInt8]>?.none)
    for (index, redirect) in redirects.enumerated() {
      let hop = answer(redirect.0, "Location: /\(index) | \(redirect.1)")
      #expect(try plan.result(of: hop) == nil)
    }
    return try #require(try plan.result(of: answer(status, target))).details
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func `RFC 9111 5.2.2.5: no-store of a redirect applies to its target, too`(
    status: Int
  ) throws {
    let details = try details(Self.year, via: [(status, "Cache-Control: no-store")])
    #expect(!details.isStorable)
  }

  @Test(arguments: [
    (302, "Cache-Control: max-age=60", Expiry.after(.seconds(60))),
    (301, "Cache-Control: max-age=60", .after(.seconds(60))),
    (307, "Cache-Control: max-age=60 | Age: 20", .after(.seconds(40))),
    (302, "Expires: \(date(30))", .after(.seconds(30))),
    (302, "Cache-Control: max-age=60 | Age: 70", .immediately),
    (308, "Cache-Control: no-cache", .immediately),
    (302, "", .immediately), (303, "", .immediately), (307, "", .immediately),
    (301, "", .after(.seconds(31_536_000))), (308, "", .after(.seconds(31_536_000))),
    (301, "Last-Modified: \(date(-1000))", .after(.seconds(100))),
    (302, "Last-Modified: \(date(-1000))", .immediately),
    (302, "Cache-Control: max-age=99999999999", .after(.seconds(31_536_000))),
  ])
  func `RFC 9110 15.4: a copy lives as long as the shortest-lived answer that led to it`(
    status: Int, redirect: String, expected: Expiry
  ) throws {
    #expect(
      try details(Self.year, via: [(status, redirect)]).expiry(orOfPolicy: .never) == expected)
  }

  @Test func `an older answer behind a younger redirect expires with the redirect`() throws {
    let details = try details(
      "Cache-Control: max-age=2000 | Age: 1000", via: [(302, "Cache-Control: max-age=60")])
    #expect(details.lastUpdate == arrival.advanced(by: .seconds(-1000)))
    #expect(details.expiry(orOfPolicy: .never) == .after(.seconds(1060)))
  }

  @Test
  func `the redirect that expires first counts, also without a stated lifetime of the target`()
    throws
  {
    let details = try details(
      "",
      via: [
        (302, "Cache-Control: max-age=90"), (301, ""), (307, "Cache-Control: max-age=30"),
        (302, "Cache-Control: max-age=60"),
      ])
    #expect(details.expiry(orOfPolicy: .never) == .after(.seconds(30)))
  }

  @Test(arguments: [-3600, 3600])
  func `a redirect expires on time although the clock is set before the next answer`(set: Int64)
    throws
  {
    var plan = FetchPlan(
      address: try HTTPAddress("https://example.org/latest"), configuration: HTTPConfiguration(),
      previous: Previous<[UInt8]>?.none)
    _ = try plan.result(of: answer(302, "Location: /0 | Cache-Control: max-age=60"))
    let last = answer(200, Self.year, at: reading(after: 10, set: set))
    let details = try #require(try plan.result(of: last)).details
    #expect(details.expiry(orOfPolicy: .never) == .after(.seconds(50)))
  }

  @Test func `a temporary redirect without a stated lifetime has the caller's`()
    throws
  {
    let configuration = HTTPConfiguration(temporaryRedirectExpiry: .after(.seconds(10)))
    let unstated = try details(Self.year, configuration, via: [(302, "")])
    let stated = try details(Self.year, configuration, via: [(302, "Cache-Control: max-age=5")])
    #expect(unstated.expiry(orOfPolicy: .never) == .after(.seconds(10)))
    #expect(stated.expiry(orOfPolicy: .never) == .after(.seconds(5)))
  }

  @Test func `a copy behind a redirect that must be revalidated is never served stale`() throws {
    let details = try details(
      "\(Self.year), stale-while-revalidate=60, stale-if-error=60",
      via: [(302, "Cache-Control: max-age=60, must-revalidate")])
    #expect(details.mustRevalidate)
    #expect(details.graceWhileRevalidating == nil)
    #expect(details.graceOnError == nil)
  }

  @Test(arguments: [
    ("stale-while-revalidate=30, stale-if-error=40", 30, 40), ("stale-if-error=400", nil, 60),
    ("max-age=60", nil, nil),
  ])
  func `the grace windows of a redirect limit those of its target`(
    redirect: String, whileRevalidating: Int?, onError: Int?
  ) throws {
    let details = try details(
      "\(Self.year), stale-while-revalidate=60, stale-if-error=60",
      via: [(302, "Cache-Control: max-age=60, \(redirect)")])
    #expect(details.graceWhileRevalidating == whileRevalidating.map { .seconds($0) })
    #expect(details.graceOnError == onError.map { .seconds($0) })
  }

  @Test func `RFC 9111 4.1: the Vary field of a redirect selects the copy as well`() throws {
    let german = HTTPConfiguration(headers: ["Accept-Language": "de"])
    let variant = try details(
      Self.year, german, via: [(302, "Vary: Accept-Language | Cache-Control: max-age=60")]
    ).variant
    #expect(german.selects(variant: variant))
    #expect(!HTTPConfiguration(headers: ["Accept-Language": "en"]).selects(variant: variant))
  }

  @Test func `an absence behind a redirect expires with the redirect`() throws {
    #expect(
      try details(Self.year, status: 404, via: [(302, "")]).expiry(orOfPolicy: .never)
        == .immediately)
  }

  @Test func `a copy behind a temporary redirect is confirmed, and is stale again at once`() throws
  {
    let first = try details("ETag: \"1\" | \(Self.year)", via: [(302, "")])
    var plan = FetchPlan(
      address: try HTTPAddress("https://example.org/latest"), configuration: HTTPConfiguration(),
      previous: copy(first))
    _ = try plan.result(of: answer(302, "Location: /0"))
    #expect(plan.requestFields.first("If-None-Match") == "\"1\"")
    let second = try #require(try plan.result(of: answer(304)))
    #expect(second.isNotModified)
    #expect(second.details.expiry(orOfPolicy: .never) == .immediately)
  }
}
