#if CommandLine
  import Foundation
  import OriginServer
  import Testing

  /// curl uses a gateway over HTTP/2.
  @Suite(.serialized, .timeLimit(.minutes(2)), .needsCurl, .needsCurlOfStreams)
  struct ServeStreamTests {
    private func withGateway(
      _ arguments: [String] = [], _ handler: @escaping OriginServer.Handler,
      _ test: (Playground, RunningGateway, _ options: String) async throws -> Void
    ) async throws {
      let playground = try Playground()
      for (name, text) in [
        ("site.pem", TestCertificates.localhost.certificate),
        ("site.key", TestCertificates.localhost.key), ("issuer.pem", TestCertificates.issuer),
      ] {
        try Data(text.utf8).write(to: URL(fileURLWithPath: playground.file(name)))
      }
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o600], ofItemAtPath: playground.file("site.key"))
      let origin = try await OriginServer.start(handler)
      let gateway = try await RunningGateway(
        playground,
        [
          "--origin", origin.url(""), "--certificate", playground.file("site.pem"), "--key",
          playground.file("site.key"),
        ] + arguments)
      try await test(playground, gateway, "--http2 --cacert '\(playground.file("issuer.pem"))'")
      #expect(await gateway.stop() == 0)
      await origin.stop()
      #expect(try await playground.run("check").status == 0)
    }

    @Test func `curl asks over one connection, and is answered from copies`() async throws {
      try await withGateway { request in
        .init(200, ["Cache-Control": "max-age=600"], body: "page \(request.path)")
      } _: { playground, gateway, options in
        let base = "https://localhost:\(gateway.port)"
        let answer = try await playground.curl("\(options) \(base)/a")
        #expect(answer.head.first?.hasPrefix("HTTP/2 200") == true)
        #expect(answer.content == "page /a")
        let hit = try await playground.curl("\(options) \(base)/a") { answer in
          answer.head.contains { $0.hasPrefix("cache-status: freshstore; hit") }
        }
        #expect(hit.content == "page /a")
        let run = try await playground.runShell(
          "curl -sS --parallel --parallel-max 50 \(options) -o /dev/null "
            + "-w '%{http_version} %{response_code}\\n' '\(base)/many/[1-200]'")
        #expect(run.text.split(separator: "\n").filter { $0 == "2 200" }.count == 200)
      }
    }

    @Test func `curl uploads and downloads much, and without the option it gets HTTP 1`()
      async throws
    {
      try await withGateway { request in
        .init(200, ["Cache-Control": "no-store"], body: request.body)
      } _: { playground, gateway, options in
        let content = String(repeating: "0123456789", count: 300_000)
        try Data(content.utf8).write(to: URL(fileURLWithPath: playground.file("content")))
        // Without `Expect`, curl sends the body at once, and prints no interim response.
        let upload =
          "-H 'Expect:' -T '\(playground.file("content"))' https://localhost:\(gateway.port)/a"
        let put = try await playground.curl("\(options) \(upload)")
        #expect(put.code == 0)
        #expect(put.content == content)
        let old = try await playground.curl("\(options) --http1.1 \(upload)")
        #expect(old.content == content)
      }
    }
  }
#endif
