#if Gateway
  internal import FreshHTTP
  internal import NIOHPACK
  internal import Testing

  @testable import FreshGateway

  /// Heads of HTTP/2, and what they are as requests.
  @Suite struct StreamHeadTests {
    private static let plain = ":method: GET | :scheme: https | :path: /a"

    /// Fields written as `name: value`, separated by ` | `; a value keeps the space around it but for one in front.
    private static func headers(_ text: String) -> HPACKHeaders {
      var headers = HPACKHeaders()
      for line in text.split(separator: " | ") {
        let colon = line.dropFirst().firstIndex(of: ":") ?? line.endIndex
        headers.add(name: String(line[..<colon]), value: String(line[colon...].dropFirst(2)))
      }
      return headers
    }

    private func read(
      _ text: String, isProxy: Bool = false, _ limits: HeadLimits = HeadLimits()
    ) throws(RequestRefusal) -> IncomingRequest {
      try StreamHead(isProxy: isProxy, limits: limits).read(Self.headers(text))
    }

    private func refusal(
      _ text: String, isProxy: Bool = false, _ limits: HeadLimits = HeadLimits()
    ) -> Int? {
      do throws(RequestRefusal) {
        _ = try read(text, isProxy: isProxy, limits)
        return nil
      } catch {
        return error.status
      }
    }

    @Test func `it is the request that HTTP 1 would have`() throws {
      let request = try read("\(Self.plain)?b | :authority: g:8443 | accept: x/y")
      #expect(request.method == "GET")
      #expect(request.target == "/a?b")
      #expect(request.version == .http2)
      #expect(request.fields == fields("accept: x/y | host: g:8443"))
    }

    @Test func `a proxy is told the whole address in parts`() throws {
      let text = ":method: GET | :scheme: http | :path: /a"
      let request = try read("\(text) | :authority: g:81", isProxy: true)
      #expect(request.target == "http://g:81/a")
      #expect(refusal(text, isProxy: true) == 400)
    }

    @Test(arguments: [
      ":scheme: https | :path: /a", ":method: GET | :path: /a", ":method: GET | :scheme: https",
      ":method: GET | :scheme: ftp | :path: /a", ":method: GET | :scheme: https | :path: a",
      ":method: GET | :scheme: https | :path: http://g/a",
      ":method: GET | :scheme: https | :path: *",
    ])
    func `RFC 9113 8.3.1: a request has a method, a scheme, and a path that is one`(text: String) {
      #expect(refusal("\(text) | :authority: g") == 400)
      #expect(refusal(":method: OPTIONS | :scheme: https | :path: * | :authority: g") == nil)
    }

    @Test func `RFC 9113 8.3.1: Host does not contradict :authority`() throws {
      #expect(refusal("\(Self.plain) | :authority: g | host: h") == 400)
      #expect(refusal("\(Self.plain) | :authority: g | host: g | host: h") == 400)
      #expect(try read("\(Self.plain) | :authority: g | host: G").fields == fields("host: G"))
      #expect(try read("\(Self.plain) | host: g").fields == fields("host: g"))
    }

    @Test(arguments: [
      "\(StreamHeadTests.plain) | accept: x/y | :authority: g",
      "\(StreamHeadTests.plain) | :path: /b", "\(StreamHeadTests.plain) | :status: 200",
      "\(StreamHeadTests.plain) | :protocol: websocket",
      "\(StreamHeadTests.plain) | cookie: a | :authority: g",
    ])
    func `RFC 9113 8.3: pseudo-fields are known, come once, and come first`(text: String) {
      #expect(refusal(text) == 400)
    }

    @Test(arguments: ["Accept: x", "acc ept: x", "accept:  x", "accept: x "])
    func `RFC 9113 8.2.1: a name is in lower case, and a value has no space around it`(
      field: String
    ) {
      #expect(refusal("\(Self.plain) | \(field)") == 400)
    }

    @Test func `a field whose bytes are lost is left out, and the request is for no copy`()
      throws
    {
      let lost = "cookie: a=\u{FFFD} | cookie: b=2 | x: \u{FFFD}"
      let request = try read("\(Self.plain) | :authority: g | \(lost)")
      #expect(request.fields == fields("cookie: b=2 | host: g"))
      #expect(request.hasLostFields)
      let reading = RequestReading(site: .origin(address("http://origin.example")))
      #expect(try reading.read(request, now: arrival).mayBeAnsweredFromCopy == false)
    }

    @Test(arguments: ["if-match", "if-range", "content-type", "idempotency-key", "authorization"])
    func `a request is refused whose meaning is lost with the bytes of a field`(name: String) {
      #expect(refusal("\(Self.plain) | \(name): \u{FFFD}") == 400)
    }

    @Test func `RFC 9113 8.2.3: the pieces of a cookie are one`() throws {
      let request = try read("\(Self.plain) | cookie: a=1 | accept: x/y | cookie: b=2")
      #expect(request.fields == fields("accept: x/y | cookie: a=1; b=2"))
    }

    @Test func `RFC 9113 8.5: CONNECT has an authority alone`() throws {
      let request = try read(":method: CONNECT | :authority: g:443")
      #expect(request.target == "g:443")
      #expect(refusal(":method: CONNECT | :authority: g:443 | :path: /") == 400)
      #expect(refusal(":method: CONNECT | :scheme: https | :authority: g:443") == 400)
      #expect(refusal(":method: CONNECT") == 400)
    }

    @Test func `it is as long as one of HTTP 1 may be`() {
      var limits = HeadLimits()
      (limits.bytes, limits.fields, limits.requestLine) = (200, 3, 20)
      #expect(refusal(Self.plain, limits) == nil)
      let value = String(repeating: "x", count: 200)
      #expect(refusal("\(Self.plain) | a: \(value)", limits) == 431)
      #expect(refusal("\(Self.plain) | a: 1 | b: 2 | c: 3 | d: 4", limits) == 431)
      #expect(refusal("\(Self.plain)\(value.prefix(20))", limits) == 414)
      // The pieces of a cookie are one field.
      #expect(
        refusal("\(Self.plain) | cookie: 1 | cookie: 2 | cookie: 3 | cookie: 4", limits) == nil)
    }

    @Test func `what is secret, or has many values, is in no table of a connection`() {
      let head = HPACKHeaders(200, fields("Set-Cookie: a | ETag: \"1\" | Vary: b"), date: "now")
      #expect(
        head.map(\.indexable)
          == [.indexable, .neverIndexed, .nonIndexable, .indexable, .nonIndexable])
    }

    @Test func `an answer has fields in lower case, and none of a connection`() {
      let head = HPACKHeaders(
        200, fields("ETag: \"1\" | Connection: close | Transfer-Encoding: chunked"), date: "now")
      #expect(head == [":status": "200", "etag": "\"1\"", "date": "now"])
      #expect(HPACKHeaders(200, fields("Date: then"), date: "now")["date"] == ["then"])
      #expect(
        HPACKHeaders(interim: 103, fields("Link: </a> | Content-Length: 5"))
          == [":status": "103", "link": "</a>"])
    }
  }
#endif
