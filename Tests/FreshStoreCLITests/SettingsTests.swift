#if CommandLine
  import Foundation
  import Testing

  /// The user's configuration file.
  @Suite(.serialized, .timeLimit(.minutes(2))) struct SettingsTests {
    private func run(
      _ arguments: [String], settings: String, environment: [String: String] = [:],
      _ playground: Playground
    ) async throws -> Playground.Run {
      let folder = playground.file(".config/freshstore")
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
      try Data(settings.utf8).write(to: URL(fileURLWithPath: folder + "/config"))
      return try await playground.runAlone(arguments, environment: environment)
    }

    @Test func `options of a verb are taken from the file`() async throws {
      let playground = try Playground()
      let settings = """
        # where everything is
        db = \(playground.database)

        [get]
        json
        expiry = 7m
        tag=a
        tag = b
        [outbox list]
        state = parked
        """
      let run = try await run(
        ["get", "k", "--", "printf", "v"], settings: settings, playground)
      #expect(try run.object["expirySeconds"] as? Double == 420)
      let explained = try await playground.runAlone(["explain", "k", "--json"]).object
      #expect(explained["tags"] as? [String] == ["a", "b"])
      #expect(try await playground.runAlone(["outbox", "list"]).status == 0)
    }

    @Test func `the command line takes precedence, and so does the environment`() async throws {
      let playground = try Playground()
      let settings = "db = /no/such/folder/store.db\n[get]\nexpiry = 7m\ntag = a\noffline\n"
      let run = try await run(
        ["get", "k", "--online", "--tag", "b", "--expiry=1m", "--json", "--", "printf", "v"],
        settings: settings, environment: ["FRESHSTORE_DB": playground.database], playground)
      #expect(try run.object["expirySeconds"] as? Double == 60)
      let explained = try await playground.run("explain", "k", "--json").object
      #expect(explained["tags"] as? [String] == ["b"])
    }

    @Test func `another file can be named, and none`() async throws {
      let playground = try Playground()
      try Data("[get]\njson\n".utf8).write(to: URL(fileURLWithPath: playground.file("mine")))
      let command = ["get", "k", "--db", playground.database, "--", "printf", "v"]
      let named = try await playground.runAlone(
        command, environment: ["FRESHSTORE_CONFIG": playground.file("mine")])
      #expect(try named.object["value"] as? String == "v")
      let none = try await run(
        command, settings: "[get]\njson\n", environment: ["FRESHSTORE_CONFIG": ""], playground)
      #expect(none.text == "v")
      let missing = try await playground.runAlone(
        command, environment: ["FRESHSTORE_CONFIG": playground.file("none")])
      #expect(missing.status == 74)
    }

    @Test(
      arguments: [
        (0o600, "Authorization: Bearer s3cret", 0), (0o644, "Authorization: Bearer s3cret", 64),
        (0o640, "cookie: id=s3cret", 64), (0o604, "X-Api-Key: s3cret", 64),
        (0o644, "Accept-Language: de", 0),
      ] as [(Int, String, Int32)])
    func `a file with a header that identifies the caller must not be open to other users`(
      mode: Int, header: String, status: Int32
    ) async throws {
      let playground = try Playground()
      let file = playground.file("config")
      try Data("[get]\nheader = \(header)\n".utf8).write(to: URL(fileURLWithPath: file))
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
      let run = try await playground.runAlone(
        ["list", "--db", playground.database], environment: ["FRESHSTORE_CONFIG": file])
      #expect(run.status == status)
      #expect(run.error.contains("chmod 600") == (status == 64), "\(run.error)")
      #expect(!run.error.contains("s3cret"))
    }

    @Test func `a short option takes the place of that of the file`() async throws {
      let playground = try Playground()
      let command = ["get", "k", "--db", playground.database, "-o", playground.file("mine")]
      let run = try await run(
        command + ["--", "printf", "v"], settings: "[get]\noutput = /no/such/folder/file\n",
        playground)
      #expect(run.status == 0, "\(run.error)")
      #expect(try String(contentsOfFile: playground.file("mine"), encoding: .utf8) == "v")
    }

    @Test(arguments: [
      ["help", "get"], ["reachability", "localhost"], ["get", "k", "--", "printf", "v"],
      ["get", "k", "--insecure", "--offline"], ["sweep"], ["outbox", "list"],
    ])
    func `options of the file keep no verb from its work`(arguments: [String]) async throws {
      let playground = try Playground()
      _ = try await playground.run("put", "k", "-", "--expiry", "1h", input: [1])
      let settings = """
        db = \(playground.database)
        [get]
        retry = 3
        header = A: b
        cacert = /no/such/file
        [sweep]
        retry = 3
        """
      #expect(try await run(arguments, settings: settings, playground).status == 0)
    }

    @Test(arguments: [
      ("json\n", "line 1"), ("[get]\n--json\n", "line 2"), ("[get]\n= 5\n", "line 2"),
      ("[get]\na b = 5\n", "line 2"), ("[get]\nno-such = 5\n", "get has no option --no-such"),
      ("[get]\nrefresh-behind\n", "has no option"), ("[get]\noutput\n", "takes a value"),
      ("[get]\njson = yes\n", "takes no value"), ("[gett]\njson\n", "no verb 'gett'"),
      ("[get\njson\n", "line 1"),
      ("[get]\nexpiry = 5y\n", "expiry"),
    ])
    func `a wrong line is named`(settings: String, words: String) async throws {
      let playground = try Playground()
      let run = try await run(
        ["get", "k", "--db", playground.database, "--", "printf", "v"], settings: settings,
        playground)
      #expect(run.status == 64)
      #expect(run.error.contains(words), "\(run.error)")
      #expect(try await playground.runAlone(["--help"]).status == 0)
    }
  }
#endif
