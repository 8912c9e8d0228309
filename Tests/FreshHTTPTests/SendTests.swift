#if HTTP
  internal import FreshStore
  internal import FreshStoreTesting
  internal import OriginServer
  internal import Strategies
  internal import Synchronization
  internal import Testing

  @testable import FreshHTTP

  /// Requests of a program's own.
  @Suite(.timeLimit(.minutes(1))) struct SendTests {
    private static let url = "https://example.org/batch"

    @Test func `a request has its method, fields and content, and returns the whole answer`()
      async throws
    {
      let words = [UInt8](repeating: 0x61, count: 100_000)
      try await withOrigin { _ in
        .init(207, ["ETag": "\"1\""], body: words)
      } test: { origin, source in
        let answer = try await source.send(
          "POST", to: origin.url("/batch?a"), headers: ["If-Match": "\"0\"", "Accept": "a/b"],
          body: Array("[]".utf8), contentType: "application/json", idempotencyKey: "k")
        #expect(answer.status == 207 && answer.body == words)
        #expect(answer.headers["etag"] == "\"1\"")

        let request = try #require(origin.requests.first)
        #expect(request.method == "POST" && request.body == Array("[]".utf8))
        #expect(request["Content-Type"] == "application/json" && request["Accept"] == "a/b")
        #expect(request["Idempotency-Key"] == "\"k\"" && request["If-Match"] == "\"0\"")
      }
    }

    @Test func `credentials that are refused are renewed once, and the request sent again`()
      async throws
    {
      let token = Mutex("old")
      let credentials = Credentials(account: "anna") { _ in
        ["Authorization": token.withLock { $0 }]
      } renew: {
        token.withLock { $0 = "new" }
      }
      let source = try HTTPSource(HTTPConfiguration(credentials: credentials)) { request in
        HTTPSource.Response(request.headers["Authorization"] == "new" ? 201 : 401)
      }
      #expect(try await source.send("POST", to: Self.url, body: []).status == 201)
    }

    @Test func `nobody who is signed in is a hold, and nothing is sent`() async throws {
      let credentials = Credentials(account: "anna") { _ in throw SignedOut() }
      let source = try HTTPSource(HTTPConfiguration(credentials: credentials)) { _ in
        Issue.record("it was sent")
        return HTTPSource.Response()
      }
      let error = await #expect(throws: HTTPFetchError.self) {
        try await source.send("POST", to: Self.url)
      }
      #expect(error?.needsSignIn == true && error?.wasAnswered == false)
    }

    @Test func `any other status is the error of a fetch, without the secrets of the request`()
      async throws
    {
      let source = try HTTPSource { request in
        HTTPSource.Response(
          503, headers: ["Retry-After": "7"], text: "no \(request.headers["X-Key"] ?? "")")
      }
      await #expect(
        throws: HTTPFetchError.status(
          503, url: Self.url, bodyPrefix: "no …", retryAfter: .seconds(7))
      ) {
        try await source.send("POST", to: Self.url, headers: ["X-Key": "secret-1"])
      }
      let answer = try await source.send("POST", to: Self.url, accepting: [503])
      #expect(answer.status == 503 && answer.body == Array("no ".utf8))
    }

    @Test(arguments: [301, 308]) func `no redirect is followed`(status: Int) async throws {
      let source = try HTTPSource { _ in
        HTTPSource.Response(status, headers: ["Location": "https://example.com/"])
      }
      await #expect(throws: HTTPFetchError.self) { try await source.send("POST", to: Self.url) }
    }

    @Test func `an answer beyond the limit is an error`() async throws {
      let source = try HTTPSource(HTTPConfiguration(maximumBodyBytes: 4)) { _ in
        HTTPSource.Response(202, text: "too long")
      }
      await #expect(throws: HTTPFetchError.tooLarge(Self.url, limit: 4)) {
        try await source.send("POST", to: Self.url)
      }
    }

    @Test func `a request that hangs ends at the deadline`() async throws {
      let (clock, latch, asked) = (ManualClock(), Latch(isOpen: false), Latch(isOpen: false))
      let configuration = HTTPConfiguration(timeout: .seconds(30), clock: clock)
      let source = try HTTPSource(configuration) { _ in
        asked.open()
        try await latch.pass()
        return HTTPSource.Response()
      }
      let request = Task { try await source.send("POST", to: Self.url) }
      try await asked.pass()
      clock.advance(by: .seconds(30))
      await #expect(throws: HTTPFetchError.timedOut(Self.url, after: .seconds(30))) {
        try await request.value
      }
    }

    @Test(
      arguments: [
        ("GO ON", [:], "text/plain", "k"), ("", [:], "text/plain", "k"),
        ("POST", ["Host": "x"], "text/plain", "k"), ("POST", ["X Y": "x"], "text/plain", "k"),
        ("POST", [:], "text", "k"), ("POST", [:], "text/plain", "a\"b"),
        ("POST", [:], "text/plain", ""),
      ] as [(String, HeaderFields, String, String)])
    func `a request that cannot be sent as it is, is refused`(
      method: String, headers: HeaderFields, contentType: String, key: String
    ) async throws {
      let source = try HTTPSource { _ in
        Issue.record("it was sent")
        return HTTPSource.Response()
      }
      let error = await #expect(throws: HTTPFetchError.self) {
        try await source.send(
          method, to: Self.url, headers: headers, body: [], contentType: contentType,
          idempotencyKey: key)
      }
      guard case .badConfiguration? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }

    @Test func `a scripted server answers many writes in one request`() async throws {
      let server = ScriptedServer(["1": "one"], isConditional: true)
      let route = server.route(at: Self.url).answeringPosts { request in
        let values = try JSONCodec<[String: String]>().decode(request.body)
        var statuses: [String: Int] = [:]
        for (key, value) in values {
          let write = PendingWrite(
            key: key, kind: .create, value: value, idempotencyKey: "\(key) \(value)")
          switch try await server.push(write) {
          case .accepted, .acceptedAs: statuses[key] = 204
          case .conflict: statuses[key] = 412
          case .refused: statuses[key] = 422
          }
        }
        return HTTPSource.Response(body: try JSONCodec<[String: Int]>().encode(statuses))
      }
      let routes = [route]
      let source = try HTTPSource(answering: routes.response(to:))
      let body = try JSONCodec<[String: String]>().encode(["1": "mine", "2": "two"])

      let answer = try await source.send("POST", to: Self.url, body: body)
      #expect(try JSONCodec<[String: Int]>().decode(answer.body) == ["1": 412, "2": 204])
      #expect(server["2"] == "two")
      #expect(try await source.fetch("\(Self.url)/2").text == "\"two\"")
    }
  }
#endif
