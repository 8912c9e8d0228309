#if Gateway
  internal import FreshHTTP
  internal import FreshStoreTesting
  internal import NIOCore
  internal import OriginServer
  internal import Testing

  @testable import FreshGateway

  /// One client that sends its content, or takes its answers, slowly keeps nobody else from the origin.
  @Suite(.timeLimit(.minutes(1))) struct HeldConnectionTests {
    /// More than the gateway and all systems in between hold of an answer.
    private static let long = String(repeating: "x", count: 32 << 20)

    private static let page: OriginServer.Handler = { request in
      .init(
        200, ["Cache-Control": "no-store"],
        body: request.path.hasPrefix("/long") ? long : "\(request.body.count)")
    }

    /// Two connections to the origin, of which one client may hold one.
    private static func limit(_ options: inout GatewayOptions) {
      options.admin = GatewayOptions.Endpoint(host: "127.0.0.1", port: 0)
      options.http.maximumConnectionsPerHost = 2
      options.limits.clientPatience = .zero
    }

    private func waitForSlow(_ count: Int, _ bench: GatewayBench) async throws {
      let words = "\"originConnectionsSlow\":\(count),"
      while try await !bench.told("/status").contains(words) { await Task.yield() }
    }

    private static func head(_ path: String, _ length: Int, _ fields: String = "") -> String {
      "POST \(path) HTTP/1.1\r\nHost: g\r\nContent-Length: \(length)\r\n\(fields)\r\n"
    }

    @Test func `content that comes bit by bit holds no connection until it is here`() async throws {
      try await withGateway {
        Self.limit(&$0)
      } _: {
        await Self.page($0)
      } test: { bench in
        var clients: [RawClient] = []
        for number in 1...4 {
          let client = try await bench.connect()
          try await client.send(Self.head("/\(number)", 10, "Expect: 100-continue\r\n"))
          #expect(await client.answer()?.status == 100)
          try await client.send("hello")
          clients.append(client)
        }
        #expect(try await bench.told("/status").contains("\"originConnections\":0,"))
        #expect(try await bench.ask("/b").text == "0")
        #expect(bench.asked == ["GET /b"])
        for client in clients {
          try await client.send("world")
          #expect(await client.answer()?.text == "10")
          await client.close()
        }
      }
    }

    @Test func `one upload too many of a client is refused, and others are not`() async throws {
      let told = ToldLines()
      try await withGateway {
        Self.limit(&$0)
        $0.tell = { told.add($0) }
      } _: {
        await Self.page($0)
      } test: { bench in
        let (first, rest) = (
          String(repeating: "x", count: 270_000), String(repeating: "x", count: 30_000)
        )
        let (slow, other) = (try await bench.connect(), try await bench.connect())
        try await slow.send(Self.head("/a", 300_000) + first)
        try await waitForSlow(1, bench)
        try await other.send(Self.head("/b", 300_000) + first)
        let refusal = try #require(await other.answer())
        #expect(refusal.status == 503)
        #expect(refusal.text == "too many requests of this client wait for it\n")
        await other.close()
        #expect(
          told.lines == [
            "requests are refused for want of connections to the origin: too many of 127.0.0.1 wait for it"
          ])
        // One that is short, and one of somebody else.
        #expect(try await bench.ask("/c", "POST", content: "hello").text == "5")
        #expect(try await bench.ask("/d").text == "0")
        try await slow.send(rest)
        #expect(await slow.answer()?.text == "300000")
        await slow.close()
        try await waitForSlow(0, bench)
      }
    }

    @Test func `an upload that is cut off within its answer is no fault of the origin`()
      async throws
    {
      let told = ToldLines()
      let origin = try await RawOrigin.start(
        answeringEarly: "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort")
      try await withGateway {
        Self.limit(&$0)
        $0.limits.clientPatience = .seconds(2)
        $0.origin = origin.url
        $0.tell = { told.add($0) }
      } _: {
        await Self.page($0)
      } test: { (bench) async throws in
        let clients = [try await bench.connect(), try await bench.connect()]
        for client in clients {
          try await client.send(
            Self.head("/a", 300_000) + String(repeating: "x", count: 270_000))
        }
        for client in clients { #expect(await client.head()?.status == 200) }
        // One of them is slow, and the other is one too many.
        while told.lines.isEmpty { await Task.yield() }
        for client in clients { await client.close() }
        await bench.gateway.drain(within: .seconds(30))
        #expect(bench.gateway.figures.brokenAnswers == 0)
      }
      await origin.stop()
      #expect(
        told.lines == [
          "requests are refused for want of connections to the origin: too many of 127.0.0.1 wait for it"
        ])
    }

    @Test func `who sends no more but takes the answer is not cut off`() async throws {
      let origin = try await RawOrigin.start(
        answeringEarly: "HTTP/1.1 200 OK\r\nContent-Length: 25\r\n\r\n", dripping: 25)
      try await withGateway {
        $0.limits.stallTime = .seconds(1)
        $0.origin = origin.url
      } _: {
        await Self.page($0)
      } test: { (bench) async throws in
        let client = try await bench.connect()
        try await client.send(
          Self.head("/a", 300_000) + String(repeating: "x", count: 270_000))
        let answer = try #require(await client.answer())
        #expect(answer.status == 200 && answer.isWhole)
        await client.close()
      }
      await origin.stop()
    }

    @Test func `clients that a trusted peer names are told apart`() async throws {
      try await withGateway {
        Self.limit(&$0)
        $0.http.maximumConnectionsPerHost = 3
        $0.trustedPeers = [PeerNetwork("127.0.0.1")].compactMap(\.self)
      } _: {
        await Self.page($0)
      } test: { bench in
        let (first, rest) = (
          String(repeating: "x", count: 270_000), String(repeating: "x", count: 30_000)
        )
        var clients: [RawClient] = []
        for number in 1...2 {
          let client = try await bench.connect()
          let fields = "X-Forwarded-For: 192.0.2.\(number)\r\n"
          try await client.send(Self.head("/\(number)", 300_000, fields) + first)
          clients.append(client)
        }
        try await waitForSlow(2, bench)
        for client in clients {
          try await client.send(rest)
          #expect(await client.answer()?.text == "300000")
          await client.close()
        }
      }
    }

    @Test func `one answer too many that its client does not take is broken off`() async throws {
      let told = ToldLines()
      try await withGateway {
        Self.limit(&$0)
        $0.tell = { told.add($0) }
      } _: {
        await Self.page($0)
      } test: { bench in
        let (first, second) = (try await bench.connect(), try await bench.connect())
        for client in [first, second] { try await client.setPaused(true) }
        try await first.send("GET /long/1 HTTP/1.1\r\nHost: g\r\n\r\n")
        try await waitForSlow(1, bench)
        try await second.send("GET /long/2 HTTP/1.1\r\nHost: g\r\n\r\n")
        while told.lines.isEmpty { await Task.yield() }
        #expect(try await bench.ask("/d").text == "0")
        for client in [first, second] { try await client.setPaused(false) }
        #expect(await first.answer()?.isWhole == true)
        #expect(await second.answer()?.isWhole == false)
        for client in [first, second] { await client.close() }
      }
    }
  }
#endif
