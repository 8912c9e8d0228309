#if CommandLine
  import ChildProcess
  import FreshHTTP
  import FreshStore
  import FreshStoreTesting
  import Glibc
  import OriginServer
  import Testing

  /// The gateway as a program.
  @Suite(.serialized, .timeLimit(.minutes(2))) struct ServeCommandTests {
    /// A gateway that is running, and where.
    private struct Running {
      let process: ChildProcess
      let base: String
    }

    private func start(
      _ playground: Playground, _ origin: OriginServer, _ arguments: String...
    ) async throws -> Running {
      let process = try ChildProcess(
        beside: "freshstore",
        [
          "serve", "--origin", origin.url(""), "--listen", "127.0.0.1:0", "--db",
          playground.database,
        ] + arguments)
      let line = await process.line()
      try #require(line.hasPrefix("listening on http://127.0.0.1:"))
      return Running(process: process, base: String(line.dropFirst("listening on ".count)))
    }

    private func text(_ source: HTTPSource, _ url: String) async throws -> String? {
      guard case .value(let bytes, _) = try await source.fetch(url) else { return nil }
      return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `its help begins with what is needed first`() async throws {
      let help = try await Playground().runAlone(["help", "serve"])
      let sections = help.text.split(separator: "\n").map(String.init).filter {
        $0.hasSuffix(":") && $0 == $0.uppercased()
      }
      #expect(
        sections == [
          "SERVING:", "ONE ORIGIN:", "FRESHNESS:", "OPERATORS:", "LIMITS:", "FLEET:", "OPTIONS:",
        ])
      #expect(help.text.contains("Cache-Groups:"))
    }

    @Test func `it says where it listens, serves, and ends in order`() async throws {
      let playground = try Playground()
      let origin = try await OriginServer.start { _ in
        .init(200, ["Cache-Control": "max-age=600"], body: "hello")
      }
      let source = try HTTPSource()
      let gateway = try await start(playground, origin)
      #expect(try await text(source, gateway.base + "/a") == "hello")
      gateway.process.signal(SIGTERM)
      #expect(await gateway.process.end() == 0)
      let shown = try await playground.run("show", origin.url("/a"))
      #expect(shown.status == 0)
      await source.close()
      await origin.stop()
    }

    @Test func `killed under load it leaves a sound file, and its copies`() async throws {
      let playground = try Playground()
      let origin = try await OriginServer.start { request in
        .init(
          200, ["Cache-Control": "max-age=600"],
          body: String(repeating: request.target, count: 5000))
      }
      let source = try HTTPSource()
      for round in 1...5 {
        let gateway = try await start(playground, origin)
        // A response that was stored before a kill must not be requested again.
        let base = gateway.base
        let load = Task {
          for number in 1... {
            guard !Task.isCancelled else { return }
            // The kill ends a request.
            _ = try? await source.fetch("\(base)/\(round)/\(number)")
          }
        }
        while origin.requests.count < round * 20 { await Task.yield() }
        gateway.process.signal(SIGKILL)
        #expect(await gateway.process.end() == 128 + SIGKILL)
        load.cancel()
        await load.value
        #expect(try await playground.run("check").status == 0)
      }
      let gateway = try await start(playground, origin)
      await origin.stop()
      #expect(try await text(source, gateway.base + "/1/1")?.hasPrefix("/1/1") == true)
      gateway.process.signal(SIGTERM)
      #expect(await gateway.process.end() == 0)
      await source.close()
    }

    @Test func `an origin is told the host and the client, as far as they are believed`()
      async throws
    {
      let playground = try Playground()
      let origin = try await OriginServer.start { request in
        let names = ["Host", "X-Forwarded-For", "X-Forwarded-Proto"]
        return .init(
          200, ["Cache-Control": "max-age=600"],
          body: names.map { request[$0] ?? "none" }.joined(separator: " "))
      }
      var configuration = HTTPConfiguration()
      configuration.headers = [
        "X-Forwarded-Host": "www.example", "X-Forwarded-For": "203.0.113.7",
        "X-Forwarded-Proto": "https",
      ]
      let source = try HTTPSource(configuration)
      let plain = try await start(playground, origin)
      #expect(
        try await text(source, plain.base + "/a") == "127.0.0.1:\(origin.port) 127.0.0.1 http")
      let trusting = try await start(
        playground, origin, "--preserve-host", "--trust", "127.0.0.0/8")
      #expect(
        try await text(source, trusting.base + "/a")
          == "www.example 203.0.113.7, 127.0.0.1 https")
      for gateway in [plain, trusting] {
        gateway.process.signal(SIGTERM)
        #expect(await gateway.process.end() == 0)
      }
      #expect(try await playground.run("show", origin.url("/a")).status == 0)
      #expect(try await playground.run("show", "https://www.example/a").status == 0)
      await source.close()
      await origin.stop()
    }

    @Test func `what breaks the rules of its path is not kept`() async throws {
      let playground = try Playground()
      let origin = try await OriginServer.start { request in
        .init(
          200, ["Cache-Control": "max-age=600"],
          body: request.target.hasSuffix("good") ? "{\"name\": \"Ada\"}" : "{}")
      }
      let rules = playground.file("rules.json")
      _ = try await playground.runShell(
        "echo '{\"type\": \"object\", \"fields\": {\"name\": {\"required\": true}}}' > \"$folder/rules.json\""
      )
      let source = try HTTPSource()
      let gateway = try await start(playground, origin, "--rules", "/api/*=\(rules)")
      for path in ["/api/good", "/api/bad", "/bad"] {
        #expect(try await text(source, gateway.base + path)?.hasPrefix("{") == true)
      }
      gateway.process.signal(SIGTERM)
      #expect(await gateway.process.end() == 0)
      #expect(try await playground.run("show", origin.url("/api/good")).status == 0)
      #expect(try await playground.run("show", origin.url("/api/bad")).status == 4)
      #expect(try await playground.run("show", origin.url("/bad")).status == 0)
      await source.close()
      await origin.stop()
    }

    @Test func `explain says which copies it keeps, and what it would do`() async throws {
      let playground = try Playground()
      let origin = try await OriginServer.start { request in
        .init(
          200,
          ["Cache-Control": "max-age=600", "Vary": "Accept-Language", "ETag": "\"1\""],
          body: request["Accept-Language"] ?? "none")
      }
      let gateway = try await start(playground, origin)
      let source = try HTTPSource()
      #expect(try await text(source, gateway.base + "/a") != nil)
      gateway.process.signal(SIGTERM)
      #expect(await gateway.process.end() == 0)
      let run = try await playground.run("explain", origin.url("/a"), "--json")
      #expect(run.status == 0, "\(run.error)")
      let gatewayPart = try #require(try run.object["gateway"] as? [String: Any])
      let copy = try #require((gatewayPart["copies"] as? [[String: Any]])?.first)
      #expect(copy["entityTag"] as? String == "\"1\"")
      #expect(copy["variesBy"] as? [String] == ["accept-language"])
      #expect((copy["graceWithoutAnswer"] as? Double ?? 0) > 0)
      #expect(copy["graceOnServerError"] as? Double == 86_400)
      let bounded = try await playground.run(
        "explain", origin.url("/a"), "--max-stale", "30s", "--json")
      let boundedPart = try #require(try bounded.object["gateway"] as? [String: Any])
      let boundedCopy = try #require((boundedPart["copies"] as? [[String: Any]])?.first)
      #expect(boundedCopy["graceWithoutAnswer"] as? Double == 30)
      #expect(boundedCopy["graceOnServerError"] as? Double == 30)
      let other = try await playground.run("explain", origin.url("/a"), "-H", "Accept-Language: xx")
      #expect(other.text.contains("a gateway would: ask the origin"), "\(other.text)")
      #expect(other.text.contains("varies by accept-language; not for this request"))
      #expect(try await playground.run("explain", origin.url("/b")).status == 4)
      await source.close()
      await origin.stop()
    }

    @Test func `what states no lifetime is kept by --expiry, which explain tells`() async throws {
      let playground = try Playground()
      let origin = try await OriginServer.start { request in
        request.target == "/gone" ? .init(404, body: "none") : .init(200, body: "hello")
      }
      let source = try HTTPSource()
      let gateway = try await start(
        playground, origin, "--expiry", "/api/*=1h", "--expiry", "http://*?a=b=0",
        "--expiry-absent", "10m", "--ignore-reload", "/*", "--ignore-reload", "/@1,2,3z/x")
      for path in ["/api/a", "/other"] {
        #expect(try await text(source, gateway.base + path) == "hello")
      }
      #expect(try await text(source, gateway.base + "/gone") == nil)
      gateway.process.signal(SIGTERM)
      #expect(await gateway.process.end() == 0)
      let run = try await playground.run("explain", origin.url("/api/a"))
      #expect(run.text.contains(" by --expiry; used stale without limit"), "\(run.text)")
      for (path, source) in [("/api/a", "expiry"), ("/gone", "expiry-absent")] {
        let told = try await playground.run("explain", origin.url(path), "--json")
        let part = try #require(try told.object["gateway"] as? [String: Any])
        let copy = try #require((part["copies"] as? [[String: Any]])?.first)
        #expect(copy["lifetimeSource"] as? String == source)
        #expect((copy["freshFor"] as? Double ?? 0) > 300)
      }
      #expect(try await playground.run("explain", origin.url("/other")).status == 4)
      await source.close()
      await origin.stop()
    }

    @Test(arguments: [SIGHUP, SIGUSR1])
    func `at a signal it goes on with the log in a new file, and serves on`(
      number: Int32
    ) async throws {
      let playground = try Playground()
      let origin = try await OriginServer.start { _ in .init(200, body: "hello") }
      let source = try HTTPSource()
      let (log, old) = (playground.file("access.log"), playground.file("access.log.1"))
      let gateway = try await start(playground, origin, "--log", log)
      #expect(try await text(source, gateway.base + "/before") == "hello")
      #expect(unsafe rename(log, old) == 0)
      gateway.process.signal(number)
      while unsafe access(log, F_OK) != 0 { await Task.yield() }
      #expect(try await text(source, gateway.base + "/after") == "hello")
      gateway.process.signal(SIGTERM)
      #expect(await gateway.process.end() == 0)
      // The first line may be written a moment after its answer.
      let (before, after) = try (playground.lines("access.log.1"), playground.lines("access.log"))
      #expect(before + after == 2)
      #expect(after >= 1)
      await source.close()
      await origin.stop()
    }

    @Test(arguments: [[], ["--log", "-"]])
    func `SIGUSR1 ends no gateway whose log is no file`(arguments: [String]) async throws {
      let playground = try Playground()
      let run = try await playground.runShell(
        """
        mkfifo "$folder/lines"
        freshstore serve --db "$db" --listen 0 \(arguments.joined(separator: " ")) \
          > "$folder/lines" 2> "$folder/told" &
        exec 3< "$folder/lines"
        read -r line <&3
        kill -USR1 $!
        kill -HUP $!
        # Signals are dealt with in their order.
        until grep -q 'SIGHUP: there is no certificate' "$folder/told"; do :; done
        kill $!
        wait $!
        """)
      #expect(run.status == 0, "\(run.error)")
    }

    @Test(arguments: ["644", "600"])
    func `tokens that others can read are refused`(mode: String) async throws {
      let run = try await Playground().runShell(
        """
        echo 0123456789abcdef0123 > "$folder/tokens"; chmod \(mode) "$folder/tokens"
        freshstore serve --db "$db" --purge-token-file "$folder/tokens" --origin ftp://h
        """)
      #expect(run.status == 64)
      #expect(run.error.contains("chmod 600") == (mode == "644"), "\(run.error)")
    }

    @Test(arguments: ["644", "600"])
    func `a private key that others can read is refused`(mode: String) async throws {
      let run = try await Playground().runShell(
        """
        echo > "$folder/site.key"; chmod \(mode) "$folder/site.key"
        freshstore serve --db "$db" --certificate /dev/null --key "$folder/site.key"
        """)
      #expect(run.status == 64)
      #expect(run.error.contains("that other users can read; chmod 600") == (mode == "644"))
    }

    @Test(arguments: [
      (["--certificate", "/nowhere/c.pem"], 74, "no such file"),
      (["--cacert", "/nowhere/c.pem"], 74, "No such file"),
      (["--certificate", "/dev/null"], 64, "no certificate in PEM form"),
      (["--listen", "203.0.113.1:0"], 74, "this machine has no such address"),
    ])
    func `a file that is missing and an address that is not its own are told in plain words`(
      arguments: [String], status: Int32, words: String
    ) async throws {
      let playground = try Playground()
      let run = try await playground.run(["serve", "--db", playground.database] + arguments)
      #expect(run.status == status)
      #expect(run.error.contains(words), "\(run.error)")
      #expect(!run.error.contains("errno"))
    }

    @Test(arguments: [
      (["--log-json"], "--log-json is for --log"),
      (["--origin", "http://a", "--origin", "http://b"], "run a gateway for each"),
      (["--listen", "1", "--listen", "2"], "it listens in one place only"),
      (["--origin", "http://a", "--host", "a/b"], "write one as www.example.org"),
      (["--origin", "ftp://h"], "its scheme is ftp"),
      (["--origin", "ftp://h"], "the origin is not like http://host:port"),
      (["--origin", "http://h/path"], "an origin has no path"),
      (["--origin", "http://u:p@h"], "leave it out, and have requests carry Authorization"),
      (["--origin", "127.0.0.1:8100"], "begin it with http:// or https://"),
      (["--max-connections", "0"], "--max-connections must allow something"),
      (["--origin-connections", "0"], "--origin-connections must allow something"),
      (["--json"], "write --log FILE --log-json"),
      (["--listen", "here"], "an address to listen on is like"),
      (["--key", "k"], "--key is for --certificate"),
      (["--listen", "1", "--admin", "1"], "--admin must not listen where clients do"),
      (["--purge-token-file", "/dev/null"], "visible characters"),
      (["--connect", "allow", "--origin", "http://h"], "--connect is for a proxy"),
      (["--origin-failures=-1"], "--origin-failures must be 0 or more"),
      (["--origin-failures", "0", "--origin-pause", "5s"], "--origin-pause is for"),
      (["--max-stale", "never"], "a duration is a number and a unit"),
      (["--expiry", "/api/*=soon"], "a duration is a number and a unit"),
      (["--expiry", "api/*=5m"], "its pattern is a path"),
      (["--expiry-absent", "never"], "a duration is a number and a unit"),
      (["--ignore-reload", "api"], "its pattern is a path"),
      (["--ignore-reload", "/a,/b"], "give the option once for each"),
      (["--ignore-reload", "/a, https://h/b"], "give the option once for each"),
      (["--expiry", "/a=5m,/b=6m"], "give the option once for each"),
      (["--expiry-absent", "30s,/b=6m"], "give the option once for each"),
      (["--rules", "/a=a.json,/b=b.json"], "give the option once for each"),
      (["--max-head", "10"], "--max-head must be 128 or more"),
      (["--max-store", "0"], "--max-store 0 would keep nothing; leave it out"),
      (["--preserve-host"], "--preserve-host is for --origin"),
      (["--trust", "10.0.0.0/8"], "--trust is for --origin"),
      (["--origin", "http://h", "--trust", "10.0.0.0/33"], "as in 10.0.0.0/8"),
      (["--connect-ports", "8443"], "--connect-ports is for --connect allow"),
      (["--connect", "allow", "--connect-ports", "443,x"], "as in 443,8443"),
      (["--rules", "rules.json"], "--rules takes PATTERN=FILE"),
      (["--rules", "a*=rules.json"], "--rules takes PATTERN=FILE"),
      (["--rules", "/a*=/dev/null"], "are not usable"),
    ])
    func `what cannot be served is refused with the remedy`(
      arguments: [String], words: String
    ) async throws {
      let playground = try Playground()
      let run = try await playground.run(["serve", "--db", playground.database] + arguments)
      #expect(run.status == 64)
      #expect(run.error.contains(words))
      #expect(run.output.isEmpty)
    }
  }
#endif
