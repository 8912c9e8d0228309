#if Gateway
  internal import FreshStoreTesting
  internal import OriginServer
  internal import Strategies
  internal import Synchronization
  internal import Testing

  @testable import FreshGateway

  /// The response to a client whose origin does not answer, when no stale copy can be served.
  @Suite(.timeLimit(.minutes(1))) struct NoAnswerTests {
    @Test func `RFC 9110 15.6.3: an origin that breaks off or refuses is a bad gateway`()
      async throws
    {
      try await withGateway({ _ in }) { _ in
        .init(raw: [.close])
      } test: { (bench) async throws in
        let answer = try await bench.ask("/a")
        #expect(answer.status == 502)
        #expect(answer["Cache-Control"] == "no-store")
        #expect(answer["Cache-Status"]?.hasPrefix("freshstore; detail=") == true)
        await bench.server.stop()
        #expect(try await bench.ask("/b").status == 502)
      }
    }

    private final class Notices: Sendable {
      let told = Mutex<[String]>([])
    }

    @Test func `operators are told once why the origin fails`() async throws {
      let notices = Notices()
      try await withGateway { options in
        options.tell = { words in notices.told.withLock { $0.append(words) } }
      } _: { _ in
        .init()
      } test: { (bench) async throws in
        #expect(try await bench.ask("/a").status == 200)
        #expect(notices.told.withLock { $0 } == [])
        await bench.server.stop()
        for path in ["/b", "/c"] { #expect(try await bench.ask(path).status == 502) }
        let told = notices.told.withLock { $0 }
        #expect(told.count == 1 && told.first?.hasPrefix("the origin fails: ") == true)
      }
    }

    @Test(arguments: [false, true])
    func `what is wrong with an answer that is not HTTP is told, and to clients of a proxy`(
      isProxy: Bool
    ) async throws {
      let (log, told) = (LogLines(), ToldLines())
      try await withGateway { options in
        if isProxy { options.origin = nil }
        options.log = log.accessLog(.json)
        options.tell = { told.add($0) }
      } _: { _ in
        .init(raw: [
          .send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na"), .close,
        ])
      } test: { (bench) async throws in
        let client = try await bench.connect()
        let target = isProxy ? bench.server.url("/a") : "/a"
        try await client.send(
          "GET \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(bench.server.port)\r\n\r\n")
        let answer = try #require(await client.answer())
        #expect(answer.status == 502)
        #expect(answer.text.contains("the origin's answer is not HTTP"))
        #expect(answer.text.contains("more than one Content-Length") == isProxy)
        await client.close()
        await bench.gateway.drain(within: .seconds(30))
      }
      let words = "the origin's answer is not HTTP: it has more than one Content-Length"
      #expect(log.lines.count == 1)
      #expect(log.lines.first?.contains("\"originError\":\"\(words)\"") == true)
      // When a client of a proxy has chosen the origin, only the log names the failure.
      #expect(told.lines == (isProxy ? [] : ["the origin fails: \(words)"]))
    }

    @Test func `operators are told that the origin is left alone, and at once that it answers`()
      async throws
    {
      let notices = Notices()
      try await withGateway { options in
        options.limits.originFailures = 2
        options.admin = GatewayOptions.Endpoint(host: "127.0.0.1", port: 0)
        options.tell = { words in notices.told.withLock { $0.append(words) } }
      } _: { request in
        request.path == "/good" ? .init(200, [:], body: "true") : .init(503, [:], body: "busy")
      } test: { (bench) async throws in
        for path in ["/a", "/b"] { #expect(try await bench.ask(path).status == 503) }
        // From the failure on that has led to it.
        let status = try await bench.told("/status")
        #expect(status.contains("\"originsLeftAlone\":1,"))
        let words = "\(bench.server.url("")) is left alone until "
        #expect(status.contains("\"origin\":\"\(words)"))
        // No balancer has to leave a gateway that has copies.
        let client = try await RawClient.connect(try #require(bench.gateway.adminPort))
        try await client.send("GET /healthz HTTP/1.1\r\nHost: admin\r\n\r\n")
        let health = try #require(await client.answer())
        await client.close()
        #expect(health.status == 200)
        #expect(health.text.hasPrefix("ok\norigin: \(words)"))
        #expect(health.text.hasSuffix(", as it keeps failing: it answers 503\n"))
        #expect(try await bench.ask("/good").status == 504)
        bench.temporary.clock.advance(by: .seconds(10))
        #expect(try await bench.ask("/c").status == 503)
        #expect(try await bench.ask("/good").status == 504)
        bench.temporary.clock.advance(by: .seconds(10))
        #expect(try await bench.ask("/good").text == "true")
        #expect(try await bench.told("/healthz") == "ok\n")
        #expect(try await bench.told("/status").contains("\"origin\":\"ok\""))
        let told = notices.told.withLock { $0 }
        #expect(told.count == 3)
        #expect(told.first == "the origin fails: it answers 503")
        #expect(told.dropFirst().first?.contains(" is left alone until ") == true)
        #expect(
          told.dropFirst().first?.hasSuffix(", as it keeps failing: it answers 503") == true)
        #expect(told.last == "the origin answers again")
      }
    }

    @Test func `RFC 9110 15.6.5: an origin that is silent, or is not asked, is a timeout`()
      async throws
    {
      try await withGateway { options in
        options.limits.originSilence = .milliseconds(50)
      } _: { _ in
        await Gate().wait()
        return .init()
      } test: { (bench) async throws in
        #expect(try await bench.ask("/a").status == 504)
        bench.temporary.reachability.set(.offline("no route"))
        #expect(try await bench.ask("/b").status == 504)
        #expect(bench.asked == ["GET /a"])
      }
    }
  }
#endif
