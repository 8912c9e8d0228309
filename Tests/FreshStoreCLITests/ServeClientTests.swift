#if CommandLine
  import ChildProcess
  import Foundation
  import Glibc
  import OriginServer
  import Testing

  /// Real clients use a gateway that runs as a process.
  @Suite(.serialized, .timeLimit(.minutes(2))) struct ServeClientTests {
    /// A page that is fresh for ten minutes, and one that is stale at once and served stale when
    /// the origin fails.
    private static let pages: OriginServer.Handler = { request in
      let fields: KeyValuePairs<String, String> =
        request.path == "/grace"
        ? ["Cache-Control": "max-age=0, stale-if-error=600", "ETag": "\"1\""]
        : ["Cache-Control": "max-age=600", "ETag": "\"1\"", "Content-Type": "text/html"]
      if request["If-None-Match"] == "\"1\"" { return .init(304, fields) }
      return .init(200, fields, body: "page \(request.path)")
    }

    private func withGateway(
      _ arguments: [String] = [], isProxy: Bool = false,
      _ test: (Playground, RunningGateway, OriginServer) async throws -> Void
    ) async throws {
      let playground = try Playground()
      let origin = try await OriginServer.start(Self.pages)
      let site = isProxy ? [] : ["--origin", origin.url("")]
      let gateway = try await RunningGateway(playground, site + arguments)
      try await test(playground, gateway, origin)
      #expect(await gateway.stop() == 0)
      await origin.stop()
      #expect(try await playground.run("check").status == 0)
    }

    @Test(.needsCurl) func `curl sees where an answer is from`() async throws {
      try await withGateway { playground, gateway, origin in
        let miss = try await playground.curl("\(gateway.base)/a")
        #expect(miss.status == 200)
        #expect(miss.content == "page /a")
        #expect(miss.decision.hasPrefix("fwd=uri-miss; ttl="))
        let hit = try await playground.curlUntilHit("\(gateway.base)/a")
        #expect(hit.content == "page /a")
        #expect(origin.requests.count == 1)
        let same = try await playground.curl("-H 'If-None-Match: \"1\"' \(gateway.base)/a")
        #expect(same.status == 304)
        let part = try await playground.curl("--range 5-6 \(gateway.base)/a")
        #expect(part.status == 206)
        #expect(part.content == "/a")
        let head = try await playground.curl("--head \(gateway.base)/a")
        #expect(head.head.contains("Content-Length: 7"))
        #expect(origin.requests.count == 1)
      }
    }

    @Test(.needsCurl) func `curl uses one connection for many requests, and sends content`()
      async throws
    {
      try await withGateway { playground, gateway, origin in
        let run = try await playground.runShell(
          "curl -sS -o /dev/null -o /dev/null -o /dev/null -w '%{num_connects} ' "
            + "\(gateway.base)/1 \(gateway.base)/2 \(gateway.base)/3")
        #expect(run.text == "1 0 0 ")
        let content = String(repeating: "0123456789", count: 20_000)
        try Data(content.utf8).write(to: URL(fileURLWithPath: playground.file("content")))
        // It waits to be asked for so much.
        let put = try await playground.curl(
          "-H 'Expect: 100-continue' -T '\(playground.file("content"))' \(gateway.base)/1")
        #expect(put.code == 0)
        #expect(origin.requests.last?.method == "PUT")
        #expect(origin.requests.last?.body.count == 200_000)
      }
    }

    @Test(.needsCurl, arguments: [true, false])
    func `an origin that dies leaves its page, and what was never asked for is missed`(
      isProxy: Bool
    ) async throws {
      try await withGateway(isProxy: isProxy) { playground, gateway, origin in
        let base = isProxy ? "--proxy \(gateway.base) \(origin.url(""))" : gateway.base
        for path in ["/grace", "/a"] {
          #expect(try await playground.curl(base + path).status == 200)
        }
        // The copy is there now.
        try await playground.curlUntilHit(base + "/a")
        try await playground.curl(base + "/grace") { $0.decision.contains("fwd-status=304") }
        await origin.stop()
        #expect(try await playground.curl(base + "/a").decision.hasPrefix("hit"))
        let page = try await playground.curl(base + "/grace")
        #expect(page.status == 200)
        #expect(page.content == "page /grace")
        #expect(page.decision.contains("detail="))
        #expect(try await playground.curl(base + "/b").status == 502)
      }
    }

    @Test(.needsCurl, .needsPython)
    func `what the README shows: Python serves a page, dies, and the page stays`() async throws {
      let python = try #require(ForeignProgram.python)
      let playground = try Playground()
      let made = try await playground.runShell(
        "cd \"$folder\" && mkdir site && echo hello > site/page && touch -d yesterday site/page")
      #expect(made.status == 0, "\(made.error)")
      let origin = try ChildProcess(
        "/bin/sh",
        [
          "-c", "exec \"$0\" -u -m http.server 0 --bind 127.0.0.1 --directory \"$1\" 2>/dev/null",
          python, playground.file("site"),
        ])
      // `Serving HTTP on 127.0.0.1 port 43210 (http://127.0.0.1:43210/) ...`
      let line = await origin.line()
      let port = try #require(line.firstMatch(of: /port (\d+)/)).output.1
      let site = "http://127.0.0.1:\(port)"
      let gateway = try await RunningGateway(playground, ["--origin", site])
      let page = "\(gateway.base)/page"
      #expect(try await playground.curl(page).decision.hasPrefix("fwd=uri-miss; ttl=86"))
      #expect(try await playground.curlUntilHit(page).content == "hello\n")
      origin.signal(SIGKILL)
      #expect(await origin.end() == 128 + SIGKILL)
      #expect(try await playground.run("mark", "\(site)/page").status == 0)
      let kept = try await playground.curl(page)
      #expect(kept.status == 200)
      #expect(kept.content == "hello\n")
      #expect(kept.decision.contains("detail="))
      #expect(try await playground.curl("\(gateway.base)/other").status == 502)
      #expect(await gateway.stop() == 0)
    }

    @Test(.needsCurl) func `a program that knows http_proxy uses it`() async throws {
      try await withGateway(isProxy: true) { playground, gateway, origin in
        let environment = ["http_proxy": gateway.base]
        for _ in 1...2 {
          let answer = try await playground.curl(origin.url("/a"), environment: environment)
          #expect(answer.content == "page /a")
          #expect(answer.head.contains("Via: 1.1 freshstore"))
        }
        try await playground.curlUntilHit("--proxy \(gateway.base) \(origin.url("/a"))")
        #expect(origin.requests.count == 1)
        // The gateway makes no tunnels, because it could not store their content.
        let tunnel = try await playground.curl(
          "--proxytunnel --proxy \(gateway.base) \(origin.url("/a"))")
        #expect(tunnel.code != 0)
        #expect(tunnel.status == 501)
      }
    }

    @Test(.needsCurl) func `curl trusts its certificate by its issuer`() async throws {
      let files = try Playground()
      for (name, text) in [
        ("site.pem", TestCertificates.localhost.certificate),
        ("site.key", TestCertificates.localhost.key), ("issuer.pem", TestCertificates.issuer),
      ] {
        try Data(text.utf8).write(to: URL(fileURLWithPath: files.file(name)))
      }
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o600], ofItemAtPath: files.file("site.key"))
      let arguments = ["--certificate", files.file("site.pem"), "--key", files.file("site.key")]
      try await withGateway(arguments) { playground, gateway, _ in
        #expect(gateway.base.hasPrefix("https://"))
        let issuer = "--cacert '\(files.file("issuer.pem"))'"
        let answer = try await playground.curl("\(issuer) https://localhost:\(gateway.port)/a")
        #expect(answer.content == "page /a")
        // Without the issuer, the client refuses the certificate.
        #expect(try await playground.curl("https://localhost:\(gateway.port)/a").code == 60)
        // Without TLS, the client gets the reason for the refusal, and no page of the site.
        let plain = try await playground.curl("http://127.0.0.1:\(gateway.port)/a")
        #expect(plain.status == 400)
        #expect(!plain.content.contains("page /a"))
        let old = try await playground.curl("\(issuer) --tls-max 1.1 \(gateway.base)/a")
        #expect(old.code != 0)
      }
    }

    @Test(.needsPython, arguments: [true, false])
    func `Python's http.client and urllib use it, through a proxy and without`(
      isProxy: Bool
    ) async throws {
      let script = """
        import http.client, sys, urllib.request
        gateway, origin, is_proxy = sys.argv[1], sys.argv[2], sys.argv[3] == "true"
        target = origin if is_proxy else ""
        connection = http.client.HTTPConnection(gateway.removeprefix("http://"), timeout=60)
        for number in range(3):
            connection.request("GET", target + "/a")
            answer = connection.getresponse()
            assert answer.status == 200 and answer.read() == b"page /a", answer.status
        # The connection goes on behind content.
        connection.request("POST", target + "/a", body=b"content")
        assert connection.getresponse().read() == b"page /a"
        proxies = {"http": gateway} if is_proxy else {}
        opener = urllib.request.build_opener(urllib.request.ProxyHandler(proxies))
        with opener.open((origin if is_proxy else gateway) + "/b", timeout=60) as answer:
            print(answer.read().decode(), answer.headers["Cache-Status"].split(";")[0])
        """
      try await withGateway(isProxy: isProxy) { playground, gateway, origin in
        try Data(script.utf8).write(to: URL(fileURLWithPath: playground.file("client.py")))
        let run = try await playground.runShell(
          "exec python3 '\(playground.file("client.py"))' \(gateway.base) \(origin.url("")) \(isProxy)"
        )
        #expect(run.status == 0, "\(run.error)")
        #expect(run.text == "page /b freshstore\n")
      }
    }

    @Test(.needsBrowser) func `a browser shows the page, also once its origin has died`()
      async throws
    {
      let browser = try #require(ForeignProgram.browser)
      try await withGateway { playground, gateway, origin in
        let words =
          "'\(browser)' --headless --no-sandbox --disable-gpu --disable-dev-shm-usage "
          + "--user-data-dir=\"$folder/profile\" --dump-dom \(gateway.base)/a"
        #expect(try await playground.runShell(words).text.contains("page /a"))
        await origin.stop()
        // Without the browser's own copy.
        let again = try await playground.runShell("rm -rf \"$folder/profile\"; \(words)")
        #expect(again.text.contains("page /a"))
      }
    }
  }
#endif
