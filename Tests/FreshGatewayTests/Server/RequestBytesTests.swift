#if Gateway
  internal import FreshStoreTesting
  internal import NIOCore
  internal import OriginServer
  internal import Testing

  @testable import FreshGateway

  /// The gateway passes on the bytes of requests and responses unchanged.
  @Suite(.timeLimit(.minutes(5))) struct RequestBytesTests {
    private static let targets = [
      "/caf%E9", "/x/%ff?x=1", "/%80", "/a%2Fb", "/q?f[a]=1", "/q?a|b", "/q?%zz", "/a//b",
      "/a/%2e%2e/b", "/a/../b", "/%", "/a?%", "/{a}^`<\">\\", "/a?b?c", "/%00", "//host/a",
    ]

    private static func random(_ generator: inout SeededGenerator) -> [UInt8] {
      let bytes = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
        switch Int.random(in: 0..<40, using: &generator) {
        case 0: UInt8.random(in: 0...255, using: &generator)
        case 1..<12: UInt8(ascii: "%")
        default: UInt8.random(in: 0x21...0x7E, using: &generator)
        }
      }
      // A line break would begin something else, and the space ends the target.
      return Array("/".utf8) + bytes.filter { ![0x0A, 0x0D, 0x20].contains($0) }
    }

    @Test func `a target goes on byte by byte, or is refused`() async throws {
      var generator = SeededGenerator(seed: 46)
      let targets =
        Self.targets.map { Array($0.utf8) } + (0..<600).map { _ in Self.random(&generator) }
      try await withGateway({ _ in }) { request in
        .init(200, ["Cache-Control": "max-age=60"], body: request.target)
      } test: { bench in
        var client = try await bench.connect()
        for target in targets {
          let isSound = target.allSatisfy { (0x21..<0x7F).contains($0) && $0 != UInt8(ascii: "#") }
          try await client.send(
            Array("GET ".utf8) + target + Array(" HTTP/1.1\r\nHost: g\r\n\r\n".utf8))
          let answer = try #require(await client.answer())
          #expect(answer.status == (isSound ? 200 : 400))
          if isSound {
            #expect(answer.content == target)
          } else {
            client = try await bench.connect()
          }
        }
        await client.close()
      }
    }

    @Test func `writes, proxies and HTTP 2 keep the bytes of a target, too`() async throws {
      try await withGateway({ $0.origin = nil }) { request in
        .init(200, ["Cache-Control": "no-store"], body: "\(request.method) \(request.target)")
      } test: { bench in
        let (base, client) = (bench.server.url(""), try await bench.connect())
        for target in Self.targets {
          for method in ["GET", "POST", "DELETE"] {
            try await client.send(
              "\(method) \(base)\(target) HTTP/1.1\r\nHost: 127.0.0.1:\(bench.server.port)\r\n"
                + "Content-Length: 0\r\n\r\n")
            #expect(await client.answer()?.text == "\(method) \(target)")
          }
        }
        await client.close()
      }
    }

    /// Bytes above 127, of a cookie, an entity tag and a name that are no UTF-8.
    @Test func `RFC 9110 5.5: opaque bytes of fields go both ways, and lie in the copy`()
      async throws
    {
      let e = UInt8(0xE9)
      try await withGateway({ _ in }) { request in
        guard request.path == "/moved" else {
          return .init(raw: [
            .send(
              Array("HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 2\r\n".utf8)
                + Array("ETag: \"".utf8) + [e] + Array("\"\r\nX-Name: caf".utf8) + [e]
                + Array("\r\nX-City: M\u{FC}nchen\r\n\r\nhi".utf8))
          ])
        }
        return .init(raw: [
          .send(
            Array("HTTP/1.1 302 x\r\nContent-Length: 0\r\nSet-Cookie: a=".utf8) + [e]
              + Array("\r\nLocation: /caf".utf8) + [e] + Array("\r\n\r\n".utf8))
        ])
      } test: { bench in
        let client = try await bench.connect()
        func answer(_ path: String, _ fields: [UInt8] = []) async throws -> RawClient.Answer {
          try await client.send(
            Array("GET \(path) HTTP/1.1\r\nHost: g\r\n".utf8) + fields + Array("\r\n".utf8))
          return try #require(await client.answer())
        }
        for _ in 0..<2 {
          let answer = try await answer("/a")
          #expect(answer.head.contains(Array("X-Name: caf".utf8) + [e, 0x0D]))
          #expect(answer.head.contains(Array("ETag: \"".utf8) + [e, 0x22]))
          #expect(answer["X-City"] == "M\u{FC}nchen")
        }
        // The tag decides as it came.
        let known = try await answer(
          "/a", Array("If-None-Match: \"".utf8) + [e] + Array("\"\r\n".utf8))
        #expect(known.status == 304 && bench.asked.count == 1)
        let moved = try await answer(
          "/moved", Array("Cookie: b=".utf8) + [e, e] + Array("; c=d\r\n".utf8))
        #expect(moved.head.contains(Array("Location: /caf".utf8) + [e, 0x0D]))
        #expect(moved.head.contains(Array("Set-Cookie: a=".utf8) + [e, 0x0D]))
        let sent = try #require(bench.server.requests.last?.head)
        #expect(sent.contains(Array("Cookie: b=".utf8) + [e, e] + Array("; c=d".utf8)))
        await client.close()
      }
    }

    @Test(arguments: [
      "Content-Length : 5\r\n\r\nhello",
      "Transfer-Encoding: chunked\r\n\r\n5 \r\nhello\r\n0\r\n\r\n",
      "Transfer-Encoding: chunked\r\n\r\n5 ; x\r\nhello\r\n0 \r\n\r\n",
      String(repeating: "X: y\r\n", count: 300) + "Content-Length: 5\r\n\r\nhello",
    ])
    func `RFC 9112 5.1: an answer that every client reads is passed on without its faults`(
      text: String
    ) async throws {
      try await withGateway({ _ in }) { _ in
        .init(raw: [.send("HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\n\(text)")])
      } test: { bench in
        for _ in 0..<2 {
          let answer = try await bench.ask("/a")
          #expect(answer.text == "hello" && answer.isWhole)
          #expect(answer.fields.allSatisfy { !$0.name.hasSuffix(" ") })
        }
        #expect(bench.asked.count == 1)
      }
    }

    @Test func `stray bytes behind an answer are of no other`() async throws {
      try await withGateway({ _ in }) { request in
        .init(raw: [
          .send(
            "HTTP/1.1 200 OK\r\nCache-Control: no-store\r\nContent-Length: \(request.path.utf8.count)"
              + "\r\n\r\n\(request.path)HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nother")
        ])
      } test: { bench in
        for number in 0..<20 {
          let text = try await bench.ask("/\(number)").text
          #expect(text == "/\(number)")
        }
      }
    }
  }

  extension [UInt8] {
    fileprivate func contains(_ part: [UInt8]) -> Bool { firstRange(of: part) != nil }
  }
#endif
