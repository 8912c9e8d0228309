#if HTTP
  internal import FreshStore
  internal import FreshStoreTesting
  internal import OriginServer
  internal import Synchronization
  internal import Testing

  @testable import FreshHTTP

  @Suite struct RetryFetchTests {
    private static let limit = Duration.seconds(600)

    private func configuration(
      _ retries: Int, _ clock: any StoreClock, timeout: Duration = limit
    ) -> HTTPConfiguration {
      HTTPConfiguration(timeout: timeout, retries: retries, clock: clock)
    }

    @Test(arguments: [408, 429, 500, 502, 503, 504])
    func `a fetch is repeated after a status that may pass`(status: Int) async throws {
      let (clock, count) = (ImpatientClock(limit: Self.limit), Attempts())
      try await withOrigin(configuration(2, clock)) { _ in
        count.next() == 1 ? .init(status) : .init(body: "there")
      } test: { origin, source in
        let fetched = try await source.fetch(origin.url("/a"))
        #expect(fetched.text == "there")
        #expect(origin.requests.count == 2)
        #expect(clock.waits.count == 1)
      }
    }

    @Test(arguments: [400, 401, 403, 501, 505])
    func `a fetch is not repeated after any other status`(status: Int) async throws {
      let clock = ImpatientClock(limit: Self.limit)
      try await withOrigin(configuration(2, clock)) { _ in
        .init(status)
      } test: { origin, source in
        #expect(await source.failure(origin.url("/a")) != nil)
        #expect(origin.requests.count == 1)
      }
    }

    @Test func `a fetch is repeated after a connection that broke before the answer was complete`()
      async throws
    {
      let (clock, count) = (ImpatientClock(limit: Self.limit), Attempts())
      try await withOrigin(configuration(2, clock)) { _ in
        switch count.next() {
        case 1: .init(raw: [.close])
        case 2: .init(200, ["Content-Length": "5"], steps: [.send("th"), .close])
        default: .init(body: "there")
        }
      } test: { origin, source in
        let fetched = try await source.fetch(origin.url("/a"))
        #expect(fetched.text == "there")
        #expect(origin.requests.count == 3)
      }
    }

    @Test func `a refused connection is tried again`() async throws {
      let (closed, clock) = (try ClosedPort(), ImpatientClock(limit: Self.limit))
      let url = "http://127.0.0.1:\(closed.number)/a"
      let source = try HTTPSource(configuration(2, clock))
      let failure = await source.failure(url)
      await source.close()
      withExtendedLifetime(closed) {}
      #expect(failure == .transport(url, description: "connection refused"))
      #expect(clock.waits.count == 2)
    }

    @Test func `the last failure stands when all attempts have failed, each after a longer wait`()
      async throws
    {
      let clock = ImpatientClock(limit: Self.limit)
      try await withOrigin(configuration(3, clock)) { _ in
        .init(503, body: "busy")
      } test: { origin, source in
        let expected = HTTPFetchError.status(
          503, url: origin.url("/a"), bodyPrefix: "busy", retryAfter: nil)
        #expect(await source.failure(origin.url("/a")) == expected)
        #expect(origin.requests.count == 4)
        let longest = [Duration.seconds(1), .seconds(2), .seconds(4)]
        #expect(clock.waits.count == longest.count)
        for (wait, most) in zip(clock.waits, longest) { #expect(wait <= most && wait > most / 2) }
      }
    }

    @Test func `RFC 9110 10.2.3: the next attempt comes when the origin says`() async throws {
      let (clock, count) = (ImpatientClock(limit: Self.limit), Attempts())
      try await withOrigin(configuration(2, clock)) { _ in
        count.next() == 1 ? .init(503, ["Retry-After": "7"]) : .init(body: "there")
      } test: { origin, source in
        let fetched = try await source.fetch(origin.url("/a"))
        #expect(fetched.text == "there")
        #expect(clock.waits == [.seconds(7)])
      }
    }

    @Test(
      arguments: [(Duration.seconds(5), "7"), (.milliseconds(400), nil)] as [(Duration, String?)])
    func `a failure stands at once when the time left is shorter than the wait`(
      timeout: Duration, retryAfter: String?
    ) async throws {
      let clock = ImpatientClock(limit: timeout)
      try await withOrigin(configuration(2, clock, timeout: timeout)) { _ in
        retryAfter.map { .init(503, ["Retry-After": $0]) } ?? .init(503)
      } test: { origin, source in
        guard case .status(503, _, _, _) = await source.failure(origin.url("/a")) else {
          Issue.record("no status")
          return
        }
        #expect(origin.requests.count == 1)
        #expect(clock.waits.isEmpty)
      }
    }

    @Test func `a redirected fetch is repeated from its beginning`() async throws {
      let (clock, count) = (ImpatientClock(limit: Self.limit), Attempts())
      try await withOrigin(configuration(1, clock)) { request in
        guard request.path == "/b" else { return .init(302, ["Location": "/b"]) }
        return count.next() == 1 ? .init(502) : .init(body: "there")
      } test: { origin, source in
        let fetched = try await source.fetch(origin.url("/a"))
        #expect(fetched.text == "there")
        #expect(origin.requests.map(\.path) == ["/a", "/b", "/a", "/b"])
      }
    }

    @Test func `cancelling the task ends the wait`() async throws {
      let clock = ManualClock()
      try await withOrigin(configuration(5, clock)) { _ in
        .init(503)
      } test: { origin, source in
        let task = Task { await source.failure(origin.url("/a")) }
        while origin.requests.isEmpty { await Task.yield() }
        await clock.sleepers(atLeast: 2)
        task.cancel()
        #expect(await task.value == .cancelled(origin.url("/a")))
        #expect(origin.requests.count == 1)
      }
    }

    @Test func `without retries nothing is repeated`() async throws {
      try await withOrigin { _ in
        .init(503)
      } test: { origin, source in
        #expect(await source.failure(origin.url("/a")) != nil)
        #expect(origin.requests.count == 1)
      }
    }

    @Test func `a write is never repeated`() async throws {
      let clock = ImpatientClock(limit: Self.limit)
      try await withOrigin(configuration(3, clock)) { _ in
        .init(503)
      } test: { origin, source in
        await #expect(throws: HTTPFetchError.self) {
          try await source.push(
            PendingWrite(key: "1", kind: .replace, value: [1], idempotencyKey: "k"),
            to: origin.url("/1"))
        }
        #expect(origin.requests.map(\.method) == ["PUT"])
        #expect(clock.waits.isEmpty)
      }
    }

    /// Numbers the requests of a test from 1.
    private final class Attempts: Sendable {
      private let count = Mutex(0)

      func next() -> Int {
        count.withLock { count in
          count += 1
          return count
        }
      }
    }
  }
#endif
