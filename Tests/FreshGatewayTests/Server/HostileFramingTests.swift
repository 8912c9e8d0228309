#if Gateway
  internal import OriginServer
  internal import Testing

  @testable import FreshGateway

  /// A request with an unclear end is refused (RFC 9112 section 11.2). The tests send known shapes
  /// of request smuggling.
  @Suite(.timeLimit(.minutes(1))) struct HostileFramingTests {
    private static let evil = "GET /evil HTTP/1.1\r\nHost: g\r\n\r\n"

    @Test(
      arguments: [
        // Codings that one recipient takes for chunked, and another one does not.
        ("Transfer-Encoding: xchunked", 400), ("Transfer-Encoding: \u{b}chunked", 400),
        ("Transfer-Encoding: chunked\u{c}", 400), ("Transfer-Encoding: \u{a0}chunked", 400),
        ("Transfer-Encoding: \"chunked\"", 400), ("Transfer-Encoding: 'chunked'", 400),
        ("Transfer-Encoding: chunked;q=1", 400), ("Transfer-Encoding: chunked\0", 400),
        ("Transfer-Encoding: , chunked", 400), ("Transfer-Encoding: chunked,", 400),
        ("Transfer-Encoding: chunked, chunked", 400), ("Transfer-Encoding:", 400),
        ("Transfer-Encoding: identity", 400), ("Transfer-Encoding: chunked, identity", 400),
        ("Transfer-Encoding: gzip", 400), ("Transfer-Encoding: gzip, chunked", 501),
        ("Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked", 501),
        ("Transfer-Encoding: chunked\r\nTransfer-Encoding: gzip", 400),
        // Fields that one recipient sees, and another one does not.
        ("Transfer-Encoding : chunked", 400), ("Transfer-Encoding\t: chunked", 400),
        (" Transfer-Encoding: chunked", 400), ("\tTransfer-Encoding: chunked", 400),
        ("Transfer-Encoding:\r\n chunked", 400), ("X: y\nTransfer-Encoding: chunked", 400),
        ("X: y\rTransfer-Encoding: chunked", 400), ("Transfer-Encoding\0: chunked", 400),
        ("\u{b}Transfer-Encoding: chunked", 400), ("Transfer-Encoding\u{1}: chunked", 400),
        ("X: y\r\n\nTransfer-Encoding: chunked", 400), ("Transfer-Encoding", 400),
        // Both, in either order.
        ("Transfer-Encoding: chunked\r\nContent-Length: 5", 400),
        ("Content-Length: 5\r\nTransfer-Encoding: chunked", 400),
        ("Content-Length: 0\r\nTransfer-Encoding: identity", 400),
        ("Transfer-Encoding: chunked\r\nContent-Length:", 400),
        // Invalid lengths, and several lengths.
        ("Content-Length: +5", 400), ("Content-Length: -5", 400), ("Content-Length: 0x5", 400),
        ("Content-Length: 5 5", 400), ("Content-Length: 5, 5", 400), ("Content-Length: 5,6", 400),
        ("Content-Length:", 400), ("Content-Length: 5.0", 400), ("Content-Length: 5e0", 400),
        ("Content-Length: 5\0", 400), ("Content-Length: \u{665}", 400),
        ("Content-Length: 18446744073709551621", 400), ("Content-Length: 9223372036854775808", 400),
        ("Content-Length: 4294967301000", 413), ("Content-Length : 5", 400),
        ("Content-Length: 5\r\nContent-Length: 5", 400),
        ("Content-Length: 5\r\nCONTENT-LENGTH: 6", 400), ("Content-Length:\r\n 5", 400),
        ("Connection: Transfer-Encoding\r\nTransfer-Encoding: chunked", 400),
        ("Connection: close, Content-Length\r\nContent-Length: 5", 400),
      ] as [(String, Int)])
    func `framing that others may read in another way is refused`(
      fields: String, status: Int
    ) async throws {
      try await expectRefusal(
        of: "POST /a HTTP/1.1\r\nHost: g\r\n\(fields)\r\n\r\n0\r\n\r\n\(Self.evil)", with: status)
    }

    @Test func `no client can have an origin blamed for a TRACE that is not sent on`() async throws
    {
      try await withGateway { options in
        options.limits.originFailures = 1
      } _: { request in
        .init(200, ["Cache-Control": "no-store"], body: request.target)
      } test: { bench in
        for number in 1...5 {
          let client = try await bench.connect()
          try await client.send(
            "TRACE /\(number) HTTP/1.1\r\nHost: g\r\nContent-Length: 1\r\n\r\na")
          #expect(await client.answer()?.status == 400)
          await client.close()
        }
        #expect(try await bench.ask("/a").text == "/a")
        #expect(bench.gateway.figures.originFailures == 0)
      }
    }

    @Test func `HTTP/1.0 knows no chunks`() async throws {
      try await expectRefusal(
        of: "POST /a HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n\(Self.evil)", with: 400
      )
    }

    @Test(arguments: [
      "0x5\r\nhello", "+5\r\nhello", "-5\r\nhello", "5\nhello", "5 \r\nhello", " 5\r\nhello",
      "\t5\r\nhello", "\r\nhello", "5;\nx\r\nhello", "5;x\ry\r\nhello", "5\r\nhelloX", "5\r\nhell",
      "5\r\nhello\n", "10000000000000005\r\nhello", "fffffffffffffffb\r\nhello",
      "7fffffffffffffff\r\nhello", "5,5\r\nhello", "5\0\r\nhello", "\u{665}\r\nhello",
      "0\r\nX Y: z", "0\r\nno colon", "0\r\n folded: x", "0\r\nX: a\0b", "0\r\nX: a\nb: c",
      "0\nX: y",
    ])
    func `chunks that others may read in another way end their connection, and no other one`(
      chunks: String
    ) async throws {
      try await withGateway({ _ in }) { request in
        .init(200, ["Cache-Control": "no-store"], body: request.target)
      } test: { bench in
        let client = try await bench.connect()
        try await client.send(
          "POST /a HTTP/1.1\r\nHost: g\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)\r\n0\r\n\r\n"
            + Self.evil)
        if let answer = await client.answer() { #expect([400, 413].contains(answer.status)) }
        #expect(await client.isEnded())
        await client.close()
        // Not on a connection to the origin that still waits for the rest of it.
        #expect(try await bench.ask("/other").text == "/other")
        #expect(bench.asked == ["GET /other"])
      }
    }

    @Test func `an extension of a chunk that never ends is not kept in memory`() async throws {
      try await withGateway({ _ in }) { request in
        .init(200, ["Cache-Control": "no-store"], body: request.target)
      } test: { bench in
        let client = try await bench.connect()
        try await client.send(
          "POST /a HTTP/1.1\r\nHost: g\r\nTransfer-Encoding: chunked\r\n\r\n5;"
            + String(repeating: "a", count: 1000))
        if let answer = await client.answer() { #expect(answer.status == 400) }
        #expect(await client.isEnded())
        await client.close()
        #expect(try await bench.ask("/other").text == "/other")
      }
    }

    @Test(arguments: [
      ("POST /a HTTP/1.1\r\nHost: g\r\nTransfer-Encoding:\tchunked \r\n\r\n", true),
      ("POST /a HTTP/1.1\r\nHost: g\r\nTRANSFER-ENCODING: CHUNKED\r\n\r\n", true),
      ("POST /a HTTP/1.1\r\nHost: g\r\nTransfer-Encoding: chunked\r\nTE: trailers\r\n\r\n", true),
      // The name is another one.
      (
        "POST /a HTTP/1.1\r\nHost: g\r\nTransfer_Encoding: chunked\r\nContent-Length: 5\r\n\r\n",
        false
      ),
      ("POST /a HTTP/1.1\r\nHost: g\r\nContent-Length: 00005\r\n\r\n", false),
    ])
    func `content goes to the origin in one form, without extensions and trailers`(
      head: String, isChunked: Bool
    ) async throws {
      let origin = try await RawOrigin.start()
      try await withGateway { options in
        options.origin = origin.url
      } _: { _ in
        .init()
      } test: { bench in
        let client = try await bench.connect()
        let content =
          isChunked
          ? "2;x=\"y\"\r\nhe\r\n003\r\nllo\r\n0;z\r\nContent-Length: 50\r\nHost: evil\r\nX: y\r\n\r\n"
          : "hello"
        try await client.send(head + content + "GET /next HTTP/1.1\r\nHost: g\r\n\r\n")
        for _ in 1...2 { #expect(await client.answer()?.status == 200) }
        await client.close()
        let first = try #require(origin.requests.first)
        #expect(first.hasPrefix("POST /a HTTP/1.1\r\n"))
        let framing = first.split(separator: "\r\n").filter {
          $0.lowercased().hasPrefix("transfer-encoding:")
            || $0.lowercased().hasPrefix("content-length:")
        }
        #expect(framing.count == 1)
        #expect(first.hasSuffix(isChunked ? "\r\n0\r\n\r\n" : "\r\n\r\nhello"))
        #expect(!first.contains("evil") && !first.contains("x=") && !first.contains(";z"))
        #expect(origin.requests.count == 2)
      }
      await origin.stop()
    }

    /// The one request that the origin receives.
    private func sent(_ request: String, isHead: Bool = false) async throws -> String {
      let origin = try await RawOrigin.start()
      var sent = ""
      try await withGateway { options in
        options.origin = origin.url
      } _: { _ in
        .init()
      } test: { bench in
        let client = try await bench.connect()
        try await client.send(request)
        #expect(await client.answer(isHead: isHead)?.status == 200)
        await client.close()
        sent = try #require(origin.requests.first)
        #expect(origin.requests.count == 1)
      }
      await origin.stop()
      return sent
    }

    @Test(arguments: [
      ("GET", true), ("HEAD", true), ("DELETE", true), ("OPTIONS", true), ("POST", false),
      ("PUT", false),
    ])
    func `no request comes behind content that its origin may take for one`(
      method: String, isLast: Bool
    ) async throws {
      let sent = try await sent(
        "\(method) /a HTTP/1.1\r\nHost: g\r\nContent-Length: \(Self.evil.utf8.count)\r\n\r\n"
          + Self.evil, isHead: method == "HEAD")
      #expect(sent.hasPrefix("\(method) /a HTTP/1.1\r\n"))
      #expect(sent.lowercased().contains("\r\nconnection: close\r\n") == isLast)
    }

    @Test(arguments: [
      ("Negotiate YII=", true), ("ntlm TlRM", true), ("Basic YTpi", false), ("Bearer ntlm", false),
    ])
    func `nobody comes on a connection whose user may be another`(
      credentials: String, isLast: Bool
    ) async throws {
      let sent = try await sent(
        "GET /a HTTP/1.1\r\nHost: g\r\nAuthorization: \(credentials)\r\n\r\n")
      #expect(sent.lowercased().contains("\r\nconnection: close\r\n") == isLast)
    }
  }
#endif
