#if Gateway
  internal import FreshStoreTesting
  internal import OriginServer
  internal import Testing

  @testable import FreshGateway

  /// The limits that an operator sets for origins that fail.
  @Suite(.timeLimit(.minutes(1))) struct FailingOriginLimitTests {
    /// Pages that hold for a minute, until one is asked for again.
    private static let failing: OriginServer.Handler = { request in
      request["If-None-Match"] != nil
        ? .init(503, body: "down")
        : .init(200, ["Cache-Control": "max-age=60", "ETag": "\"1\""], body: "page")
    }

    @Test(
      arguments: [
        (nil, 70, 200), (nil, 86_470, 503), (.seconds(30), 90, 200), (.seconds(30), 91, 503),
        (.zero, 70, 503),
      ] as [(Duration?, Int, Int)])
    func `a copy stands in for an error for as long as it is told to`(
      limit: Duration?, age: Int, status: Int
    ) async throws {
      try await withGateway { options in
        options.maximumStaleness = limit
      } _: { request in
        await Self.failing(request)
      } test: { bench in
        try await bench.askUntilHit("/a")
        bench.temporary.clock.advance(by: .seconds(age))
        #expect(try await bench.ask("/a").status == status)
      }
    }

    @Test(
      arguments: [
        (nil, 100_000, 200), (.seconds(30), 90, 200), (.seconds(30), 91, 504), (.zero, 61, 504),
      ] as [(Duration?, Int, Int)])
    func `a copy stands in for no answer as long as it is told to`(
      limit: Duration?, age: Int, status: Int
    ) async throws {
      try await withGateway { options in
        options.maximumStaleness = limit
      } _: { request in
        await Self.failing(request)
      } test: { bench in
        try await bench.askUntilHit("/a")
        bench.temporary.clock.advance(by: .seconds(age))
        await bench.server.stop()
        #expect(try await bench.ask("/a").status == status)
      }
    }

    /// Makes the gateway back off from an origin for 10 s after two failures.
    private static func limit(_ options: inout GatewayOptions) {
      options.limits.originFailures = 2
      options.limits.originPause = .seconds(10)
    }

    /// An origin of which all but one address fail.
    private static let mostlyBroken: OriginServer.Handler = { request in
      request.path == "/good" ? .init(200, [:], body: "true") : .init(raw: [.close])
    }

    @Test func `an origin is left alone after as many failures, and for as long, as is said`()
      async throws
    {
      try await withGateway { options in
        options.limits.originFailures = 2
        options.limits.originPause = .milliseconds(400)
      } _: { request in
        await Self.mostlyBroken(request)
      } test: { (bench) async throws in
        #expect(try await bench.ask("/1").status == 502)
        #expect(try await bench.ask("/good").text == "true")
        for number in 1...2 { #expect(try await bench.ask("/\(number)").status == 502) }
        #expect(try await bench.ask("/good").status == 504)
        bench.temporary.clock.advance(by: .milliseconds(399))
        #expect(try await bench.ask("/good").status == 504)
        bench.temporary.clock.advance(by: .milliseconds(1))
        #expect(try await bench.ask("/good").text == "true")
      }
    }

    @Test func `many requests at once for what is broken have no origin left alone`() async throws {
      try await withGateway { options in
        options.limits.originFailures = 2
      } _: { request in
        request.path == "/good"
          ? .init(200, [:], body: "true") : .init(503, [:], body: "busy")
      } test: { (bench) async throws in
        try await withThrowingTaskGroup(of: Int.self) { group in
          for _ in 1...20 {
            group.addTask { try await bench.ask("/1", "POST", content: "x").status }
          }
          for try await status in group { #expect(status == 503) }
        }
        #expect(try await bench.ask("/good").text == "true")
      }
    }

    @Test func `a part of an origin that answers 503 has the rest not left alone`() async throws {
      try await withGateway(Self.limit) { request in
        request.path == "/good"
          ? .init(200, [:], body: "true") : .init(503, ["Retry-After": "86400"], body: "busy")
      } test: { (bench) async throws in
        #expect(try await bench.ask("/good").text == "true")
        for number in 1...5 {
          #expect(try await bench.ask("/\(number)").status == 503)
          #expect(try await bench.ask("/\(number)", "POST", content: "x").status == 503)
        }
        bench.temporary.clock.advance(by: .milliseconds(9999))
        #expect(try await bench.ask("/6").status == 503)
        #expect(try await bench.ask("/good").text == "true")
        bench.temporary.clock.advance(by: .seconds(10))
        // From now on, the gateway knows only failures of the origin.
        for number in 1...2 { #expect(try await bench.ask("/\(number)").status == 503) }
        #expect(try await bench.ask("/good").status == 504)
      }
    }

    @Test func `a part of an origin that answers 503 makes up for no address without an answer`()
      async throws
    {
      try await withGateway(Self.limit) { request in
        switch request.path {
        case "/good": .init(200, [:], body: "true")
        case "/busy": .init(503, [:], body: "busy")
        default: .init(raw: [.close])
        }
      } test: { (bench) async throws in
        #expect(try await bench.ask("/good").text == "true")
        #expect(try await bench.ask("/1").status == 502)
        #expect(try await bench.ask("/busy").status == 503)
        #expect(try await bench.ask("/2").status == 502)
        #expect(try await bench.ask("/good").status == 504)
      }
    }

    @Test func `a part of an origin that answers in no HTTP has nobody leave the rest alone`()
      async throws
    {
      try await withGateway(Self.limit) { request in
        request.path == "/good"
          ? .init(200, [:], body: "true")
          : .init(raw: [.send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"), .close])
      } test: { (bench) async throws in
        #expect(try await bench.ask("/good").text == "true")
        for path in ["/1", "/2", "/3", "/4"] {
          #expect(try await bench.ask(path).status == 502)
        }
        #expect(try await bench.ask("/good").text == "true")
      }
    }

    @Test func `an origin that says how long it is away is left alone up to the limit`()
      async throws
    {
      try await withGateway(Self.limit) { request in
        request.path == "/good"
          ? .init(200, [:], body: "true") : .init(503, ["Retry-After": "86400"], body: "busy")
      } test: { (bench) async throws in
        for number in 1...2 {
          let busy = try await bench.ask("/\(number)")
          #expect(busy.status == 503)
          #expect(busy["Retry-After"] == "86400")
        }
        let alone = try await bench.ask("/good")
        #expect(alone.status == 504)
        #expect(alone["Retry-After"] == "10")
        bench.temporary.clock.advance(by: .milliseconds(9999))
        #expect(try await bench.ask("/good").status == 504)
        bench.temporary.clock.advance(by: .milliseconds(1))
        #expect(try await bench.ask("/good").text == "true")
      }
    }

    @Test func `addresses that differ in their query alone count once`() async throws {
      try await withGateway { options in
        options.limits.originFailures = 2
      } _: { request in
        request.path == "/good"
          ? .init(200, [:], body: "true") : .init(503, [:], body: "busy")
      } test: { (bench) async throws in
        for number in 1...5 { #expect(try await bench.ask("/corner?\(number)").status == 503) }
        #expect(try await bench.ask("/good").text == "true")
        bench.temporary.clock.advance(by: .seconds(10))
        for path in ["/corner?6", "/other?6"] { #expect(try await bench.ask(path).status == 503) }
        #expect(try await bench.ask("/good").status == 504)
      }
    }

    @Test func `with no number of failures it is always asked`() async throws {
      try await withGateway { options in
        options.limits.originFailures = 0
      } _: { request in
        await Self.mostlyBroken(request)
      } test: { (bench) async throws in
        for number in 1...12 { #expect(try await bench.ask("/\(number)").status == 502) }
        #expect(try await bench.ask("/good").text == "true")
      }
    }
  }
#endif
