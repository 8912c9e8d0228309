#if CommandLine
  import Testing

  @Suite(.serialized, .timeLimit(.minutes(2))) struct GetCommandTests {
    /// Counts its runs in a file, and prints a value.
    private let counting = ["sh", "-c", "echo run >> \"$1\"; printf %s \"$2\"", "sh"]

    @Test func `A value of any bytes is printed unchanged`() async throws {
      let playground = try Playground()
      let run = try await playground.run("get", "k", "--", "printf", "a\\0b\\377\\n\\nc")
      #expect(run.output == [97, 0, 98, 255, 10, 10, 99])
      #expect(run.status == 0)
      #expect(run.error == "")
      #expect(try await playground.run("show", "k").output == run.output)
    }

    @Test func `A fresh copy is printed without running the command again`() async throws {
      let playground = try Playground()
      let runs = playground.file("runs")
      for value in ["one", "two"] {
        let run = try await playground.run(
          "get", "k", "--", counting[0], counting[1], counting[2], counting[3], runs, value)
        #expect(run.text == "one")
        #expect(run.status == 0)
      }
      #expect(try playground.lines("runs") == 1)
    }

    @Test func `Many concurrent processes run the command once`() async throws {
      let playground = try Playground()
      let runs = playground.file("runs")
      let values = try await withThrowingTaskGroup(of: String.self) { group in
        for _ in 1...6 {
          group.addTask { [counting] in
            try await playground.run(
              "get", "k", "--", counting[0], counting[1], counting[2], counting[3], runs, "v"
            ).text
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(values == Array(repeating: "v", count: 6))
      #expect(try playground.lines("runs") == 1)
    }

    @Test func `An expired copy is fetched again`() async throws {
      let playground = try Playground()
      for value in ["one", "two"] {
        let run = try await playground.run("get", "k", "--expiry", "0", "--", "printf", value)
        #expect(run.text == value)
      }
    }

    @Test func `--refresh fetches although the copy is fresh`() async throws {
      let playground = try Playground()
      _ = try await playground.run("get", "k", "--", "printf", "one")
      #expect(
        try await playground.run("get", "k", "--refresh", "--", "printf", "two").text == "two")
    }

    @Test func `No shell interprets the arguments of a command, and its input is empty`()
      async throws
    {
      let playground = try Playground()
      let run = try await playground.run("get", "k", "--", "printf", "%s", "$HOME; * | `id`")
      #expect(run.text == "$HOME; * | `id`")
      #expect(try await playground.run("get", "c", "--", "cat", input: [1, 2]).output.isEmpty)
    }

    @Test func `A failing command fails the get, although the parent ignores SIGCHLD`()
      async throws
    {
      let playground = try Playground()
      let run = try await playground.runShell(
        """
        exec bash -c "trap '' CHLD; exec freshstore get k --db '$db' -- sh -c 'echo half; exit 1'"
        """)
      #expect(run.status == 5)
      #expect(run.output.isEmpty)
      #expect(run.error.contains("exit code 1"))
      let again = try await playground.run("get", "k", "--refresh", "--", "printf", "whole")
      #expect(again.text == "whole")
    }

    @Test func `A command that fails exits with 5 and shows its standard error`() async throws {
      let playground = try Playground()
      let run = try await playground.run("get", "k", "--", "sh", "-c", "echo why >&2; exit 7")
      #expect(run.status == 5)
      #expect(run.output.isEmpty)
      #expect(run.error.hasPrefix("why\n"))
      #expect(run.error.contains("exit code 7"))
    }

    @Test(arguments: ["no-such-program-anywhere", "/no/such/program", "/"])
    func `A command that cannot be run exits with 5`(program: String) async throws {
      let run = try await Playground().run("get", "k", "--", program)
      #expect(run.status == 5)
      #expect(run.error.contains(program))
    }

    @Test func `A stale copy replaces a failed fetch, with one warning`() async throws {
      let playground = try Playground()
      _ = try await playground.run("get", "k", "--expiry", "0", "--", "printf", "one")
      let run = try await playground.run("get", "k", "--stale-if-error", "1h", "--", "false")
      #expect(run.status == 0)
      #expect(run.text == "one")
      #expect(run.error.contains("serving a stale copy"))
      #expect(run.error.split(separator: "\n").count == 1)
    }

    @Test func `A stale copy does not replace a failed fetch without a grace`() async throws {
      let playground = try Playground()
      _ = try await playground.run("get", "k", "--expiry", "0", "--", "printf", "one")
      let run = try await playground.run("get", "k", "--", "false")
      #expect(run.status == 5)
      #expect(run.output.isEmpty)
    }

    @Test func `--fail-on-stale exits with 3 and still prints the copy`() async throws {
      let playground = try Playground()
      _ = try await playground.run("get", "k", "--expiry", "0", "--", "printf", "one")
      let run = try await playground.run(
        "get", "k", "--stale-if-error", "1h", "--fail-on-stale", "--", "false")
      #expect(run.status == 3)
      #expect(run.text == "one")
    }

    @Test func `Offline and missing exits with 4 at once, without running the command`()
      async throws
    {
      let playground = try Playground()
      let file = playground.file("touched")
      let run = try await playground.run("get", "k", "--offline", "--", "touch", file)
      #expect(run.status == 4)
      #expect(run.error.contains("out of reach"))
      #expect(try playground.lines("touched") == 0)
      #expect(try await playground.run("get", "k", "--", "ls", file).status == 5)
    }

    @Test func `Offline with a stale copy prints it and says so`() async throws {
      let playground = try Playground()
      _ = try await playground.run("get", "k", "--expiry", "0", "--", "printf", "one")
      let run = try await playground.run("get", "k", "--offline", "--", "printf", "two")
      #expect(run.status == 0)
      #expect(run.text == "one")
      #expect(run.error.contains("offline"))
    }

    @Test(
      arguments: [
        (["--require", "json"], "{\"a\":01}"), (["--require", "json"], ""),
        (["--require", "json"], "{\"a\": \"\\x\"}"), (["--require", "nonempty"], ""),
        (["--max-size", "3"], "four"),
      ])
    func `A value that breaks its rules exits with 6 and is not stored`(
      options: [String], value: String
    ) async throws {
      let playground = try Playground()
      let run = try await playground.run(
        "get", "k", options[0], options[1], "--", "printf", "%s", value)
      #expect(run.status == 6)
      #expect(run.output.isEmpty)
      #expect(try await playground.run("show", "k").status == 4)
    }

    @Test(arguments: [
      "{\"a\":[1,2.5e3,null,true,\"\\u00e9\"]}", "[]", "{}", "1", "\"text\"", "null",
    ])
    func `--require json accepts every kind of JSON`(value: String) async throws {
      let run = try await Playground().run(
        "get", "k", "--require", "json", "--", "printf", "%s", value)
      #expect(run.text == value)
    }

    @Test func `A copy replaces a refused value, with a warning`() async throws {
      let playground = try Playground()
      _ = try await playground.run("get", "k", "--expiry", "0", "--", "printf", "1")
      let run = try await playground.run(
        "get", "k", "--require", "json", "--stale-if-error", "1h", "--", "printf", "{")
      #expect(run.status == 0)
      #expect(run.text == "1")
      #expect(run.error.contains("breaks its rules"))
    }

    @Test func `An endless command is ended at the size limit`() async throws {
      let run = try await Playground().run("get", "k", "--max-size", "10k", "--", "yes")
      #expect(run.status == 6)
      #expect(run.error.contains("--max-size"))
    }

    @Test func `--timeout ends a hanging command`() async throws {
      let playground = try Playground()
      let go = try playground.pipe("go")
      let run = try await playground.run("get", "k", "--timeout", "50ms", "--", "cat", go.path)
      #expect(run.status == 5)
      #expect(run.error.contains("longer than"))
    }

    @Test func `--json states the value and its provenance`() async throws {
      let playground = try Playground()
      let answer = try await playground.run("get", "k", "--json", "--", "printf", "é").object
      #expect(answer["value"] as? String == "é")
      #expect(answer["freshness"] as? String == "fetched")
      #expect(answer["expirySeconds"] as? Double == 300)
      #expect((answer["decision"] as? [String: Any])?["outcome"] as? String == "missing")
      let hit = try await playground.run("get", "k", "--json", "--", "false").object
      #expect(hit["freshness"] as? String == "fresh")
      let decision = try #require(hit["decision"] as? [String: Any])
      #expect(decision["decidedBy"] as? String == "timestamp")
      #expect((decision["reason"] as? [String: Any])?["code"] as? String == "age")
    }

    @Test func `--json encodes bytes that are not text in Base64`() async throws {
      let answer = try await Playground().run("get", "k", "--json", "--", "printf", "\\377").object
      #expect(answer["valueBase64"] as? String == "/w==")
      #expect(answer["value"] == nil)
    }

    @Test func `--json reports a failure, too`() async throws {
      let run = try await Playground().run("get", "k", "--json", "--offline", "--", "true")
      #expect(run.status == 4)
      #expect((try run.object["error"] as? [String: Any])?["code"] as? String == "offline")
    }

    @Test func `--verbose reports the decision and its duration`() async throws {
      let run = try await Playground().run("get", "k", "--verbose", "--", "printf", "v")
      #expect(run.text == "v")
      #expect(run.error.contains("decided: missing"))
      #expect(run.error.contains("fetched in"))
    }

    @Test func `A command receives arguments of any bytes unchanged`() async throws {
      let playground = try Playground()
      let arguments: [[UInt8]] =
        ["get", "--online", "--db", playground.database, "k", "--", "printf"].map { Array($0.utf8) }
      let run = try await playground.run(bytes: arguments + [[97, 0xFF, 98]])
      #expect(run.output == [97, 0xFF, 98])
    }
  }
#endif
