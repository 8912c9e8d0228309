internal import FreshHTTP
internal import Strategies
internal import Testing

@testable import FreshGateway

@Suite struct RequestReadingTests {
  private func read(
    _ method: String, _ target: String, _ text: String,
    version: IncomingRequest.Version = .http11, site: Site = origin
  ) throws(RequestRefusal) -> GatewayRequest {
    try RequestReading(site: site).read(
      IncomingRequest(method, target, version: version, fields: fields(text)), now: arrival)
  }

  /// The status of the refusal; `nil` when it is understood.
  private func refusal(
    _ text: String, _ method: String = "GET", _ target: String = "/",
    version: IncomingRequest.Version = .http11, site: Site = origin
  ) -> Int? {
    do {
      _ = try read(method, target, text, version: version, site: site)
      return nil
    } catch {
      return error.status
    }
  }

  @Test(
    arguments: [
      ("Host: a | Content-Length: 5", nil),
      ("Host: a | Transfer-Encoding: chunked", nil),
      ("Host: a | Transfer-Encoding: Chunked", nil),
      ("Host: a | Content-Length: 5 | Transfer-Encoding: chunked", 400),
      ("Host: a | Content-Length: 5 | Content-Length: 6", 400),
      ("Host: a | Content-Length: 5 | Content-Length: 5", 400),
      ("Host: a | Content-Length: 5, 5", 400),
      ("Host: a | Content-Length: +5", 400), ("Host: a | Content-Length: -5", 400),
      ("Host: a | Content-Length: 0x5", 400), ("Host: a | Content-Length:", 400),
      ("Host: a | Content-Length: 5 6", 400),
      ("Host: a | Content-Length: 99999999999999999999", 400),
      ("Host: a | Transfer-Encoding: xchunked", 400),
      ("Host: a | Transfer-Encoding: chunked, identity", 400),
      ("Host: a | Transfer-Encoding: chunked, chunked", 400),
      ("Host: a | Transfer-Encoding: chunked | Transfer-Encoding: identity", 400),
      ("Host: a | Transfer-Encoding: identity | Transfer-Encoding: chunked", 501),
      ("Host: a | Transfer-Encoding: gzip, chunked", 501),
      ("Host: a | Transfer-Encoding: , chunked", 400),
      ("Host: a | Transfer-Encoding: \"chunked\"", 400),
    ] as [(String, Int?)])
  func `RFC 9112 6.1, 6.3 and 11.2: framing that can be read in two ways is refused`(
    text: String, status: Int?
  ) {
    #expect(refusal(text, "POST") == status)
  }

  @Test func `RFC 9112 6.1: HTTP/1.0 has no transfer codings`() {
    #expect(refusal("Host: a | Transfer-Encoding: chunked", "POST", version: .http10) == 400)
  }

  @Test(
    arguments: [
      ("Host: a", nil), ("", 400), ("Host: a | Host: a", 400), ("Host: a | Host: b", 400),
      ("Host:", 400), ("Host: a b", 400), ("Host: a/b", 400), ("Host: u@a", 400),
      ("Host: a:b", 400), ("Host: a:80", nil), ("Host: [::1]:80", nil), ("Host: a, b", 400),
      ("Host: a#b", 400), ("Host: a\\b", 400), ("Host: a:0", 400), ("Host: a:65535", nil),
      ("Host: a:65536", 400), ("Host: a:123456", 400), ("Host: 1.2.3.4:81", nil),
      ("Host: a:b:80", 400), ("Host: a:8\u{ff11}", 400),
    ] as [(String, Int?)])
  func `RFC 9112 3.2: there is one Host, and it is a host`(text: String, status: Int?) {
    #expect(refusal(text) == status)
  }

  @Test(arguments: [
    "A.Example", "a:81", "a:", "a:00080", "127.0.0.1:9901", "9.Example:65535", "a-b",
  ])
  func `a plain host is the origin that its address has`(host: String) throws {
    #expect(try Site.anyOrigin.origin(.https, host) == HTTPAddress("https://\(host)"))
  }

  @Test func `RFC 9112 3.2: only HTTP/1.0 does without a Host`() {
    #expect(refusal("", version: .http10) == nil)
  }

  @Test(
    arguments: [
      ("http://a.example/x", "a.example", nil), ("http://a.example:80/x", "a.example", nil),
      ("http://A.example/x", "a.EXAMPLE", nil), ("https://a.example/x", "a.example", nil),
      ("http://a.example/x", "b.example", 400), ("http://a.example/x", "a.example:81", 400),
      ("http://a.example@b.example/x", "a.example", 400), ("ftp://a.example/", "a.example", 400),
      ("a.example/x", "a.example", 400), ("/x", "a.example", 400),
    ] as [(String, String, Int?)])
  func `RFC 9112 3.2.2: an absolute form is of the host that Host names`(
    target: String, host: String, status: Int?
  ) {
    #expect(refusal("Host: \(host)", "GET", target, site: .anyOrigin) == status)
  }

  @Test func `RFC 9110 7.4 and 15.5.20: a reverse proxy answers for its origin and its aliases`()
    throws
  {
    #expect(refusal("Host: other", "GET", "http://other/x") == 421)
    let own = try read("GET", "http://origin.example/x", "Host: origin.example")
    #expect(own.key == "http://origin.example/x")
    let named = RequestReading(site: origin, names: ["www.example"])
    let known = try named.read(
      IncomingRequest("GET", "http://WWW.example/x?y", fields: fields("Host: www.example")),
      now: arrival)
    #expect(known.key == "http://origin.example/x?y")
    #expect(refusal("Host: a", "OPTIONS", "*") == nil)
    #expect(refusal("Host: a", "GET", "*") == 400)
  }

  @Test(
    arguments: [
      ("Host: a | X : b", 400), ("Host: a | X Y: b", 400), ("Host: a | : b", 400),
      ("Host: a | X: a\r\n b", 400), ("Host: a | X: a\rb", 400), ("Host: a | X: a\nY: c", 400),
      ("Host: a | X: a\0b", 400), ("Host: a | X\r: b", 400), ("Host: a | X: a\tb", nil),
      ("Host: a | X: \u{e4}", nil),
    ] as [(String, Int?)])
  func
    `RFC 9110 5.1 and 5.5, RFC 9112 5: names are tokens, and values hold no line break and no NUL`(
      text: String, status: Int?
    )
  {
    #expect(refusal(text) == status)
  }

  @Test(arguments: [
    "/a#b", "/a b", "/a\u{7f}", "/\u{e4}", "/?a b", "/?a#b", "/?\u{1}", "/?\u{7f}",
    "/?\u{e4}",
  ])
  func `RFC 9112 3: a target of other bytes than visible ASCII is refused, and told why`(
    target: String
  ) {
    do {
      _ = try read("GET", target, "Host: a")
      Issue.record("it is understood")
    } catch {
      #expect(error.status == 400)
      #expect(error.reason.hasPrefix("the target holds "), "\(error.reason)")
    }
  }

  @Test(arguments: [
    "/?a[]=1", "/?a=b|c", "/?{x}^`\"<\\>", "/?x=%", "/?x=%4", "/?x=%zz%41", "/?a?b/../c", "/?",
    "/[a]|{b}^`", "/a...b/.../.c/%2ed", "/?'()*", "/a/../b", "/./a", "/%2e%2e/a", "/a/.%2E",
    "/a\\b", "/<a>\"", "/%", "/%zz", "/caf%E9", "/x/%ff?x=1", "/%80", "/a%2Fb", "/a//b", "/%00",
  ])
  func `RFC 9110 7.7: a target has its own key, and goes on as it came`(target: String) throws {
    let read = try read("GET", target, "Host: a")
    #expect(read.address?.target == target)
    #expect(read.key == "http://origin.example\(target)")
    #expect(try HTTPAddress(#require(read.key)) == read.address)
  }

  @Test(arguments: [
    ("/a", "/A"), ("/a", "/%61"), ("/a%2fb", "/a%2Fb"), ("/a", "/a/"), ("/a", "/a?"), ("/a", "//a"),
    ("/a", "/a;x.css"), ("/a/..%2fb", "/b"), ("/a?x=1&y=2", "/a?y=2&x=1"),
  ])
  func `RFC 9111 2: two requests have one key only when the origin gets the same target`(
    one: String, other: String
  ) throws {
    let requests = try [one, other].map { try read("GET", $0, "Host: a") }
    #expect(requests.map { $0.address?.target } == [one, other])
    #expect(requests[0].key != requests[1].key)
  }

  @Test
  func `a reverse proxy takes no key from Host, and sends on nothing that would stand in for it`()
    throws
  {
    let read = try read(
      "GET", "/a?b", "Host: evil | X-Forwarded-Host: evil | X-Original-Host: evil | A: 1")
    #expect(read.key == "http://origin.example/a?b")
    #expect(read.fields == fields("A: 1"))
  }

  @Test func `what origins read as such a field is not sent on in any spelling`() throws {
    let read = try read(
      "GET", "/",
      "Host: a | X_Forwarded_Host: evil | x-original_proto: b | Front_End_Https: on | A_B: 1 "
        + "| X.Forwarded.For: c | X~Real!IP: d | Client.IP: e | A.B: 2")
    #expect(read.fields == fields("A_B: 1 | A.B: 2"))
  }

  @Test(arguments: [
    "Forwarded-For", "WL-Proxy-Client-IP", "Proxy-Client-IP", "HTTP_CLIENT_IP", "Remote-Addr",
    "Fastly-Client-IP", "X-Remote-IP", "X-Originating_IP", "X-Azure-ClientIP", "Proxy", "pROXY",
  ])
  func `what else says where a client is, or sets what programs of CGI use, goes nowhere`(
    name: String
  ) throws {
    let read = try read("GET", "/", "Host: a | \(name): evil | A: 1")
    #expect(read.fields == fields("A: 1"))
    #expect(read.mayBeAnsweredFromCopy)
  }

  @Test(arguments: [
    "Accept: b", "Cookie: b", "Referer: b", "Sec-Fetch-Site: b", "X-Requested-With: b",
    "X-Request-ID: b", "X-Api-Key: b", "Cache-Status: b", "Range-Unit: b", "Proxies: b",
  ])
  func `what claims nothing is sent on, and has its answer kept`(field: String) throws {
    let read = try read("GET", "/", "Host: a | \(field)")
    #expect(read.fields == fields(field) && read.mayBeAnsweredFromCopy)
  }

  @Test(arguments: [
    "X-HTTP-Method-Override: DELETE", "X-HTTP-Method: DELETE", "X_Method_Override: DELETE",
    "X-Forwarded-User: b", "X-Forwarded-Client-Cert: b", "X-Forwarded-Prefix: /c",
    "x-original_url: /c", "X-Rewrite-URL: /c", "SCRIPT_NAME: /c", "Path-Info: /c",
    "X.HTTP.Method.Override: DELETE", "X-Forwarded.User: b", "Path+Info: /c", "X-Url: /c",
    "Remote-User: b", "remote_user: b", "X-Remote-Group: b", "Client-Cert: b", "X-Webauth-User: b",
    "SSL_CLIENT_S_DN: b", "X-Auth-Request-Email: b", "X-Middleware-Subrequest: b", "Base-Url: b",
  ])
  func `what else decides of an answer is sent on, and nothing of the answer is kept`(
    field: String
  ) throws {
    let copy = try candidate("Cache-Control: max-age=60")
    for method in ["GET", "HEAD", "POST"] {
      let read = try read(method, "/", "Host: a | \(field) | A: 1")
      #expect(read.fields == fields("\(field) | A: 1"))
      #expect(read.hasUnkeyedFields && !read.mayBeAnsweredFromCopy)
      let plan = try #require(semantics.decide(read, among: [copy]).forward)
      #expect(!plan.mayBeShared)
      let new = answer("Cache-Control: max-age=60 | Content-Location: /")
      #expect(semantics.conclude(new, to: plan).kept == nil)
      #expect(semantics.conclude(plan, without: "down").status == 504)
    }
    #expect(try read("GET", "/", "Host: a | A: 1").mayBeAnsweredFromCopy)
  }

  @Test(arguments: [
    "X-Forwarded-Host: evil", "X_Forwarded-Proto: https", "Forwarded: host=evil",
    "X-Forwarded-Ssl: on", "X-Original-URI: /c", "SCRIPT_NAME: /c", "X-Scheme: https",
    "Proxy: http://evil", "Forwarded-For: b", "WL-Proxy-Client-IP: b", "Remote_User: b",
  ])
  func `a proxy sends such fields on, and keeps nothing of the answer`(field: String) throws {
    let read = try read("GET", "http://a.example/", "Host: a.example | \(field)", site: .anyOrigin)
    #expect(read.fields == fields(field))
    #expect(!read.mayBeAnsweredFromCopy)
    let other = try self.read(
      "GET", "http://a.example/", "Host: a.example | A: 1", site: .anyOrigin)
    #expect(other.mayBeAnsweredFromCopy)
    let chain = try self.read(
      "GET", "http://a.example/", "Host: a.example | X-Forwarded-For: b", site: .anyOrigin)
    #expect(chain.mayBeAnsweredFromCopy)
  }

  @Test func `RFC 9110 7.6.1: fields of the connection, and those that it lists, are not sent on`()
    throws
  {
    let read = try read(
      "GET", "/",
      "Host: a | Connection: X-One, close | X-One: 1 | Keep-Alive: 5 | TE: gzip | Upgrade: h2c "
        + "| Proxy-Authorization: b | Proxy-Connection: c | Trailer: d | X-Two: 2")
    #expect(read.fields == fields("X-Two: 2"))
  }

  @Test func `what Connection takes away selects nothing and identifies nobody`() throws {
    let read = try read(
      "GET", "/", "Host: a | Connection: Accept, Authorization | Accept: b | Authorization: c")
    #expect(read.fields.first("Accept") == nil)
    #expect(read.isIdentified)
  }

  @Test(arguments: ["Host", "content-length", "Transfer-Encoding, close"])
  func `RFC 9110 7.6.1: Connection cannot list a field that is for all recipients`(options: String)
  {
    #expect(refusal("Host: a | Connection: \(options)") == 400)
  }

  @Test(arguments: ["Connection: close", "Transfer-Encoding: chunked", "Upgrade: x", "TE: gzip"])
  func `RFC 9113 8.2.2: HTTP/2 knows no fields of a connection`(field: String) {
    #expect(refusal("Host: a | \(field)", version: .http2) == 400)
    #expect(refusal("Host: a | TE: trailers", version: .http2) == nil)
  }

  @Test func `RFC 9110 10.1.1: an unknown expectation is refused with 417`() {
    #expect(refusal("Host: a | Expect: 100-continue", "POST") == nil)
    #expect(refusal("Host: a | Expect: magic", "POST") == 417)
  }

  @Test(arguments: ["", "GE T", "GET\r", "G(T"])
  func `RFC 9110 9.1: a method is a token`(method: String) {
    #expect(refusal("Host: a", method) == 400)
  }

  @Test(
    arguments: [
      ("Content-Length: 5", false, 400), ("Transfer-Encoding: chunked", false, 400),
      ("X: y", true, 400), ("X: y", false, nil), ("Content-Length: 0", false, nil),
    ] as [(String, Bool, Int?)])
  func `RFC 9110 9.3.8: TRACE has no content`(text: String, hasContent: Bool, status: Int?) {
    let asked = IncomingRequest("TRACE", "/", fields: fields("Host: a | \(text)"))
    var refused: Int?
    do throws(RequestRefusal) {
      let reading = RequestReading(site: origin)
      _ = try reading.read(asked, now: arrival, hasContent: hasContent)
    } catch {
      refused = error.status
    }
    #expect(refused == status)
  }

  @Test func `RFC 9110 9.3.6: CONNECT names a host and a port`() throws {
    let read = try read("CONNECT", "a.example:443", "Host: a.example:443", site: .anyOrigin)
    #expect(read.target == .tunnel(host: "a.example", port: 443))
    for target in [
      "a.example", "/", "http://a.example:443", "a.example:443/x", "u@a:1", "a:0", "a:",
    ] {
      #expect(refusal("Host: a.example", "CONNECT", target, site: .anyOrigin) == 400)
    }
  }

  @Test func `RFC 9110 9.3.1: a GET with content is neither answered from a copy nor kept`() throws
  {
    #expect(try !read("GET", "/", "Host: a | Content-Length: 5").mayBeAnsweredFromCopy)
    #expect(try !read("GET", "/", "Host: a | Transfer-Encoding: chunked").mayBeAnsweredFromCopy)
    #expect(try read("GET", "/", "Host: a | Content-Length: 0").mayBeAnsweredFromCopy)
    #expect(try !read("get", "/", "Host: a").mayBeAnsweredFromCopy)
  }
}
