internal import FreshHTTP
internal import Testing

@testable import FreshGateway

@Suite struct InvalidationTests {
  private func invalidation(_ text: String, _ status: Int = 200, _ method: String = "POST") throws
    -> Invalidation
  {
    let asked = try request("", method, "/a/b?c")
    let plan = try #require(semantics.decide(asked, among: []).forward)
    return semantics.conclude(answer(text, status), to: plan).invalidation
  }

  private let own = "http://origin.example/a/b?c"

  @Test(arguments: ["POST", "PUT", "DELETE", "PATCH", "M-SEARCH"], [200, 201, 204, 302])
  func `RFC 9111 4.4: an unsafe or unknown method that met no error makes its target invalid`(
    method: String, status: Int
  ) throws {
    #expect(try invalidation("", status, method).keys == [own])
  }

  @Test(arguments: ["GET", "HEAD", "OPTIONS", "TRACE"])
  func `RFC 9111 4.4: safe methods make nothing invalid`(method: String) throws {
    #expect(try invalidation("Location: /x", 200, method).isEmpty)
  }

  @Test(arguments: [400, 404, 412, 500, 503])
  func `RFC 9111 4.4: an error makes nothing invalid`(status: Int) throws {
    #expect(try invalidation("Location: /x | Cache-Group-Invalidation: \"g\"", status).isEmpty)
  }

  @Test(arguments: [
    ("Location: /x", "http://origin.example/x"),
    ("Content-Location: x", "http://origin.example/a/x"),
    ("Location: http://ORIGIN.example:80/x", "http://origin.example/x"),
  ])
  func `RFC 9111 4.4: Location and Content-Location of the same origin are invalid, too`(
    text: String, key: String
  ) throws {
    #expect(try invalidation(text, 201).keys == [own, key])
  }

  @Test(arguments: [
    "Location: https://origin.example/x", "Location: http://other.example/x", "Location: //other/x",
    "Content-Location: http://origin.example:81/x", "Location: mailto:a@b", "Location: http://[",
    "Location: http://origin.example/a/b?c",
  ])
  func `RFC 9111 4.4: nothing of another origin is made invalid`(text: String) throws {
    #expect(try invalidation(text, 201).keys == [own])
  }

  @Test(arguments: ["Location", "Content-Location"])
  func `RFC 9111 4.4: an address of an alias is one of the origin`(name: String) throws {
    let asked = try request("", "POST", "/a/b?c")
    let invalidation = Invalidation(
      by: 201, fields("\(name): https://WWW.example/x?y"), to: asked, names: ["www.example"])
    #expect(invalidation.keys == [own, "http://origin.example/x?y"])
  }

  @Test(
    arguments: [
      ("\"a\", \"b\"", ["a", "b"]), ("\"a\";x=1", ["a"]), ("\"a\", \"a\"", ["a"]), ("a", []),
      ("\"a\", b", []), ("\"a\",", []), ("\"a", []), ("", []), ("\"a\\\"b\"", ["a\"b"]),
      ("\"\u{e4}\"", []),
    ] as [(String, [String])])
  func `RFC 9875 2: groups are a list of strings`(text: String, groups: [String]) throws {
    #expect(CacheGroups.read(text) == groups)
    let stored = try stored("Cache-Control: max-age=60 | Cache-Groups: \(text)")
    #expect(stored.terms.groups == groups)
  }

  @Test func `RFC 9875 3: an unsafe method may make the groups of its origin invalid`() throws {
    let text = "Cache-Group-Invalidation: \"a\", \"b\""
    #expect(
      try invalidation(text).tags == ["http://origin.example:80 a", "http://origin.example:80 b"])
    #expect(try invalidation(text, 200, "GET").isEmpty)
  }
}
