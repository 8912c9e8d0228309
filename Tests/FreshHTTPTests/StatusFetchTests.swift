#if HTTP
  internal import FreshStore
  internal import FreshStoreTesting
  internal import OriginServer
  internal import Strategies
  internal import Testing

  @testable import FreshHTTP

  @Suite struct StatusFetchTests {
    @Test(arguments: [404, 410])
    func `a missing object is gone`(status: Int) async throws {
      try await withOrigin { _ in
        .init(status, ["Cache-Control": "max-age=5"], body: "nothing here")
      } test: { origin, source in
        let fetched = try await source.fetch(origin.url("/a"))
        #expect(fetched.isGone)
        #expect(fetched.details.expiry == .after(.seconds(5)))
      }
    }

    @Test func `an origin in trouble is an error with its pause and the beginning of its body`()
      async throws
    {
      try await withOrigin { _ in
        .init(500, ["Retry-After": "7"], body: String(repeating: "oops ", count: 10_000))
      } test: { origin, source in
        let error = await source.failure(origin.url("/a?token=secret"))
        guard case .status(500, let url, let prefix, .seconds(7)?) = error else {
          Issue.record("\(String(describing: error))")
          return
        }
        #expect(url == origin.url("/a?…"))
        #expect(prefix.hasPrefix("oops oops"))
        #expect(prefix.count <= 201)
      }
    }

    @Test func `an error status with an endless compressed body is still that error`() async throws
    {
      try await withOrigin(HTTPConfiguration(maximumBodyBytes: 1000)) { _ in
        .init(500, ["Content-Encoding": "gzip"], body: Gzip.zeros(atLeast: 1_000_000))
      } test: { origin, source in
        let error = await source.failure(origin.url("/a"))
        guard case .status(500, _, _, nil) = error else {
          Issue.record("\(String(describing: error))")
          return
        }
      }
    }

    @Test func `a fetch reads no more of an error's body than it quotes`() async throws {
      try await withOrigin { _ in
        .init(500, [:], steps: [.send(String(repeating: "oops ", count: 1000)), .wait(Gate())])
      } test: { origin, source in
        let error = await source.failure(origin.url("/a"))
        guard case .status(500, _, let prefix, nil) = error else {
          Issue.record("\(String(describing: error))")
          return
        }
        #expect(prefix.hasPrefix("oops oops"))
      }
    }

    /// Fetches 503 with a body that stops, from an origin or, in its place, from a proxy; the clock is moved
    /// once the head has arrived.
    private func failureOfStalled(
      throughProxy: Bool, timeout: Duration, moving time: Duration
    ) async throws -> HTTPFetchError? {
      let clock = ManualClock()
      let server = try await OriginServer.start { _ in
        .init(
          503, ["Content-Length": "100", "Retry-After": "7"], steps: [.send("half"), .wait(Gate())])
      }
      let proxies =
        throughProxy ? try ProxySettings(environment: ["http_proxy": server.url("")]) : .none
      let source = try HTTPSource(
        HTTPConfiguration(timeout: timeout, proxies: proxies, clock: clock))
      async let failure = source.failure(throughProxy ? "http://a.example/" : server.url("/a"))
      // The deadline of the fetch and that of the body.
      await clock.sleepers(atLeast: 2)
      clock.advance(by: time)
      let result = await failure
      await source.close()
      await server.stop()
      return result
    }

    @Test(arguments: [false, true])
    func `an error status with a stalled body is reported after a second`(throughProxy: Bool)
      async throws
    {
      let failure = try await failureOfStalled(
        throughProxy: throughProxy, timeout: .seconds(30), moving: .seconds(1))
      guard case .status(503, _, _, .seconds(7)?) = failure else {
        Issue.record("\(String(describing: failure))")
        return
      }
    }

    @Test func `an error status with a body that stalls until the deadline is still that error`()
      async throws
    {
      let failure = try await failureOfStalled(
        throughProxy: false, timeout: .milliseconds(500), moving: .milliseconds(500))
      guard case .status(503, _, _, .seconds(7)?) = failure else {
        Issue.record("\(String(describing: failure))")
        return
      }
    }

    @Test func `a missing object whose error body stalls is gone`() async throws {
      let clock = ManualClock()
      try await withOrigin(HTTPConfiguration(clock: clock)) { _ in
        .init(404, ["Content-Length": "100"], steps: [.wait(Gate())])
      } test: { origin, source in
        async let fetched = source.fetch(origin.url("/a"))
        await clock.sleepers(atLeast: 2)
        clock.advance(by: .seconds(1))
        let isGone = try await fetched.isGone
        #expect(isGone)
      }
    }

    @Test func `a secret that an origin repeats is not quoted`() async throws {
      let configuration = HTTPConfiguration(headers: [
        "Authorization": "Bearer dG9rZW4=", "Cookie": "session=abcdef; a=b", "Accept": "text/plain",
      ])
      try await withOrigin(configuration) { request in
        .init(401, body: "no \(request.fields.map(\.value).joined(separator: " ")), dG9rZW4 abcdef")
      } test: { origin, source in
        let error = await source.failure(origin.url("/a"))
        let words = "\(try #require(error))"
        #expect(words.contains("no "))
        #expect(words.contains("text/plain"))
        #expect(!words.contains("dG9rZW4") && !words.contains("abcdef"))
      }
    }

    @Test func `an empty answer is an empty value`() async throws {
      try await withOrigin { _ in
        .init(204)
      } test: { origin, source in
        let fetched = try await source.fetch(origin.url("/a"))
        #expect(fetched.text == "")
      }
    }

    @Test func `an error status with a truncated body is still that error`() async throws {
      try await withOrigin { _ in
        .init(503, ["Content-Length": "100"], steps: [.send("half"), .close])
      } test: { origin, source in
        let expected = HTTPFetchError.status(
          503, url: origin.url("/a"), bodyPrefix: "half", retryAfter: nil)
        #expect(await source.failure(origin.url("/a")) == expected)
      }
    }

    @Test(
      arguments: [
        ("SSH-2.0-x\r\n", "does not begin with HTTP/"),
        ("HTTP/2.0 200 OK\r\n\r\n", "no version of HTTP/1"),
        ("HTTP/1.1 abc OK\r\n\r\n", "its status is none"),
        ("HTTP/1.1 099 OK\r\nContent-Length: 0\r\n\r\n", "its status is none"),
        ("HTTP/1.1 200 OK\r\nBad Header\r\n\r\n", "a field is malformed"),
        ("HTTP/1.1 200 OK\r\nX: a\r\n b\r\nContent-Length: 0\r\n\r\n", "a second line"),
        (
          "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx",
          "more than one Content-Length"
        ),
        ("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "its Content-Length is no number"),
        (
          "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
          "stands beside Transfer-Encoding"
        ),
        (
          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n",
          "stands beside Transfer-Encoding"
        ),
        (
          "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
          "not chunked alone"
        ),
        ("HTTP/1.1 200 OK\nContent-Length: 0\n\n", "does not end with CR LF"),
        (
          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
          "the size of a chunk is no number"
        ),
      ] as [(String, String)])
    func `an answer that is not HTTP is reported as such, with what is wrong with it`(
      text: String, fault: String
    ) async throws {
      try await withOrigin { _ in
        .init(raw: [.send(text), .close])
      } test: { origin, source in
        let failure = await source.failure(origin.url("/a"))
        guard case .malformedAnswer(origin.url("/a"), let description?) = failure else {
          Issue.record("\(String(describing: failure))")
          return
        }
        #expect(description.contains(fault))
        #expect(failure?.description.contains(" is no valid HTTP (\(description)); ") == true)
      }
    }

    @Test(arguments: ["ftp://example.org/", "file:///etc/passwd"])
    func `another scheme is refused before a request is sent`(url: String) async throws {
      let source = try HTTPSource()
      let scheme = String(url.prefix { $0 != ":" })
      #expect(await source.failure(url) == .unsupportedScheme(scheme))
      await source.close()
    }

    @Test func `an address with credentials is refused, and the error does not repeat them`()
      async throws
    {
      let source = try HTTPSource()
      let error = await source.failure("http://me:secret@example.org/")
      #expect(error?.description.contains("secret") == false)
      guard case .badURL = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      await source.close()
    }

    @Test func `the origin of an address consists of scheme, host and port`() throws {
      #expect(try HTTPSource.origin(of: "https://Example.org/a?b") == "https://example.org:443")
    }
  }
#endif
