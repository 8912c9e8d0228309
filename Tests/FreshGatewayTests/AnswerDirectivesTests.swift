internal import FreshHTTP
internal import Testing

@testable import FreshGateway

@Suite struct AnswerDirectivesTests {
  private func directives(_ text: String) -> AnswerDirectives {
    AnswerDirectives(fields(text), targets: GatewayPolicy().targets)
  }

  @Test(arguments: [
    ("Cache-Control: max-age=5 | CDN-Cache-Control: max-age=60", 60),
    ("Cache-Control: max-age=5 | CDN-Cache-Control: max-age=60;a=b", 60),
    ("Cache-Control: max-age=5 | CDN-Cache-Control: foo, max-age=60", 60),
    ("Cache-Control: max-age=5 | CDN-Cache-Control: max-age=60, &&&", 5),
    ("Cache-Control: max-age=5 | CDN-Cache-Control: max-age=60,", 5),
    ("Cache-Control: max-age=5 | CDN-Cache-Control: max-age=\"60\"", 5),
    ("Cache-Control: max-age=5 | CDN-Cache-Control: max-age=60.5", 5),
    ("Cache-Control: max-age=5 | CDN-Cache-Control: max-age =60", 5),
    ("Cache-Control: max-age=5 | CDN-Cache-Control: MAX-AGE=60", 5),
    ("Cache-Control: max-age=5 | CDN-Cache-Control:", 5),
    ("Cache-Control: max-age=5 | CDN-Cache-Control: max-age=1, max-age=60", 60),
    ("Cache-Control: max-age=5 | CDN-Cache-Control: max-age=1 | CDN-Cache-Control: max-age=60", 60),
    ("Cache-Control: max-age=5 | Surrogate-Control: max-age=60", 60),
    ("Cache-Control: max-age=5 | Surrogate-Control: max-age=60+30", 60),
    ("Cache-Control: max-age=5 | Surrogate-Control: max-age=60;other", 5),
    ("Cache-Control: max-age=5 | Surrogate-Control: max-age=x", 5),
    ("Surrogate-Control: max-age=5 | CDN-Cache-Control: max-age=60", 60),
  ])
  func `RFC 9213 2.1 and 2.2: the first targeted field that is valid and not empty counts`(
    text: String, seconds: Int
  ) {
    #expect(directives(text).control.maximumAge == .after(.seconds(seconds)))
  }

  @Test func `RFC 9213 2.2: Cache-Control and Expires do not count beside a targeted field`() {
    let targeted = directives("Cache-Control: no-store | CDN-Cache-Control: none | Expires: 0")
    #expect(targeted.target == "CDN-Cache-Control")
    #expect(!targeted.control.noStore && !targeted.usesExpires)
    let open = directives("Cache-Control: no-store | CDN-Cache-Control: no-store=?0")
    #expect(!open.control.noStore)
  }

  @Test func `RFC 9213 2.1: names of fields come as a string`() {
    let control = directives("CDN-Cache-Control: private=\"a, B\", no-cache, no-store").control
    #expect(control.privateFields == ["a", "b"] && !control.isWhollyPrivate)
    #expect(control.noCache && control.noStore)
  }

  @Test func `what surrogates may do with a stale answer follows a plus sign`() {
    let control = directives("Surrogate-Control: max-age=60+30, content=\"ESI/1.0\"").control
    #expect(control.staleIfError == .seconds(30))
    #expect(control.staleWhileRevalidate == .seconds(30))
  }

  @Test func `a private cache is nobody's target`() {
    let text = "Cache-Control: max-age=5 | CDN-Cache-Control: max-age=60"
    let directives = AnswerDirectives(fields(text), targets: GatewayPolicy.personal.targets)
    #expect(directives.control.maximumAge == .after(.seconds(5)))
  }
}
