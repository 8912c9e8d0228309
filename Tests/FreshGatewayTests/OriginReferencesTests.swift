internal import FreshHTTP
internal import Testing

@testable import FreshGateway

/// Where an answer leads that names its origin.
@Suite struct OriginReferencesTests {
  private let references = OriginReferences(to: address("http://origin.example:3000"))

  @Test(arguments: [
    ("http://origin.example:3000/a/b?c=d#e", "/a/b?c=d#e"),
    ("HTTP://Origin.EXAMPLE:3000/A", "/A"), ("http://origin.example:3000", "/"),
    ("http://origin.example:3000/", "/"), ("http://origin.example:3000?a", "/?a"),
    ("http://origin.example:3000#a", "/#a"), ("//origin.example:3000/a", "/a"),
    // Neither encoded nor decoded.
    ("http://origin.example:3000/a b\u{e4}%2f/../c", "/a b\u{e4}%2f/../c"),
  ])
  func `what names the origin becomes a path`(reference: String, path: String) {
    #expect(references.path(of: reference) == path)
  }

  @Test(arguments: [
    "/a", "a", "?a", "", "//other.example/a", "http://other.example/a", "http://origin.example/a",
    "https://origin.example:3000/a", "http://origin.example:30000/a",
    "http://origin.example:3000.evil/a", "http://origin.example:3000@evil/a",
    "http://u@origin.example:3000/a", "http://origin.example:3000\\@evil/a",
    "http:origin.example:3000/a", "http:/origin.example:3000/a", "mailto:a@origin.example",
    "http://origin.example:3000/\t/evil", "http://origin.example:3000\u{1}/a",
  ])
  func `whatever else there is stays as it is`(reference: String) {
    #expect(references.path(of: reference) == reference)
  }

  @Test(arguments: [
    ("http://origin.example:3000//evil/a", "/.//evil/a"),
    ("//origin.example:3000//evil", "/.//evil"), ("http://origin.example:3000///evil", "/.///evil"),
    ("http://origin.example:3000/\\evil", "/./\\evil"),
    ("http://origin.example:3000/a//b", "/a//b"),
    ("http://origin.example:3000?//evil", "/?//evil"),
  ])
  func `RFC 3986 4.2: no path becomes the name of a host`(reference: String, path: String) {
    #expect(references.path(of: reference) == path)
  }

  @Test(arguments: [
    "http://origin.example/a", "http://origin.example:80/a", "http://origin.example:/a",
  ])
  func `the port of its scheme need not be written`(reference: String) {
    #expect(OriginReferences(to: address("http://origin.example")).path(of: reference) == "/a")
  }

  @Test(arguments: [
    ("5; url=http://origin.example:3000/a", "5; url=/a"),
    ("0;URL='http://origin.example:3000//b'", "0;URL='/.//b'"),
    ("0, url = \"http://origin.example:3000/a\" x", "0, url = \"/a\" x"),
    ("5;http://origin.example:3000/a", "5;/a"), ("5; url=http://other/a", "5; url=http://other/a"),
    ("5", "5"), ("5;", "5;"), ("5; url", "5; url"), ("5; url=", "5; url="),
    ("5; url='", "5; url='"),
  ])
  func `a page that is to be loaded later is, too`(value: String, expected: String) {
    #expect(references.rewritten(["Refresh": value]) == ["Refresh": expected])
  }

  @Test func `only fields that lead somewhere change`() {
    let url = "http://origin.example:3000/a"
    let sent = fields("location: \(url) | Content-Location: \(url) | Link: <\(url)> | X: \(url)")
    #expect(
      references.rewritten(sent)
        == fields("location: /a | Content-Location: /a | Link: <\(url)> | X: \(url)"))
  }

  @Test
  func `RFC 9110 10.2.2: an answer leads to the gateway, and is kept as the origin has sent it`()
    throws
  {
    var policy = GatewayPolicy()
    policy.references = OriginReferences(to: address("http://origin.example"))
    let reverse = CacheSemantics(policy)
    let text = "Cache-Control: max-age=60 | Location: http://origin.example/b"
    let plan = try #require(reverse.decide(try request(), among: []).forward)
    let conclusion = reverse.conclude(answer(text, 301), to: plan)
    #expect(conclusion.fields["Location"] == "/b")
    #expect(conclusion.kept?.fields["Location"] == "http://origin.example/b")
    let copy = try candidate(text, 301)
    #expect(reverse.decide(try request(), among: [copy]).answer?.fields["Location"] == "/b")
    // A forward proxy changes nothing.
    #expect(
      semantics.decide(try request(), among: [copy]).answer?.fields["Location"]
        == "http://origin.example/b")
    let posted = try #require(reverse.decide(try request("", "POST"), among: []).forward)
    #expect(
      reverse.conclude(answer(text, 201), to: posted).invalidation.keys
        == ["http://origin.example/page", "http://origin.example/b"])
  }
}
