#if Gateway
  internal import OriginServer
  internal import Testing

  @testable import FreshGateway

  /// Clients that go at once, or that stall.
  @Suite(.timeLimit(.minutes(1))) struct DepartureTests {
    @Test func `fifty clients that go as soon as they have their answers have a line each`()
      async throws
    {
      let log = LogLines()
      try await withGateway { options in
        options.log = log.accessLog(.common)
      } _: { request in
        .init(200, ["Cache-Control": "max-age=60"], body: request.target)
      } test: { bench in
        let port = bench.gateway.port
        try await withThrowingTaskGroup(of: Void.self) { group in
          for number in 0..<50 {
            group.addTask {
              let client = try await RawClient.connect(port)
              try await client.send("GET /\(number) HTTP/1.1\r\nHost: gateway\r\n\r\n")
              #expect(await client.answer()?.text == "/\(number)")
              await client.close()
            }
          }
          try await group.waitForAll()
        }
        await bench.gateway.drain(within: .seconds(30))
      }
      let lines = log.lines
      #expect(lines.count == 50)
      for number in 0..<50 {
        let own = lines.filter { $0.contains("\"GET /\(number) HTTP/1.1\" 200 ") }
        #expect(own.count == 1)
      }
      #expect(lines.allSatisfy { !$0.hasSuffix(" left") })
    }

    @Test(arguments: [
      ("head", "GET /a HTTP/1.1\r\nHos"),
      ("content", "POST /a HTTP/1.1\r\nHost: g\r\nContent-Length: 10\r\n\r\nabc"),
      ("content", "POST /a HTTP/1.1\r\nHost: g\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"),
    ])
    func `a request that stalls is refused with 408, and its origin is not to blame`(
      part: String, sent: String
    ) async throws {
      try await withGateway { options in
        options.limits.headTime = .milliseconds(300)
        options.limits.stallTime = .milliseconds(300)
        options.limits.originFailures = 1
      } _: { request in
        .init(200, ["Cache-Control": "no-store"], body: request.target)
      } test: { bench in
        let client = try await bench.connect()
        try await client.send(sent)
        let answer = try #require(await client.answer())
        #expect(answer.status == 408)
        #expect(answer.text.contains("the \(part) of the request did not come in time"))
        #expect(answer["Connection"] == "close")
        #expect(await client.isEnded())
        await client.close()
        #expect(try await bench.ask("/b").text == "/b")
      }
    }

    @Test(arguments: [
      "POST /a HTTP/1.1\r\nHost: g\r\nContent-Length: 3\r\n\r\nnew",
      "DELETE /a HTTP/1.1\r\nHost: g\r\n\r\n",
    ])
    func `what a client has changed that left before the answer is not served as it was`(
      sent: String
    ) async throws {
      let gate = Gate()
      try await withGateway { _ in
      } _: { request in
        guard request.method != "GET" else {
          return .init(200, ["Cache-Control": "max-age=60"], body: "page")
        }
        await gate.wait()
        return .init(200, body: "done")
      } test: { bench in
        try await bench.askUntilHit("/a")
        let client = try await bench.connect()
        try await client.send(sent)
        while bench.asked.count < 2 { await Task.yield() }
        await client.close()
        while bench.gateway.figures.served[Served.abandoned.rawValue] == 0 { await Task.yield() }
        // The origin has not answered yet.
        #expect(try await bench.ask("/a")["Cache-Status"]?.contains("hit") == true)
        gate.open()
        while try await bench.ask("/a")["Cache-Status"]?.contains("hit") == true {
          await Task.yield()
        }
        #expect(bench.asked.filter { $0 == "GET /a" }.count == 2)
      }
    }
  }
#endif
