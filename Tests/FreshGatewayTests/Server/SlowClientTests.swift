#if Gateway
  internal import FreshHTTP
  internal import FreshStore
  internal import FreshStoreTesting
  internal import NIOCore
  internal import OriginServer
  internal import Testing

  @testable import FreshGateway

  /// A client may take its answers slowly, but it holds little memory, and not for ever.
  @Suite(.timeLimit(.minutes(1))) struct SlowClientTests {
    /// Two slices with its head, and read where it is asked for.
    private static let large = (128 << 10) - 100

    /// Runs the test with what serves copies of `/large` and `/small`.
    private func withCopies(
      _ log: AccessLog? = nil, _ test: (GatewayCore) throws -> Void
    ) async throws {
      try await withGateway { _ in
      } _: { request in
        .init(
          200, ["Cache-Control": "max-age=9999999"],
          body: String(repeating: "x", count: request.path == "/large" ? Self.large : 10_000))
      } test: { bench in
        for path in ["/large", "/small"] { try await bench.askUntilHit(path) }
        var options = GatewayOptions()
        options.origin = bench.server.url("")
        options.http.clock = bench.temporary.clock
        options.log = log
        let core = try GatewayCore(options, bench.temporary.store)
        try test(core)
        await core.forwarder.close()
        await log?.close()
      }
    }

    private static func get(_ path: String, _ fields: String = "") -> String {
      "GET \(path) HTTP/1.1\r\nHost: g\r\n\(fields)\r\n"
    }

    @Test func `one that takes a large copy slowly and steadily gets all of it`() async throws {
      try await withCopies { core in
        let client = try SlowClient(core)
        try client.send(Self.get("/large"))
        while client.waiting > 0 {
          #expect(client.waiting <= 256 << 10)
          client.wait(.seconds(50))
          try #require(client.isOpen)
          client.take()
        }
        #expect(client.taken.readableBytes > Self.large)
        // From now on it waits for the next request.
        client.wait(.seconds(59))
        #expect(client.isOpen)
        client.wait(.seconds(2))
        #expect(!client.isOpen)
        try client.leave()
      }
    }

    @Test(arguments: ["/large", "/small"])
    func `one that takes nothing is cut off`(path: String) async throws {
      try await withCopies { core in
        let client = try SlowClient(core)
        try client.send(Self.get(path))
        client.wait(.seconds(59))
        #expect(client.isOpen)
        client.wait(.seconds(2))
        #expect(!client.isOpen)
        try client.leave()
      }
    }

    @Test(arguments: ["/large", "/small"])
    func `the gateway ends when it has its copy`(path: String) async throws {
      try await withCopies { core in
        let client = try SlowClient(core)
        try client.send(Self.get(path))
        core.connections.beginDraining()
        client.wait(.seconds(30))
        #expect(client.isOpen)
        client.takeAll()
        #expect(client.taken.readableBytes > (path == "/large" ? Self.large : 10_000))
        client.wait(.seconds(3))
        #expect(!client.isOpen)
        try client.leave()
      }
    }

    @Test(arguments: [("/large", 256 << 10), ("/small", 80 << 10)])
    func `requests that are sent ahead are answered as their answers are taken`(
      path: String, most: Int
    ) async throws {
      try await withCopies { core in
        let client = try SlowClient(core)
        try client.send(String(repeating: Self.get(path), count: 50))
        while client.waiting > 0 {
          #expect(client.waiting <= most)
          client.wait(.seconds(1))
          client.take()
        }
        #expect(core.figures.snapshot.served[Served.hit.rawValue] == 50)
        #expect(client.isOpen)
        try client.leave()
      }
    }

    @Test func `a small copy is one write`() async throws {
      try await withCopies { core in
        let client = try SlowClient(core)
        try client.send(Self.get("/small"))
        #expect(client.writes == 1)
        client.takeAll()
        try client.leave()
      }
    }

    @Test func `one that leaves within its copy is noted with what it took`() async throws {
      let log = LogLines()
      try await withCopies(log.accessLog(.common)) { core in
        let client = try SlowClient(core)
        try client.send(Self.get("/large"))
        let first = client.waiting
        client.take()
        try client.leave()
        let sent = core.figures.snapshot.bytes
        #expect(sent > 0 && sent <= first)
      }
      let lines = log.lines
      #expect(lines.count == 1)
      #expect(lines[0].contains("\"GET /large HTTP/1.1\" 200 "))
      #expect(lines[0].hasSuffix(" left"))
    }

    @Test(arguments: [false, true])
    func `one that is cut off within its copy has not left`(takesSome: Bool) async throws {
      let log = LogLines()
      try await withCopies(log.accessLog(.common)) { core in
        let client = try SlowClient(core)
        try client.send(Self.get("/large"))
        if takesSome { client.take() }
        client.wait(.seconds(61))
        #expect(!client.isOpen)
        try client.leave()
      }
      #expect(log.lines.count == 1)
      #expect(log.lines[0].contains("\"GET /large HTTP/1.1\" 200 "))
      #expect(log.lines[0].hasSuffix(" broken"))
    }

    @Test func `one that leaves before its copy had nothing`() async throws {
      let log = LogLines()
      try await withCopies(log.accessLog(.common)) { core in
        let client = try SlowClient(core)
        try client.send(Self.get("/large"))
        try client.leave()
      }
      #expect(log.lines.count == 1)
      #expect(log.lines[0].contains(" 499 0 \"-\" "))
    }
  }
#endif
