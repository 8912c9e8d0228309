#if Gateway
  internal import FreshStore
  internal import FreshStoreTesting
  internal import OriginServer
  internal import Testing

  @testable import FreshGateway

  /// A sweep leaves the renewal of copies to their gateway.
  @Suite(.timeLimit(.minutes(1))) struct SweptCopyTests {
    private static let page: OriginServer.Handler = { request in
      let fields: KeyValuePairs<String, String> = [
        "Cache-Control": "max-age=60, stale-while-revalidate=600", "ETag": "\"1\"",
        "Vary": request.target == "/plain" ? "" : "Accept-Language",
      ]
      return request["If-None-Match"] == "\"1\""
        ? .init(304, fields) : .init(200, fields, body: "hi")
    }

    @Test(arguments: ["/plain", "/varying"])
    func `a sweep puts no copy into the refetch queue, and takes nothing of its grace`(
      path: String
    ) async throws {
      try await withGateway({ _ in }, Self.page) { bench in
        let store = bench.temporary.store
        try await bench.askUntilHit(path)
        bench.temporary.clock.advance(by: .seconds(100))
        #expect(try await store.sweep().marked == 1)
        #expect(try store.statistics().due == 0)
        let answer = try await bench.ask(path)
        #expect(answer.text == "hi")
        #expect(answer["Cache-Status"]?.contains("stale-while-revalidate") == true)
        // It is renewed behind.
        while bench.asked.count < 2 { await Task.yield() }
        try await bench.askUntilHit(path)
      }
    }

    @Test func `a mark asks for no refetch, but at the next request`() async throws {
      try await withGateway({ _ in }, Self.page) { bench in
        let store = bench.temporary.store
        try await bench.askUntilHit("/varying")
        try await store.markStale(collection: "http", reason: "changed")
        _ = try await store.sweep()
        #expect(try store.statistics().due == 0)
        let answer = try await bench.ask("/varying")
        #expect(answer["Cache-Status"]?.hasPrefix("freshstore; fwd=stale; fwd-status=304") == true)
        #expect(bench.asked.count == 2)
      }
    }
  }
#endif
