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
    ("Cache-Control: max-age=5 | CDN-Cache-Control: foo", 5),
    ("Cache-Control: max-age=5 | CDN-Cache-Control: foo, max-age=?0", 5),
    ("Cache-Control: max-age=5 | CDN-Cache-Control: foo | Surrogate-Control: max-age=60", 60),
    ("Cache-Control: max-age=5 | Surrogate-Control: content=\"ESI/1.0\"", 5),
    ("Cache-Control: max-age=5 | Surrogate-Control: max-age=60, content=\"ESI/1.0\"", 60),
  ])
  func `RFC 9213 2.1 and 2.2: the first targeted field that is valid and not empty counts`(
    text: String, seconds: Int
  ) {
    #expect(directives(text).control.maximumAge == .after(.seconds(seconds)))
  }

  @Test(arguments: [
    ("foo=()", true), ("foo=( 1  \"a\" b;c=1.5 )", true), ("foo=(a b);c;d=\"e\"", true),
    ("foo=(a", false), ("foo=(a,b)", false), ("foo=(a(b))", false), ("foo=(a\"b\")", false),
    ("foo=(a))", false), ("max-age=(60)", false), ("foo=@1659578233", true), ("foo=@-1", true),
    ("foo=@1.5", false), ("foo=@", false), ("foo=%\"f%c3%bc \\\"", true),
    ("foo=%\"%C3%BC\"", false), ("foo=%\"%c3\"", false), ("foo=%\"a", false), ("foo=%a", false),
    ("foo=(@1 %\"a\")", true),
  ])
  func `RFC 9213 2.1: an extension takes nothing away from what stands beside it`(
    member: String, isValid: Bool
  ) {
    for text in ["no-store, \(member)", "\(member), no-store"] {
      let control = directives("Cache-Control: max-age=5 | CDN-Cache-Control: \(text)").control
      #expect(control.noStore == isValid)
      #expect((control.maximumAge == nil) == isValid)
    }
  }

  @Test func `RFC 9213 2.2: Cache-Control and Expires do not count beside a targeted field`() {
    let targeted = directives("Cache-Control: no-store | CDN-Cache-Control: none | Expires: 0")
    #expect(!targeted.control.noStore && !targeted.usesExpires)
    #expect(directives("CDN-Cache-Control: foo | Expires: 0").usesExpires)
  }

  @Test(
    arguments: [
      ("Surrogate-Control: content=\"ESI/1.0\"", true), ("Surrogate-Control: max-age=9;else", true),
      ("Surrogate-Control: max-age=9, content=\"ESI/1.0\"", false),
      ("CDN-Cache-Control: foo", true), ("CDN-Cache-Control: no-store=?0", true),
      ("CDN-Cache-Control: stale-if-error=9", true), ("CDN-Cache-Control: must-revalidate", true),
      ("CDN-Cache-Control: no-cache", true), ("CDN-Cache-Control: max-age=9", false),
      ("CDN-Cache-Control: public", false), ("CDN-Cache-Control: none", false),
    ])
  func
    `what Cache-Control forbids counts beside a targeted field that does not say what may be kept`(
      target: String, isForbidden: Bool
    )
  {
    let control = directives("Cache-Control: private, no-store | \(target)").control
    #expect(control.noStore == isForbidden)
    #expect(control.isWhollyPrivate == isForbidden)
    let fields = directives("Cache-Control: private=\"a\" | \(target)").control.privateFields
    #expect(fields == (isForbidden ? ["a"] : []))
  }

  @Test(
    arguments: [
      "stale-if-error=60", "stale-while-revalidate=60", "must-revalidate", "proxy-revalidate",
      "immutable", "no-cache", "no-cache=\"a\"",
    ])
  func `a targeted field about something else stands beside Cache-Control and Expires`(
    target: String
  ) {
    let text =
      "Cache-Control: no-cache, max-age=0, s-maxage=9, must-revalidate, proxy-revalidate"
      + " | CDN-Cache-Control: \(target)"
    let counting = directives(text)
    #expect(counting.control.noCache && counting.control.mustRevalidate)
    #expect(counting.control.proxyRevalidate && counting.usesExpires)
    #expect(counting.control.maximumAge == .after(.zero))
    #expect(counting.control.sharedMaximumAge == .after(.seconds(9)))
  }

  @Test(arguments: [("no-store", true), ("max-age=7", false), ("max-age=7+5", false)])
  func `a targeted field about something else stands beside the next one that is not`(
    next: String, isForbidden: Bool
  ) {
    let text = "Cache-Control: max-age=60, private, must-revalidate | Surrogate-Control: \(next)"
    let counting = directives("\(text) | CDN-Cache-Control: stale-if-error=86400")
    let control = counting.control
    #expect(!counting.usesExpires && !control.isWhollyPrivate && !control.mustRevalidate)
    #expect(control.staleIfError == .seconds(86400))
    #expect(control.noStore == isForbidden)
    #expect((control.maximumAge == .after(.seconds(7))) == !isForbidden)
  }

  @Test func `of two graces the targeted one counts, and the other one stays`() {
    let control = directives(
      "Cache-Control: max-age=9, stale-if-error=5, stale-while-revalidate=7"
        + " | CDN-Cache-Control: stale-if-error=60"
    ).control
    #expect(control.staleIfError == .seconds(60))
    #expect(control.staleWhileRevalidate == .seconds(7))
    #expect(control.maximumAge == .after(.seconds(9)))
  }

  @Test(arguments: [
    "Cache-Control: no-cache", "Cache-Control: max-age=0", "Cache-Control: s-maxage=0",
    "Expires: 0",
  ])
  func `what has to be validated each time has no guessed lifetime by a field about something else`(
    text: String
  ) throws {
    let copy = try candidate(
      "\(text) | CDN-Cache-Control: must-revalidate | Last-Modified: \(date(-864_000))")
    #expect(semantics.decide(try request(), among: [copy]).summary == "forward stale")
  }

  @Test(arguments: [
    ("Cache-Control: max-age=60 | CDN-Cache-Control: must-revalidate", false),
    ("Surrogate-Control: max-age=60 | CDN-Cache-Control: must-revalidate", false),
    ("Cache-Control: private | CDN-Cache-Control: max-age=60, must-revalidate", true),
    ("Cache-Control: max-age=60, must-revalidate | CDN-Cache-Control: stale-if-error=9", true),
    ("Cache-Control: public, max-age=60 | CDN-Cache-Control: must-revalidate", true),
  ])
  func `a field beside the one that says what may be kept gives no answer of one user to all`(
    text: String, isForIdentified: Bool
  ) throws {
    #expect(directives(text).isForIdentified == isForIdentified)
    #expect(directives(text).control.mustRevalidate == text.contains("must-revalidate"))
    let expected: StoringRefusal? = isForIdentified ? nil : .authorization
    #expect(refusal(text, for: try request("Authorization: a")) == expected)
  }

  @Test func `an exception from no-store stands beside the no-store that it is for`() {
    let text = "CDN-Cache-Control: must-revalidate"
    let both = directives("Cache-Control: must-understand, no-store | \(text)").control
    #expect(both.noStore && both.mustUnderstand)
    let moved = directives("Cache-Control: no-store | \(text), must-understand").control
    #expect(!moved.noStore && moved.mustUnderstand)
  }

  @Test(
    arguments: [
      "no-store", "no-store-remote", "no-store-remote, max-age=9", "no-store, max-age=x",
      "max-age, no-store", "max-age=9+, no-store-remote",
    ])
  func `surrogates are told not to keep an answer`(text: String) {
    #expect(directives("Cache-Control: max-age=5 | Surrogate-Control: \(text)").control.noStore)
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

  @Test func `nothing is targeted at a proxy that clients have chosen`() {
    #expect(GatewayOptions().policy(at: .anyOrigin).targets == [])
    #expect(GatewayOptions().policy(at: origin).targets == GatewayPolicy().targets)
  }
}
