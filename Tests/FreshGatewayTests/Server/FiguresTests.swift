#if Gateway
  internal import FreshStoreTesting
  internal import OriginServer
  internal import Testing

  @testable import FreshGateway

  /// What operators are told after known traffic.
  @Suite(.timeLimit(.minutes(1))) struct FiguresTests {
    /// A page that is kept, and one that is for a single client.
    private static let origin: OriginServer.Handler = { request in
      if request.path == "/own" { return .init(200, ["Cache-Control": "no-store"], body: "own") }
      let fields: KeyValuePairs<String, String> = ["Cache-Control": "max-age=60", "ETag": "\"1\""]
      return request["If-None-Match"] == nil
        ? .init(200, fields, body: "hello") : .init(304, fields)
    }

    /// The figures by their names and labels.
    private func metrics(_ bench: GatewayBench) async throws -> [String: String] {
      var figures: [String: String] = [:]
      for line in try await bench.told("/metrics").split(separator: "\n")
      where !line.hasPrefix("#") {
        let words = line.split(separator: " ")
        figures[String(words[0].dropFirst("freshstore_".count))] = String(words[1])
      }
      return figures
    }

    /// Waits until an answer is noted, which may be a moment after its last byte.
    private func waitUntilNoted(
      _ bench: GatewayBench, _ isNoted: (GatewayFigures.Snapshot) -> Bool
    ) async {
      while !isNoted(bench.gateway.figures) { await Task.yield() }
    }

    @Test func `every answer and every request to the origin is counted once`() async throws {
      try await withGateway { options in
        options.admin = GatewayOptions.Endpoint(host: "127.0.0.1", port: 0)
        options.limits.originFailures = 2
      } _: { request in
        await Self.origin(request)
      } test: { (bench) async throws in
        var answers: [RawClient.Answer] = []
        // A miss, a hit, and a copy that the origin confirms.
        answers.append(try await bench.ask("/page"))
        await waitUntilNoted(bench) { $0.stored == 1 }
        answers.append(try await bench.ask("/page"))
        bench.temporary.clock.advance(by: .seconds(100))
        answers.append(try await bench.ask("/page"))
        await waitUntilNoted(bench) { $0.stored == 2 }
        // A hit without content, an answer for one alone, and two of the gateway's own.
        answers.append(try await bench.ask("/page", "HEAD"))
        answers.append(try await bench.ask("/own", "POST", content: "x"))
        answers.append(
          try await bench.ask("/none", "HEAD", fields: "Cache-Control: only-if-cached"))
        let client = try await bench.connect()
        try await client.send("GET /a b HTTP/1.1\r\nHost: g\r\n\r\n")
        answers.append(try #require(await client.answer()))
        await client.close()
        // An origin that fails twice is left alone, and is asked again later.
        await bench.server.stop()
        for path in ["/1", "/2", "/3"] { answers.append(try await bench.ask(path)) }
        #expect(try await metrics(bench)["origins_left_alone"] == "1")
        bench.temporary.clock.advance(by: .seconds(100))
        answers.append(try await bench.ask("/page"))
        #expect(
          answers.map(\.status) == [200, 200, 200, 200, 200, 504, 400, 502, 502, 504, 200])

        await waitUntilNoted(bench) { figures in
          figures.served.reduce(0, +) >= answers.count && figures.openConnections == 0
        }
        let figures = try await metrics(bench)
        let bytes = answers.reduce(0) { $0 + $1.content.count }
        let expected: [String: Int] = [
          "requests_total{served=\"hit\"}": 2, "requests_total{served=\"stale\"}": 1,
          "requests_total{served=\"revalidated\"}": 1, "requests_total{served=\"miss\"}": 1,
          "requests_total{served=\"collapsed\"}": 0, "requests_total{served=\"passed\"}": 1,
          "requests_total{served=\"own\"}": 5, "requests_total{served=\"abandoned\"}": 0,
          "answers_total{status=\"1xx\"}": 0, "answers_total{status=\"2xx\"}": 6,
          "answers_total{status=\"3xx\"}": 0, "answers_total{status=\"4xx\"}": 1,
          "answers_total{status=\"5xx\"}": 4, "refusals_total": 1,
          "sent_bytes_total": bytes,
          "connections_total": answers.count, "connections": 0,
          "origin_seconds_count": 3, "origin_seconds_bucket{le=\"+Inf\"}": 3,
          "origin_failures_total": 3, "origins_left_alone": 0, "stored_total": 2,
          "store_failures_total": 0, "log_lost_lines_total": 0,
        ]
        for (name, count) in expected { #expect(figures[name] == "\(count)", "\(name)") }
        let status = try await bench.told("/status")
        #expect(status.contains("\"originRequests\":6,\"originFailures\":3,"))
      }
    }

    @Test func `a request that its client has given up is no failure of the origin`() async throws {
      let gate = Gate()
      try await withGateway { _ in
      } _: { _ in
        await gate.wait()
        return .init()
      } test: { bench in
        let client = try await bench.connect()
        try await client.send("GET /a HTTP/1.1\r\nHost: g\r\n\r\n")
        while bench.asked.isEmpty { await Task.yield() }
        await client.close()
        await waitUntilNoted(bench) { $0.served[Served.abandoned.rawValue] == 1 }
        // Once its request to the origin has ended.
        await bench.gateway.drain(within: .seconds(30))
        #expect(bench.gateway.figures.originRequests == 0)
        #expect(bench.gateway.figures.originFailures == 0)
        gate.open()
      }
    }
  }
#endif
