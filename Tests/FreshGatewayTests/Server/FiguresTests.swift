#if Gateway
  internal import FreshStoreTesting
  internal import OriginServer
  internal import Strategies
  internal import Testing

  @testable import FreshGateway

  /// The figures that operators get after known traffic.
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
        // A hit without a body, an uncacheable response, and two responses of the gateway's own.
        answers.append(try await bench.ask("/page", "HEAD"))
        answers.append(try await bench.ask("/own", "POST", content: "x"))
        answers.append(
          try await bench.ask("/none", "HEAD", fields: "Cache-Control: only-if-cached"))
        let client = try await bench.connect()
        try await client.send("GET /a b HTTP/1.1\r\nHost: g\r\n\r\n")
        answers.append(try #require(await client.answer()))
        await client.close()
        // The gateway backs off from an origin that fails twice, and asks it again later.
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
          "origin_failures_total": 3, "origins_left_alone": 1, "stored_total": 2,
          "store_failures_total": 0, "log_lost_lines_total": 0,
        ]
        for (name, count) in expected { #expect(figures[name] == "\(count)", "\(name)") }
        let status = try await bench.told("/status")
        #expect(status.contains("\"originRequests\":6,\"originFailures\":3,"))
      }
    }

    /// Pages that are "good" at first; what the origin says of them later depends on the path.
    private static let changing: OriginServer.Handler = { request in
      let control =
        request.path == "/renewal"
        ? "max-age=60, stale-while-revalidate=600" : "max-age=60, stale-if-error=600"
      let fields: KeyValuePairs<String, String> = ["Cache-Control": control, "ETag": "\"1\""]
      guard request["If-None-Match"] != nil else { return .init(200, fields, body: "good") }
      if request.path == "/error" { return .init(503, body: "down") }
      if request.path == "/silent" { return .init(raw: [.close]) }
      if request.path == "/ruled" { return .init(200, fields, body: "bad") }
      return .init(304, fields)
    }

    @Test func `a copy that is not fresh is counted by the reason for which it was used`()
      async throws
    {
      try await withGateway { options in
        options.admin = GatewayOptions.Endpoint(host: "127.0.0.1", port: 0)
        options.admission = ContentAdmission(
          covers: { $0.hasSuffix("/ruled") },
          refusal: { _, _, bytes in bytes.starts(with: "good".utf8) ? nil : "it must be good" })
      } _: { request in
        await Self.changing(request)
      } test: { (bench) async throws in
        let paths = ["/request", "/renewal", "/error", "/silent", "/ruled", "/away"]
        for path in paths { try await bench.askUntilHit(path) }
        bench.temporary.clock.advance(by: .seconds(100))
        for path in paths {
          if path == "/away" { bench.temporary.reachability.set(.offline("no route")) }
          let fields = path == "/request" ? "Cache-Control: max-stale" : ""
          #expect(try await bench.ask(path, fields: fields).text == "good", "\(path)")
        }
        let stale = Served.allCases.filter { $0.staleReason != nil }
        await waitUntilNoted(bench) { figures in
          stale.reduce(0) { $0 + figures.served[$1.rawValue] } == paths.count
        }
        let figures = try await metrics(bench)
        #expect(figures["requests_total{served=\"stale\"}"] == "6")
        for reason in ["request", "renewal", "error", "no-answer", "not-asked", "rules"] {
          #expect(figures["stale_total{reason=\"\(reason)\"}"] == "1", "\(reason)")
        }
        let status = try await bench.told("/status")
        #expect(status.contains("\"stale\":{\"request\":1,\"renewal\":1,\"error\":1,"))
        #expect(Int(figures["store_file_bytes"] ?? "") ?? 0 > 0)
        #expect(figures["store_log_bytes"] != nil)
      }
    }

    /// Pages that are not kept, each for another reason.
    private static let fleeting: OriginServer.Handler = { request in
      let control: KeyValuePairs<String, String> = ["Cache-Control": "max-age=60"]
      let long = String(repeating: "x", count: 200)
      switch request.path {
      case "/own": return .init(200, ["Cache-Control": "no-store"], body: "own")
      case "/cookie": return .init(200, ["Cache-Control": "max-age=60", "Set-Cookie": "a=b"])
      case "/long": return .init(200, control, body: long)
      case "/chunks":
        return .init(
          200, ["Cache-Control": "max-age=60", "Transfer-Encoding": "chunked"],
          steps: [.send("c8\r\n\(long)\r\n0\r\n\r\n")])
      case "/broken":
        return .init(
          200, ["Cache-Control": "max-age=60", "Content-Length": "10"],
          steps: [.send("short"), .close])
      default: return .init(200, control, body: "bad")
      }
    }

    @Test func `an answer that is not kept is counted by why, and one that is kept is not`()
      async throws
    {
      try await withGateway { options in
        options.admin = GatewayOptions.Endpoint(host: "127.0.0.1", port: 0)
        options.limits.storedContent = 100
        options.admission = ContentAdmission(
          covers: { $0.hasSuffix("/ruled") }, refusal: { _, _, _ in "it must be good" })
      } _: { request in
        await Self.fleeting(request)
      } test: { (bench) async throws in
        for path in ["/own", "/cookie", "/long", "/chunks", "/broken", "/ruled"] {
          try await bench.ask(path)
        }
        try await bench.ask("/page", "POST", content: "x")
        try await bench.askUntilHit("/page")
        await waitUntilNoted(bench) { $0.unkept.values.reduce(0, +) == 7 }
        let figures = try await metrics(bench)
        let expected: [String: Int] = [
          "no-store": 1, "set-cookie": 1, "too-large": 2, "broken": 1, "rules": 1, "request": 1,
          "useless": 0, "not-kept": 0,
        ]
        for (reason, count) in expected {
          #expect(figures["unkept_total{reason=\"\(reason)\"}"] == "\(count)", "\(reason)")
        }
        #expect(figures["rule_breaks_total"] == "1")
        #expect(figures["origin_broken_answers_total"] == "1")
        #expect(figures["stored_total"] != "0")
        #expect(figures.contains { $0.key.hasPrefix("build_info{version=") && $0.value == "1" })
      }
    }

    @Test func `the figures are a text of Prometheus`() async throws {
      try await withGateway { options in
        options.admin = GatewayOptions.Endpoint(host: "127.0.0.1", port: 0)
      } _: { request in
        await Self.origin(request)
      } test: { (bench) async throws in
        for _ in 1...3 { #expect(try await bench.ask("/own").status == 200) }
        await waitUntilNoted(bench) { $0.served.reduce(0, +) == 3 }
        let client = try await RawClient.connect(try #require(bench.gateway.adminPort))
        try await client.send("GET /metrics HTTP/1.1\r\nHost: admin\r\n\r\n")
        let answer = try #require(await client.answer())
        await client.close()
        #expect(answer["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
        #expect(answer.text.hasSuffix("\n"))
        var kinds: [String: String] = [:]
        var samples: [String: Double] = [:]
        var buckets: [Double] = []
        for line in answer.text.split(separator: "\n") where !line.hasPrefix("# HELP ") {
          let words = line.split(separator: " ").map(String.init)
          if line.hasPrefix("# TYPE ") {
            let former = kinds.updateValue(words[3], forKey: words[2])
            #expect(former == nil, "\(line)")
            continue
          }
          let value = try #require(Double(words[1]), "\(line)")
          let former = samples.updateValue(value, forKey: words[0])
          #expect(former == nil, "\(line)")
          let name = String(words[0].prefix { $0 != "{" })
          if name == "freshstore_origin_seconds_bucket" { buckets.append(value) }
          let isOfHistogram = name.hasPrefix("freshstore_origin_seconds")
          let kind = kinds[isOfHistogram ? "freshstore_origin_seconds" : name]
          #expect(kind != nil, "\(line)")
          #expect(name.hasSuffix("_total") == (kind == "counter"), "\(line)")
        }
        // Each bucket has what those before it have.
        #expect(buckets == buckets.sorted())
        #expect(buckets.last == 3)
        #expect(samples["freshstore_origin_seconds_count"] == 3)
        #expect(samples["freshstore_origin_seconds_sum"] ?? 0 > 0)
      }
    }

    @Test func `whoever has somebody else's answer is counted`() async throws {
      let gate = Gate()
      try await withGateway { options in
        options.admin = GatewayOptions.Endpoint(host: "127.0.0.1", port: 0)
      } _: { _ in
        .init(
          200, ["Cache-Control": "max-age=60", "Content-Length": "6"],
          steps: [.send("abc"), .wait(gate), .send("def")])
      } test: { bench in
        let (first, second) = (try await bench.connect(), try await bench.connect())
        for client in [first, second] {
          try await client.send("GET /a HTTP/1.1\r\nHost: gateway\r\n\r\n")
          #expect(await client.head()?.status == 200)
        }
        gate.open()
        await waitUntilNoted(bench) { $0.served.reduce(0, +) == 2 }
        let figures = try await metrics(bench)
        #expect(figures["requests_total{served=\"miss\"}"] == "1")
        #expect(figures["requests_total{served=\"collapsed\"}"] == "1")
        await first.close()
        await second.close()
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
