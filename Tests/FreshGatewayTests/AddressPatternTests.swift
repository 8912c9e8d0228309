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

  @Test(arguments: [
    ("/static/..%2fprivate", "/private"), ("/static/%2e%2e/private", "/private"),
    ("/static/../private?a", "/private"), ("/static/%2E./private", "/private"),
    ("/static//..\\..//private", "/private"), ("/static/a/..%5c%2e%2e%5Cprivate/", "/private/"),
    ("/static/..;a=b/private", "/private"), ("/static/..", "/"), ("/static/./..%2F", "/"),
    ("/private/..%2fstatic/a", nil), ("/%73tatic/a", nil), ("//static/a", nil),
    ("/static/%2e%2e%2fstatic/a", "/static/a"), ("/static/a%zz/%", "/static/a%zz/%"),
    ("/static//a", "/static/a"), ("/static/a/.", "/static/a/"), ("/static/%c3%A9", "/static/é"),
    ("/static/..a/.b", "/static/..a/.b"),
  ])
  func `a pattern fits a path only as it is written and as origins decode it`(
    path: String, decoded: String?
  ) throws {
    let pattern = try #require(AddressPattern("/static/*"))
    let address = "http://h\(path)"
    #expect(pattern.fits(address) == (decoded?.hasPrefix("/static/") == true))
    #expect(AddressPattern("http://h/static/*")?.fits(address) == pattern.fits(address))
    #expect(pattern.fits(address, as: .written) == path.hasPrefix("/static/"))
    guard let decoded else { return #expect(pattern.fits(address, as: .decoded)) }
    #expect(
      AddressPattern(decoded.replacing("%", with: "%25"))?.fits(address, as: .decoded) == true)
  }

  @Test func `a pattern is decoded as addresses are, and an encoded star is none of its own`()
    throws
  {
    let encoded = try #require(AddressPattern("/caf%C3%A9//*"))
    #expect(encoded.fits("http://h/caf%C3%A9/a", as: .decoded))
    #expect(encoded.fits("http://h/caf%C3%A9//a"))
    let star = try #require(AddressPattern("/a%2A"))
    #expect(star.fits("http://h/a%2A") && !star.fits("http://h/abc", as: .decoded))
  }
}
