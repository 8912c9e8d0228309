#if CommandLine
  import Foundation
  import Glibc
  import OriginServer
  import Testing

  /// The effects of the options of a gateway, except its limits.
  @Suite(.serialized, .timeLimit(.minutes(2)), .needsCurl) struct ServeOptionTests {
    private static let page: OriginServer.Handler = { request in
      .init(200, ["Cache-Control": "max-age=600"], body: "page \(request.path)")
    }

    private func write(_ text: String, as name: String, in playground: Playground) throws -> String
    {
      let path = playground.file(name)
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
      return path
    }

    // MARK: Where it listens

    @Test func `it listens for this machine alone unless it is told otherwise`() async throws {
      let playground = try Playground()
      let other = try? await OriginServer.start(port: 8080, Self.page)  // Others may have it.
      let run = try await playground.run("serve")
      #expect(run.status == 74)
      #expect(run.error.contains("127.0.0.1:8080 cannot be listened on"), "\(run.error)")
      await other?.stop()
    }

    @Test func `a port alone is one of this machine, for clients and for operators`() async throws {
      let run = try await Playground().runShell(
        """
        mkfifo "$folder/lines"
        freshstore serve --db "$db" --listen 0 --admin 0 > "$folder/lines" 2> "$folder/told" &
        exec 3< "$folder/lines"
        read -r line <&3
        echo "$line"
        until grep figures "$folder/told"; do :; done
        kill $!
        wait $!
        """)
      #expect(run.status == 0, "\(run.error)")
      let lines = run.text.split(separator: "\n")
      #expect(lines.count == 2)
      #expect(lines.first?.hasPrefix("listening on http://127.0.0.1:") == true)
      #expect(lines.last?.contains("figures on http://127.0.0.1:") == true)
    }

    @Test(arguments: [("0", false), ("*:0", true)])
    func `a listener for operators that others reach is warned of`(
      place: String, isWarned: Bool
    ) async throws {
      let run = try await Playground().runShell(
        """
        mkfifo "$folder/lines"
        freshstore serve --db "$db" --listen 0 --admin '\(place)' \
          > "$folder/lines" 2> "$folder/told" &
        exec 3< "$folder/lines"
        read -r line <&3
        until grep -q figures "$folder/told"; do :; done
        kill $!
        wait $!
        cat "$folder/told"
        """)
      #expect(run.text.contains("figures on http://"), "\(run.text)")
      #expect(run.text.contains("whoever reaches --admin") == isWarned, "\(run.text)")
    }

    @Test(arguments: [
      ("ln -s other log", "it is a link"), ("mkfifo log", "it is a pipe that nobody reads"),
    ])
    func `a log follows no link, and waits for nobody`(
      preparation: String, words: String
    ) async throws {
      let playground = try Playground()
      let run = try await playground.runShell(
        "cd \"$folder\" && \(preparation) && freshstore serve --db \"$db\" --listen 0 --log log")
      #expect(run.status != 0)
      #expect(run.error.contains(words), "\(run.error)")
      #expect(unsafe access(playground.file("other"), F_OK) != 0)
    }

    @Test(arguments: ["", "--log-json"])
    func `a log without a file is on standard error`(option: String) async throws {
      let run = try await Playground().runShell(
        """
        mkfifo "$folder/lines"
        freshstore serve --db "$db" --listen 0 --log - \(option) > "$folder/lines" 2> "$folder/told" &
        exec 3< "$folder/lines"
        read -r _ _ base <&3
        curl -s -o "$folder/answer" "$base/a%22"
        kill $!
        wait $!
        cat "$folder/told"
        """)
      let line = option.isEmpty ? "\"GET /a%22 HTTP/1.1\" 4" : "\"target\":\"/a%22\""
      #expect(run.text.contains(line), "\(run.text)")
    }

    @Test func `more connections than the system has files for are told of`() async throws {
      let run = try await Playground().runShell(
        """
        ulimit -n 2000
        mkfifo "$folder/lines"
        freshstore serve --db "$db" --listen 0 > "$folder/lines" 2> "$folder/told" &
        exec 3< "$folder/lines"
        read -r line <&3
        kill $!
        wait $!
        cat "$folder/told"
        """)
      #expect(run.text.contains("the system allows 2000 open files"), "\(run.text)")
      #expect(run.text.contains("or lower --max-connections"))
    }

    @Test func `a star listens on all addresses, of which a proxy warns, and SIGHUP has its word`()
      async throws
    {
      let run = try await Playground().runShell(
        """
        mkfifo "$folder/lines"
        freshstore serve --db "$db" --listen '*:0' --log "$folder/log" \
          > "$folder/lines" 2> "$folder/told" &
        exec 3< "$folder/lines"
        read -r line <&3
        curl -s -o /dev/null "http://127.0.0.1:${line##*:}/" && echo reached
        until grep -q 'whoever reaches this proxy' "$folder/told"; do :; done
        kill -HUP $!
        until grep -q 'SIGHUP: the log goes on' "$folder/told"; do :; done
        kill $!
        wait $!
        echo "$line"
        cut -d ' ' -f 1 "$folder/log"
        """)
      #expect(run.text.hasPrefix("reached\nlistening on http://"), "\(run.text)")
      // A client is named as it is where the gateway listens on one address.
      #expect(run.text.hasSuffix("\n127.0.0.1\n"), "\(run.text)")
      #expect(!run.text.contains("*"))
    }

    @Test func `a certificate that others can read is told to lack its key`() async throws {
      let playground = try Playground()
      let file = playground.file("site.pem")
      try Data(TestCertificates.localhost.certificate.utf8).write(to: URL(fileURLWithPath: file))
      let run = try await playground.run(
        "serve", "--db", playground.database, "--certificate", file)
      #expect(run.status == 64)
      #expect(run.error.contains("holds no private key"), "\(run.error)")
      #expect(run.error.contains("name it with --key"))
    }

    // MARK: Whom it serves

    @Test func `what is one user's is kept with --private alone, and no get comes upon it`()
      async throws
    {
      let playground = try Playground()
      let origin = try await OriginServer.start { _ in
        .init(200, ["Cache-Control": "private, max-age=600"], body: "own")
      }
      let shared = try await RunningGateway(playground, ["--origin", origin.url("")])
      let passed = try await playground.curl("\(shared.base)/a")
      #expect(passed.content == "own")
      #expect(passed.decision.contains("detail=\"private\""))
      let own = try await RunningGateway(playground, ["--origin", origin.url(""), "--private"])
      #expect(try await playground.curlUntilHit("\(own.base)/a").content == "own")
      #expect(try await playground.curl("\(shared.base)/a").decision.hasPrefix("fwd=uri-miss"))
      #expect(try await playground.run("get", origin.url("/a"), "--offline").status != 0)
      #expect(try await playground.run("show", origin.url("/a")).text == "own")
      let told = try await playground.run("explain", origin.url("/a"))
      #expect(told.status == 0)
      #expect(told.text.contains("a gateway with --private would: answer"), "\(told.text)")
      #expect(try await playground.run("mark", origin.url("/a")).text == "marked 1 record\n")
      #expect(try await playground.curl("\(own.base)/a").decision.hasPrefix("fwd=stale"))
      #expect(try await playground.curlUntilHit("\(own.base)/a").content == "own")
      #expect(try await playground.run("remove", origin.url("/a")).text == "removed 1 record\n")
      #expect(try await playground.run("show", origin.url("/a")).status == 4)
      let none = try await playground.run("mark", "\(own.base)/a")
      #expect(none.status == 4)
      #expect(none.error.contains("\"http\" and \"http-private\"; a gateway keeps its copies"))
      for gateway in [shared, own] { #expect(await gateway.stop() == 0) }
      await origin.stop()
    }

    @Test func `explain tells of an origin that fails, until retry ends its pauses`() async throws {
      let playground = try Playground()
      let origin = try await OriginServer.start(Self.page)
      let url = origin.url("/a")
      let gateway = try await RunningGateway(playground, ["--origin", origin.url("")])
      _ = try await playground.curlUntilHit("\(gateway.base)/a")
      let before = try await playground.run("explain", url)
      #expect(!before.text.contains("its origin"), "\(before.text)")
      #expect(try await playground.run("mark", url).status == 0)
      await origin.stop()
      #expect(try await playground.curl("\(gateway.base)/a").status == 200)
      let told = try await playground.run("explain", url)
      #expect(told.text.contains("the last request to its origin has failed"), "\(told.text)")
      let part = try await playground.run("explain", url, "--json").object["gateway"]
      #expect((part as? [String: Any])?["originFailures"] as? Int == 1)
      #expect(try await playground.run("retry", url).status == 0)
      let after = try await playground.run("explain", url)
      #expect(!after.text.contains("its origin"), "\(after.text)")
      #expect(await gateway.stop() == 0)
    }

    @Test func `gateways in a row need a name each`() async throws {
      let playground = try Playground()
      let origin = try await OriginServer.start(Self.page)
      let far = try await RunningGateway(playground, ["--origin", origin.url("")])
      let same = try await RunningGateway(playground, ["--origin", far.base])
      let named = try await RunningGateway(playground, ["--origin", far.base, "--name", "edge"])
      #expect(try await playground.curl("\(same.base)/a").status == 508)
      let answer = try await playground.curl("\(named.base)/b")
      #expect(answer.status == 200)
      #expect(answer.head.contains { $0.hasPrefix("Cache-Status: ") && $0.contains("edge; fwd=") })
      for gateway in [named, same, far] { #expect(await gateway.stop() == 0) }
      await origin.stop()
    }

    @Test func `the key of an answer is told with --show-keys alone`() async throws {
      let playground = try Playground()
      let origin = try await OriginServer.start(Self.page)
      for options in [[], ["--show-keys"]] {
        let gateway = try await RunningGateway(
          playground, ["--origin", origin.url("")] + options)
        let decision = try await playground.curlUntilHit("\(gateway.base)/a?b").decision
        #expect(decision.contains("key=\"\(origin.url("/a?b"))\"") == !options.isEmpty)
        #expect(await gateway.stop() == 0)
      }
      await origin.stop()
    }

    // MARK: Whom it asks

    @Test func `an origin of https is asked, and believed by its issuer alone`() async throws {
      let playground = try Playground()
      let issuer = try write(TestCertificates.issuer, as: "issuer.pem", in: playground)
      let origin = try await OriginServer.start(tls: TestCertificates.localhost, Self.page)
      let trusting = try await RunningGateway(
        playground, ["--origin", origin.url(""), "--cacert", issuer])
      #expect(try await playground.curlUntilHit("\(trusting.base)/a").content == "page /a")
      let other = try await RunningGateway(playground, ["--origin", origin.url("")])
      let refused = try await playground.curl("\(other.base)/b")
      #expect(refused.status == 502)
      #expect(refused.decision.contains("there is no secure connection to the origin"))
      for gateway in [trusting, other] { #expect(await gateway.stop() == 0) }
      await origin.stop()
    }

    @Test func `a proxy makes tunnels where it is told to, to the ports that are named`()
      async throws
    {
      let playground = try Playground()
      let origin = try await OriginServer.start(Self.page)
      let open = try await RunningGateway(
        playground, ["--connect", "allow", "--connect-ports", "\(origin.port)"])
      let words = "--suppress-connect-headers --proxytunnel \(origin.url("/a")) --proxy"
      let answer = try await playground.curl("\(words) \(open.base)")
      #expect(answer.content == "page /a")
      #expect(!answer.head.contains { $0.hasPrefix("Cache-Status: ") })
      let usual = try await RunningGateway(playground, ["--connect", "allow"])
      let refused = try await playground.curl(
        "--proxytunnel \(origin.url("/a")) --proxy \(usual.base)")
      #expect(refused.code != 0)
      #expect(refused.status == 403)
      for gateway in [open, usual] { #expect(await gateway.stop() == 0) }
      #expect(origin.requests.count == 1)
      await origin.stop()
    }

    // MARK: What is read again

    @Test func `at SIGHUP it has the certificate and the tokens that its files have by then`()
      async throws
    {
      let playground = try Playground()
      let issuer = try write(TestCertificates.issuer, as: "issuer.pem", in: playground)
      let (old, new) = ("0123456789abcdef0123", "fedcba9876543210fedc")
      func use(_ tls: OriginServer.TLS, _ token: String) throws -> [String] {
        [
          "--certificate", try write(tls.certificate, as: "site.pem", in: playground),
          "--key", try write(tls.key, as: "site.key", in: playground),
          "--purge-token-file", try write("\(token)\n", as: "tokens", in: playground),
        ]
      }
      let origin = try await OriginServer.start(Self.page)
      let log = playground.file("access.log")
      let gateway = try await RunningGateway(
        playground,
        try use(TestCertificates.elsewhere, old) + ["--origin", origin.url(""), "--log", log])
      /// Has them read again; the log is the last.
      func reread() async {
        #expect(unsafe rename(log, playground.file("old.log")) == 0)
        gateway.signal(SIGHUP)
        while unsafe access(log, F_OK) != 0 { await Task.yield() }
      }
      let page = "--cacert '\(issuer)' https://localhost:\(gateway.port)/a"
      // It is not the certificate of this name.
      #expect(try await playground.curl(page).code == 60)
      let purge = "--insecure -X PURGE \(page) -H 'Authorization: Bearer"
      #expect(try await playground.curl("\(purge) \(new)'").status == 401)
      _ = try use(TestCertificates.localhost, new)
      await reread()
      #expect(try await playground.curl(page).content == "page /a")
      #expect(try await playground.curl("\(purge) \(new)'").status != 401)
      #expect(try await playground.curl("\(purge) \(old)'").status == 401)

      // A file that cannot be used changes nothing.
      _ = try write(TestCertificates.elsewhere.key, as: "site.key", in: playground)
      _ = try write("short\n", as: "tokens", in: playground)
      await reread()
      #expect(try await playground.curl(page).content == "page /a")
      let purged = try await playground.curl("\(purge) \(new)'")
      #expect([200, 404].contains(purged.status))

      // A key that other users can read changes nothing either. The start refuses such a key.
      _ = try use(TestCertificates.elsewhere, new)
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o644], ofItemAtPath: playground.file("site.key"))
      await reread()
      #expect(try await playground.curl(page).content == "page /a")
      #expect(await gateway.stop() == 0)
      await origin.stop()
    }

    @Test func `at SIGHUP a key that others can read is refused in the words of the start`()
      async throws
    {
      let playground = try Playground()
      _ = try write(TestCertificates.localhost.certificate, as: "site.pem", in: playground)
      _ = try write(TestCertificates.localhost.key, as: "site.key", in: playground)
      let run = try await playground.runShell(
        """
        mkfifo "$folder/lines"
        freshstore serve --db "$db" --listen 0 --certificate "$folder/site.pem" \
          --key "$folder/site.key" > "$folder/lines" 2> "$folder/told" &
        exec 3< "$folder/lines"
        read -r line <&3
        chmod 644 "$folder/site.key"
        kill -HUP $!
        until grep -q 'other users can read; chmod 600 it; the old ones stay' "$folder/told"; do :; done
        kill $!
        wait $!
        """)
      #expect(run.status == 0)
    }
  }
#endif
