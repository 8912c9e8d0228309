internal import Testing

@testable import FreshGateway

/// Which addresses the rules of an operator are for.
@Suite struct AddressPatternTests {
  @Test(
    arguments: [
      ("/api/*", "http://h/api/a/b?c", true), ("/api/*", "http://h/api", false),
      ("/api", "http://h/api?x=/api", true), ("/a?x=*", "http://h/a?x=1", true),
      ("/a?x=*", "http://h/a", false), ("*", "http://h/", nil),
      ("/*/b*c", "http://h/a/bxcxbc", true),
      ("/*/b*c", "http://h/a/b", false), ("http://h/*", "http://h/a?x", true),
      ("https://h/*", "http://h/a", false), ("/**", "http://h/", true),
    ] as [(String, String, Bool?)])
  func `patterns fit addresses`(pattern: String, address: String, fits: Bool?) {
    #expect(AddressPattern(pattern)?.fits(address) == fits)
  }
}
