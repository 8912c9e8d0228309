import Rules
import Testing

@Suite struct URLTests {
  @Test(arguments: [
    ("http://example.com", true), ("https://example.com", true), ("HTTP://EXAMPLE.COM", true),
    ("https://example.com:8080/a/b;c?d=e&f=%20#g/h?i", true), ("http://1.2.3.4/", true),
    ("http://[::1]", true), ("http://[2001:db8::1]:80/", true),
    ("http://xn--e1afmkfd.xn--p1ai", true),
    ("http://example.com?a", true), ("http://example.com#a", true),
    ("http://example.com:65535", true),
    ("", false), ("hello", false), ("http://", false), ("://", false), ("example.com", false),
    ("http:/example.com", false), ("ftp://example.com", false), ("http://localhost", false),
    ("http://example.com:", false), ("http://example.com:65536", false), ("http://a..b", false),
    ("http://example.com:123456", false), ("http://[::1", false), ("http://[]", false),
    ("http://999.1.1.1", false), ("http://1.2.3", false), ("http://-a.com", false),
    ("http://a-.com", false), ("http://a_b.com", false), ("http://user@example.com", false),
    ("http://user:password@example.com", false), (" http://example.com", false),
    ("http://example.com ", false), ("http://example.com/a b", false),
    ("http://example.com\n", false),
    ("http://example.com/%zz", false), ("http://example.com/%2", false),
    ("http://example.com/<", false),
    ("http://example.com/\u{200B}", false), ("http://example.com/?\u{1F600}", false),
    ("http://example.com\\a", false), ("http://example.com@evil.com", false),
    ("http://пример.рф", false), ("javascript:alert(1)", false), ("http://example.com./", false),
  ])
  func `a web URL is absolute, and its host has a dot`(text: String, isKept: Bool) {
    #expect(Rule.url().isKept(by: text) == isKept)
  }

  @Test(arguments: [
    ("http://localhost", true), ("http://localhost:8080/a", true), ("http://", false),
    ("http:///a", false), ("http://8080", false),
  ])
  func `a host without a dot is accepted on request`(text: String, isKept: Bool) {
    #expect(Rule.url(.webOrLocal).isKept(by: text) == isKept)
  }

  @Test(arguments: [
    ("mailto:ada@example.com", true), ("MAILTO:ada@example.com", true), ("file:///etc/hosts", true),
    ("mailto:", false), ("file://", false), ("urn:a:b", false), ("file://host/share", true),
    ("mailto:a b", false),
  ])
  func `any scheme of a list is accepted`(text: String, isKept: Bool) {
    #expect(Rule.url(.schemes("mailto", "File")).isKept(by: text) == isKept)
  }

  @Test(arguments: [
    ("/a/b", true), ("../a?b#c", true), ("?a", true), ("#a", true), ("//example.com/a", true),
    ("//localhost", false), ("https://example.com", true), ("a:b", false), ("a/b:c", true),
    ("", false), ("//", false), ("a b", false), ("javascript:alert(1)", false),
  ])
  func `relative references are accepted on request`(text: String, isKept: Bool) {
    #expect(Rule.url(.webOrRelative).isKept(by: text) == isKept)
  }

  @Test(arguments: [
    ("http://user@example.com", true), ("http://user:pass%20word@example.com:80", true),
    ("http://@example.com", true), ("http://a@b@example.com", false),
  ])
  func `user information is accepted on request`(text: String, isKept: Bool) {
    var form = URLForm.web
    form.allowsUser = true
    #expect(Rule.url(form).isKept(by: text) == isKept)
  }

  @Test(arguments: [("http://example.com", true), ("example.com", false)])
  func `F-127 F-128: a scheme is required`(text: String, isKept: Bool) {
    #expect(Rule.url().isKept(by: text) == isKept)
  }

  @Test(arguments: [
    ("https://example.com", true), ("example.com", true), ("example.com:80/a", true),
    ("ftp://example.com", false), ("localhost", false), ("", false),
  ])
  func `F-129 F-130: with a default scheme a bare host is enough`(text: String, isKept: Bool) {
    let form = URLForm(schemes: ["http", "https"], defaultScheme: "https")
    #expect(Rule.url(form).isKept(by: text) == isKept)
  }

  @Test(arguments: [("http://example.com", false), ("ftp://example.com", true)])
  func `F-131 F-132: a custom pattern is a separate rule`(
    text: String, isKept: Bool
  ) throws {
    let rule = try Rule.matches("ftp://[a-z.]+", .search, .sensitive)
    #expect(rule.isKept(by: text) == isKept)
  }

  @Test(arguments: [("http://example.com", false), ("ftp://example.com", true)])
  func `F-133 F-134: the allowed schemes are configurable`(text: String, isKept: Bool) {
    #expect(Rule.url(URLForm(schemes: ["ftp"])).isKept(by: text) == isKept)
  }

  @Test(arguments: [
    ("http://пример.рф", false, true), ("http://example.com", true, true),
    ("http://example.com/ü", false, true), ("http://exa\u{200B}mple.com", false, false),
  ])
  func `F-135 F-136 F-137 F-138: hosts of any script are accepted on request`(
    text: String, isKept: Bool, isKeptInternationally: Bool
  ) {
    var form = URLForm.web
    #expect(Rule.url(form).isKept(by: text) == isKept)
    form.isInternational = true
    #expect(Rule.url(form).isKept(by: text) == isKeptInternationally)
  }

  @Test(arguments: ["http://google.com", "http://www.google.com"])
  func `S-51: plain http hosts`(text: String) {
    #expect(Rule.url().isKept(by: text))
  }

  @Test(arguments: ["http:\u{25B3}google.com", "http://google.com?q=\u{1F600}"])
  func `S-52: symbols in forbidden places`(text: String) {
    #expect(!Rule.url().isKept(by: text))
  }
}
