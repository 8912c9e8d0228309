#if Gateway
  internal import FreshHTTP
  internal import NIOHPACK
  internal import OriginServer
  internal import Testing

  @testable import FreshGateway

  /// The responses that clients of HTTP/2 get.
  @Suite(.timeLimit(.minutes(1))) struct StreamTests {
    private static let echo: OriginServer.Handler = { request in
      .init(
        200, ["Cache-Control": "no-store", "X-Cookie": request["Cookie"] ?? "none"],
        body: "\(request.method) \(request.target) " + String(decoding: request.body, as: UTF8.self)
      )
    }

    /// A response that is stored. The number in its path is its length in bytes.
    private static let pages: OriginServer.Handler = { request in
      let size = Int(request.path.dropFirst()) ?? 0
      return .init(
        200, ["Cache-Control": "max-age=600"],
        body: size > 0 ? String(repeating: "x", count: size) : "page")
    }

    @Test func `a stream is answered from a copy, and the log names the version`() async throws {
      let log = LogLines()
      try await withStreams({ $0.log = log.accessLog(.common) }, Self.pages) { bench in
        let client = try await bench.open()
        try await client.ask(1)
        let miss = await client.answer(1)
        #expect(miss.status == 200)
        #expect(miss.text == "page")
        #expect(miss.isWhole)
        #expect(miss["cache-status"]?.hasPrefix("freshstore; fwd=uri-miss") == true)
        #expect(miss["date"] != nil)
        #expect(miss["connection"] == nil)
        var number = 3
        while true {
          try await client.ask(number)
          let answer = await client.answer(number)
          number += 2
          if answer["cache-status"]?.hasPrefix("freshstore; hit") == true {
            #expect(answer.text == "page")
            break
          }
        }
        try await client.ask(number, "/a", "HEAD")
        let head = await client.answer(number)
        #expect(head["content-length"] == "4")
        #expect(head.text == "")
        #expect(head.isWhole)
        // The end of the request comes in a frame of its own.
        try await client.ask(number + 2, isEnd: false)
        try await client.send(number + 2, content: [], isEnd: true)
        let hit = await client.answer(number + 2)
        #expect(hit["cache-status"]?.hasPrefix("freshstore; hit") == true)
        await client.close()
        #expect(bench.asked == ["GET /a"])
      }
      #expect(log.lines.first?.contains("\"GET /a HTTP/2\" 200 4 ") == true)
    }

    @Test(arguments: [["http/1.1"], ["other"], []])
    func `a client that knows no HTTP 2 gets HTTP 1`(names: [String]) async throws {
      try await withStreams({ _ in }, Self.pages) { bench in
        let client = try await FrameClient.connect(bench.gateway.port, names: names)
        try await client.send(Array("GET /a HTTP/1.1\r\nHost: g\r\n\r\n".utf8))
        let text = await client.text(until: "page")
        #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
        await client.close()
      }
    }

    @Test func `a large copy goes as far as the window is open, and holds up nobody`() async throws
    {
      try await withStreams({ _ in }, Self.pages) { bench in
        let client = try await bench.open()
        var number = 1
        while true {
          try await client.ask(number, "/300000")
          let answer = await client.answer(number)
          #expect(answer.content.count == 300_000)
          number += 2
          if answer["cache-status"]?.hasPrefix("freshstore; hit") == true { break }
        }
        client.takesContent = false
        try await client.open(0, by: 1 << 20)
        try await client.ask(number, "/300000")
        await client.read { $0.soFar(number).content.count == 65_535 }
        try await client.ask(number + 2, "/small")
        #expect(await client.answer(number + 2).text == "page")
        #expect(client.soFar(number).content.count == 65_535)
        #expect(!client.soFar(number).isWhole)
        try await client.open(number, by: 1 << 20)
        let answer = await client.answer(number)
        #expect(answer.content.count == 300_000)
        #expect(answer.isWhole)
        await client.close()
      }
    }

    @Test func `content goes to the origin as its windows open`() async throws {
      try await withStreams({ _ in }, Self.echo) { bench in
        let client = try await bench.open()
        let content = [UInt8](repeating: 97, count: 1_000_000)
        try await client.ask(1, "/a", "PUT", fields: "content-length: 1000000", isEnd: false)
        var sent = 0
        while sent < content.count {
          let room = { (client: FrameClient) in
            min(
              65_535 + (client.opened[0] ?? 0) - sent, 65_535 + (client.opened[1] ?? 0) - sent)
          }
          let hasRoom = await client.read { room($0) > 0 }
          try #require(hasRoom)
          let count = min(room(client), 16_384, content.count - sent)
          sent += count
          try await client.send(
            1, content: Array(content[..<count]), isEnd: sent == content.count)
        }
        let answer = await client.answer(1)
        #expect(answer.status == 200)
        #expect(answer.content.count == "PUT /a ".utf8.count + content.count)
        await client.close()
      }
    }

    @Test func `a client that waits for it is told to go on`() async throws {
      try await withStreams({ _ in }, Self.echo) { bench in
        let client = try await bench.open()
        try await client.ask(1, "/a", "POST", fields: "expect: 100-continue", isEnd: false)
        await client.read { !$0.soFar(1).interim.isEmpty }
        try await client.send(1, content: Array("hello".utf8), isEnd: true)
        let answer = await client.answer(1)
        #expect(answer.interim == [100])
        #expect(answer.text == "POST /a hello")
        await client.close()
      }
    }

    @Test func `informational answers and trailers go on`() async throws {
      try await withStreams { _ in
      } _: { _ in
        .init(raw: [
          .send("HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n"),
          .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nCache-Control: no-store\r\n\r\n"),
          .send("4\r\nlong\r\n0\r\nX-Sum: 1\r\n\r\n"),
        ])
      } test: { bench in
        let client = try await bench.open()
        try await client.ask(1)
        let answer = await client.answer(1)
        #expect(answer.interim == [103])
        #expect(answer.text == "long")
        #expect(answer["transfer-encoding"] == nil)
        #expect(answer.trailers.first(name: "x-sum") == "1")
        #expect(answer.isWhole)
        await client.close()
      }
    }

    @Test func `an answer that breaks off is a reset, and the others go on`() async throws {
      try await withStreams { _ in
      } _: { request in
        guard request.path == "/broken" else { return await Self.echo(request) }
        return .init(
          200, ["Cache-Control": "no-store", "Transfer-Encoding": "chunked"],
          steps: [.send("5\r\nhello\r\n"), .close])
      } test: { bench in
        let client = try await bench.open()
        try await client.ask(1, "/broken")
        let broken = await client.answer(1)
        #expect(broken.status == 200)
        #expect(broken.reset == 2)
        #expect(!broken.isWhole)
        try await client.ask(3, "/a", fields: "cookie: a=1 | cookie: b=2")
        let answer = await client.answer(3)
        #expect(answer.text == "GET /a ")
        #expect(answer["x-cookie"] == "a=1; b=2")
        await client.close()
      }
    }

    @Test func `a stream that its client resets is given up, and noted`() async throws {
      let (gate, log) = (Gate(), LogLines())
      try await withStreams { options in
        options.log = log.accessLog(.common)
      } _: { request in
        await gate.wait()
        return await Self.echo(request)
      } test: { bench in
        let client = try await bench.open()
        try await client.ask(1)
        while bench.asked.isEmpty { await Task.yield() }
        try await client.reset(1)
        await bench.wait(for: .abandoned)
        gate.open()
        try await client.ask(3)
        #expect(await client.answer(3).status == 200)
        await client.close()
      }
      #expect(log.lines.first?.contains("\"GET /a HTTP/2\" 499 0 ") == true)
      #expect(log.lines.first?.hasSuffix(" left") == true)
    }

    @Test func `a client that goes before its window opens has had the head, as the log says`()
      async throws
    {
      let log = LogLines()
      try await withStreams({ $0.log = log.accessLog(.common) }, Self.pages) { bench in
        let client = try await bench.open()
        // No stream has a window to begin with.
        try await client.send(.settings, on: 0, [0, 4, 0, 0, 0, 0])
        try await client.ask(1)
        await client.read { $0.soFar(1).status == 200 }
        #expect(client.soFar(1).content.isEmpty)
        try await client.reset(1)
        try await client.send(.ping, on: 0, [0, 0, 0, 0, 0, 0, 0, 0])
        await client.read { $0.pongs == 1 }
        await client.close()
      }
      #expect(log.lines.count == 1)
      #expect(log.lines.first?.contains("\"GET /a HTTP/2\" 200 0 ") == true)
      #expect(log.lines.first?.hasSuffix(" left") == true)
    }

    @Test func `a client that takes its answer as the gateway ends has not left`() async throws {
      let log = LogLines()
      try await withStreams { options in
        options.log = log.accessLog(.common)
      } _: { _ in
        .init(200, ["Cache-Control": "no-store"], body: String(repeating: "x", count: 200_000))
      } test: { bench in
        let client = try await bench.open()
        client.takesContent = false
        try await client.ask(1)
        await client.read { $0.soFar(1).content.count >= 65_535 }
        async let drained: Bool = bench.gateway.drain(within: .milliseconds(50))
        await client.readToEnd()
        #expect(await drained)
        #expect(!client.soFar(1).isWhole)
        await client.close()
      }
      #expect(log.lines.count == 1)
      #expect(log.lines.first?.hasSuffix(" broken") == true)
    }

    @Test func `streams that are open are answered before the gateway ends`() async throws {
      let gate = Gate()
      try await withStreams { _ in
      } _: { request in
        await gate.wait()
        return await Self.echo(request)
      } test: { bench in
        let (client, idle) = (try await bench.open(), try await bench.open())
        try await client.ask(1)
        while bench.asked.isEmpty { await Task.yield() }
        async let drained: Bool = bench.gateway.drain(within: .seconds(30))
        await client.read { $0.goAway != nil }
        #expect(client.goAway?.code == 0)
        #expect(client.goAway?.last == 1)
        await idle.readToEnd()
        #expect(idle.goAway?.code == 0)
        gate.open()
        #expect(await client.answer(1).text == "GET /a ")
        await client.readToEnd()
        #expect(await drained)
        await client.close()
        await idle.close()
      }
    }

    @Test func `a stream that the end of the gateway cuts off is reset, and nobody has left`()
      async throws
    {
      let (log, gate) = (LogLines(), Gate())
      try await withStreams {
        $0.log = log.accessLog(.common)
      } _: { _ in
        .init(
          200, ["Cache-Control": "no-store", "Content-Length": "10"],
          steps: [.send("short"), .wait(gate)])
      } test: { bench in
        let client = try await bench.open()
        try await client.ask(1)
        await client.read { !$0.soFar(1).content.isEmpty }
        await bench.gateway.drain(within: .milliseconds(50))
        await client.readToEnd()
        #expect(client.soFar(1).reset != nil)
        gate.open()
        await client.close()
      }
      #expect(log.lines.count == 1 && log.lines.first?.hasSuffix(" broken") == true)
    }

    @Test func `no tunnel is made on a stream`() async throws {
      try await withStreams { options in
        options.origin = nil
        options.tunnels = TunnelPolicy()
      } _: { request in
        await Self.echo(request)
      } test: { bench in
        let client = try await bench.open()
        try await client.ask(1, exactly: ":method: CONNECT | :authority: g:443", isEnd: false)
        #expect(await client.answer(1).status == 501)
        let host = "127.0.0.1:\(bench.server.port)"
        try await client.ask(
          3, exactly: ":method: GET | :scheme: http | :path: /a | :authority: \(host)")
        #expect(await client.answer(3).text == "GET /a ")
        await client.close()
      }
    }
  }
#endif
