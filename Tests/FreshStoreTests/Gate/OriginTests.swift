import FreshStore
import Testing

/// One origin has one spelling, by which its failures are counted.
@Suite struct OriginTests {
  @Test(arguments: [
    ("https://Example.org/a/b?c#d", "https://example.org:443"),
    ("HTTPS://example.org:0443", "https://example.org:443"),
    ("https://example.org:", "https://example.org:443"),
    ("http://example.org", "http://example.org:80"),
    ("http://example.org:8080/", "http://example.org:8080"),
    ("wss://example.org", "wss://example.org:443"),
    ("https://user:secret@example.org/x", "https://example.org:443"),
    ("https://example.org/\u{301}x", "https://example.org:443"),
    ("https://user:secret@\u{301}x/", "https://\u{301}x:443"),
    ("https://[2001:db8::1]?x", "https://[2001:db8::1]:443"),
    ("https://[2001:DB8::1]:8443", "https://[2001:db8::1]:8443"),
    ("amqp://example.org", "amqp://example.org"),
    ("http://10.0.0.1:8080", "http://10.0.0.1:8080"),
    ("http://a-b_c.example:65535", "http://a-b_c.example:65535"),
    ("http://example.org:080", "http://example.org:80"),
    ("http://example.org:0", "http://example.org:0"),
    ("http://example.org:123456", "http://example.org:123456"),
    ("http://Example.org:80", "http://example.org:80"),
    ("Http://example.org:80", "http://example.org:80"),
    ("http://user@example.org:80", "http://example.org:80"),
    ("http://a:b@example.org:80", "http://example.org:80"),
    ("http://example.org:80:81", "http://example.org:80:81"),
    ("http://example.org:80/", "http://example.org:80"),
    ("a:b://example.org:80", "a:b://example.org:80"),
    ("https://example.org:port", "https://example.org:port"),
  ])
  func `a URL stands for its scheme, host and port`(_ url: String, _ name: String) throws {
    let origin = try #require(Origin(url: url))

    #expect(origin.name == name)
    #expect("\(origin)" == name)
    #expect(origin == Origin(url) && origin == Origin(name))
    #expect(Set([origin, Origin(name)]).count == 1)
  }

  @Test(arguments: ["a label", "Label", "https://", "://x", "", "caf\u{e9}", "cafe\u{301}"])
  func `any other text is a label, equal to the same bytes only`(_ label: String) {
    #expect(Origin(url: label) == nil)
    #expect(Origin(label).name.utf8.elementsEqual(label.utf8))
    #expect(Origin(label) != Origin(label.uppercased() + "!"))
    #expect(Origin("caf\u{e9}") != Origin("cafe\u{301}"))
  }
}
