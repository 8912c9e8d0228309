#if CommandLine
  import Foundation
  import Glibc
  import OriginServer
  import Synchronization
  import Testing

  /// How sources are connected to, with a synchronizing command.
  @Suite(.serialized, .timeLimit(.minutes(2))) struct ConnectionOptionsTests {
    private func write(
      _ text: String, as name: String, in playground: Playground
    ) throws -> String {
      try Data(text.utf8).write(to: URL(fileURLWithPath: playground.file(name)))
      return playground.file(name)
    }

    /// Fetches a due record of an https origin once.
    private func sync(
      _ playground: Playground, _ tls: OriginServer.TLS, _ options: String...,
      environment: [String: String] = [:]
    ) async throws -> Playground.Run {
      let origin = try await OriginServer.start(tls: tls) { _ in .init(body: "new") }
      try await playground.makeDue(origin.url("/1"))
      let run = try await playground.syncOnce(options, environment: environment)
      await origin.stop()
      return run
    }

    @Test func `--cacert names the issuer of a source`() async throws {
      let playground = try Playground()
      let issuer = try write(TestCertificates.issuer, as: "issuer.pem", in: playground)
      let run = try await sync(playground, TestCertificates.localhost, "--cacert", issuer)
      #expect(run.text == "1 fetched\n", "\(run.error)")
    }

    @Test func `SSL_CERT_FILE names the issuer where --cacert does not`() async throws {
      let playground = try Playground()
      let issuer = try write(TestCertificates.issuer, as: "issuer.pem", in: playground)
      let environment = ["SSL_CERT_FILE": issuer]
      let other = try write(
        TestCertificates.selfSigned.certificate, as: "other.pem", in: playground)
      let byVariable = try await sync(
        playground, TestCertificates.localhost, environment: environment)
      let byOption = try await sync(
        playground, TestCertificates.localhost, "--cacert", other, environment: environment)
      #expect(byVariable.text == "1 fetched\n", "\(byVariable.error)")
      #expect(byOption.status == 5)
    }

    @Test func `an issuer that nobody names is not trusted, unless nothing is verified`()
      async throws
    {
      let playground = try Playground()
      let run = try await sync(playground, TestCertificates.localhost)
      let insecure = try await sync(playground, TestCertificates.localhost, "--insecure")
      #expect(run.status == 5)
      #expect(insecure.text.hasPrefix("1 fetched"), "\(insecure.error)")
    }

    @Test func `--cert and --key show a client certificate`() async throws {
      let playground = try Playground()
      let issuer = try write(TestCertificates.issuer, as: "issuer.pem", in: playground)
      let cert = try write(TestCertificates.client, as: "client.pem", in: playground)
      let key = try write(TestCertificates.clientKey, as: "key.pem", in: playground)
      let tls = TestCertificates.localhost.requiringClients(of: TestCertificates.issuer)
      let without = try await sync(playground, tls, "--cacert", issuer)
      let with = try await sync(
        playground, tls, "--cacert", issuer, "--cert", cert, "--key", key)
      #expect(without.status == 5)
      #expect(with.text.hasPrefix("1 fetched"), "\(with.error)")
    }

    @Test(
      arguments: [
        ["--key", "k.pem"], ["--insecure", "--cacert", "c.pem"], ["--retry", "-1"],
        ["--max-redirs", "-1"], ["--connect-timeout", "0"], ["--unix-socket", ""],
        ["--unix-socket", String(repeating: "s", count: 104)],
      ])
    func `options that cannot be used are refused before anything is done`(
      options: [String]
    ) async throws {
      let playground = try Playground()
      let run = try await playground.syncOnce(options)
      #expect(run.status == 64)
      #expect(!run.error.isEmpty)
      #expect(unsafe access(playground.database, F_OK) != 0)
    }

    @Test func `--retry repeats a fetch that failed for the moment`() async throws {
      let playground = try Playground()
      let count = Mutex(0)
      let origin = try await OriginServer.start { _ in
        let number = count.withLock { count in
          count += 1
          return count
        }
        return number == 1 ? .init(503, ["Retry-After": "0"]) : .init(body: "new")
      }
      try await playground.makeDue(origin.url("/1"))
      let run = try await playground.syncOnce(["--retry", "1"])
      await origin.stop()
      #expect(run.text == "1 fetched\n", "\(run.error)")
      #expect(origin.requests.count == 2)
    }

    @Test func `--max-redirs limits the redirects`() async throws {
      let playground = try Playground()
      let origin = try await OriginServer.start { request in
        request.path == "/1" ? .init(302, ["Location": "/2"]) : .init(body: "new")
      }
      try await playground.makeDue(origin.url("/1"))
      let run = try await playground.syncOnce(["--max-redirs", "0"])
      await origin.stop()
      #expect(run.status == 5)
      #expect(origin.requests.map(\.path) == ["/1"])
    }

    @Test(
      .enabled("namespaces need root, or user namespaces") {
        try await Playground().runShell("unshare -rn true").status == 0
      })
    func `--unix-socket reaches a source without any network`() async throws {
      let playground = try Playground()
      let socket = playground.file("socket")
      let origin = try await OriginServer.start(socket: socket) { _ in .init(body: "new") }
      try await playground.makeDue("http://daemon.example/1")
      let run = try await playground.runShell(
        "exec unshare -rn freshstore sync run --once --db \"$db\" --unix-socket \"$folder/socket\"")
      await origin.stop()
      #expect(run.text == "1 fetched\n", "\(run.error)")
      #expect(origin.requests.map { $0["Host"] } == ["daemon.example"])
    }
  }
#endif
