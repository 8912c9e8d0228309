internal import FreshStore
internal import Platform
internal import Testing

@testable import FreshHTTP

@Suite struct HTTPFetchErrorTests {
  @Test(arguments: [
    (HTTPFetchError.timedOut("u", after: .seconds(1)), true),
    (.transport("u", description: "refused"), true),
    (.unreachable("u", description: "no route to host"), true),
    (.status(500, url: "u", bodyPrefix: "", retryAfter: nil), false),
    (.status(501, url: "u", bodyPrefix: "", retryAfter: nil), false),
    (.status(502, url: "u", bodyPrefix: "", retryAfter: nil), true),
    (.status(503, url: "u", bodyPrefix: "", retryAfter: nil), true),
    (.status(504, url: "u", bodyPrefix: "", retryAfter: nil), true),
    (.status(505, url: "u", bodyPrefix: "", retryAfter: nil), false),
    (.status(408, url: "u", bodyPrefix: "", retryAfter: nil), false),
    (.status(429, url: "u", bodyPrefix: "", retryAfter: nil), false),
    (.proxy("u", proxy: "p:1", description: "refused"), true), (.damagedBody("u"), false),
    (.status(403, url: "u", bodyPrefix: "", retryAfter: nil), false),
    (.cancelled("u"), false), (.tooLarge("u", limit: 1), false), (.badURL("u", reason: ""), false),
    (.redirectLoop("u"), false), (.unexpectedNotModified("u"), false),
    (.malformedAnswer("u"), true),
    (.redirected(from: "u", .timedOut("v", after: .seconds(1))), false),
  ])
  func `only errors of the whole origin are blamed on it`(
    error: HTTPFetchError, blames: Bool
  ) {
    #expect(error.blamesOrigin == blames)
  }

  @Test(arguments: [
    (HTTPFetchError.timedOut("u", after: .seconds(1)), true),
    (.unreachable("u", description: "no route to host"), true),
    (.transport("u", description: "connection refused"), false),
    (.status(503, url: "u", bodyPrefix: "", retryAfter: nil), false),
    (.cancelled("u"), false), (.badURL("u", reason: ""), false),
  ])
  func `only silence and a missing network make the way suspected`(
    error: HTTPFetchError, isUnreachable: Bool
  ) {
    #expect(error.isUnreachable == isUnreachable)
  }

  #if HTTP
    @Test(arguments: [
      (EMFILE, false, true), (EADDRNOTAVAIL, true, true), (EADDRNOTAVAIL, false, false),
      (ECONNREFUSED, true, false),
    ])
    func `exhausted local ports are a shortage, a missing IPv6 address is not`(
      code: CInt, isIPv4: Bool, expected: Bool
    ) {
      #expect(HTTPTransport.isShortage(code, isIPv4: isIPv4) == expected)
    }

    private struct Told: Error, CustomStringConvertible {
      let description: String
    }

    @Test(arguments: [
      (
        "handshakeFailed(sslError([CERTIFICATE_VERIFY_FAILED]))",
        "its certificate cannot be trusted"
      ),
      ("handshakeFailed(sslError([WRONG_VERSION_NUMBER]))", "the TLS handshake failed"),
      ("somethingElse", "somethingElse"),
    ])
    func `the errors of the TLS library are described in words`(text: String, words: String) {
      #expect(HTTPTransport.words(of: Told(description: text)) == words)
    }
  #endif

  @Test func `the error carries the pause that an origin asked for`() {
    let error = HTTPFetchError.status(503, url: "u", bodyPrefix: "", retryAfter: .seconds(9))
    #expect(error.retryAfter == .seconds(9))
    #expect(HTTPFetchError.redirectLoop("u").retryAfter == nil)
  }

  @Test(arguments: [
    (HTTPFetchError.badURL("u", reason: "because"), "because"), (.unsupportedScheme("ftp"), "ftp"),
    (.badConfiguration("because"), "because"), (.timedOut("u", after: .seconds(3)), "within 3 s;"),
    (.transport("u", description: "refused"), "refused"),
    (.unreachable("u", description: "no route"), "no route"), (.cancelled("u"), "cancelled"),
    (.tooLarge("u", limit: 77), "77"), (.tooManyRedirects("u", limit: 5), "5"),
    (.redirectLoop("u"), "circle"), (.badRedirect("u", reason: "because"), "because"),
    (.unsupportedEncoding("u", coding: "br"), "br"), (.unexpectedNotModified("u"), "304"),
    (.status(401, url: "u", bodyPrefix: "x", retryAfter: nil), "credentials"),
    (.status(407, url: "u", bodyPrefix: "", retryAfter: nil), "proxy"),
    (.status(400, url: "u", bodyPrefix: "", retryAfter: nil), "correct"),
    (.status(500, url: "u", bodyPrefix: "oops", retryAfter: nil), "oops"),
    (.status(503, url: "u", bodyPrefix: "", retryAfter: .seconds(9)), "9.0 seconds"),
  ])
  func `an error message is one line`(error: HTTPFetchError, part: String) {
    #expect(error.description.contains(part))
    #expect(!error.description.contains("\n"))
  }
}
