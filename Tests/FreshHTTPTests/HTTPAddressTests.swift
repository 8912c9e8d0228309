internal import Testing

@testable import FreshHTTP

@Suite struct HTTPAddressTests {
  @Test(arguments: [
    ("http://example.org", "http://example.org/"),
    ("HTTPS://EXAMPLE.org:443/a", "https://example.org/a"),
    ("http://example.org:8080?q=1", "http://example.org:8080/?q=1"),
    ("http://example.org:/a", "http://example.org/a"),
    ("http://example.org/a/./b/../c#part", "http://example.org/a/./b/../c"),
    ("http://example.org/ä", "http://example.org/%C3%A4"),
    ("http://example.org/%zz%41%E9", "http://example.org/%zz%41%E9"),
    ("http://example.org/q?f[a]=1|{2}", "http://example.org/q?f[a]=1|{2}"),
    ("http://[::1]:8080/", "http://[::1]:8080/"),
    ("http://example.org/a?b#d?e", "http://example.org/a?b"),
  ])
  func `of an address the host is put into its normal form, and its target stays as it is`(
    text: String, normal: String
  ) throws {
    #expect(try HTTPAddress(text).text == normal)
  }

  @Test(arguments: [
    "", "example.org", "/path", "http:example.org", "http://", "http:///a",
    "http://user@example.org",
    "http://user:secret@example.org/", "http://exa mple.org", "http://example.org/a b",
    "http://example.org/?a b", "http://exämple.org",
    "http://example.org:0", "http://example.org:65536", "http://example.org:x",
    "http://example.org:80:80", "http://[::1", "http://[::1]x", "http://[zz]",
    "http://example.org/\r\nX: y", "http://example.org/\u{0}", "http://exam\tple.org",
  ])
  func `text that is not an address is refused`(text: String) {
    #expect(throws: HTTPAddress.Refusal.self) { try HTTPAddress(text) }
  }

  @Test(arguments: ["ftp://example.org/", "file:///etc/passwd", "javascript:alert(1)"])
  func `an unsupported scheme is named in the error`(text: String) {
    let scheme = String(text.prefix { $0 != ":" })
    #expect(throws: HTTPAddress.Refusal.scheme(scheme)) { try HTTPAddress(text) }
  }

  @Test(arguments: [
    ("http://example.org", "http://example.org:80"),
    ("https://EXAMPLE.org/x", "https://example.org:443"),
    ("http://[::1]:8080/", "http://[::1]:8080"),
  ])
  func `the origin always has its port`(text: String, origin: String) throws {
    #expect(try HTTPAddress(text).origin == origin)
  }

  @Test(arguments: [
    "http://example.org/a?token=secret", "http://example.org/a#secret",
    "http://me:secret@example.org/",
    "me:secret@example.org/?secret", "http://me:se/cret:secret@example.org/x", "x://a?secret",
  ])
  func `messages omit the parts of an address that may be secret`(text: String) {
    #expect(!HTTPAddress.redacted(text).contains("secret"))
  }

  @Test func `a redacted text is one short line`() {
    let text = HTTPAddress.redacted("http://\u{1B}[31m\n" + String(repeating: "x", count: 5000))
    #expect(text.count <= 201)
    #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 })
  }

  @Test(arguments: [
    ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
    ("/g", "http://a/g"), ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"),
    ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q"), ("g#s", "http://a/b/c/g"),
    (";x", "http://a/b/c/;x"), ("g;x?y#s", "http://a/b/c/g;x?y"), ("", "http://a/b/c/d;p?q"),
    (".", "http://a/b/c/"), ("..", "http://a/b/"), ("../g", "http://a/b/g"),
    ("../..", "http://a/"), ("../../g", "http://a/g"), ("../../../g", "http://a/g"),
    ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."),
    ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"),
    ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"),
    ("g?y/../x", "http://a/b/c/g?y/../x"),
    ("https://b/x", "https://b/x"), ("https://b/x/../y", "https://b/y"),
    ("a b", "http://a/b/c/a%20b"),
    ("caf\u{10FFE9}", "http://a/b/c/caf%E9"), ("?[x]|%zz", "http://a/b/c/d;p?[x]|%zz"),
  ])
  func `RFC 3986 5.4: references are resolved against their base`(
    reference: String, target: String
  ) throws {
    let base = try HTTPAddress("http://a/b/c/d;p?q")
    #expect(try RelativeReference.resolve(reference, against: base).text == target)
  }
}
