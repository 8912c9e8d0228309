#if Gateway
  internal import OriginServer
  internal import Testing

  @testable import FreshGateway

  /// Origins that lie about where their answers end, or that send no valid answer.
  @Suite(.timeLimit(.minutes(1))) struct HostileOriginTests {
    /// The result of an answer for the client and the store.
    enum Outcome: Sendable {
      /// A status of the gateway's own, as of an origin that does not answer.
      case refused
      /// Its content, which is not kept.
      case passed(String)
      /// Its content, which is a copy from then on.
      case kept(String)
      /// Its head, and not all of its content: the client can tell, and nothing is kept.
      case cutOff
    }

    /// An answer, byte by byte.
    struct Lie: Sendable, CustomTestStringConvertible {
      let testDescription: String
      let steps: [OriginServer.Response.Step]
      let outcome: Outcome

      init(_ name: String, _ steps: [OriginServer.Response.Step], _ outcome: Outcome) {
        (testDescription, self.steps, self.outcome) = (name, steps, outcome)
      }

      /// An answer with status 200 that may be kept.
      static func ok(_ fields: String, _ content: String, isClosed: Bool = false)
        -> [OriginServer.Response.Step]
      {
        answer("HTTP/1.1 200 OK", fields, content, isClosed: isClosed)
      }

      static func answer(
        _ line: String, _ fields: String, _ content: String, isClosed: Bool = false
      ) -> [OriginServer.Response.Step] {
        let head = "\(line)\r\nCache-Control: max-age=60\r\n\(fields)\r\n"
        return [.send(head + content)] + (isClosed ? [.close] : [])
      }
    }

    /// An answer that follows another one on its connection. No client gets it.
    private static let evil =
      "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 4\r\n\r\nEVIL"

    private static func expect(_ lie: Lie) async throws {
      try await withGateway({ _ in }) { request in
        if request.path == "/lie" { return .init(raw: lie.steps) }
        return .init(200, ["Cache-Control": "no-store"], body: "true \(request.target)")
      } test: { (bench) async throws in
        let client = try await bench.connect()
        try await client.send("GET /lie HTTP/1.1\r\nHost: g\r\n\r\n")
        var answer = try #require(await client.answer())
        // Informational responses are forwarded as they arrive.
        while (100..<200).contains(answer.status) { answer = try #require(await client.answer()) }
        await client.close()
        switch lie.outcome {
        case .refused: #expect([502, 504].contains(answer.status))
        case .passed(let text), .kept(let text):
          #expect(answer.text == text)
          #expect(answer.isWhole)
        case .cutOff: #expect(!answer.isWhole)
        }
        #expect(answer.fields.allSatisfy { $0.name != "Set-Cookie" })
        // On the same connection to the origin, where that is still open, and on new ones.
        for number in 1...3 {
          #expect(try await bench.ask("/\(number)").text == "true /\(number)")
        }
        if case .kept(let text) = lie.outcome {
          #expect(try await bench.askUntilHit("/lie").text == text)
          #expect(bench.asked.count { $0 == "GET /lie" } == 1)
        } else {
          let count = bench.asked.count { $0 == "GET /lie" }
          let again = try await bench.ask("/lie")
          #expect(again["Cache-Status"]?.hasPrefix("freshstore; hit") != true)
          #expect(bench.asked.count { $0 == "GET /lie" } > count)
        }
      }
    }

    @Test(arguments: [
      Lie(
        "shorter than it says", Lie.ok("Content-Length: 10\r\n", "short", isClosed: true), .cutOff),
      Lie("nothing of it comes", Lie.ok("Content-Length: 10\r\n", "", isClosed: true), .cutOff),
      Lie("longer than it says", Lie.ok("Content-Length: 4\r\n", "goodEVIL"), .kept("good")),
      Lie(
        "another answer behind it", Lie.ok("Content-Length: 4\r\n", "good" + evil), .kept("good")),
      Lie("another answer behind none", Lie.ok("Content-Length: 0\r\n", evil), .kept("")),
      Lie("two lengths", Lie.ok("Content-Length: 4\r\nContent-Length: 5\r\n", "goodX"), .refused),
      Lie(
        "a length that is several", Lie.ok("Content-Length: 4, 5\r\n", "good", isClosed: true),
        .refused),
      Lie("a length below 0", Lie.ok("Content-Length: -4\r\n", "good", isClosed: true), .refused),
      Lie(
        "a length with a sign", Lie.ok("Content-Length: +4\r\n", "good", isClosed: true), .refused),
      Lie(
        "a length beyond all numbers",
        Lie.ok("Content-Length: 99999999999999999999\r\n", "good", isClosed: true), .refused),
      Lie(
        "the greatest length",
        Lie.ok("Content-Length: 9223372036854775807\r\n", "good", isClosed: true),
        .cutOff),
      Lie("a folded length", Lie.ok("Content-Length:\r\n 4\r\n", "good"), .refused),
      Lie("a space before the colon", Lie.ok("Content-Length : 4\r\n", "good"), .kept("good")),
      Lie(
        "length and chunks",
        Lie.ok("Content-Length: 4\r\nTransfer-Encoding: chunked\r\n", "5\r\nhello\r\n0\r\n\r\n"),
        .refused),
      // RFC 9112 section 8: the end of the connection is the end of the content.
      Lie("closed without a length", Lie.ok("", "good", isClosed: true), .kept("good")),
      Lie(
        "chunks in HTTP/1.0",
        Lie.answer(
          "HTTP/1.0 200 OK", "Transfer-Encoding: chunked\r\n", "4\r\ngood\r\n0\r\n\r\n",
          isClosed: true), .refused),
    ])
    func `an answer whose length is a lie is not kept, and nothing behind it is an answer`(
      lie: Lie
    ) async throws {
      try await Self.expect(lie)
    }

    @Test(arguments: [
      Lie(
        "no size", Lie.ok("Transfer-Encoding: chunked\r\n", "zz\r\nhello\r\n0\r\n\r\n"), .cutOff),
      Lie(
        "a size beyond all numbers",
        Lie.ok("Transfer-Encoding: chunked\r\n", "fffffffffffffffff\r\nhello\r\n0\r\n\r\n"), .cutOff
      ),
      Lie(
        "longer than it says",
        Lie.ok("Transfer-Encoding: chunked\r\n", "5\r\nhelloEVIL\r\n0\r\n\r\n"), .cutOff),
      Lie(
        "no last chunk", Lie.ok("Transfer-Encoding: chunked\r\n", "5\r\nhello\r\n", isClosed: true),
        .cutOff),
      Lie(
        "half of the last chunk",
        Lie.ok("Transfer-Encoding: chunked\r\n", "5\r\nhello\r\n0\r\n", isClosed: true), .cutOff),
      Lie(
        "trailers that would change everything",
        Lie.ok(
          "Transfer-Encoding: chunked\r\n",
          "5\r\nhello\r\n0\r\nCache-Control: no-store\r\nSet-Cookie: a=b\r\n\r\n"),
        .kept("hello")),
      Lie(
        "a length behind chunks",
        Lie.ok(
          "Transfer-Encoding: chunked\r\n", "5\r\nhello\r\n0\r\nContent-Length: 9\r\n\r\n"),
        .kept("hello")),
      // RFC 9112 section 6.1: the bytes are not the content, and are not handed on as if they were.
      Lie(
        "a coding that nobody knows",
        Lie.ok("Transfer-Encoding: gzip, chunked\r\n", "5\r\nhello\r\n0\r\n\r\n"), .refused),
    ])
    func `chunks that are broken are no copy`(lie: Lie) async throws { try await Self.expect(lie) }

    @Test(arguments: ["xchunked", "identity", "gzip"])
    func
      `RFC 9112 6.3: what ends with its connection, and names a coding, is not known to be whole`(
        coding: String
      ) async throws
    {
      try await withGateway({ _ in }) { request in
        request.path == "/lie"
          ? .init(raw: Lie.ok("Transfer-Encoding: \(coding)\r\n", "half of i", isClosed: true))
          : .init(200, ["Cache-Control": "no-store"], body: "true")
      } test: { (bench) async throws in
        for count in 1...2 {
          let answer = try await bench.ask("/lie")
          #expect(answer["Cache-Status"]?.hasPrefix("freshstore; hit") != true)
          #expect(try await bench.ask("/other").text == "true")
          #expect(bench.asked.count { $0 == "GET /lie" } == count)
        }
      }
    }

    @Test(arguments: [
      Lie(
        "a CR in a field", Lie.ok("X: a\rSet-Cookie: b=c\r\nContent-Length: 4\r\n", "good"),
        .refused),
      Lie(
        "an LF in a field", Lie.ok("X: a\nSet-Cookie: b=c\r\nContent-Length: 4\r\n", "good"),
        .refused),
      Lie("a NUL in a field", Lie.ok("X: a\0b\r\nContent-Length: 4\r\n", "good"), .refused),
      Lie("a control character", Lie.ok("X: a\u{1}b\r\nContent-Length: 4\r\n", "good"), .refused),
      Lie("a folded field", Lie.ok("X: a\r\n b\r\nContent-Length: 4\r\n", "good"), .refused),
      Lie("a field without a colon", Lie.ok("X\r\nContent-Length: 4\r\n", "good"), .refused),
      Lie(
        "a head that is split in two",
        Lie.ok("X: a\r\nContent-Length: 0\r\n\r\n\(evil)Y: b\r\n", ""), .kept("")),
      Lie(
        "lines without CR",
        [.send("HTTP/1.1 200 OK\nCache-Control: max-age=60\nContent-Length: 4\n\ngood")], .refused),
      Lie(
        "a field of a megabyte",
        Lie.ok("X: \(String(repeating: "a", count: 1 << 20))\r\nContent-Length: 4\r\n", "good"),
        .refused),
      Lie(
        "20,000 fields",
        Lie.ok("\(String(repeating: "X: y\r\n", count: 20_000))Content-Length: 4\r\n", "good"),
        .refused),
      Lie("no HTTP", [.send("hello, this is a page"), .close], .refused),
      Lie("nothing", [.close], .refused),
      Lie("half of a head", [.send("HTTP/1.1 200 OK\r\nCache-Con"), .close], .refused),
      Lie("HTTP/2", Lie.answer("HTTP/2.0 200 OK", "Content-Length: 4\r\n", "good"), .refused),
      Lie("no status", Lie.answer("HTTP/1.1 abc", "Content-Length: 4\r\n", "good"), .refused),
      Lie(
        "a status below 0", Lie.answer("HTTP/1.1 -20 x", "Content-Length: 4\r\n", "good"), .refused),
      Lie(
        "a status of four digits", Lie.answer("HTTP/1.1 1000 x", "Content-Length: 4\r\n", "good"),
        .refused),
      Lie(
        "a status that is unknown", Lie.answer("HTTP/1.1 999 x", "Content-Length: 4\r\n", "good"),
        .passed("good")),
      Lie(
        "HTTP/1.0", Lie.answer("HTTP/1.0 200 OK", "Content-Length: 4\r\n", "good", isClosed: true),
        .kept("good")),
    ])
    func `what is no answer is none, and no field becomes another one`(lie: Lie) async throws {
      try await Self.expect(lie)
    }

    @Test(arguments: [
      Lie(
        "one hint",
        [.send("HTTP/1.1 103 Early\r\nLink: </a>\r\n\r\n")]
          + Lie.ok("Content-Length: 4\r\n", "good"), .kept("good")),
      Lie(
        "20,000 of them",
        [.send(String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 20_000))]
          + Lie.ok("Content-Length: 4\r\n", "good"), .kept("good")),
      Lie(
        "one with content", Lie.answer("HTTP/1.1 100 x", "Content-Length: 4\r\n", "good"), .refused),
      Lie(
        "one with chunks",
        Lie.answer("HTTP/1.1 103 x", "Transfer-Encoding: chunked\r\n", "4\r\ngood\r\n0\r\n\r\n"),
        .refused),
      // RFC 9110 section 15.2.2: the client has not asked for another protocol.
      Lie(
        "another protocol",
        [.send("HTTP/1.1 101 x\r\nUpgrade: evil\r\nConnection: upgrade\r\n\r\n" + evil)], .refused),
    ])
    func `informational answers are none`(lie: Lie) async throws { try await Self.expect(lie) }

    @Test(arguments: [
      Lie("204", Lie.answer("HTTP/1.1 204 No", "", evil), .kept("")),
      Lie("304 to a plain request", Lie.answer("HTTP/1.1 304 Not", "", evil), .refused),
      Lie(
        "416 to a plain request",
        Lie.answer("HTTP/1.1 416 No", "Content-Range: bytes */4\r\nContent-Length: 0\r\n", ""),
        .passed("")),
      Lie(
        "a part that lies elsewhere",
        Lie.answer(
          "HTTP/1.1 206 Part", "Content-Range: bytes 0-3/2\r\nContent-Length: 4\r\n", "good"),
        .passed("good")),
    ])
    func `an answer without content has none`(lie: Lie) async throws { try await Self.expect(lie) }

    @Test func `RFC 9110 8.6: no 204 states a length, at which its client would wait`() async throws
    {
      try await withGateway({ _ in }) { request in
        request.path == "/lie"
          ? .init(raw: Lie.answer("HTTP/1.1 204 No", "Content-Length: 4\r\n", ""))
          : .init(200, ["Cache-Control": "no-store"], body: "true")
      } test: { (bench) async throws in
        let client = try await bench.connect()
        try await client.send(
          "GET /lie HTTP/1.1\r\nHost: g\r\n\r\nGET /next HTTP/1.1\r\nHost: g\r\n\r\n")
        let answer = try #require(await client.answer())
        #expect(answer.status == 204)
        #expect(answer["Content-Length"] == nil)
        #expect(answer["Transfer-Encoding"] == nil)
        #expect(await client.answer()?.text == "true")
        await client.close()
      }
    }

    @Test func `RFC 9110 15.3.6: no 205 has content, whatever its origin sends behind it`()
      async throws
    {
      try await withGateway({ _ in }) { request in
        request.path == "/lie"
          ? .init(raw: [
            .send("HTTP/1.1 205 x\r\nCache-Control: no-store\r\nContent-Length: 4\r\n\r\nEVIL")
          ])
          : .init(200, ["Cache-Control": "no-store"], body: "true")
      } test: { (bench) async throws in
        let client = try await bench.connect()
        try await client.send(
          "GET /lie HTTP/1.1\r\nHost: g\r\n\r\nGET /next HTTP/1.1\r\nHost: g\r\n\r\n")
        let answer = try #require(await client.answer())
        #expect(answer.status == 205)
        #expect(answer["Content-Length"] == "0")
        #expect(await client.answer()?.text == "true")
        await client.close()
      }
    }

    @Test func `the answer to HEAD has no content, whatever its origin sends behind it`()
      async throws
    {
      try await withGateway({ _ in }) { request in
        request.method == "HEAD"
          ? .init(raw: Lie.ok("Content-Length: \(Self.evil.utf8.count)\r\n", Self.evil))
          : .init(200, ["Cache-Control": "no-store"], body: "true \(request.target)")
      } test: { (bench) async throws in
        #expect(try await bench.ask("/a", "HEAD").status == 200)
        for number in 1...3 {
          #expect(try await bench.ask("/\(number)").text == "true /\(number)")
        }
      }
    }
  }
#endif
