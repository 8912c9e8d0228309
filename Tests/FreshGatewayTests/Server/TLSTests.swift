#if Gateway
  internal import Foundation
  internal import FreshHTTP
  internal import FreshStore
  internal import FreshStoreTesting
  internal import OriginServer
  internal import Strategies
  internal import Testing

  @testable import FreshGateway

  /// Clients may speak TLS.
  @Suite(.timeLimit(.minutes(1))) struct TLSTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func write(_ text: String, as name: String) throws -> String {
      let path = folder.file(name)
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      return path
    }

    /// The text that a client gets when it trusts the issuer of the tests.
    private func text(of url: String) async throws -> String? {
      let issuer = try write(TestCertificates.issuer, as: "issuer.pem")
      let source = try HTTPSource(HTTPConfiguration(trust: .files([issuer])))
      let fetched = try await source.fetch(url)
      await source.close()
      guard case .value(let bytes, _) = fetched else { return nil }
      return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `it shows its certificate`() async throws {
      let certificate = GatewayOptions.Certificate(
        chain: try write(TestCertificates.localhost.certificate, as: "chain.pem"),
        key: try write(TestCertificates.localhost.key, as: "key.pem"))
      try await withGateway { options in
        options.certificate = certificate
      } _: { _ in
        .init(200, body: "secret")
      } test: { bench in
        let text = try await self.text(of: "https://localhost:\(bench.gateway.port)/a")
        #expect(text == "secret")
      }
    }

    @Test(arguments: [
      "GET / HTTP/1.1\r\nHost: g\r\n\r\n", "G", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
      "POST /a HTTP/1.1\r\nHost: g\r\nContent-Length: 3\r\n\r\nabc",
    ])
    func `a client that speaks no TLS is told so`(request: String) async throws {
      let log = LogLines()
      let certificate = GatewayOptions.Certificate(
        chain: try write(TestCertificates.localhost.certificate, as: "chain.pem"),
        key: try write(TestCertificates.localhost.key, as: "key.pem"))
      try await withGateway { options in
        options.certificate = certificate
        options.log = log.accessLog(.common)
      } _: { _ in
        .init(200, body: "secret")
      } test: { bench in
        let client = try await bench.connect()
        try await client.send(request)
        let answer = try #require(await client.answer())
        #expect(answer.status == 400)
        #expect(answer["Connection"] == "close")
        #expect(answer.text == "a request without TLS came to a port of TLS\n")
        #expect(await client.isEnded())
        await client.close()
        #expect(bench.gateway.figures.refusals == 1)
        #expect(bench.asked.isEmpty)
        let text = try await self.text(of: "https://localhost:\(bench.gateway.port)/a")
        #expect(text == "secret")
      }
      let refused = log.lines.filter { $0.contains("without TLS") }
      #expect(refused.count == 1)
      #expect(refused.first?.contains(" 400 ") == true)
    }

    @Test func `one connection too many is closed before its handshake`() async throws {
      let certificate = GatewayOptions.Certificate(
        chain: try write(TestCertificates.localhost.certificate, as: "chain.pem"),
        key: try write(TestCertificates.localhost.key, as: "key.pem"))
      try await withGateway { options in
        options.certificate = certificate
        options.limits.connections = 1
      } _: { _ in
        .init()
      } test: { bench in
        let first = try await bench.connect()
        let second = try await bench.connect()
        #expect(await second.isEnded())
        await second.close()
        await first.close()
      }
    }

    @Test func `a certificate that replaces another is read again, and a bad one is not used`()
      async throws
    {
      func use(_ text: OriginServer.TLS) throws -> GatewayOptions.Certificate {
        GatewayOptions.Certificate(
          chain: try write(text.certificate, as: "chain.pem"),
          key: try write(text.key, as: "key.pem"))
      }
      let certificate = try use(TestCertificates.elsewhere)
      try await withGateway { options in
        options.certificate = certificate
      } _: { _ in
        .init(200, body: "secret")
      } test: { bench in
        let url = "https://localhost:\(bench.gateway.port)/a"
        await #expect(throws: (any Error).self) { _ = try await self.text(of: url) }
        _ = try use(TestCertificates.localhost)
        await #expect(throws: (any Error).self) { _ = try await self.text(of: url) }
        try bench.gateway.reread()
        #expect(try await self.text(of: url) == "secret")
        // A key that belongs to another certificate.
        _ = try self.write(TestCertificates.elsewhere.key, as: "key.pem")
        #expect(throws: GatewayError.self) { try bench.gateway.reread() }
        #expect(try await self.text(of: url) == "secret")
      }
    }

    @Test func `a certificate that ends within a week is told of at the start and when it is read`()
      async throws
    {
      let lines = ToldLines()
      let certificate = GatewayOptions.Certificate(
        chain: try write(TestCertificates.localhost.certificate, as: "chain.pem"),
        key: try write(TestCertificates.localhost.key, as: "key.pem"))
      try await withGateway { options in
        options.certificate = certificate
        options.tell = { lines.add($0) }
      } _: { _ in
        .init()
      } test: { bench in
        // All of them end at the beginning of 2120.
        let end = Timestamp(millisecondsSinceEpoch: 4_733_510_400_000)
        let clock = bench.temporary.clock
        clock.stepWall(by: end.duration(since: clock.reading().wall) - .days(7))
        try bench.gateway.reread()
        #expect(lines.lines.isEmpty)
        clock.stepWall(by: .seconds(1))
        try bench.gateway.reread()
        let words = "the certificate in \"\(certificate.chain)\""
        #expect(
          lines.lines.last?.hasPrefix("\(words) ends Mon, 01 Jan 2120 00:00:00 GMT; ") == true)
        clock.stepWall(by: .days(7))
        let other = try await start(bench.temporary.store, clock, bench.server) { options in
          options.certificate = certificate
          options.tell = { lines.add($0) }
        }
        #expect(
          lines.lines.last?.hasPrefix("\(words) has ended, and clients refuse it, since ") == true)
        await other.close()
        #expect(lines.lines.count == 2)
      }
    }

    @Test func `files that hold no certificate are refused`() async throws {
      let path = try write("nothing", as: "empty.pem")
      try await withGateway({ _ in }) { _ in
        .init()
      } test: { bench in
        let store = bench.temporary
        await #expect(throws: GatewayError.self) {
          _ = try await start(store.store, store.clock, bench.server) { options in
            options.certificate = GatewayOptions.Certificate(chain: path, key: path)
          }
        }
      }
    }
  }
#endif
