#if HTTP
  internal import FreshStore
  internal import FreshStoreTesting
  internal import OriginServer
  internal import Testing

  @testable import FreshHTTP

  /// An origin gets the bytes of a request as the caller has given them.
  @Suite(.timeLimit(.minutes(1))) struct RequestBytesTests {
    private static let targets = [
      "/caf%E9", "/x/%ff?x=1", "/%80", "/a%2Fb", "/q?f[a]=1", "/q?a|b", "/q?%zz", "/a//b",
      "/a/%2e%2e/b", "/a/../b", "/%", "/a?%", "/{a}^`<\">\\", "/a?b?c", "/;=,!$&'()*+~", "/%00",
      "/%0d%0aX:%20y", "//host/a", "/a?http://b/%E9",
    ]

    /// Visible ASCII, and percent signs before anything.
    private static func random(_ generator: inout SeededGenerator) -> String {
      let bytes = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
        Int.random(in: 0..<3, using: &generator) == 0
          ? UInt8(ascii: "%") : UInt8.random(in: 0x21...0x7E, using: &generator)
      }
      return "/" + String(decoding: bytes.filter { $0 != UInt8(ascii: "#") }, as: UTF8.self)
    }

    @Test func `a fetch sends the target of its address byte by byte`() async throws {
      var generator = SeededGenerator(seed: 46)
      let targets = Self.targets + (0..<500).map { _ in Self.random(&generator) }
      try await withOrigin { _ in
        .init(200, ["Cache-Control": "no-store"], body: "x")
      } test: { origin, source in
        for target in targets {
          #expect(await source.failure(origin.url(target)) == nil)
        }
        #expect(origin.requests.map(\.target) == targets)
      }
    }

    @Test(arguments: ["proxy", "socket", "tls"])
    func `on every way it sends the same`(way: String) async throws {
      let folder = try TemporaryFolder()
      var configuration = HTTPConfiguration(timeout: .seconds(600))
      let origin: OriginServer
      var base = "http://news.example"
      switch way {
      case "socket":
        origin = try await OriginServer.start(socket: folder.file("socket")) { _ in .init(body: "x")
        }
        configuration.socketPath = folder.file("socket")
      case "tls":
        origin = try await OriginServer.start(tls: TestCertificates.localhost) { _ in
          .init(body: "x")
        }
        configuration.trust = .insecure
        base = origin.url("")
      default:
        origin = try await OriginServer.start { _ in .init(body: "x") }
        configuration.proxies = try ProxySettings(environment: ["all_proxy": origin.url("")])
      }
      let source = try HTTPSource(configuration)
      for target in Self.targets {
        #expect(await source.failure(base + target) == nil)
      }
      let prefix = way == "proxy" ? base : ""
      #expect(origin.requests.map(\.target) == Self.targets.map { prefix + $0 })
      await source.close()
      await origin.stop()
    }

    @Test(arguments: targets)
    func `a write goes to its address byte by byte`(target: String) async throws {
      try await withOrigin { _ in
        .init(204)
      } test: { origin, source in
        for kind in [WriteKind.replace, .delete] {
          let write = PendingWrite<[UInt8]>(
            key: "k", kind: kind, value: kind == .delete ? nil : [1], idempotencyKey: "k",
            isBaseAbsent: true)
          _ = try await source.push(write, to: origin.url(target))
        }
        // A deletion first asks for the present value.
        #expect(Set(origin.requests.map(\.method)).isSuperset(of: ["PUT", "DELETE"]))
        #expect(origin.requests.allSatisfy { $0.target == target })
      }
    }

    @Test func `a redirect is followed to the bytes of its Location, whatever text they are of`()
      async throws
    {
      try await withOrigin { request in
        request.path == "/a"
          ? .init(raw: [
            .send(
              Array("HTTP/1.1 302 x\r\nContent-Length: 0\r\nLocation: /caf".utf8) + [0xE9]
                + Array(" b?[x]\r\n\r\n".utf8))
          ]) : .init(body: request.target)
      } test: { origin, source in
        let text = try await source.fetch(origin.url("/a")).text
        #expect(text == "/caf%E9%20b?[x]")
      }
    }

    @Test(arguments: ["proxy", "socket"], [100, 102, 103])
    func `an informational answer is not the answer, over a connection of its own neither`(
      way: String, status: Int
    ) async throws {
      let folder = try TemporaryFolder()
      var configuration = HTTPConfiguration(timeout: .seconds(600))
      let handler: OriginServer.Handler = { _ in
        .init(raw: [
          .send("HTTP/1.1 \(status) x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        ])
      }
      let origin: OriginServer
      if way == "socket" {
        origin = try await OriginServer.start(socket: folder.file("socket"), handler)
        configuration.socketPath = folder.file("socket")
      } else {
        origin = try await OriginServer.start(handler)
        configuration.proxies = try ProxySettings(environment: ["all_proxy": origin.url("")])
      }
      let source = try HTTPSource(configuration)
      #expect(try await source.fetch("http://news.example/a").text == "ok")
      await source.close()
      await origin.stop()
    }

    @Test(arguments: ["stray", "\n", "\r", "\r\n\r\n"])
    func `stray bytes end their connection, and not the next request`(stray: String) async throws {
      try await withOrigin { _ in
        .init(raw: [.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok\(stray)")])
      } test: { (origin, source) async throws in
        for _ in 0..<20 { #expect(try await source.fetch(origin.url("/a")).text == "ok") }
        // Sent once, whatever stood behind the answers before.
        #expect(try await source.send("POST", to: origin.url("/b")).status == 200)
        #expect(origin.requests.count == 21)
      }
    }

    @Test func `a request that waits gets no connection that an answer has ended`() async throws {
      let gate = Gate()
      let origin = try await OriginServer.start { request in
        request.path == "/a"
          ? .init(raw: [.send("HTTP/1.1 200 OK\r\n\r\nok"), .wait(gate), .close])
          : .init(200, body: "done")
      }
      var configuration = HTTPConfiguration(timeout: .seconds(600))
      configuration.maximumConnectionsPerHost = 1
      let source = try HTTPSource(configuration)
      async let first = source.fetch(origin.url("/a"))
      while origin.requests.isEmpty { await Task.yield() }
      async let second = source.send("POST", to: origin.url("/b"))
      for _ in 1...200 { await Task.yield() }
      gate.open()
      #expect(try await first.text == "ok")
      #expect(try await second.status == 200)
      await source.close()
      await origin.stop()
    }

    @Test(arguments: ["gzip", "x-gzip", "GZIP"])
    func `RFC 9110 8.4.1.3 and RFC 1952 2.2: gzip has two names and any number of members`(
      coding: String
    ) async throws {
      let body =
        Gzip.stored(Array("one ".utf8)) + Gzip.zeros(atLeast: 300_000)
        + Gzip.stored(Array("two".utf8)) + [0, 0]
      try await withOrigin { _ in
        .init(200, ["Content-Encoding": coding], body: body)
      } test: { origin, source in
        let text = try #require(try await source.fetch(origin.url("/a")).text)
        #expect(text.hasPrefix("one \0") && text.hasSuffix("\0two"))
        #expect(text.utf8.count >= 300_007)
      }
    }
  }
#endif
