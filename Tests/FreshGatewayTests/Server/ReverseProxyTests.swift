#if Gateway
  internal import FreshStore
  internal import FreshStoreTesting
  internal import OriginServer
  internal import Synchronization
  internal import Testing

  @testable import FreshGateway

  /// A gateway in front of an origin that builds addresses, and tells its clients apart.
  @Suite(.timeLimit(.minutes(1))) struct ReverseProxyTests {
    private static let names = ["Host", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto"]

    /// An origin that shows what it is told.
    private static let mirror: OriginServer.Handler = { request in
      .init(
        200, ["Cache-Control": "max-age=60"],
        body: ReverseProxyTests.names.map { request[$0] ?? "none" }.joined(separator: " "))
    }

    private func ask(
      _ bench: GatewayBench, _ target: String, host: String, _ method: String = "GET",
      fields: String = ""
    ) async throws -> RawClient.Answer {
      let client = try await bench.connect()
      let length = method == "GET" ? "" : "Content-Length: 0\r\n"
      try await client.send(
        "\(method) \(target) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\(length)\(fields)\r\n"
      )
      let answer = try #require(await client.answer())
      await client.close()
      return answer
    }

    private func askUntilHit(
      _ bench: GatewayBench, _ target: String, host: String, fields: String = ""
    ) async throws -> RawClient.Answer {
      while true {
        let answer = try await ask(bench, target, host: host, fields: fields)
        if answer["Cache-Status"]?.hasPrefix("freshstore; hit") == true { return answer }
        await Task.yield()
      }
    }

    @Test func `an origin is told the client, and its own address`() async throws {
      try await withGateway({ _ in }, Self.mirror) { (bench) async throws in
        let own = "127.0.0.1:\(bench.server.port)"
        let expected = "\(own) 127.0.0.1 \(own) http"
        #expect(try await ask(bench, "/a", host: "evil").text == expected)
        #expect(try await askUntilHit(bench, "/a", host: "other").text == expected)
        #expect(bench.asked == ["GET /a"])
        #expect(
          bench.server.requests[0]["Forwarded"] == "for=127.0.0.1;host=\"\(own)\";proto=http")
      }
    }

    @Test func `a trusted peer is believed whom it names`() async throws {
      let trusted = try #require(PeerNetwork("127.0.0.0/8"))
      try await withGateway { options in
        options.trustedPeers = [trusted]
      } _: { request in
        await Self.mirror(request)
      } test: { bench in
        let answer = try await ask(
          bench, "/a", host: "g", fields: "X-Forwarded-For: 203.0.113.7\r\n")
        #expect(answer.text.contains(" 203.0.113.7, 127.0.0.1 "))
      }
    }

    @Test func `each host has its copies where the host is preserved`() async throws {
      try await withGateway { options in
        options.preservesHost = true
      } _: { request in
        await Self.mirror(request)
      } test: { bench in
        for host in ["a.example", "b.example:8080", "A.example:80"] {
          let answer = try await askUntilHit(bench, "/page", host: host)
          let known = host == "A.example:80" ? "a.example" : host
          #expect(answer.text == "\(known) 127.0.0.1 \(known) http")
        }
        #expect(bench.asked == ["GET /page", "GET /page"])
        let records = try bench.temporary.store.bytes("http")
        #expect(try records.read("http://a.example/page").copy != nil)
        #expect(try records.read("http://b.example:8080/page").copy != nil)
      }
    }

    @Test func `the copies of each host are purged and invalidated by their addresses`()
      async throws
    {
      try await withGateway { options in
        options.preservesHost = true
        options.operatorTokens = OperatorTokens(["0123456789abcdef0123"])
        options.admin = GatewayOptions.Endpoint(host: "127.0.0.1", port: 0)
      } _: { request in
        .init(
          request.method == "POST" ? 201 : 200,
          [
            "Cache-Control": "max-age=60",
            "Location": "http://\(request["X-Forwarded-Host"] ?? "")/page",
          ], body: "page")
      } test: { (bench) async throws in
        for host in ["a.example", "b.example"] {
          _ = try await askUntilHit(bench, "/page", host: host)
        }
        let posted = try await ask(bench, "/list", host: "a.example", "POST")
        #expect(posted["Location"] == "http://a.example/page")
        let changed = try await ask(bench, "/page", host: "a.example")
        #expect(changed["Cache-Status"]?.contains("fwd=stale") == true)
        let other = try await ask(bench, "/page", host: "b.example")
        #expect(other["Cache-Status"]?.hasPrefix("freshstore; hit") == true)
        // An operator names the whole address.
        let client = try await RawClient.connect(try #require(bench.gateway.adminPort))
        try await client.send(
          "POST /purge/http://b.example/page HTTP/1.1\r\nHost: admin\r\n"
            + "Authorization: Bearer 0123456789abcdef0123\r\n\r\n")
        #expect(await client.answer()?.text == "purged: 1\n")
        await client.close()
        let purged = try await ask(bench, "/page", host: "b.example")
        #expect(purged["Cache-Status"]?.contains("fwd=stale") == true)
      }
    }

    @Test(arguments: [false, true])
    func `a redirect to the origin leads to the gateway, from the copy as well`(
      preserves: Bool
    ) async throws {
      let own = Port()
      try await withGateway { options in
        options.preservesHost = preserves
      } _: { request in
        let base = "http://127.0.0.1:\(own.value)"
        switch request.path {
        case "/old":
          return .init(
            301, ["Cache-Control": "max-age=60", "Location": "\(base)\(request.path)//new?a#b"])
        case "/double":
          return .init(302, ["Cache-Control": "max-age=60", "Location": "\(base)//evil.example/"])
        case "/away":
          return .init(302, ["Cache-Control": "max-age=60", "Location": "http://evil.example/x"])
        default:
          return .init(
            200, ["Cache-Control": "max-age=60", "Refresh": "5; url=\(base)/next"], body: "page")
        }
      } test: { (bench) async throws in
        own.value = bench.server.port
        for (target, name, expected) in [
          ("/old", "Location", "/old//new?a#b"), ("/double", "Location", "/.//evil.example/"),
          ("/away", "Location", "http://evil.example/x"), ("/page", "Refresh", "5; url=/next"),
        ] {
          #expect(try await ask(bench, target, host: "g.example")[name] == expected)
          #expect(try await askUntilHit(bench, target, host: "g.example")[name] == expected)
        }
      }
    }
  }

  /// The port of an origin, known once it listens.
  private final class Port: Sendable {
    private let port = Atomic(0)

    var value: Int {
      get { port.load(ordering: .relaxed) }
      set { port.store(newValue, ordering: .relaxed) }
    }
  }
#endif
