#if CommandLine
  import Foundation
  import Testing

  /// Verbs for many records, and what stands before a verb.
  @Suite(.serialized, .timeLimit(.minutes(2))) struct SelectionTests {
    /// Two records with a tag in two collections, one with the key's prefix alone, one with neither.
    private func filled() async throws -> Playground {
      let playground = try Playground()
      _ = try await playground.run("get", "a/1", "--tag", "t", "--", "printf", "1")
      _ = try await playground.run(
        "get", "a/2", "--tag", "t", "--collection", "other", "--", "printf", "22")
      _ = try await playground.run("get", "a/3", "--", "printf", "333")
      _ = try await playground.run("get", "b", "--collection", "other", "--", "printf", "4444")
      return playground
    }

    private func stale(_ playground: Playground) async throws -> [String] {
      let run = try await playground.run("list", "--state", "stale")
      return run.text.split(separator: "\n").map { String($0.split(separator: "\t")[1]) }.sorted()
    }

    private static let selections: [(arguments: [String], keys: [String])] = [
      (["--tag", "t"], ["a/1", "a/2"]), (["--prefix", "a/"], ["a/1", "a/2", "a/3"]),
      (["--prefix", "a/", "--collection", "other"], ["a/2"]),
      (["--tag", "none", "--tag", "t"], ["a/1", "a/2"]),
      (["--prefix", "b", "--prefix", "a/2"], ["a/2", "b"]),
      (["--all"], ["a/1", "a/2", "a/3", "b"]), (["--all", "--collection", "other"], ["a/2", "b"]),
      (["a/1", "a/3"], ["a/1", "a/3"]),
    ]

    @Test(arguments: selections) func `mark says how many records it has marked`(
      selection: (arguments: [String], keys: [String])
    ) async throws {
      let playground = try await filled()
      let run = try await playground.run(
        ["mark", "--db", playground.database, "--json"] + selection.arguments)
      #expect(run.status == 0)
      #expect(try run.object["marked"] as? Int == selection.keys.count)
      #expect(try await stale(playground) == selection.keys)
    }

    @Test(arguments: selections) func `remove removes the same records`(
      selection: (arguments: [String], keys: [String])
    ) async throws {
      let playground = try await filled()
      let run = try await playground.run(
        ["remove", "--db", playground.database, "--json"] + selection.arguments)
      #expect(try run.object["removed"] as? [String] == selection.keys)
      let left = try await playground.run("list").text.split(separator: "\n").count
      #expect(left == 4 - selection.keys.count)
    }

    @Test(arguments: [["--tag", "none"], ["--prefix", "z"], ["--all", "--collection", "none"]])
    func `a mark that finds nothing says so, and exits with 4`(selection: [String]) async throws {
      let playground = try await filled()
      let run = try await playground.run(["mark", "--db", playground.database] + selection)
      #expect(run.status == 4)
      #expect(run.text == "marked 0 records\n")
      #expect(run.error.contains(selection.last ?? ""))
    }

    @Test func `remove leaves records with local writes`() async throws {
      let playground = try await filled()
      _ = try await playground.run("write", "http://localhost:1/x", input: [1])
      let run = try await playground.run("remove", "--all", "--json")
      #expect((try run.object["removed"] as? [String])?.count == 4)
      #expect(run.error.contains("1 record with local writes stays"))
      #expect(try await playground.run("show", "http://localhost:1/x").output == [1])
    }

    @Test(
      arguments: [
        (["--tag", "t"], ["a/1", "a/2"]), (["--sort", "size", "--limit", "2"], ["b", "a/3"]),
        (["--limit", "1"], ["a/1"]), (["--state", "stale"], []),
        (["a/", "--collection", "other"], ["a/2"]),
      ] as [([String], [String])])
    func `list chooses and sorts`(options: [String], keys: [String]) async throws {
      let playground = try await filled()
      let run = try await playground.run(["list", "--db", playground.database] + options)
      let listed = run.text.split(separator: "\n").map { $0.split(separator: "\t")[1] }
      #expect(listed.map(String.init) == keys)
    }

    @Test(
      arguments: [
        (["--tag", "a"], ["one", "two"]), (["--tag", "a", "--tag", "b"], ["two"]),
        (["--tag", "b", "--tag", "a"], ["two"]), (["--tag", "a", "--tag", "none"], []),
        (["--tag", "a", "--tag", "b", "--state", "stale"], []),
      ] as [([String], [String])])
    func `list with several tags has the records with all of them`(
      options: [String], keys: [String]
    ) async throws {
      let playground = try Playground()
      _ = try await playground.run("get", "one", "--tag", "a", "--", "printf", "1")
      _ = try await playground.run("get", "two", "--tag", "a", "--tag", "b", "--", "printf", "2")
      _ = try await playground.run("get", "three", "--tag", "b", "--", "printf", "3")
      let run = try await playground.run(["list", "--db", playground.database] + options)
      let listed = run.text.split(separator: "\n").map { $0.split(separator: "\t")[1] }
      #expect(listed.map(String.init) == keys)
    }

    @Test func `a key without a command is printed while it is fresh`() async throws {
      let playground = try await filled()
      #expect(try await playground.run("get", "a/1").text == "1")
      _ = try await playground.run("mark", "a/1")
      let stale = try await playground.run("get", "a/1")
      #expect(stale.status == 4 && stale.output.isEmpty)
      #expect(stale.error.contains("stale"))
      #expect(try await playground.run("get", "none").status == 4)
      #expect(try await playground.run("get", "example.org").error.contains("https://example.org"))
    }

    @Test func `the environment names the store, and options may stand before the verb`()
      async throws
    {
      let playground = try await filled()
      let database = playground.database
      let environment = ["FRESHSTORE_DB": database]
      #expect(
        try await playground.runAlone(["get", "a/1"], environment: environment).text == "1")
      #expect(
        try await playground.runAlone(["get", "a/3", "--", "false"], environment: environment).text
          == "333")
      let before = try await playground.runAlone(["--db", database, "--json", "stats"])
      #expect((try before.object["collections"] as? [Any])?.count == 2)
      let nested = try await playground.runAlone(["--db=" + database, "outbox", "list"])
      #expect(nested.status == 0)
    }

    @Test(
      arguments: [
        (["gte"], "did you mean 'get'?"), (["help", "lits"], "did you mean 'list'?"),
        (["xyzzy"], "--help"), ([], "--help"), (["--db", "x", "shwo"], "did you mean 'show'?"),
        (["--json"], "say what to do"),
        (["nope"], "--help"),
      ] as [([String], String)])
    func `a mistyped verb is told apart, and is no success`(
      arguments: [String], words: String
    ) async throws {
      let run = try await Playground().runAlone(arguments)
      #expect(run.status == 64)
      #expect(run.output.isEmpty)
      #expect(run.error.contains(words))
    }

    @Test func `the help shows verbs in groups, and a verb's its own exit codes`() async throws {
      let playground = try Playground()
      let help = try await playground.runAlone(["--help"]).text
      for group in ["COPIES", "WATCHING", "THE WHOLE STORE"] {
        #expect(help.uppercased().contains(group))
      }
      let backup = try await playground.runAlone(["backup", "--help"]).text
      #expect(backup.contains("EXIT CODES") && !backup.contains("--fail-on-stale"))
    }
  }
#endif
