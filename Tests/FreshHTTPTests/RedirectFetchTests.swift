#if HTTP
  internal import FreshStore
  internal import OriginServer
  internal import Testing

  @testable import FreshHTTP

  @Suite struct RedirectFetchTests {
    @Test func `a chain of five redirects leads to the value`() async throws {
      try await withOrigin { request in
        let step = Int(request.path.dropFirst()) ?? 0
        return step == 5 ? .init(body: "there") : .init(302, ["Location": "\(step + 1)"])
      } test: { origin, source in
        let fetched = try await source.fetch(origin.url("/0"))
        #expect(fetched.text == "there")
        #expect(fetched.details.source == origin.url("/5"))
        #expect(fetched.details.address == origin.url("/0"))
      }
    }

    @Test func `a sixth redirect is one too many`() async throws {
      try await withOrigin { request in
        .init(302, ["Location": "/\((Int(request.path.dropFirst()) ?? 0) + 1)"])
      } test: { origin, source in
        #expect(
          await source.failure(origin.url("/0")) == .tooManyRedirects(origin.url("/5"), limit: 5))
        #expect(origin.requests.count == 6)
      }
    }

    @Test(arguments: [0, 2])
    func `no more redirects are followed than allowed`(limit: Int) async throws {
      try await withOrigin(HTTPConfiguration(timeout: .seconds(600), maximumRedirects: limit)) {
        .init(302, ["Location": "/\((Int($0.path.dropFirst()) ?? 0) + 1)"])
      } test: { origin, source in
        #expect(
          await source.failure(origin.url("/0"))
            == .tooManyRedirects(origin.url("/\(limit)"), limit: limit))
        #expect(origin.requests.count == limit + 1)
      }
    }

    @Test func `a redirect to an unreachable address is not blamed on the first origin`()
      async throws
    {
      let closed = try ClosedPort()
      let port = closed.number
      try await withOrigin { _ in
        .init(302, ["Location": "http://127.0.0.1:\(port)/b"])
      } test: { origin, source in
        let failure = await source.failure(origin.url("/a"))
        guard case .redirected(let from, .transport)? = failure, from == origin.url("/a") else {
          Issue.record("\(String(describing: failure))")
          return
        }
        #expect(failure?.blamesOrigin == false && failure?.isUnreachable == false)
      }
      withExtendedLifetime(closed) {}
    }

    @Test func `a failure of the redirect's target is not blamed on the first origin`()
      async throws
    {
      let other = try await OriginServer.start { _ in .init(503, ["Retry-After": "7"]) }
      let location = other.url("/")
      try await withOrigin { _ in
        .init(302, ["Location": location])
      } test: { origin, source in
        let failure = await source.failure(origin.url("/a"))
        #expect(failure?.blamesOrigin == false)
        #expect(failure?.retryAfter == .seconds(7))
      }
      await other.stop()
    }

    @Test func `a failure behind a redirect within an origin is blamed on it`() async throws {
      try await withOrigin { request in
        request.path == "/a" ? .init(302, ["Location": "/b"]) : .init(503)
      } test: { origin, source in
        let failure = await source.failure(origin.url("/a"))
        #expect(failure?.blamesOrigin == true)
      }
    }

    @Test func `a redirect loop ends at once`() async throws {
      try await withOrigin { request in
        .init(301, ["Location": request.path == "/a" ? "/b" : "/a"])
      } test: { origin, source in
        #expect(await source.failure(origin.url("/a")) == .redirectLoop(origin.url("/b")))
        #expect(origin.requests.count == 2)
      }
    }

    @Test func `credentials are not sent across origins`() async throws {
      let configuration = HTTPConfiguration(headers: [
        "Authorization": "secret", "Cookie": "secret",
      ])
      let other = try await OriginServer.start { _ in .init(body: "there") }
      let location = other.url("/")
      try await withOrigin(configuration) { _ in
        .init(307, ["Location": location])
      } test: { origin, source in
        let fetched = try await source.fetch(origin.url("/a"))
        #expect(fetched.text == "there")
        #expect(origin.requests.first?["Authorization"] == "secret")
        let request = try #require(other.requests.first)
        #expect(!request.fields.contains { $0.value == "secret" })
      }
      await other.stop()
    }

    @Test func `validators are sent to the address they came from, behind the redirect`()
      async throws
    {
      try await withOrigin { request in
        guard request.path == "/b" else { return .init(302, ["Location": "/b"]) }
        return request["If-None-Match"] == nil ? .init(200, ["ETag": "\"1\""]) : .init(304)
      } test: { origin, source in
        let first = try await source.fetch(origin.url("/a"))
        let second = try await source.fetch(origin.url("/a"), previous: copy(first.details))
        #expect(second.isNotModified)
        #expect(origin.requests.map { $0["If-None-Match"] } == [nil, nil, nil, "\"1\""])
      }
    }
  }
#endif
