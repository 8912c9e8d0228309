#if Gateway
  internal import FreshHTTP
  internal import FreshStore
  internal import FreshStoreTesting
  internal import NIOCore
  internal import OriginServer
  internal import Strategies
  internal import Testing

  @testable import FreshGateway

  /// Errors of an origin that state a lifetime, beside copies that are none.
  @Suite(.timeLimit(.minutes(1))) struct StoredErrorTests {
    @Test(arguments: ["max-age=60", "max-age=60, stale-while-revalidate=600"])
    func `an error with a lifetime leaves the copy that stands in once the origin is gone`(
      control: String
    ) async throws {
      try await withGateway { _ in
      } _: { request in
        request["If-None-Match"] != nil
          ? .init(500, ["Cache-Control": control], body: "error")
          : .init(200, ["Cache-Control": control, "ETag": "\"1\""], body: "good")
      } test: { (bench) async throws in
        try await bench.askUntilHit("/a")
        bench.temporary.clock.advance(by: .seconds(100))
        #expect(try await bench.ask("/a").status == 200)
        while bench.asked.count < 2 { await Task.yield() }
        await bench.server.stop()
        let standIn = try await bench.ask("/a")
        #expect(standIn.status == 200)
        #expect(standIn.text == "good")
      }
    }

    @Test(arguments: [("Vary", "X-Name"), ("Content-Encoding", "gzip")])
    func `an error with a lifetime leaves the copy that came while it was on its way`(
      name: String, value: String
    ) async throws {
      let (first, second) = (Gate(), Gate())
      try await withGateway { _ in
      } _: { request in
        // A request for a part asks for itself.
        guard request["Range"] != nil else {
          await first.wait()
          return .init(200, ["Cache-Control": "max-age=60", name: value], body: "good")
        }
        await second.wait()
        return .init(503, ["Cache-Control": "max-age=60", name: value], body: "error")
      } test: { (bench) async throws in
        async let good = bench.ask("/a")
        while bench.asked.isEmpty { await Task.yield() }
        async let bad = bench.ask("/a", fields: "Range: bytes=0-1")
        while bench.asked.count < 2 { await Task.yield() }
        first.open()
        #expect(try await good.text == "good")
        #expect(try await bench.askUntilHit("/a").text == "good")
        second.open()
        #expect(try await bad.status == 503)
        while bench.gateway.figures.unkept[.serverError] == nil { await Task.yield() }
        #expect(try await bench.ask("/a").text == "good")
        #expect(bench.asked.count == 2)
      }
    }
  }
#endif
