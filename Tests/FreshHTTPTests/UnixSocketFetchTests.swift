#if HTTP
  internal import Foundation
  internal import FreshStore
  internal import FreshStoreTesting
  internal import OriginServer
  internal import Testing

  @testable import FreshHTTP

  @Suite struct UnixSocketFetchTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var path: String { folder.file("socket") }

    private func configuration(trust: TrustRoots = .system) -> HTTPConfiguration {
      HTTPConfiguration(timeout: .seconds(600), trust: trust, socketPath: path)
    }

    /// Runs an origin on the socket, and a source that goes over it.
    private func withSocket(
      _ configuration: HTTPConfiguration? = nil, tls: OriginServer.TLS? = nil,
      _ handler: @escaping OriginServer.Handler,
      test: (OriginServer, HTTPSource) async throws -> Void
    ) async throws {
      try await withOrigin(
        configuration ?? self.configuration(), socket: path, tls: tls, handler, test: test)
    }

    @Test func `a request goes over the socket, with the host and the path of its address`()
      async throws
    {
      try await withSocket { _ in
        .init(200, ["ETag": "\"1\""], body: "there")
      } test: { origin, source in
        let fetched = try await source.fetch("http://daemon.example:8080/a?b=c")
        #expect(fetched.text == "there")
        #expect(fetched.details.validators.entityTag == "\"1\"")
        #expect(origin.requests.map(\.target) == ["/a?b=c"])
        #expect(origin.requests.first?["Host"] == "daemon.example:8080")
      }
    }

    @Test func `a copy is asked for conditionally over the socket`() async throws {
      try await withSocket { request in
        request["If-None-Match"] == "\"1\"" ? .init(304) : .init(200, ["ETag": "\"1\""], body: "x")
      } test: { origin, source in
        let url = "http://daemon.example/a"
        let first = try await source.fetch(url)
        let second = try await source.fetch(url, previous: copy(first.details))
        #expect(second.isNotModified)
      }
    }

    @Test func `proxies do not apply to a socket`() async throws {
      var configuration = configuration()
      configuration.proxies = try ProxySettings(
        environment: ["all_proxy": "http://proxy.invalid:1"])
      try await withSocket(configuration) { _ in
        .init(body: "there")
      } test: { origin, source in
        let fetched = try await source.fetch("http://daemon.example/a")
        #expect(fetched.text == "there")
        #expect(origin.requests.map(\.target) == ["/a"])
      }
    }

    @Test func `a write goes over the socket completely`() async throws {
      try await withSocket { _ in
        .init(204)
      } test: { origin, source in
        _ = try await source.push(
          PendingWrite(key: "1", kind: .replace, value: [1, 2], idempotencyKey: "k"),
          to: "http://daemon.example/1")
        let request = try #require(origin.requests.first)
        #expect(request.method == "PUT" && request.body == [1, 2])
      }
    }

    @Test func `a compressed body from a socket is decompressed`() async throws {
      try await withSocket { _ in
        .init(200, ["Content-Encoding": "gzip"], body: Gzip.stored(Array("long".utf8)))
      } test: { _, source in
        let fetched = try await source.fetch("http://daemon.example/a")
        #expect(fetched.text == "long")
      }
    }

    @Test(arguments: [
      OriginServer.Response(raw: [.close]),
      .init(raw: [.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx"), .close]),
    ])
    func `a truncated answer from a socket is an error`(
      response: OriginServer.Response
    ) async throws {
      try await withSocket { _ in
        response
      } test: { _, source in
        guard case .transport = await source.failure("http://daemon.example/a") else {
          Issue.record("no transport error")
          return
        }
      }
    }

    @Test func `a fetch from a socket that does not answer can be cancelled`() async throws {
      try await withSocket { _ in
        .init(raw: [.wait(Gate())])
      } test: { origin, source in
        let task = Task { await source.failure("http://daemon.example/a") }
        while origin.requests.isEmpty { await Task.yield() }
        task.cancel()
        #expect(await task.value == .cancelled("http://daemon.example/a"))
      }
    }

    // MARK: The socket itself

    @Test func `a missing socket is named`() async throws {
      let source = try HTTPSource(configuration())
      let failure = await source.failure("http://daemon.example/a")
      await source.close()
      let words = "the socket \(path.debugDescription): no such file or directory"
      #expect(failure == .transport("http://daemon.example/a", description: words))
    }

    @Test func `a socket that nobody listens on refuses, and is named`() async throws {
      let origin = try await OriginServer.start(socket: path) { _ in .init() }
      // The server removes its own name of the socket when it ends.
      try FileManager.default.linkItem(atPath: path, toPath: path + ".left")
      await origin.stop()
      try FileManager.default.moveItem(atPath: path + ".left", toPath: path)
      let source = try HTTPSource(configuration())
      let failure = await source.failure("http://daemon.example/a")
      await source.close()
      let words = "the socket \(path.debugDescription): connection refused"
      #expect(failure == .transport("http://daemon.example/a", description: words))
    }

    // MARK: Redirects

    @Test func `a redirect within the origin stays on the socket`() async throws {
      try await withSocket { request in
        request.path == "/a" ? .init(302, ["Location": "/b"]) : .init(body: "there")
      } test: { origin, source in
        let fetched = try await source.fetch("http://daemon.example/a")
        #expect(fetched.text == "there")
        #expect(origin.requests.map(\.path) == ["/a", "/b"])
      }
    }

    @Test(arguments: [
      "http://other.example/b", "http://daemon.example:81/b", "https://daemon.example/b",
    ])
    func `a redirect to another origin is refused`(location: String) async throws {
      try await withSocket { _ in
        .init(302, ["Location": location])
      } test: { origin, source in
        guard
          case .badRedirect("http://daemon.example/a", let reason) =
            await source.failure("http://daemon.example/a")
        else {
          Issue.record("no refusal")
          return
        }
        #expect(reason.contains(location) && reason.contains("Unix socket"), "\(reason)")
        #expect(origin.requests.count == 1)
      }
    }

    // MARK: TLS

    @Test func `over a socket a certificate is checked against the name in the address`()
      async throws
    {
      let issuer = try folder.write(TestCertificates.issuer, as: "issuer.pem")
      try await withSocket(
        configuration(trust: .files([issuer])), tls: TestCertificates.localhost
      ) { _ in
        .init(body: "there")
      } test: { origin, source in
        let fetched = try await source.fetch("https://localhost/a")
        #expect(fetched.text == "there")
        #expect(
          await source.failure("https://other.example/a")
            == .tls("https://other.example/a", .otherName(host: "other.example")))
        guard case .badURL = await source.failure("https://127.0.0.1/a") else {
          Issue.record("an IP address was accepted")
          return
        }
        #expect(origin.requests.map { $0["Host"] } == ["localhost"])
      }
    }

    @Test func `over a socket an issuer must be trusted, too`() async throws {
      let issuer = try folder.write(TestCertificates.issuer, as: "issuer.pem")
      try await withSocket(
        configuration(trust: .files([issuer])), tls: TestCertificates.selfSigned
      ) { _ in
        .init()
      } test: { _, source in
        #expect(
          await source.failure("https://localhost/a")
            == .tls("https://localhost/a", .untrusted(host: "localhost")))
      }
    }

    @Test(arguments: ["localhost", "127.0.0.1", "other.example"])
    func `without any verification every certificate will do over a socket`(host: String)
      async throws
    {
      try await withSocket(
        configuration(trust: .insecure), tls: TestCertificates.selfSigned
      ) { _ in
        .init(body: "there")
      } test: { _, source in
        let fetched = try await source.fetch("https://\(host)/a")
        #expect(fetched.text == "there")
      }
    }
  }
#endif
