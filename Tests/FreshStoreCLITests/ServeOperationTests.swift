#if CommandLine
  import ChildProcess
  import Foundation
  import Glibc
  import OriginServer
  import Testing

  /// A gateway beside other programs on its file, and what operators see of it.
  @Suite(.serialized, .timeLimit(.minutes(2))) struct ServeOperationTests {
    private static let page: OriginServer.Handler = { request in
      let fields: KeyValuePairs<String, String> = [
        "Cache-Control": "max-age=600", "ETag": "\"1\"", "Content-Type": "text/plain",
      ]
      if request["If-None-Match"] == "\"1\"" { return .init(304, fields) }
      return .init(200, fields, body: "page \(request.path)")
    }

    // MARK: Beside other programs

    @Test(.needsCurl) func `two gateways and a get beside them ask the origin once`() async throws {
      let (playground, gate) = (try Playground(), Gate())
      let origin = try await OriginServer.start { request in
        await gate.wait()
        return await Self.page(request)
      }
      let site = ["--origin", origin.url("")]
      let one = try await RunningGateway(playground, hasAdmin: true, site)
      let other = try await RunningGateway(playground, hasAdmin: true, site)
      let contents = try await withThrowingTaskGroup(of: String.self) { group in
        for base in [one.base, one.base, other.base, other.base] {
          group.addTask { try await playground.curl("\(base)/a").content }
        }
        group.addTask { try await playground.run("get", origin.url("/a")).text }
        while origin.requests.isEmpty { await Task.yield() }
        for gateway in [one, other] {
          let admin = try #require(gateway.admin)
          try await playground.curl("\(admin)/status") { $0.content.contains("\"flights\":1") }
        }
        gate.open()
        return try await group.reduce(into: [String]()) { $0.append($1) }
      }
      #expect(contents == Array(repeating: "page /a", count: 5))
      #expect(origin.requests.count == 1)
      // A copy that one gateway has stored is a hit of the other.
      try await playground.curlUntilHit("\(one.base)/a")
      #expect(try await playground.curl("\(other.base)/a").decision.hasPrefix("hit"))
      for gateway in [one, other] { #expect(await gateway.stop() == 0) }
      await origin.stop()
      #expect(try await playground.run("check").status == 0)
    }

    /// Asks gateways for one page over connections that all are there before the first answer.
    private static let crowd = """
      import resource, socket, sys
      count, ports = int(sys.argv[1]), [int(port) for port in sys.argv[2:]]
      limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
      resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
      connections = []
      for number in range(count):
          place = ("127.0.0.1", ports[number % len(ports)])
          connections.append(socket.create_connection(place, timeout=60))
          connections[-1].sendall(b"GET /a HTTP/1.1\\r\\nHost: g\\r\\nConnection: close\\r\\n\\r\\n")
      print("sent")
      for connection in connections:
          answer = b""
          while part := connection.recv(65536):
              answer += part
          head, content = answer.split(b"\\r\\n\\r\\n", 1)
          assert head.startswith(b"HTTP/1.1 200 ") and content == b"page /a", answer
      print("all answered")
      """

    @Test(.needsCurl, .needsPython, arguments: [false, true])
    func `a thousand connections to two gateways, and a get, are one request to the origin in time`(
      isRevalidation: Bool
    ) async throws {
      let python = try #require(ForeignProgram.python)
      let (playground, gate) = (try Playground(), Gate())
      let origin = try await OriginServer.start { request in
        // The origin confirms a copy that exists already.
        if !isRevalidation || request["If-None-Match"] != nil { await gate.wait() }
        return await Self.page(request)
      }
      let site = ["--origin", origin.url("")]
      let one = try await RunningGateway(playground, hasAdmin: true, site)
      let other = try await RunningGateway(playground, hasAdmin: true, site)
      if isRevalidation {
        try await playground.curlUntilHit("\(one.base)/a")
        #expect(try await playground.run("mark", origin.url("/a")).status == 0)
      }
      let (earlier, began) = (origin.requests.count, ContinuousClock.now)
      let script = playground.file("crowd.py")
      try Data(Self.crowd.utf8).write(to: URL(fileURLWithPath: script))
      let crowd = try ChildProcess(
        python, ["-u", script, "1000", "\(one.port)", "\(other.port)"])
      #expect(await crowd.line() == "sent")
      async let got = playground.run("get", origin.url("/a"))
      for gateway in [one, other] {
        let admin = try #require(gateway.admin)
        try await playground.curl("\(admin)/status") { status in
          status.content.contains("\"connections\":500,")
            && status.content.contains("\"flights\":1,")
        }
      }
      gate.open()
      #expect(await crowd.line() == "all answered")
      #expect(await crowd.end() == 0)
      #expect(try await got.text == "page /a")
      // Those that have waited for five seconds ask once more, together.
      let isInTime = ContinuousClock.now - began < .seconds(5)
      #expect((1...(isInTime ? 1 : 5)).contains(origin.requests.count - earlier))
      for gateway in [one, other] { #expect(await gateway.stop() == 0) }
      await origin.stop()
      #expect(try await playground.run("check").status == 0)
    }

    @Test(.needsCurl) func `verbs work on its file while it runs, and it sees what they do`()
      async throws
    {
      let playground = try Playground()
      let origin = try await OriginServer.start(Self.page)
      let gateway = try await RunningGateway(playground, ["--origin", origin.url("")])
      let (page, url) = ("\(gateway.base)/a", origin.url("/a"))
      try await playground.curlUntilHit(page)
      #expect(try await playground.run("list").text.contains("\(url)\tfresh"))
      #expect(try await playground.run("explain", url).text.contains("a get would: serve the copy"))
      #expect(try await playground.run("get", url).text == "page /a")
      #expect(origin.requests.count == 1)

      #expect(try await playground.run("mark", url).status == 0)
      #expect(try await playground.curl(page).decision.hasPrefix("fwd=stale; fwd-status=304"))
      #expect(try await playground.run("remove", url).status == 0)
      #expect(try await playground.curl(page).decision.hasPrefix("fwd=uri-miss"))
      try await playground.curlUntilHit(page)
      #expect(try await playground.run("sweep").status == 0)
      #expect(try await playground.curl(page).decision.hasPrefix("hit"))
      #expect(try await playground.run("check").status == 0)
      #expect(origin.requests.count == 3)
      // A record of `get` lacks the header section of its response. The copy of the gateway
      // replaces it, and is a hit for both.
      #expect(try await playground.run("get", origin.url("/b")).text == "page /b")
      #expect(try await playground.curl("\(gateway.base)/b").decision.hasPrefix("fwd=uri-miss"))
      try await playground.curlUntilHit("\(gateway.base)/b")
      #expect(try await playground.run("get", origin.url("/b")).text == "page /b")
      #expect(origin.requests.count == 5)
      #expect(await gateway.stop() == 0)
      await origin.stop()
    }

    @Test(.needsCurl) func `marks of a prefix and a group reach it, and explain says what it does`()
      async throws
    {
      let playground = try Playground()
      let origin = try await OriginServer.start { request in
        let fields: KeyValuePairs<String, String> = [
          "Cache-Control": "max-age=600", "ETag": "\"1\"",
          "Cache-Groups": "\"\(request.path.dropFirst().prefix(1))\"",
        ]
        if request["If-None-Match"] == "\"1\"" { return .init(304, fields) }
        return .init(200, fields, body: request.path)
      }
      let gateway = try await RunningGateway(playground, ["--origin", origin.url("")])
      let paths = ["/a/1", "/a/2", "/b/1"]
      for mark in [
        ["--tag", "http://127.0.0.1:\(origin.port) a"],
        ["--prefix", origin.url("/a/"), "--collection", "http"],
      ] {
        for path in paths {
          try await playground.curlUntilHit(gateway.base + path)
          let explained = try await playground.run("explain", origin.url(path))
          #expect(explained.text.contains("a gateway would: answer from a copy"))
        }
        let run = try await playground.run(["mark", "--db", playground.database] + mark)
        #expect(run.text == "marked 2 records\n", "\(run.error)")
        for path in paths {
          let isMarked = path.hasPrefix("/a/")
          let explained = try await playground.run("explain", origin.url(path))
          #expect(explained.text.contains("a gateway would: ask the origin") == isMarked)
          let decision = try await playground.curl(gateway.base + path).decision
          #expect(decision.hasPrefix(isMarked ? "fwd=stale; fwd-status=304" : "hit"))
        }
      }
      #expect(await gateway.stop() == 0)
      await origin.stop()
    }

    @Test(.needsCurl) func `a sweep that fetches leaves the copies of a gateway to it`()
      async throws
    {
      let playground = try Playground()
      let origin = try await OriginServer.start(Self.page)
      let gateway = try await RunningGateway(playground, ["--origin", origin.url("")])
      try await playground.curlUntilHit("\(gateway.base)/a")
      #expect(try await playground.run("mark", origin.url("/a")).status == 0)
      let sweep = try await playground.runAlone(
        ["sweep", "--refetch", "--json", "--db", playground.database],
        environment: ["FRESHSTORE_REACHABILITY": "online"])
      let summary = try sweep.object
      #expect(sweep.status == 0)
      #expect(summary["skipped"] as? Int == 0)
      #expect(summary["refetched"] as? Int == 0)
      #expect(origin.requests.count == 1)
      #expect(
        try await playground.curl("\(gateway.base)/a").decision.hasPrefix(
          "fwd=stale; fwd-status=304"))
      #expect(await gateway.stop() == 0)
      await origin.stop()
    }

    @Test(.needsCurl) func `show and remove take what a gateway keeps of an address that varies`()
      async throws
    {
      let playground = try Playground()
      let origin = try await OriginServer.start { request in
        let language = request["Accept-Language"] ?? "none"
        return .init(
          200, ["Cache-Control": "max-age=600", "Vary": "Accept-Language"], body: language)
      }
      let gateway = try await RunningGateway(playground, ["--origin", origin.url("")])
      let (page, url) = ("\(gateway.base)/a", origin.url("/a"))
      try await playground.curlUntilHit("-H 'Accept-Language: de' \(page)")
      // The only one is shown.
      #expect(try await playground.run("show", url).text == "de")
      try await playground.curlUntilHit("-H 'Accept-Language: fr' \(page)")
      let shown = try await playground.run("show", url)
      #expect(shown.status == 4)
      #expect(shown.output.isEmpty)
      #expect(shown.error.contains("a gateway keeps 2 copies of it"))
      let keys = try await playground.run("list", url).text.split(separator: "\n").map { line in
        String(line.split(separator: "\t")[1])
      }
      #expect(keys.count == 2)
      var values: Set<String> = []
      for key in keys { values.insert(try await playground.run("show", key).text) }
      #expect(values == ["de", "fr"])

      #expect(try await playground.run("remove", keys[0]).text == "removed 1 record\n")
      try await playground.curlUntilHit("-H 'Accept-Language: de' \(page)")
      try await playground.curlUntilHit("-H 'Accept-Language: fr' \(page)")
      #expect(try await playground.run("remove", url).text == "removed 2 records\n")
      let again = try await playground.curl("-H 'Accept-Language: de' \(page)")
      #expect(again.decision.hasPrefix("fwd=uri-miss"))
      #expect(await gateway.stop() == 0)
      await origin.stop()
      #expect(try await playground.run("check").status == 0)
    }

    @Test(
      .needsCurl,
      arguments: [
        "freshstore export --db \"$db\" | freshstore import --quiet --db ",
        "freshstore backup --db \"$db\" ",
      ])
    func `its copies are hits of another gateway, once they are taken to its file`(
      command: String
    ) async throws {
      let (playground, other) = (try Playground(), try Playground())
      let long = String(repeating: "long", count: 100_000)
      let origin = try await OriginServer.start { request in
        let language = request["Accept-Language"] ?? "none"
        return .init(
          200,
          [
            "Cache-Control": "max-age=600", "Vary": "Accept-Language", "Content-Type": "text/plain",
          ], body: request.path == "/long" ? long : language)
      }
      let gateway = try await RunningGateway(playground, ["--origin", origin.url("")])
      for language in ["de", "fr"] {
        try await playground.curlUntilHit("-H 'Accept-Language: \(language)' \(gateway.base)/a")
      }
      try await playground.curlUntilHit("\(gateway.base)/long")
      // While it runs.
      let run = try await playground.runShell("\(command) '\(other.database)'")
      #expect(run.status == 0, "\(run.error)")
      #expect(await gateway.stop() == 0)
      await origin.stop()
      let next = try await RunningGateway(other, ["--origin", origin.url("")])
      for language in ["de", "fr"] {
        let answer = try await other.curl("-H 'Accept-Language: \(language)' \(next.base)/a")
        #expect(answer.decision.hasPrefix("hit"))
        #expect(answer.content == language)
        #expect(answer.head.contains("Content-Type: text/plain"))
      }
      #expect(try await other.curl("\(next.base)/long").content == long)
      #expect(await next.stop() == 0)
      #expect(try await other.run("check").status == 0)
    }

    // MARK: For operators

    @Test(.needsCurl) func `operators have a listener of their own`() async throws {
      let playground = try Playground()
      let origin = try await OriginServer.start(Self.page)
      let gateway = try await RunningGateway(
        playground, hasAdmin: true, ["--origin", origin.url("")])
      let admin = try #require(gateway.admin)
      try await playground.curlUntilHit("\(gateway.base)/a")
      #expect(try await playground.curl("\(admin)/healthz").content == "ok\n")
      let metrics = try await playground.curl("\(admin)/metrics").content
      #expect(metrics.contains("freshstore_requests_total{served=\"hit\"} 1\n"))
      let status = try await playground.curl("\(admin)/status")
      let json = try JSONSerialization.jsonObject(with: Data(status.content.utf8))
      #expect((json as? [String: Any])?["originRequests"] as? Int == 1)
      #expect(try await playground.curl("\(admin)/a").status == 404)
      #expect(try await playground.curl("-X POST \(admin)/healthz").status == 405)
      // Clients have no way there.
      #expect(try await playground.curl("\(gateway.base)/metrics").content == "page /metrics")
      #expect(await gateway.stop() == 0)
      await origin.stop()
    }

    @Test(.needsCurl)
    func `what becomes of each request is told on standard error where more is asked for`()
      async throws
    {
      let playground = try Playground()
      let origin = try await OriginServer.start(Self.page)
      let process = try ChildProcess(
        "/bin/sh",
        [
          "-c", "exec \"$0\" \"$@\" 2>'\(playground.file("told"))'",
          ChildProcess.folder + "/freshstore", "serve", "--verbose", "--listen", "127.0.0.1:0",
          "--db", playground.database, "--origin", origin.url(""),
        ])
      let line = await process.line()
      let base = String(line.dropFirst("listening on ".count))
      #expect(try await playground.curl("\(base)/a").status == 200)
      process.signal(SIGTERM)
      #expect(await process.end() == 0)
      await origin.stop()
      let told = try String(contentsOfFile: playground.file("told"), encoding: .utf8)
      #expect(told.contains("\"GET /a HTTP/1.1\" 200 7 \"freshstore; fwd=uri-miss; "))
    }

    @Test(.needsCurl, arguments: [false, true])
    func `every request is a line of its log`(isJSON: Bool) async throws {
      let playground = try Playground()
      let origin = try await OriginServer.start(Self.page)
      let form = isJSON ? ["--log-json"] : []
      let gateway = try await RunningGateway(
        playground, ["--origin", origin.url(""), "--log", playground.file("access.log")] + form)
      #expect(try await playground.curl("\(gateway.base)/a%22?b").status == 200)
      try await playground.curlUntilHit("\(gateway.base)/a%22?b")
      #expect(try await playground.curl("-H 'Host: a, b' \(gateway.base)/a").status == 400)
      #expect(await gateway.stop() == 0)
      await origin.stop()
      let text = try String(contentsOfFile: playground.file("access.log"), encoding: .utf8)
      let lines = text.split(separator: "\n").map(String.init)
      let (first, last) = (try #require(lines.first), try #require(lines.last))
      if isJSON {
        let entries = try lines.map { line -> [String: Any] in
          let json = try JSONSerialization.jsonObject(with: Data(line.utf8))
          return try #require(json as? [String: Any])
        }
        #expect(entries[0]["target"] as? String == "/a%22?b")
        #expect(entries[0]["bytes"] as? Int == 10)
        #expect(entries.last?["status"] as? Int == 400)
      } else {
        let form =
          #/127\.0\.0\.1 - - \[\d\d/[A-Z][a-z]+/\d{4}:[0-9:]{8} \+0000\] "GET (.+) HTTP/1\.1" (\d+) \d+ ".*" [0-9.]+/#
        let match = try #require(first.wholeMatch(of: form))
        #expect(match.output.1 == "/a%22?b")
        #expect(match.output.2 == "200")
        let refused = try #require(last.wholeMatch(of: form))
        #expect(refused.output.2 == "400")
      }
      #expect(first.contains("fwd=uri-miss"))
    }
  }
#endif
