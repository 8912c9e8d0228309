import Testing

@testable import FreshSync

@Suite struct SourceOriginTests {
  @Test(arguments: [
    ("https://Example.org/a/b?c#d", "https://example.org"),
    ("http://example.org:8080/", "http://example.org:8080"),
    ("https://user:secret@example.org/x", "https://example.org"),
    ("https://example.org/\u{301}x", "https://example.org"),
    ("https://user:secret@\u{301}x/", "https://\u{301}x"),
    ("https://[2001:db8::1]:443?x", "https://[2001:db8::1]:443"),
    ("a label", "articles"), ("https://", "articles"), ("://x", "articles"), ("", "articles"),
  ])
  func `an origin is scheme, host and port of a source, otherwise the collection`(
    _ source: String, _ origin: String
  ) {
    #expect(
      SourceOrigin.name(policy: nil, source: source, collection: "articles") == origin)
  }

  @Test func `the policy's origin takes precedence over the source's`() {
    #expect(
      SourceOrigin.name(policy: "p", source: "https://example.org", collection: "c") == "p")
    #expect(SourceOrigin.name(policy: nil, source: nil, collection: "c") == "c")
  }
}
