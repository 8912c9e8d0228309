#if Gateway
  internal import FreshHTTP
  internal import Glibc
  internal import OriginServer
  internal import Testing

  @testable import FreshGateway

  /// The requests that connections accept, and the requests that they refuse.
  @Suite(.timeLimit(.minutes(1))) struct ConnectionTests {
    @Test(arguments: [
      (EMFILE, "for now", true), (ENFILE, "for now", false), (ENOMEM, "for now", false),
      (EBADF, "has ended", false),
    ])
    func `a limit is advised on only where it is one of this process`(
      code: Int32, words: String, isAdvised: Bool
    ) {
      let told = AcceptPause.words(of: code)
      #expect(told.contains(words))
      #expect(told.contains("ulimit") == isAdvised)
    }

    private static let echo: OriginServer.Handler = { request in
      .init(
        200, ["Cache-Control": "no-store", "X-Via": request["Via"] ?? "none"],
        body: "\(request.method) \(request.target) " + String(decoding: request.body, as: UTF8.self)
      )
    }

    @Test(arguments: [
      "POST /a HTTP/1.1\r\nHost: g\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /evil HTTP/1.1\r\nHost: g\r\n\r\n",
      "POST /a HTTP/1.1\r\nHost: g\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n8\r\nSMUGGLED\r\n0\r\n\r\n",
      "POST /a HTTP/1.1\r\nHost: g\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n\r\n0\r\n\r\nGET /evil HTTP/1.1\r\n\r\n",
      "POST /a HTTP/1.1\r\nHost: g\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
      "POST /a HTTP/1.1\r\nHost: g\r\nContent-Length: 0\r\nContent-Length: 44\r\n\r\nGET /evil HTTP/1.1\r\nHost: g\r\n\r\n",
      "GET /a HTTP/1.1\nHost: g\n\nGET /evil HTTP/1.1\r\nHost: g\r\n\r\n",
      "GET /a HTTP/1.1\r\nHost: g\r\nX: a\rb\r\n\r\n",
      "GET /a HTTP/1.1\r\nHost: g\r\nX: a\0b\r\n\r\n",
      "GET /a HTTP/1.1\r\nHost: g\r\nX: a\r\n b\r\n\r\n",
      "GET /a HTTP/1.1\r\nHost: g\r\nHost: h\r\n\r\n",
      "GET /a HTTP/1.1\r\n\r\n", "GET /a b HTTP/1.1\r\nHost: g\r\n\r\n",
      "GET http://g/a HTTP/1.1\r\nHost: other\r\n\r\n",
      "GET /a HTTP/1.1\r\nHost: g\r\nConnection: Content-Length\r\n\r\n",
    ])
    func `a request that others may read in another way is refused, and nothing behind it is read`(
      text: String
    ) async throws {
      try await withGateway({ _ in }, Self.echo) { bench in
        let client = try await bench.connect()
        try await client.send(text)
        let answer = try #require(await client.answer())
        #expect(answer.status == 400)
        #expect(answer["Connection"] == "close")
        #expect(await client.isEnded())
        await client.close()
        #expect(bench.asked.isEmpty)
      }
    }

    @Test(arguments: ["Host: g g", "Host: g\r\nContent-Length: x", "Host: g\r\nExpect: x"])
    func `a HEAD that is refused has no content in its answer`(fields: String) async throws {
      try await withGateway({ _ in }, Self.echo) { bench in
        let client = try await bench.connect()
        try await client.send("HEAD /a HTTP/1.1\r\n\(fields)\r\n\r\n")
        let answer = try #require(await client.answer(isHead: true))
        #expect([400, 417].contains(answer.status))
        #expect(answer["Connection"] == "close")
        #expect(await client.isEnded())
        await client.close()
      }
    }

    @Test func `requests that are sent ahead are answered in their order`() async throws {
      try await withGateway({ _ in }, Self.echo) { bench in
        let client = try await bench.connect()
        let requests = (1...3).map { "GET /\($0) HTTP/1.1\r\nHost: g\r\n\r\n" }
        try await client.send(requests.joined())
        for number in 1...3 { #expect(await client.answer()?.text == "GET /\(number) ") }
        await client.close()
      }
    }

    @Test func `informational answers go on as they come`() async throws {
      let gate = Gate()
      try await withGateway { _ in
      } _: { _ in
        .init(raw: [
          .send("HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\nKeep-Alive: 5\r\n\r\n"),
          .wait(gate), .send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na"),
        ])
      } test: { bench in
        for version in ["1.1", "1.0"] {
          let client = try await bench.connect()
          try await client.send("GET /\(version) HTTP/\(version)\r\nHost: g\r\n\r\n")
          if version == "1.1" {
            let interim = try #require(await client.answer())
            #expect(interim.status == 103)
            #expect(interim.fields.map(\.name) == ["Link"])
            gate.open()
          }
          let answer = try #require(await client.answer())
          #expect(answer.status == 200)
          #expect(answer.text == "a")
          await client.close()
        }
        #expect(bench.server.requests.allSatisfy { $0["freshstore-exchange"] == nil })
      }
    }

    @Test func `RFC 9110 8.6: no informational answer states a length`() {
      let sent = InterimAnswers.sent(
        fields("Link: </a> | Content-Length: 5 | content-length: 0 | Keep-Alive: 5 | X: y"))
      #expect(sent == fields("Link: </a> | X: y"))
    }

    @Test func `trailers go on behind chunks`() async throws {
      try await withGateway { _ in
      } _: { _ in
        .init(
          200, ["Cache-Control": "no-store", "Transfer-Encoding": "chunked"],
          steps: [.send("4\r\nlong\r\n0\r\nX-Sum: 1\r\nSet-Cookie: a\r\n\r\n")])
      } test: { bench in
        let answer = try await bench.ask("/a")
        #expect(answer.text == "long")
        #expect(answer.isWhole)
        #expect(answer.trailers == ["X-Sum: 1"])
      }
    }

    @Test func `content goes to the origin, once it wants it`() async throws {
      try await withGateway({ _ in }, Self.echo) { bench in
        let client = try await bench.connect()
        try await client.send(
          "PUT /a HTTP/1.1\r\nHost: g\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n")
        #expect(await client.answer()?.status == 100)
        try await client.send("hello")
        #expect(await client.answer()?.text == "PUT /a hello")
        // The connection goes on behind it.
        try await client.send("GET /b HTTP/1.1\r\nHost: g\r\n\r\n")
        #expect(await client.answer()?.text == "GET /b ")
        await client.close()
      }
    }

    @Test func `a client of HTTP 1.0 is told the end by that of its connection`() async throws {
      try await withGateway { _ in
      } _: { _ in
        .init(
          200, ["Cache-Control": "no-store", "Transfer-Encoding": "chunked"],
          steps: [.send("5\r\nhello\r\n0\r\n\r\n")])
      } test: { bench in
        let client = try await bench.connect()
        try await client.send("GET /a HTTP/1.0\r\n\r\n")
        let answer = try #require(await client.answer())
        #expect(answer["Transfer-Encoding"] == nil)
        #expect(answer.text == "hello")
        await client.close()
      }
    }

    @Test func `RFC 9112 8: an end that would look whole is a reset`() async throws {
      try await withGateway { _ in
      } _: { _ in
        .init(
          200, ["Cache-Control": "no-store", "Transfer-Encoding": "chunked"],
          steps: [.send("5\r\nhello\r\n"), .close])
      } test: { bench in
        let client = try await bench.connect()
        try await client.send("GET /a HTTP/1.0\r\n\r\n")
        let head = try #require(await client.head())
        #expect(head["Transfer-Encoding"] == nil)
        #expect(await client.isReset())
      }
    }

    @Test(arguments: [
      ("6\r\nabcdef\r\n", "6\r\nabcdef\r\n", 413), ("1\r\na\r\n", "x\r\n", 400),
      ("1\r\na\r\n", "1\r\nabcd", 400),
    ])
    func `RFC 9110 15.5.1 and 15.5.14: content is refused while there is no answer, and noted`(
      first: String, second: String, status: Int
    ) async throws {
      let log = LogLines()
      try await withGateway { options in
        options.limits.head.content = 10
        options.log = log.accessLog(.common)
      } _: { request in
        await Self.echo(request)
      } test: { bench in
        let client = try await bench.connect()
        try await client.send(
          "POST /a HTTP/1.1\r\nHost: g\r\nTransfer-Encoding: chunked\r\n\r\n\(first)")
        try await client.send(second)
        let answer = try #require(await client.answer())
        #expect(answer.status == status)
        #expect(answer["Connection"] == "close")
        #expect(await client.isEnded())
        await client.close()
      }
      let lines = log.lines
      #expect(lines.count == 1)
      #expect(lines[0].contains("\"POST /a HTTP/1.1\" \(status) "))
    }

    @Test(arguments: [false, true])
    func `content that is refused behind its answer ends the connection without a second one`(
      isLater: Bool
    ) async throws {
      let log = LogLines()
      try await withGateway { options in
        options.log = log.accessLog(.common)
      } _: { request in
        await Self.echo(request)
      } test: { bench in
        let client = try await bench.connect()
        let head =
          "OPTIONS /a HTTP/1.1\r\nHost: g\r\nMax-Forwards: 0\r\nTransfer-Encoding: chunked\r\n\r\n"
        try await client.send(isLater ? head : head + "x\r\n")
        let answer = try #require(await client.answer())
        #expect(answer.status == 200)
        #expect(answer.isWhole)
        if isLater { try await client.send("x\r\n") }
        #expect(await client.isEnded())
        await client.close()
        #expect(bench.gateway.figures.served.reduce(0, +) == 1)
        #expect(bench.asked.isEmpty)
      }
      let lines = log.lines
      #expect(lines.count == 1)
      #expect(lines[0].contains("\"OPTIONS /a HTTP/1.1\" 200 "))
    }

    @Test func `a client that leaves before its answer is noted`() async throws {
      let (gate, log) = (Gate(), LogLines())
      try await withGateway { options in
        options.log = log.accessLog(.common)
      } _: { request in
        await gate.wait()
        return await Self.echo(request)
      } test: { bench in
        let client = try await bench.connect()
        try await client.send("GET /a HTTP/1.1\r\nHost: g\r\n\r\n")
        while bench.asked.isEmpty { await Task.yield() }
        await client.close()
        // Its exchange ends by itself, before the gateway does.
        while bench.gateway.figures.served[Served.abandoned.rawValue] == 0 { await Task.yield() }
        gate.open()
      }
      let lines = log.lines
      #expect(lines.count == 1)
      #expect(lines[0].contains("\"GET /a HTTP/1.1\" 499 0 \"-\" "))
      #expect(lines[0].hasSuffix(" left"))
    }

    @Test func `a client that leaves within its answer is noted with the status that it had`()
      async throws
    {
      let (gate, log) = (Gate(), LogLines())
      try await withGateway { options in
        options.log = log.accessLog(.json)
      } _: { _ in
        .init(
          200, ["Cache-Control": "no-store", "Transfer-Encoding": "chunked"],
          steps: [.send("5\r\nhello\r\n"), .wait(gate), .send("0\r\n\r\n")])
      } test: { bench in
        let client = try await bench.connect()
        try await client.send("GET /a HTTP/1.1\r\nHost: g\r\n\r\n")
        #expect(await client.head()?.status == 200)
        await client.close()
        while bench.gateway.figures.served[Served.miss.rawValue] == 0 { await Task.yield() }
        gate.open()
      }
      let lines = log.lines
      #expect(lines.count == 1)
      #expect(lines[0].contains("\"status\":200,"))
      #expect(lines[0].hasSuffix(",\"left\":true}"))
    }

    @Test func `a request that takes longer than it may is answered 504, and nobody has left`()
      async throws
    {
      let (gate, log) = (Gate(), LogLines())
      try await withGateway { options in
        options.limits.totalTime = .milliseconds(300)
        options.log = log.accessLog(.common)
      } _: { request in
        await gate.wait()
        return await Self.echo(request)
      } test: { bench in
        let answer = try await bench.ask("/a")
        #expect(answer.status == 504)
        #expect(answer.text == "there was no answer within the time that a request may take\n")
        gate.open()
      }
      let lines = log.lines
      #expect(lines.count == 1)
      #expect(lines[0].contains("\"GET /a HTTP/1.1\" 504 "))
      #expect(!lines[0].hasSuffix(" left"))
    }

    @Test func `an answer that takes longer than a request may is broken, and nobody has left`()
      async throws
    {
      let (gate, log) = (Gate(), LogLines())
      try await withGateway { options in
        options.limits.totalTime = .seconds(2)
        options.log = log.accessLog(.common)
      } _: { _ in
        .init(
          200, ["Cache-Control": "no-store", "Content-Length": "10"],
          steps: [.send("hello"), .wait(gate)])
      } test: { bench in
        let answer = try await bench.ask("/a")
        #expect(answer.status == 200)
        #expect(!answer.isWhole)
        gate.open()
      }
      let lines = log.lines
      #expect(lines.count == 1)
      #expect(lines[0].contains("\"GET /a HTTP/1.1\" 200 5 "))
      #expect(lines[0].hasSuffix(" broken"))
    }

    @Test func `one connection too many is told so`() async throws {
      try await withGateway { options in
        options.limits.connections = 1
      } _: { request in
        await Self.echo(request)
      } test: { bench in
        let client = try await bench.connect()
        try await client.send("GET /a HTTP/1.1\r\nHost: g\r\n\r\n")
        #expect(await client.answer()?.status == 200)
        let other = try await bench.connect()
        #expect(await other.answer()?.status == 503)
        await other.close()
        await client.close()
      }
    }

    @Test func `a proxy asks the origin that the request names, and says that it was there`()
      async throws
    {
      try await withGateway { options in
        options.origin = nil
      } _: { request in
        await Self.echo(request)
      } test: { bench in
        let answer = try await bench.ask(
          bench.server.url("/a"), fields: "Proxy-Connection: keep-alive")
        // The Host field of the request names another host than the target.
        #expect(answer.status == 400)
        let client = try await bench.connect()
        let url = bench.server.url("/a")
        try await client.send(
          "GET \(url) HTTP/1.1\r\nHost: 127.0.0.1:\(bench.server.port)\r\n\r\n")
        let passed = try #require(await client.answer())
        #expect(passed.text == "GET /a ")
        #expect(passed["X-Via"] == "1.1 freshstore")
        #expect(passed["Via"] == "1.1 freshstore")
        try await client.send("CONNECT 127.0.0.1:1 HTTP/1.1\r\nHost: 127.0.0.1:1\r\n\r\n")
        #expect(await client.answer()?.status == 501)
        await client.close()
      }
    }

    @Test func `what is under way is answered before the gateway ends`() async throws {
      let gate = Gate()
      try await withGateway { _ in
      } _: { request in
        await gate.wait()
        return await Self.echo(request)
      } test: { bench in
        let (client, idle) = (try await bench.connect(), try await bench.connect())
        try await client.send("GET /a HTTP/1.1\r\nHost: g\r\n\r\n")
        while bench.asked.isEmpty { await Task.yield() }
        async let drained: Bool = bench.gateway.drain(within: .seconds(30))
        #expect(await idle.isEnded())
        gate.open()
        let answer = try #require(await client.answer())
        #expect(answer.text == "GET /a ")
        // RFC 9112 section 9.6: the client sends its next requests over another connection.
        #expect(answer["Connection"] == "close")
        #expect(await client.isEnded())
        #expect(await drained)
        await client.close()
        await idle.close()
      }
    }
  }
#endif
