#if HTTP
  internal import FreshStore
  internal import FreshStoreTesting
  internal import Strategies
  internal import Synchronization
  internal import Testing

  @testable import FreshHTTP

  /// A source whose requests a closure answers, in place of a network.
  @Suite(.timeLimit(.minutes(1))) struct ScriptedSourceTests {
    private let url = "https://example.org/notes/1"

    /// The requests that a closure has got.
    private final class Received: Sendable {
      private let state = Mutex<[HTTPSource.Request]>([])

      var all: [HTTPSource.Request] { state.withLock { $0 } }

      func note(_ request: HTTPSource.Request) { state.withLock { $0.append(request) } }
    }

    @Test func `a second fetch is conditional, and the copy is as fresh as the response says`()
      async throws
    {
      let clock = ManualClock()
      let source = try HTTPSource(HTTPConfiguration(clock: clock)) { request in
        request.headers["if-none-match"] == "\"1\""
          ? HTTPSource.Response(304)
          : HTTPSource.Response(
            headers: ["ETag": "\"1\"", "Cache-Control": "max-age=60"], text: "one")
      }
      let first = try await source.fetch(url)
      let second = try await source.fetch(url, previous: copy(first.details))

      #expect(first.text == "one" && second.isNotModified)
      #expect(first.details.expiry == .after(.seconds(60)))
      #expect(first.details.lastUpdate == clock.reading().wall)
      #expect(first.details.validators.entityTag == "\"1\"")
    }

    @Test func `a redirect is followed, without credentials to another origin`() async throws {
      let received = Received()
      let configuration = HTTPConfiguration(headers: ["Authorization": "secret"])
      let source = try HTTPSource(configuration) { request in
        received.note(request)
        return request.url == "https://example.org/notes/1"
          ? HTTPSource.Response(302, headers: ["Location": "https://example.net/1"])
          : HTTPSource.Response(text: "there")
      }

      #expect(try await source.fetch(url).text == "there")
      #expect(received.all.map(\.url) == [url, "https://example.net/1"])
      #expect(received.all.map { $0.headers["Authorization"] } == ["secret", nil])
    }

    @Test func `a push has its condition, its idempotency key and its content`() async throws {
      let received = Received()
      let source = try HTTPSource { request in
        received.note(request)
        return HTTPSource.Response(204, headers: ["ETag": "\"2\""])
      }
      let pushed = try await source.push(
        PendingWrite(
          key: "1", kind: .replace, value: Array("two".utf8), idempotencyKey: "k",
          baseValidators: Validators(entityTag: "\"1\""), contentType: "text/plain"), to: url)

      guard case .accepted(let details) = pushed else {
        Issue.record("\(pushed)")
        return
      }
      let request = try #require(received.all.first)
      #expect(details.validators.entityTag == "\"2\"")
      #expect(request.method == "PUT" && request.url == url)
      #expect(request.headers["If-Match"] == "\"1\"")
      #expect(request.headers["Idempotency-Key"] == "\"k\"")
      #expect(request.headers["Content-Type"] == "text/plain")
      #expect(request.body == Array("two".utf8))
    }

    @Test func `a failed condition is a conflict with the present value`() async throws {
      let source = try HTTPSource { request in
        request.method == "GET"
          ? HTTPSource.Response(headers: ["ETag": "\"2\""], text: "theirs")
          : HTTPSource.Response(412)
      }
      let pushed = try await source.push(
        PendingWrite(
          key: "1", kind: .replace, value: [1], idempotencyKey: "k",
          baseValidators: Validators(entityTag: "\"1\"")), to: url)

      guard case .conflict(let present) = pushed else {
        Issue.record("\(pushed)")
        return
      }
      #expect(present.text == "theirs" && present.details.validators.entityTag == "\"2\"")
    }

    @Test(
      arguments: [
        (ScriptedFailure("the cable is out"), .transport("", description: "the cable is out")),
        (HTTPFetchError.timedOut("", after: .seconds(1)), .timedOut("", after: .seconds(1))),
        (CancellationError(), .cancelled("")),
      ] as [(any Error, HTTPFetchError)])
    func `an error of the closure is the failure of the request`(
      error: any Error, expected: HTTPFetchError
    ) async throws {
      let source = try HTTPSource { _ in throw error }
      let failure = await source.failure(url)
      switch (failure, expected) {
      case (.transport(let address, let words), .transport(_, let expected)):
        #expect(address == url && words == expected)
      case (.cancelled(let address), .cancelled): #expect(address == url)
      default: #expect(failure == expected)
      }
    }

    @Test(arguments: [0, 100, 199, 600, -1])
    func `a status that no final answer has is no answer`(status: Int) async throws {
      let source = try HTTPSource { _ in HTTPSource.Response(status) }
      #expect(await source.failure(url) == .malformedAnswer(url))
    }

    @Test func `a body beyond the limit is refused, and a status keeps the beginning of its words`()
      async throws
    {
      let source = try HTTPSource(HTTPConfiguration(maximumBodyBytes: 4)) { request in
        HTTPSource.Response(request.url.hasSuffix("/1") ? 200 : 500, text: "too long")
      }
      #expect(await source.failure(url) == .tooLarge(url, limit: 4))
      let other = "https://example.org/2"
      #expect(
        await source.failure(other)
          == .status(500, url: other, bodyPrefix: "too long", retryAfter: nil))
    }

    @Test func `a request that hangs ends at the deadline, by the clock of the configuration`()
      async throws
    {
      let (clock, latch, asked) = (ManualClock(), Latch(isOpen: false), Latch(isOpen: false))
      let configuration = HTTPConfiguration(timeout: .seconds(30), clock: clock)
      let source = try HTTPSource(configuration) { _ in
        asked.open()
        try await latch.pass()
        return HTTPSource.Response()
      }
      async let failure = source.failure(url)
      try await asked.pass()
      clock.advance(by: .seconds(30))

      #expect(await failure == .timedOut(url, after: .seconds(30)))
    }

    @Test(arguments: [false, true])
    func `a closure that ignores cancellation holds no request beyond its deadline or its end`(
      isCancelled: Bool
    ) async throws {
      let (clock, latch, asked) = (ManualClock(), Latch(isOpen: false), Latch(isOpen: false))
      let configuration = HTTPConfiguration(timeout: .seconds(30), clock: clock)
      let source = try HTTPSource(configuration) { _ in
        asked.open()
        // The cancellation of this task reaches no other one.
        try await Task { try await latch.pass() }.value
        return HTTPSource.Response()
      }
      let fetch = Task { await source.failure(url) }
      try await asked.pass()
      if isCancelled { fetch.cancel() } else { clock.advance(by: .seconds(30)) }

      #expect(
        await fetch.value == (isCancelled ? .cancelled(url) : .timedOut(url, after: .seconds(30))))
      latch.open()
    }

    @Test func `a failure that may pass is retried`() async throws {
      let (clock, received) = (ImpatientClock(limit: .seconds(30)), Received())
      let configuration = HTTPConfiguration(timeout: .seconds(30), retries: 2, clock: clock)
      let source = try HTTPSource(configuration) { request in
        received.note(request)
        return received.all.count == 1
          ? HTTPSource.Response(503, headers: ["Retry-After": "7"])
          : HTTPSource.Response(text: "there")
      }

      #expect(try await source.fetch(url).text == "there")
      #expect(clock.waits == [.seconds(7)])
    }

    @Test func `a closed source asks nobody`() async throws {
      let received = Received()
      let source = try HTTPSource { request in
        received.note(request)
        return HTTPSource.Response()
      }
      await source.close()

      #expect(
        await source.failure(url) == .transport(url, description: "the source was closed"))
      #expect(received.all.isEmpty)
    }

    @Test func `a configuration that cannot be used is refused`() {
      #expect(throws: HTTPFetchError.self) {
        try HTTPSource(HTTPConfiguration(timeout: .zero)) { _ in HTTPSource.Response() }
      }
    }
  }
#endif
