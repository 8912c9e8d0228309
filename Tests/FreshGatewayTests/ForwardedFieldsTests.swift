internal import FreshHTTP
internal import Testing

@testable import FreshGateway

/// The fields that describe a client to its origin, and the fields that the gateway believes.
@Suite struct ForwardedFieldsTests {
  private func read(
    _ text: String, _ target: String = "/page", from peer: String? = "192.0.2.1",
    version: IncomingRequest.Version = .http11, names: Set<String> = [], ports: Set<Int> = [],
    preserving scheme: HTTPAddress.Scheme? = nil
  ) throws -> GatewayRequest {
    let trusted = try #require(PeerNetwork("10.0.0.0/8"))
    let reading = RequestReading(
      site: origin, names: names, ports: ports, preservingHostOf: scheme, trusting: [trusted])
    let incoming = IncomingRequest("GET", target, version: version, fields: fields(text))
    return try reading.read(incoming, now: arrival, from: peer, at: 8080)
  }

  /// The fields that the origin receives, in the order in which they are sent.
  private func told(_ request: GatewayRequest) throws -> HeaderFields {
    var fields = HeaderFields()
    ForwardedFields.add(to: &fields, of: request.client, at: try #require(request.address))
    return fields
  }

  private let chain = "X-Forwarded-For: 203.0.113.7, 2001:db8::1 | X-Forwarded-Host: www.example"

  @Test(arguments: [
    ("192.0.2.1", "192.0.2.1", "192.0.2.1"),
    ("::ffff:192.0.2.1", "192.0.2.1", "192.0.2.1"),
    ("2001:db8::1", "2001:db8::1", "\"[2001:db8::1]\""), ("-", "unknown", "unknown"),
  ])
  func `RFC 7239 5.2 and 6: the origin is told the address that has asked`(
    peer: String, plain: String, node: String
  ) throws {
    let told = try told(try read("Host: a", from: peer))
    #expect(told["X-Forwarded-For"] == plain)
    #expect(told["Forwarded"] == "for=\(node);host=origin.example;proto=http")
  }

  @Test func `RFC 7239 5.3 and 5.4: host and scheme are those of the key, whatever a client sends`()
    throws
  {
    let sent =
      "Host: evil | X-Forwarded-Host: evil | X-Forwarded-Proto: evil | Forwarded: host=evil "
      + "| X-Forwarded-For: evil | X_Forwarded_For: evil"
    for peer in ["192.0.2.1", "10.0.0.1"] {
      let request = try read(sent, from: peer)
      #expect(request.fields == [:])
      #expect(request.key == "http://origin.example/page")
      let told = try told(request)
      #expect(told["X-Forwarded-Host"] == "origin.example")
      #expect(told["X-Forwarded-Proto"] == "http")
      #expect(told["Forwarded"]?.contains("evil") == false)
    }
  }

  @Test func `only a trusted peer names those who have asked it`() throws {
    let stranger = try told(try read("Host: a | \(chain)"))
    #expect(stranger["X-Forwarded-For"] == "192.0.2.1")
    let trusted = try told(try read("Host: a | \(chain)", from: "10.0.0.1"))
    #expect(trusted["X-Forwarded-For"] == "203.0.113.7, 2001:db8::1, 10.0.0.1")
    #expect(
      trusted["Forwarded"]
        == "for=203.0.113.7;host=origin.example;proto=http, for=\"[2001:db8::1]\", for=10.0.0.1")
  }

  @Test func `the names of clients that only a trusted peer may use go on as they are`() throws {
    let names =
      "X-Real-IP: b | X-Client-IP: c | Client-IP: d | True-Client-IP: e | CF-Connecting-IP: f "
      + "| X-Cluster-Client-IP: g | X_Real_IP: h | Forwarded-For: i | WL-Proxy-Client-IP: j"
    let sent = "Host: a | \(names) | A: 1"
    #expect(try read(sent).fields == fields("A: 1"))
    #expect(try read(sent, from: "10.0.0.1").fields == fields("\(names) | A: 1"))
    #expect(try read(sent, from: "10.0.0.1").mayBeAnsweredFromCopy)
  }

  @Test(
    arguments: [
      ("X-Forwarded-Port: 443", true), ("X-Forwarded-Port: 80", false),
      ("X-Forwarded-Port: 443, 443", false), ("X_Forwarded_Port: 443", true),
      ("X-Forwarded-Scheme: HTTPS", true), ("X-Scheme: http", false), ("X-Url-Scheme: b", false),
      ("X-Forwarded-Ssl: on", true), ("X-Forwarded-Ssl: off", false),
      ("Front-End-Https: on", true), ("Front-End-Https: 1", false),
      ("X-Original-Host: WWW.example", true), ("X-Host: evil", false),
      ("X-Forwarded-Server: balancer", false), ("X-HTTP-Host-Override: evil", false),
    ])
  func `what a trusted peer says of host, scheme and port goes on where the key has the same`(
    said: String, goesOn: Bool
  ) throws {
    let sent = "Host: www.example | X-Forwarded-Proto: https | \(said)"
    let trusted = try read(sent, from: "10.0.0.1", preserving: .http)
    #expect(trusted.key == "https://www.example/page")
    #expect(trusted.fields == (goesOn ? fields(said) : [:]))
    #expect(trusted.mayBeAnsweredFromCopy)
    let stranger = try read(sent, preserving: .http)
    #expect(stranger.fields == [:])
    #expect(stranger.mayBeAnsweredFromCopy)
  }

  @Test(arguments: [
    "X-Forwarded-User: b", "X-Forwarded-Client-Cert: b", "X-Original-URL: /c", "Remote-User: b",
  ])
  func `the users whom a trusted peer names go on, and nothing of the answer is kept`(said: String)
    throws
  {
    let read = try read("Host: a | \(said)", from: "10.0.0.1")
    #expect(read.fields == fields(said))
    #expect(!read.mayBeAnsweredFromCopy)
  }

  @Test(arguments: [
    ("203.0.113.7:5000", "203.0.113.7"), ("[2001:db8::1]:5000", "\"[2001:db8::1]\""),
    ("[2001:db8::1]", "\"[2001:db8::1]\""), ("unknown", "unknown"), ("a;host=evil", "unknown"),
    ("\"a, b\"", "unknown"), ("_hidden", "unknown"),
  ])
  func `RFC 7239 6: what is no address is unknown`(said: String, node: String) throws {
    let told = try told(try read("Host: a | X-Forwarded-For: \(said)", from: "10.0.0.1"))
    #expect(
      told["Forwarded"] == "for=\(node);host=origin.example;proto=http, for=10.0.0.1")
  }

  @Test func `a request of the gateway's own has no address`() throws {
    let told = try told(try read("Host: a").general)
    #expect(told["X-Forwarded-For"] == nil)
    #expect(told["Forwarded"] == "host=origin.example;proto=http")
  }

  // MARK: The client's host

  @Test(
    arguments: [
      ("Host: www.example", .http, "http://www.example/page"),
      ("Host: WWW.example:80", .http, "http://www.example/page"),
      ("Host: www.example:8080", .http, "http://www.example:8080/page"),
      ("Host: www.example", .https, "https://www.example/page"),
      ("Host: www.example:443", .https, "https://www.example/page"),
      ("Host: [::1]:8080", .http, "http://[::1]:8080/page"),
    ] as [(String, HTTPAddress.Scheme, String)])
  func `a host that is preserved is a part of the key, and the scheme is, too`(
    field: String, scheme: HTTPAddress.Scheme, key: String
  ) throws {
    let request = try read(field, preserving: scheme)
    #expect(request.key == key)
    let (told, address) = (try told(request), try #require(request.address))
    #expect(told["X-Forwarded-Host"] == address.authority)
    #expect(told["X-Forwarded-Proto"] == scheme.rawValue)
    #expect(told["Forwarded"]?.hasSuffix(";proto=\(scheme.rawValue)") == true)
  }

  @Test(arguments: [
    ("X-Forwarded-Host: www.example | X-Forwarded-Proto: https", "https://www.example/page"),
    ("X-Forwarded-Proto: HTTPS", "https://a/page"), ("X-Forwarded-Proto: wss", "http://a/page"),
    ("X-Forwarded-Host: evil, www.example", "http://www.example/page"),
    ("X-Forwarded-Proto: http,https", "https://a/page"),
  ])
  func `a trusted peer says which host and scheme its client has asked`(
    said: String, key: String
  ) throws {
    #expect(try read("Host: a | \(said)", from: "10.0.0.1", preserving: .http).key == key)
    #expect(try read("Host: a | \(said)", preserving: .http).key == "http://a/page")
  }

  @Test func `without a host the key has that of the origin`() throws {
    #expect(
      try read("A: 1", version: .http10, preserving: .https).key == "http://origin.example/page")
  }

  @Test(
    arguments: [
      ("Host: www.example", "/page", nil), ("Host: origin.example", "/page", nil),
      ("Host: www.example:81", "/page", 421), ("Host: www.example:8080", "/page", nil),
      ("Host: www.example:9000", "/page", nil), ("Host: origin.example:81", "/page", 421),
      ("Host: www.example:443", "/page", 421), ("Host: www.example:80", "/page", nil),
      ("Host: other.example", "/page", 421),
      ("Host: www.example", "http://www.example/page", nil),
      ("Host: other.example", "http://other.example/page", 421),
      ("Host: www.example", "http://origin.example/page", 400),
      ("Host: u@www.example", "/page", 400), ("Host: www.example | Host: b", "/page", 400),
      ("A: 1", "/page", 400),
    ] as [(String, String, Int?)])
  func `hosts that are named, by ports that clients reach, are all that it is known by`(
    field: String, target: String, status: Int?
  ) {
    do {
      _ = try read(field, target, names: ["www.example"], ports: [9000], preserving: .http)
      #expect(status == nil)
    } catch {
      #expect((error as? RequestRefusal)?.status == status)
    }
  }

  @Test func `an operator names any address of the gateway`() throws {
    let whole = try read(
      "A: 1", "https://www.example/page?x", from: nil, version: .http10, preserving: .http)
    #expect(whole.key == "https://www.example/page?x")
    #expect(throws: RequestRefusal.self) {
      _ = try self.read("Host: www.example", "https://www.example/page", preserving: .http)
    }
  }

  // MARK: What the answer depends on

  @Test(arguments: ["X-Forwarded-For", "forwarded", "Accept, X-Forwarded-For"])
  func `an answer that varies by the address of the client is for that client alone`(vary: String)
    throws
  {
    let plan = try #require(semantics.decide(try request(), among: []).forward)
    let text = "Cache-Control: max-age=60 | Vary: \(vary)"
    #expect(semantics.conclude(answer(text), to: plan).refusal == .variesByEverything)
  }

  @Test func `one that varies by the host or the scheme is for all who have the key`() throws {
    let stored = try stored("Cache-Control: max-age=60 | Vary: X-Forwarded-Host, X-Forwarded-Proto")
    #expect(stored.selection.matches(try read("Host: b | X-Forwarded-Host: b").fields))
  }
}
