internal import FreshStore
internal import Platform
internal import Testing

@testable import FreshHTTP

#if HTTP
  internal import NIOCore
#endif

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
    (.proxy("u", proxy: "p:1", description: "refused"), false), (.damagedBody("u"), false),
    (.tls("u", .untrusted(host: "h")), false),
    (.status(403, url: "u", bodyPrefix: "", retryAfter: nil), false),
    (.cancelled("u"), false), (.tooLarge("u", limit: 1), false), (.badURL("u", reason: ""), false),
    (.redirectLoop("u"), false), (.unexpectedNotModified("u"), false),
    (.promised("u"), false), (.malformedAnswer("u"), true),
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

    @Test(arguments: [
      (EHOSTUNREACH, 1, true), (EHOSTUNREACH, 3, false), (ENETUNREACH, 1, false),
      (ECONNREFUSED, 1, false),
    ])
    func `only a search for a neighbour that failed too soon was begun by others`(
      code: CInt, seconds: Int, expected: Bool
    ) {
      let start = ContinuousClock.now
      let error = IOError(errnoCode: code, reason: "connect")
      #expect(
        HTTPTransport.hasInheritedFailure(error, since: start, now: start + .seconds(seconds))
          == expected)
    }
  #endif

  private static func library(_ symbol: String) -> String {
    "handshakeFailed(sslError([Error: 1 error:10:SSL routines:OPENSSL_internal:\(symbol) at a.cc:1]))"
  }

  @Test(
    arguments: [
      (Self.library("CERTIFICATE_VERIFY_FAILED"), .untrusted(host: "h")),
      (Self.library("TLSV1_ALERT_CERTIFICATE_REQUIRED"), .clientCertificate(host: "h")),
      (Self.library("TLSV1_ALERT_UNKNOWN_CA"), .clientCertificate(host: "h")),
      (Self.library("SSLV3_ALERT_BAD_CERTIFICATE"), .clientCertificate(host: "h")),
      (Self.library("WRONG_VERSION_NUMBER"), .notTLS(host: "h")),
      (
        Self.library("TLSV1_ALERT_PROTOCOL_VERSION"),
        .other(host: "h", description: "tlsv1 alert protocol version")
      ),
      ("somethingElse", .other(host: "h", description: "somethingElse")),
    ] as [(String, TLSFailure)])
  func `the errors of the TLS library are told apart by their symbols`(
    text: String, failure: TLSFailure
  ) {
    #expect(TLSFailure(text, host: "h") == failure)
  }

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
    (.tls("u", .untrusted(host: "h")), "the certificate of h is not trusted"),
    (.tls("u", .otherName(host: "h")), "for another name"),
    (.tls("u", .clientCertificate(host: "h")), "configure one"),
    (.tls("u", .notTLS(host: "h")), "does not answer in TLS"),
    (.tls("u", .other(host: "h", description: "because")), "because"),
    (.tooLarge("u", limit: 77), "77"), (.tooManyRedirects("u", limit: 5), "5"),
    (.redirectLoop("u"), "circle"), (.badRedirect("u", reason: "because"), "because"),
    (.unsupportedEncoding("u", coding: "br"), "br"), (.unexpectedNotModified("u"), "304"),
    (.promised("u"), "does not hold it yet"),
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
