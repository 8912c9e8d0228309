#if CommandLine
  import FreshStore
  import Glibc
  import OriginServer
  import Testing

  /// The parts of an address or a header that other users should not read.
  @Suite(.serialized) struct SecretTests {
    private static let query = "?token=SECRET"

    @Test func `no message of any verb has the query of an address`() async throws {
      let playground = try Playground()
      let origin = try await OriginServer.start { _ in .init(200, [:], body: "body") }
      let url = origin.url("/page" + Self.query)
      let runs = [
        try await playground.run("get", url, "--verbose"),
        try await playground.run("get", url, "--verbose", "--refresh", "--max-size", "2"),
        try await playground.run("put", url, "--max-size", "2", input: [1, 2, 3]),
        try await playground.run("mark", url + "x"), try await playground.run("remove", url + "x"),
        try await playground.run("show", url + "x"),
        try await playground.run("write", url, "--verbose", input: [1]),
        try await playground.runAlone(
          ["sync", "run", "--once", "--verbose", "--db", playground.database],
          environment: ["FRESHSTORE_REACHABILITY": "online"]),
        try await playground.runAlone(["get", "http://user:SECRET@localhost/"]),
        try await playground.runAlone(["get", "http://localhost:0/" + Self.query]),
      ]
      for run in runs { #expect(!run.error.contains("SECRET"), "\(run.error)") }
      await origin.stop()
    }

    @Test func `no message has the query of an address of another scheme`() async throws {
      let playground = try Playground()
      let key = "ftp://me:SECRET@localhost/f" + Self.query
      let runs = [
        try await playground.runAlone(["get", key]),
        try await playground.run("get", key, "--verbose", "--", "false"),
        try await playground.run("show", key),
        try await playground.run("write", key, input: [1]),
        try await playground.runAlone(["reachability", key]),
      ]
      for run in runs {
        #expect(run.error.contains("ftp://…@localhost/f?…"), "\(run.error)")
        #expect(!(run.text + run.error).contains("SECRET"), "\(run.error)")
      }
    }

    @Test(arguments: ["Authorization Basic SECRET:pw", "SECRET/x: v"])
    func `an invalid header is not repeated`(header: String) async throws {
      let run = try await Playground().run("get", "http://localhost/", "--header", header)
      #expect(run.status == 64)
      #expect(run.error.contains("write 'Name: value'"))
      #expect(!run.error.contains("SECRET"), "\(run.error)")
    }

    @Test(arguments: ["doctor", "reachability"])
    func `doctor and reachability do not print the query of an address`(_ verb: String) async throws
    {
      let playground = try Playground()
      let address = "http://127.0.0.1/" + Self.query
      for arguments in [[verb, address], [verb, "--json", address]] {
        let run = try await playground.runAlone(arguments)
        #expect(run.text.contains("127.0.0.1"))
        #expect(!(run.text + run.error).contains("SECRET"))
      }
    }

    @Test func `sent headers are neither stored nor printed`() async throws {
      let playground = try Playground()
      let origin = try await OriginServer.start { _ in
        .init(500, [:], body: "your token is SECRET-TOKEN")
      }
      let url = origin.url("/page")
      let failed = try await playground.run(
        "get", url, "--verbose", "--header", "Authorization: Bearer SECRET-TOKEN")
      origin.requests.forEach { #expect($0["Authorization"] == "Bearer SECRET-TOKEN") }
      let told = [
        failed, try await playground.run("explain", url),
        try await playground.run("list", "--json"),
        try await playground.run("export"), try await playground.run("stats", "--json"),
        try await playground.run("sync", "status"), try await playground.run("doctor"),
        try await playground.runShell("cat $db $db-wal 2>&1"),
      ]
      for run in told {
        #expect(!(String(decoding: run.output, as: UTF8.self) + run.error).contains("SECRET-TOKEN"))
      }
      await origin.stop()
    }

    @Test(arguments: ["000", "022", "077"])
    func `every created file belongs to its owner alone, whatever the umask`(
      _ mask: String
    ) async throws {
      let playground = try Playground()
      let run = try await playground.runShell(
        """
        umask \(mask)
        printf v | freshstore put --db $db k && printf v | freshstore write --db $db http://localhost/k
        freshstore sweep --db $db && freshstore backup --db $db $folder/backup.db
        freshstore export --db $db $folder/export.jsonl
        freshstore recover $db $folder/recovered.db
        freshstore get --db $db slow -- sh -c 'stat -c "%a %n" $folder/store.db* >&2; echo x'
        printf noise | dd of=$db conv=notrunc bs=1 seek=100 2>/dev/null
        dd if=/dev/zero of=$db conv=notrunc bs=4096 seek=1 count=4 2>/dev/null
        printf v | freshstore put --db $db k
        cd $folder && stat -c '%a %n' * >&2
        """)
      let modes = run.error.split(separator: "\n").filter { $0.first?.isNumber ?? false }
      #expect(modes.count > 8, "\(run.error)")
      #expect(modes.contains { $0.contains("damaged-1") }, "\(run.error)")
      #expect(modes.allSatisfy { $0.hasPrefix("600 ") }, "\(run.error)")
    }
  }
#endif
