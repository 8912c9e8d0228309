import Reachability
internal import Strategies
internal import Testing

@testable import FreshHTTP

@Suite struct SourceMonitorTests {
  private static let environment = [
    "http_proxy": "http://me:secret@192.0.2.1:3128", "https_proxy": "socks5://[2001:db8::1]",
    "no_proxy": "direct.example,198.51.100.0/24",
  ]

  @Test(arguments: [
    ("http://origin.example/a", "192.0.2.1"), ("https://origin.example:8443/", "2001:db8::1"),
    ("http://direct.example/", "direct.example"), ("https://a.direct.example/", "a.direct.example"),
    ("http://198.51.100.7:8080/", "198.51.100.7"), ("http://localhost/", "localhost"),
    ("http://127.0.0.1/", "127.0.0.1"), ("https://[::1]/", "::1"),
  ])
  func `a connection goes where the fetcher makes it`(url: String, host: String) throws {
    let proxies = try ProxySettings(environment: Self.environment)
    #expect(try proxies.connectionHost(for: url) == host)
  }

  @Test func `without a proxy a connection goes to the origin`() throws {
    #expect(
      try ProxySettings.none.connectionHost(for: "https://Origin.Example/") == "origin.example")
    #expect(try ProxySettings.none.connectionHost(for: "http://[2001:DB8::1]:80/") == "2001:db8::1")
  }

  @Test(
    arguments: [
      ("http://192.0.2.9/a?b", [:], "192.0.2.9"),
      ("http://192.0.2.9/a?b", Self.environment, "192.0.2.1"),
      ("https://origin.example/", Self.environment, "2001:db8::1"),
    ] as [(String, [String: String], String)])
  func `the routes are those to the source or to its proxy`(
    url: String, environment: [String: String], address: String
  ) throws {
    let proxies = try ProxySettings(environment: environment)
    let monitor: RouteMonitor = try .monitor(source: url, proxies: proxies)
    #expect(try monitor.targets == [#require(IPAddress(address))])
  }

  @Test func `a source's name is looked up without waiting`() async throws {
    let monitor: RouteMonitor = try .monitor(source: "http://localhost:8080/")
    let end = ContinuousClock.now + .seconds(5)
    while monitor.targets.isEmpty, .now < end { await Task.yield() }
    #expect(monitor.reachability() == .online)
  }

  @Test func `an invalid source address is refused as by the fetcher`() {
    #expect(throws: HTTPFetchError.unsupportedScheme("ftp")) {
      try ProxySettings.none.connectionHost(for: "ftp://origin.example/")
    }
    #expect(
      throws: HTTPFetchError.badURL(
        "origin.example", reason: "it has no scheme; begin it with http:// or https://")
    ) {
      try ProxySettings.none.connectionHost(for: "origin.example")
    }
  }
}
