internal import Testing

@testable import FreshHTTP

@Suite struct ProxySettingsTests {
  private static let proxy = ProxyRoute.http(host: "proxy", port: 3128, credentials: nil)

  private func route(_ environment: [String: String], _ url: String) throws -> ProxyRoute {
    try ProxySettings(environment: environment).route(to: HTTPAddress(url))
  }

  @Test(
    arguments: [
      (["http_proxy": "http://proxy:3128"], "http://a/", proxy),
      (["http_proxy": "http://proxy:3128"], "https://a/", .direct),
      (["https_proxy": "proxy:3128"], "https://a/", proxy),
      (["HTTPS_PROXY": "http://proxy:3128/"], "https://a/", proxy),
      (["https_proxy": "http://proxy:3128", "HTTPS_PROXY": "http://other:1"], "https://a/", proxy),
      (["all_proxy": "http://proxy:3128"], "http://a/", proxy),
      (["ALL_PROXY": "http://other:1", "http_proxy": "http://proxy:3128"], "http://a/", proxy),
      (
        ["http_proxy": "http://proxy"], "http://a/",
        .http(host: "proxy", port: 80, credentials: nil)
      ),
      (
        ["http_proxy": "http://proxy:08080"], "http://a/",
        .http(host: "proxy", port: 8080, credentials: nil)
      ),
      (
        ["http_proxy": "http://proxy:443"], "http://a/",
        .http(host: "proxy", port: 443, credentials: nil)
      ),
      (["all_proxy": "socks5://proxy"], "https://a/", .socks(host: "proxy", port: 1080)),
      (["all_proxy": "socks5h://[::1]:9"], "https://a/", .socks(host: "::1", port: 9)),
      (["http_proxy": ""], "http://a/", .direct), ([:], "http://a/", .direct),
    ] as [([String: String], String, ProxyRoute)])
  func `the variables name the proxy of each scheme`(
    environment: [String: String], url: String, expected: ProxyRoute
  ) throws {
    #expect(try route(environment, url) == expected)
  }

  @Test func `HTTP_PROXY in capitals is a visitor's header to a CGI program and is ignored`() throws
  {
    #expect(try route(["HTTP_PROXY": "http://evil:1"], "http://a/") == .direct)
  }

  @Test func `credentials are decoded`() throws {
    let route = try route(["http_proxy": "http://me:p%40ss:word@proxy:3128"], "http://a/")
    let credentials = ProxyRoute.Credentials(user: "me", password: "p@ss:word")
    #expect(route == .http(host: "proxy", port: 3128, credentials: credentials))
  }

  @Test(arguments: [
    "http://localhost/", "http://a.localhost:8080/", "http://127.0.0.1/", "http://127.9.9.9/",
    "http://[::1]/",
  ])
  func `a loopback address is reached directly`(url: String) throws {
    #expect(try route(["http_proxy": "http://proxy:3128"], url) == .direct)
  }

  @Test(arguments: [
    ("example.org", "http://example.org/", true), ("example.org", "http://a.example.org/", true),
    (".example.org", "http://a.example.org/", true),
    ("*.example.org", "http://a.example.org/", true),
    ("example.org", "http://badexample.org/", false), ("EXAMPLE.org", "http://example.ORG/", true),
    ("x, example.org", "http://example.org/", true), ("x example.org", "http://example.org/", true),
    ("*", "http://example.org/", true), ("", "http://example.org/", false),
    (".", "http://example.org/", false),
    ("example.org:8080", "http://example.org:8080/", true),
    ("example.org:8080", "http://example.org/", false),
    ("10.0.0.0/8", "http://10.1.2.3/", true), ("10.0.0.0/8", "http://11.1.2.3/", false),
    ("0.0.0.0/0", "http://8.8.8.8/", true), ("10.0.0.1/32", "http://10.0.0.2/", false),
    ("10.0.0.0/33", "http://10.0.0.0/", false), ("10.0.0.1", "http://10.0.0.1/", true),
    ("[2001:db8::1]", "http://[2001:db8::1]/", true),
    ("2001:db8::1", "http://[2001:db8::1]/", true),
    ("[2001:db8::1]:80", "http://[2001:db8::1]/", true),
  ])
  func `no_proxy lists the hosts that are reached directly`(
    list: String, url: String, isDirect: Bool
  ) throws {
    let environment = ["http_proxy": "http://proxy:3128", "no_proxy": list]
    #expect(try route(environment, url) == (isDirect ? .direct : Self.proxy))
  }

  @Test(arguments: [
    "https://proxy:1", "ftp://proxy", "http://", "http://proxy:0", "http://pro xy",
    "socks5://me:secret@proxy", "http://me:secret@", "http://me:secret/x@proxy",
  ])
  func `an unusable proxy is refused, and the error does not repeat it`(text: String) {
    let error = #expect(throws: HTTPFetchError.self) {
      try ProxySettings(environment: ["https_proxy": text])
    }
    #expect(error?.description.contains("https_proxy") == true)
    #expect(error?.description.contains("secret") == false)
  }
}
