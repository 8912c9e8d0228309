#if Gateway
  internal import OriginServer
  internal import Testing

  @testable import FreshGateway

  /// Operators see what a client sees: that an answer is not whole.
  @Suite(.timeLimit(.minutes(1))) struct BrokenAnswerTests {
    private static func half(_ fields: String, _ content: String) -> OriginServer.Response {
      .init(raw: [
        .send("HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\n\(fields)\r\n\(content)"), .close,
      ])
    }

    @Test(arguments: [
      ("Content-Length: 10\r\n", "short"), ("Content-Length: 10\r\n", ""),
      ("Transfer-Encoding: chunked\r\n", "5\r\nhello\r\n"),
    ])
    func `an answer that its origin breaks off is counted, logged and told of`(
      fields: String, content: String
    ) async throws {
      let (log, told) = (LogLines(), ToldLines())
      try await withGateway { options in
        options.admin = GatewayOptions.Endpoint(host: "127.0.0.1", port: 0)
        options.log = log.accessLog(.json)
        options.tell = { told.add($0) }
      } _: { _ in
        Self.half(fields, content)
      } test: { (bench) async throws in
        let answer = try await bench.ask("/a")
        #expect(answer.status == 200 && !answer.isWhole)
        let metrics = try await bench.told("/metrics")
        #expect(metrics.contains("\nfreshstore_origin_broken_answers_total 1\n"))
        // The origin has answered, so the gateway does not back off from it.
        #expect(metrics.contains("\nfreshstore_origin_failures_total 0\n"))
        #expect(try await bench.told("/status").contains("\"originBrokenAnswers\":1,"))
        // The next broken answer is not reported.
        try await bench.ask("/b")
        await bench.gateway.drain(within: .seconds(30))
      }
      #expect(told.lines.count == 1)
      #expect(told.lines.first?.hasPrefix("the origin fails: its answer breaks off: ") == true)
      #expect(log.lines.count == 2)
      for line in log.lines {
        #expect(line.contains("\"status\":200,"))
        #expect(line.contains("\"originError\":\"its answer breaks off: "))
        #expect(line.hasSuffix(",\"broken\":true}"))
      }
    }

    @Test func `one whose content is checked first is counted as any other`() async throws {
      let (log, told) = (LogLines(), ToldLines())
      try await withGateway { options in
        options.log = log.accessLog(.json)
        options.tell = { told.add($0) }
        options.admission = ContentAdmission(covers: { _ in true }, refusal: { _, _, _ in nil })
      } _: { _ in
        Self.half("Content-Length: 10\r\n", "short")
      } test: { (bench) async throws in
        #expect(try await bench.ask("/a").status == 502)
        await bench.gateway.drain(within: .seconds(30))
        #expect(bench.gateway.figures.brokenAnswers == 1)
      }
      #expect(told.lines.count == 1)
      #expect(log.lines.first?.contains("\"originError\":\"its answer breaks off: ") == true)
    }

    @Test func `an answer that the end of the gateway cuts off is no fault of its origin`()
      async throws
    {
      let gate = Gate()
      let (log, told) = (LogLines(), ToldLines())
      try await withGateway { options in
        options.log = log.accessLog(.common)
        options.tell = { told.add($0) }
      } _: { _ in
        .init(
          200, ["Cache-Control": "no-store", "Content-Length": "10"],
          steps: [.send("short"), .wait(gate)])
      } test: { (bench) async throws in
        let client = try await bench.connect()
        try await client.send("GET /a HTTP/1.1\r\nHost: g\r\n\r\n")
        var answer = try #require(await client.head())
        await bench.gateway.drain(within: .milliseconds(50))
        await client.readContent(of: &answer)
        #expect(!answer.isWhole)
        #expect(bench.gateway.figures.brokenAnswers == 0)
        gate.open()
        await client.close()
      }
      #expect(told.lines.isEmpty)
      #expect(log.lines.count == 1 && log.lines.first?.hasSuffix(" broken") == true)
    }
  }
#endif
