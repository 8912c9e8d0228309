import Strategies
import Testing

@testable import FreshHTTP

@Suite struct HTTPConfigurationTests {
  @Test(arguments: [
    ("X", "a\r\nInjected: 1"), ("X", "a\nb"), ("X", "a\u{0}b"), ("X\r\nInjected", "1"), ("", "1"),
    ("X Y", "1"), ("X:", "1"), ("É", "1"),
  ])
  func `RFC 9110 5.5: a header that could be split in two is refused`(name: String, value: String) {
    var configuration = HTTPConfiguration()
    configuration.headers.append(name, value)
    #expect(throws: HTTPFetchError.self) { try configuration.validate() }
  }

  @Test func `a user agent that could be split into two headers is refused`() {
    let configuration = HTTPConfiguration(userAgent: "a\r\nInjected: 1")
    #expect(throws: HTTPFetchError.self) { try configuration.validate() }
  }

  @Test func `a refused value is not repeated`() {
    let configuration = HTTPConfiguration(headers: ["Authorization": "secret\n"])
    let injected = HTTPConfiguration(headers: ["Authorization": "secret\nx"])
    #expect(throws: HTTPFetchError.self) { try configuration.validate() }
    let error = #expect(throws: HTTPFetchError.self) { try injected.validate() }
    #expect(error?.description.contains("secret") == false)
    #expect(error?.description.contains("Authorization") == true)
  }

  @Test(arguments: [
    "Host", "content-length", "Transfer-Encoding", "If-None-Match", "Accept-Encoding", "Connection",
    "Range", "Proxy-Authorization",
  ])
  func `headers that the fetcher sets itself cannot be configured`(name: String) {
    let configuration = HTTPConfiguration(headers: [name: "1"])
    #expect(throws: HTTPFetchError.self) { try configuration.validate() }
  }

  @Test(
    arguments: [
      HTTPConfiguration(timeout: .zero), HTTPConfiguration(connectTimeout: .zero),
      HTTPConfiguration(maximumBodyBytes: 0), HTTPConfiguration(maximumRedirects: -1),
      HTTPConfiguration(maximumConnectionsPerHost: 0), HTTPConfiguration(retries: -1),
      HTTPConfiguration(timeout: Duration(attoseconds: .max)),
      HTTPConfiguration(timeout: Duration(attoseconds: .min)),
      HTTPConfiguration(connectTimeout: .unlimited + .nanoseconds(1)),
      HTTPConfiguration(slowestUpload: 0), HTTPConfiguration(slowestUpload: .min),
      HTTPConfiguration(
        heuristic: HeuristicFreshness(fraction: 1, limit: Duration(attoseconds: .min))),
    ].map { [$0] })
  func `a number outside its range is refused with words`(configuration: [HTTPConfiguration]) {
    let error = #expect(throws: HTTPFetchError.self) { try configuration[0].validate() }
    guard case .badConfiguration(let words)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(words.contains(" is ") && words.contains("; it "))
  }

  @Test func `the largest numbers are taken`() throws {
    try HTTPConfiguration(
      connectTimeout: .unlimited, timeout: .unlimited, slowestUpload: .max,
      maximumConnectionsPerHost: .max, maximumBodyBytes: .max, maximumRedirects: .max,
      retries: .max
    ).validate()
  }

  @Test(arguments: ["", String(repeating: "s", count: 104), "a\u{0}b"])
  func `a path that no Unix socket can have is refused`(path: String) {
    let configuration = HTTPConfiguration(socketPath: path)
    let error = #expect(throws: HTTPFetchError.self) { try configuration.validate() }
    #expect(error?.description.contains("103 bytes") == true)
  }

  @Test func `ordinary headers are accepted`() throws {
    try HTTPConfiguration(headers: ["Authorization": "Bearer x", "X-Name": "ä\tb"]).validate()
  }

  @Test func `a configured user agent replaces the default`() {
    let configuration = HTTPConfiguration(headers: ["user-agent": "mine"])
    #expect(configuration.requestFields(withCredentials: true).combined("User-Agent") == "mine")
  }
}
