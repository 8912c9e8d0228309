#if HTTP
  internal import FreshStore
  internal import FreshStoreTesting
  internal import OriginServer
  internal import Strategies
  internal import Synchronization
  internal import Testing

  @testable import FreshHTTP

  @Suite struct ConditionalFetchTests {
    @Test func `a value comes with its freshness, and the next fetch reports it as not modified`()
      async throws
    {
      try await withOrigin { request in
        let control = "max-age=60, stale-if-error=9"
        guard request["If-None-Match"] != "\"1\"" else {
          return .init(304, ["ETag": "\"1\"", "Cache-Control": control])
        }
        return .init(
          200, ["ETag": "\"1\"", "Content-Type": "text/plain", "Cache-Control": control],
          body: "hello")
      } test: { origin, source in
        let first = try await source.fetch(origin.url("/a"))
        #expect(first.text == "hello")
        #expect(first.details.expiry == .after(.seconds(60)))
        #expect(first.details.graceOnError == .seconds(9))
        #expect(first.details.contentType == "text/plain")
        let second = try await source.fetch(origin.url("/a"), previous: copy(first.details))
        #expect(second.isNotModified)
        #expect(second.details.contentType == "text/plain")
        #expect(second.details.validators == Validators(entityTag: "\"1\""))
        #expect(origin.requests.map { $0["If-None-Match"] } == [nil, "\"1\""])
      }
    }

    @Test func `without an entity tag the request carries the modification date`() async throws {
      try await withOrigin { request in
        request["If-Modified-Since"] == date(-100)
          ? .init(304) : .init(200, ["Last-Modified": date(-100)], body: "x")
      } test: { origin, source in
        let first = try await source.fetch(origin.url("/a"))
        let second = try await source.fetch(origin.url("/a"), previous: copy(first.details))
        #expect(second.isNotModified)
      }
    }

    @Test func `a 304 about another representation is followed by an unconditional request`()
      async throws
    {
      try await withOrigin { request in
        request["If-None-Match"] == nil
          ? .init(200, ["ETag": "\"1\""], body: "full") : .init(304, ["ETag": "\"2\""])
      } test: { origin, source in
        let first = try await source.fetch(origin.url("/a"))
        let second = try await source.fetch(origin.url("/a"), previous: copy(first.details))
        #expect(second.text == "full")
        #expect(origin.requests.map { $0["If-None-Match"] } == [nil, "\"1\"", nil])
      }
    }

    @Test func `a 304 with a Content-Encoding field but no body renews the copy`()
      async throws
    {
      try await withOrigin { request in
        request["If-None-Match"] == nil
          ? .init(200, ["ETag": "\"1\""], body: "x")
          : .init(304, ["ETag": "\"1\"", "Content-Encoding": "gzip"])
      } test: { origin, source in
        let first = try await source.fetch(origin.url("/a"))
        let second = try await source.fetch(origin.url("/a"), previous: copy(first.details))
        #expect(second.isNotModified)
      }
    }

    @Test func `the age is counted from the start of the request`() async throws {
      let clock = ManualClock(wall: Timestamp(millisecondsSinceEpoch: 784_111_777_000))
      try await withOrigin(HTTPConfiguration(clock: clock)) { _ in
        clock.advance(by: .seconds(3))
        return .init(200, ["Age": "10"], body: "x")
      } test: { origin, source in
        let details = try await source.fetch(origin.url("/a")).details
        #expect(details.lastUpdate == clock.reading().wall.advanced(by: .seconds(-13)))
      }
    }

    /// Sets the wall clock back by an hour ten seconds after its fourth reading, which is at the head.
    private final class SetBackClock: StoreClock {
      let clock = ManualClock()
      private let looks = Mutex(0)

      func reading() -> ClockReading {
        let reading = clock.reading()
        let look = looks.withLock { looks in
          looks += 1
          return looks
        }
        if look == 4 {
          clock.advance(by: .seconds(10))
          clock.stepWall(by: .seconds(-3600))
        }
        return reading
      }

      func sleep(for duration: Duration) async throws { try await clock.sleep(for: duration) }
      func sleep(until moment: Duration) async throws { try await clock.sleep(until: moment) }
    }

    @Test func `the age is right although the clock is set back while the body arrives`()
      async throws
    {
      let clock = SetBackClock()
      try await withOrigin(HTTPConfiguration(clock: clock)) { _ in
        .init(200, ["Cache-Control": "max-age=60"], body: "x")
      } test: { origin, source in
        let details = try await source.fetch(origin.url("/a")).details
        #expect(details.lastUpdate == clock.clock.reading().wall.advanced(by: .seconds(-10)))
      }
    }

    @Test func `sources that share an event loop send their own headers`() async throws {
      try await withOrigin { _ in
        .init()
      } test: { origin, source in
        let other = try source.sending(["Authorization": "a"])
        #expect(other.transport === source.transport)
        _ = try await source.fetch(origin.url("/a"))
        _ = try await other.fetch(origin.url("/a"))
        #expect(origin.requests.map { $0["Authorization"] } == [nil, "a"])
      }
    }

    @Test func `the configured headers are sent`() async throws {
      let configuration = HTTPConfiguration(headers: ["X-Key": "1"], userAgent: "me")
      try await withOrigin(configuration) { _ in
        .init()
      } test: { origin, source in
        _ = try await source.fetch(origin.url("/a?q=ä"))
        let request = try #require(origin.requests.first)
        #expect(request.method == "GET")
        #expect(request.target == "/a?q=%C3%A4")
        #expect(request["X-Key"] == "1")
        #expect(request["User-Agent"] == "me")
        #expect(request["Accept-Encoding"] == "gzip")
        #expect(request["Host"] == "127.0.0.1:\(origin.port)")
      }
    }

    @Test func `a source knows whether a stored variant answers its requests`() async throws {
      let configuration = HTTPConfiguration(headers: ["Accept-Language": "de"])
      try await withOrigin(configuration) { _ in
        .init(200, ["Vary": "Accept-Language"])
      } test: { origin, source in
        let variant = try await source.fetch(origin.url("/a")).details.variant
        let other = try HTTPSource(HTTPConfiguration(headers: ["Accept-Language": "en"]))
        #expect(source.selects(variant: variant))
        #expect(!other.selects(variant: variant))
        await other.close()
      }
    }
  }
#endif
