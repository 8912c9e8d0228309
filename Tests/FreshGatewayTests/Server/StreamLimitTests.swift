#if Gateway
  internal import FreshHTTP
  internal import OriginServer
  internal import Testing

  @testable import FreshGateway

  /// The limits for clients of HTTP/2, and the responses to clients that exceed them.
  @Suite(.timeLimit(.minutes(1))) struct StreamLimitTests {
    private static let page: OriginServer.Handler = { _ in
      .init(200, ["Cache-Control": "no-store"], body: "page")
    }

    private static let start = ":method: GET | :scheme: https | :path: /a | :authority: g"

    @Test(arguments: [
      "\(StreamLimitTests.start) | Accept: x", "\(StreamLimitTests.start) | connection: close",
      "\(StreamLimitTests.start) | transfer-encoding: chunked",
      "\(StreamLimitTests.start) | te: gzip", "\(StreamLimitTests.start) | upgrade: h2c",
      "\(StreamLimitTests.start) | :path: /b", "\(StreamLimitTests.start) | host: h",
      "\(StreamLimitTests.start) | a: b\r\nc: d", "\(StreamLimitTests.start) | content-length: 5",
      "\(StreamLimitTests.start) | content-length: 0 | content-length: 0",
      "a: b | \(StreamLimitTests.start)", ":method: GET | :scheme: https | :path: /a",
      ":method: GET | :scheme: https | :authority: g | :path: /a b",
      ":method: GET | :scheme: https | :authority: g | :path: http://h/",
      ":method: GET | :scheme: https | :authority: g | :path: /a b",
      ":method: GET | :scheme: gopher | :authority: g | :path: /a",
      ":method: GET | :scheme: https | :authority: u@g | :path: /a",
      ":scheme: https | :authority: g | :path: /a",
    ])
    func `a malformed request ends its stream alone`(fields: String) async throws {
      try await withStreams({ _ in }, Self.page) { bench in
        let client = try await bench.open()
        try await client.ask(1, exactly: fields)
        let answer = await client.answer(1)
        #expect(answer.status == 400 || answer.status == 0 && answer.reset == 1)
        try await client.ask(3, "/good")
        #expect(await client.answer(3).text == "page")
        await client.close()
        #expect(bench.asked == ["GET /good"])
      }
    }

    @Test(arguments: [2, 8])
    func `content that its length contradicts ends the stream, and is nowhere taken for whole`(
      size: Int
    ) async throws {
      try await withStreams({ _ in }, Self.page) { bench in
        let client = try await bench.open()
        try await client.ask(1, "/a", "POST", fields: "content-length: 5", isEnd: false)
        try await client.send(1, content: [UInt8](repeating: 97, count: size), isEnd: true)
        #expect(await client.answer(1).reset == 1)
        try await client.ask(3, "/good")
        #expect(await client.answer(3).text == "page")
        await client.close()
        #expect(bench.asked == ["GET /good"])
      }
    }

    @Test func `TRACE has no content on a stream either`() async throws {
      try await withStreams({ _ in }, Self.page) { bench in
        let client = try await bench.open()
        try await client.ask(1, "/a", "TRACE", isEnd: false)
        #expect(await client.answer(1).status == 400)
        try await client.ask(3, "/a", "TRACE")
        #expect(await client.answer(3).status == 200)
        await client.close()
        #expect(bench.asked == ["TRACE /a"])
      }
    }

    @Test func `content that is too large is refused, and the rest of it is not wanted`()
      async throws
    {
      try await withStreams({ $0.limits.head.content = 10 }, Self.page) { bench in
        let client = try await bench.open()
        try await client.ask(1, "/a", "POST", fields: "content-length: 11", isEnd: false)
        let stated = await client.answer(1)
        #expect(stated.status == 413)
        #expect(stated.isWhole)
        try await client.ask(3, "/a", "POST", isEnd: false)
        try await client.send(3, content: [UInt8](repeating: 97, count: 11), isEnd: false)
        let found = await client.answer(3)
        #expect(found.status == 413)
        #expect(found.isWhole)
        await client.read { $0.soFar(3).reset != nil }
        #expect(client.soFar(3).reset == 0)
        await client.close()
      }
    }

    @Test func `a head that is a little too long is refused with a status`() async throws {
      try await withStreams({ _ in }, Self.page) { bench in
        let client = try await bench.open()
        // From now on the gateway knows that its limits have come.
        try await client.send(.ping, on: 0, [0, 0, 0, 0, 0, 0, 0, 0])
        await client.read { $0.pongs == 1 }
        #expect(client.settings[3] == 100)
        try await client.send(Self.head(66_000, on: 1))
        #expect(await client.answer(1).status == 431)
        try await client.ask(3)
        #expect(await client.answer(3).text == "page")
        await client.close()
      }
    }

    /// A request with a field of this length, in as many frames as it takes.
    private static func head(_ length: Int, on stream: Int, fields: String = "b: c") -> [UInt8] {
      let block = FrameClient.block(
        "\(start) | \(fields) | a: \(String(repeating: "x", count: length))")
      return stride(from: 0, to: block.count, by: 16_000).flatMap { place -> [UInt8] in
        let (isFirst, isLast) = (place == 0, place + 16_000 >= block.count)
        return FrameClient.frame(
          isFirst ? .headers : .continuation, on: stream,
          flags: (isFirst ? FrameClient.endStream : 0) | (isLast ? FrameClient.endHeaders : 0),
          Array(block[place..<min(place + 16_000, block.count)]))
      }
    }

    private static let beginning =
      Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + FrameClient.frame(.settings, on: 0)

    @Test(arguments: [
      (64 << 10, 40_000, 200), (64 << 10, 120_000, 431), (200 << 10, 180_000, 504),
      (200 << 10, 300_000, 431),
    ])
    func `a first request has all of the limit, before the client knows it`(
      limit: Int, length: Int, status: Int
    ) async throws {
      try await withStreams { options in
        options.limits.head.bytes = limit
      } _: { request in
        await Self.page(request)
      } test: { bench in
        let client = try await FrameClient.connect(bench.gateway.port)
        // The origin of the tests takes no head of 180,000 bytes.
        let fields = status == 504 ? "cache-control: only-if-cached" : "b: c"
        try await client.send(Self.beginning + Self.head(length, on: 1, fields: fields))
        #expect(await client.answer(1).status == status)
        // The gateway still answers a ping.
        try await client.send(.ping, on: 0, [0, 0, 0, 0, 0, 0, 0, 0])
        await client.read { $0.pongs == 1 }
        try await client.ask(3)
        #expect(await client.answer(3).text == "page")
        await client.close()
      }
    }

    @Test func `a client may begin byte by byte`() async throws {
      try await withStreams({ _ in }, Self.page) { bench in
        let client = try await FrameClient.connect(bench.gateway.port)
        for byte in Self.beginning { try await client.send([byte]) }
        for byte in FrameClient.frame(.ping, on: 0, [0, 0, 0, 0, 0, 0, 0, 0]) {
          try await client.send([byte])
        }
        await client.read { $0.pongs == 1 && !$0.settings.isEmpty }
        try await client.send(Self.head(20_000, on: 1))
        #expect(await client.answer(1).text == "page")
        await client.close()
      }
    }

    @Test func `a second acknowledgement of the same settings ends the connection`() async throws {
      try await withStreams({ _ in }, Self.page) { bench in
        let client = try await bench.open()
        try await client.send(.settings, on: 0, flags: FrameClient.acknowledgement)
        await client.readToEnd()
        #expect(client.goAway?.code == 1)
        await client.close()
      }
    }

    @Test func `a client that opens streams to reset them is sent away`() async throws {
      let gate = Gate()
      try await withStreams {
        $0.limits.streamResets = 10
      } _: { request in
        await gate.wait()
        return await Self.page(request)
      } test: { bench in
        let client = try await bench.open()
        for number in 0..<20 {
          // The gateway may have closed already.
          try? await client.ask(number * 2 + 1)
          try? await client.reset(number * 2 + 1)
        }
        await client.readToEnd()
        #expect(client.goAway?.code == 11)
        // RFC 9113 section 6.8: the client must not repeat a stream that the gateway has processed.
        #expect(client.goAway?.last == 21)
        gate.open()
        await client.close()
      }
    }

    /// Frames that flood a gateway, and the error code that ends the connection.
    struct Flood: Sendable, CustomTestStringConvertible {
      let name: String
      let code: Int
      let frames: [UInt8]

      var testDescription: String { name }

      static let all: [Flood] = [
        Flood(
          name: "CONTINUATION without an end", code: 11,
          frames: FrameClient.frame(.headers, on: 1, FrameClient.block(StreamLimitTests.start))
            + repeated(FrameClient.frame(.continuation, on: 1, FrameClient.block("a: b")), 20)),
        Flood(
          name: "PING", code: 11,
          frames: repeated(FrameClient.frame(.ping, on: 0, [0, 0, 0, 0, 0, 0, 0, 0]), 300)),
        Flood(
          name: "SETTINGS", code: 11, frames: repeated(FrameClient.frame(.settings, on: 0), 300)),
        Flood(
          name: "empty DATA", code: 11,
          frames: FrameClient.frame(
            .headers, on: 1, flags: FrameClient.endHeaders,
            FrameClient.block(":method: POST | :scheme: https | :path: /a | :authority: g"))
            + repeated(FrameClient.frame(.data, on: 1), 20)),
        Flood(
          name: "broken streams", code: 11,
          frames: (0..<300).flatMap {
            FrameClient.frame(
              .headers, on: $0 * 2 + 1, flags: FrameClient.endHeaders | FrameClient.endStream,
              FrameClient.block("\(StreamLimitTests.start) | te: gzip"))
          }),
        // They are taken for a frame that is too large.
        Flood(name: "no frames", code: 6, frames: Array("GET / HTTP/1.1\r\n\r\n".utf8)),
      ]

      private static func repeated(_ frame: [UInt8], _ count: Int) -> [UInt8] {
        Array(repeatElement(frame, count: count).joined())
      }
    }

    @Test(arguments: Flood.all)
    func `a flood ends the connection`(flood: Flood) async throws {
      try await withStreams({ _ in }, Self.page) { bench in
        let client = try await bench.open()
        try await client.send(flood.frames)
        await client.readToEnd()
        #expect(client.goAway?.code == flood.code)
        await client.close()
        let other = try await bench.open()
        try await other.ask(1, "/good")
        #expect(await other.answer(1).text == "page")
        await other.close()
      }
    }

    @Test func `a stream that takes longer than it may is answered 504, and the others go on`()
      async throws
    {
      let gate = Gate()
      try await withStreams {
        // Long enough for the others also on a busy machine.
        $0.limits.totalTime = .seconds(5)
      } _: { request in
        if request.path == "/slow" { await gate.wait() }
        return await Self.page(request)
      } test: { bench in
        let client = try await bench.open()
        try await client.ask(1, "/slow")
        let slow = await client.answer(1)
        #expect(slow.status == 504)
        #expect(slow.text.hasPrefix("there was no answer within the time"))
        #expect(slow.isWhole)
        try await client.ask(3, "/good")
        #expect(await client.answer(3).text == "page")
        gate.open()
        await client.close()
      }
    }

    @Test func `one stream too many ends the connection`() async throws {
      let gate = Gate()
      try await withStreams {
        $0.limits.streams = 2
      } _: { request in
        await gate.wait()
        return await Self.page(request)
      } test: { bench in
        let client = try await bench.open()
        try await client.send(.ping, on: 0, [0, 0, 0, 0, 0, 0, 0, 0])
        await client.read { $0.pongs == 1 }
        #expect(client.settings[3] == 2)
        for number in [1, 3, 5] { try await client.ask(number, "/\(number)") }
        await client.readToEnd()
        #expect(client.goAway?.code == 1)
        await bench.wait(for: .abandoned, 2)
        gate.open()
        await client.close()
      }
    }

    @Test func `one connection too many is closed, and its place is free again in time`()
      async throws
    {
      try await withStreams({ $0.limits.connectionsPerPeer = 1 }, Self.page) { bench in
        let first = try await bench.open()
        let second = try await bench.connect()
        #expect(await second.isEnded())
        await second.close()
        try await first.ask(1)
        #expect(await first.answer(1).text == "page")
        await first.close()
        while bench.gateway.figures.openConnections > 0 { await Task.yield() }
        let third = try await bench.open()
        try await third.ask(1)
        #expect(await third.answer(1).text == "page")
        await third.close()
      }
    }
  }
#endif
