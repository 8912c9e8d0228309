internal import FreshHTTP
internal import Testing

@testable import FreshGateway

@Suite struct RequestDirectivesTests {
  private func directives(_ text: String) -> RequestDirectives {
    RequestDirectives(fields("Cache-Control: \(text)"))
  }

  @Test(
    arguments: [
      ("max-age=60", 60), ("max-age=60, max-age=5", 5), ("max-age=x", 0), ("max-age", 0),
      ("x=\"max-age=1\"", nil),
    ] as [(String, Int?)])
  func `RFC 9111 5.2.1.1: max-age, read as the least that it may mean`(text: String, seconds: Int?)
  {
    #expect(directives(text).maximumAge == seconds.map { .seconds($0) })
  }

  @Test(
    arguments: [
      ("max-stale", .any), ("max-stale=10", .atMost(.seconds(10))),
      ("max-stale=x", .atMost(.zero)), ("max-stale, max-stale=10", .atMost(.seconds(10))),
      ("max-stale=10, max-stale", .atMost(.seconds(10))), ("max-age=1", nil),
      ("max-stale=10, max-stale=5", .atMost(.seconds(5))),
    ] as [(String, RequestDirectives.MaximumStaleness?)])
  func `RFC 9111 5.2.1.2: max-stale`(text: String, expected: RequestDirectives.MaximumStaleness?) {
    #expect(directives(text).maximumStaleness == expected)
  }

  @Test func `RFC 9111 5.2.1.3: min-fresh, and one that cannot be read is never met`() {
    #expect(directives("min-fresh=10").minimumFreshness == .seconds(10))
    #expect(directives("min-fresh=10, min-fresh=20").minimumFreshness == .seconds(20))
    #expect(directives("min-fresh=x").minimumFreshness ?? .zero > .seconds(DeltaSeconds.greatest))
  }

  @Test func `RFC 9111 5.2.1.4, 5.2.1.5 and 5.2.1.7: directives without arguments`() {
    let all = directives("No-Cache, no-store=1, only-if-cached")
    #expect(all.noCache && all.noStore && all.onlyIfCached)
    let none = directives("no-transform")
    #expect(!none.noCache && !none.noStore && !none.onlyIfCached)
  }

  @Test func `RFC 9111 5.4: Pragma counts where there is no Cache-Control`() {
    #expect(RequestDirectives(fields("Pragma: no-cache")).noCache)
    #expect(!RequestDirectives(fields("Pragma: other")).noCache)
    #expect(!RequestDirectives(fields("Pragma: no-cache | Cache-Control: max-age=1")).noCache)
  }
}
