#if CommandLine
  import Foundation
  import Testing

  @Suite(.serialized, .timeLimit(.minutes(2))) struct RecordVerbTests {
    private func objects(_ run: Playground.Run) throws -> [[String: Any]] {
      try run.text.split(separator: "\n").map { line in
        try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      }
    }

    @Test func `put stores standard input, show prints the value, remove deletes it`() async throws
    {
      let playground = try Playground()
      let bytes: [UInt8] = [0, 255, 10, 0]
      #expect(try await playground.run("put", "k", input: bytes).status == 0)
      #expect(try await playground.run("show", "k").output == bytes)
      #expect(try await playground.run("get", "k", "--", "false").output == bytes)
      let removed = try await playground.run("remove", "k", "other", "--json").object
      #expect(removed["removed"] as? [String] == ["k"])
      #expect(try await playground.run("show", "k").status == 4)
    }

    @Test func `put stores a file`() async throws {
      let playground = try Playground()
      try "text".write(
        toFile: playground.file("file"), atomically: false, encoding: .utf8)
      _ = try await playground.run("put", "k", playground.file("file"))
      #expect(try await playground.run("show", "k").text == "text")
      #expect(try await playground.run("put", "k", playground.file("none")).status == 74)
      #expect(try await playground.run("put", "k", playground.path).status == 74)
    }

    @Test func `put refuses a value that breaks a rule and keeps the old one`() async throws {
      let playground = try Playground()
      _ = try await playground.run("put", "k", input: Array("{}".utf8))
      for options in [["--require", "json"], ["--max-size", "2"]] {
        let run = try await playground.run(
          "put", "k", options[0], options[1], input: Array("{ ]".utf8))
        #expect(run.status == 6)
      }
      #expect(try await playground.run("show", "k").text == "{}")
    }

    @Test func `list shows every record, or the records of a prefix or a collection`() async throws
    {
      let playground = try Playground()
      for key in ["a/1", "a/2", "b\t\u{1B}[31m"] {
        _ = try await playground.run("put", key, input: [1, 2])
      }
      _ = try await playground.run("put", "a/3", "--collection", "other", input: [1])
      let all = try objects(try await playground.run("list", "--json"))
      #expect(all.map { $0["key"] as? String } == ["a/1", "a/2", "b\t\u{1B}[31m", "a/3"])
      #expect(all.map { $0["size"] as? Int } == [2, 2, 2, 1])
      #expect(all.allSatisfy { $0["outcome"] as? String == "fresh" })
      let some = try objects(
        try await playground.run("list", "a/", "--collection", "default", "--json"))
      #expect(some.map { $0["key"] as? String } == ["a/1", "a/2"])
      let lines = try await playground.run("list", "b").text
      #expect(lines.hasPrefix("default\tb  [31m\tfresh\t"))
    }

    @Test func `explain prints the trace and the action of a get`() async throws {
      let playground = try Playground()
      _ = try await playground.run("get", "k", "--expiry", "0", "--tag", "t", "--", "printf", "v")
      let stale = try await playground.run("explain", "k", "--online", "--json").object
      #expect(stale["action"] as? String == "fetch")
      #expect(stale["tags"] as? [String] == ["t"])
      #expect((stale["decision"] as? [String: Any])?["outcome"] as? String == "stale")
      let trace = try #require(stale["trace"] as? [[String: Any]])
      #expect(
        trace.map { $0["strategy"] as? String }.starts(with: ["reachability", "invalidation"]))
      let offline = try await playground.run("explain", "k", "--offline", "--json").object
      #expect(offline["action"] as? String == "serve")
      let grace = try await playground.run(
        "explain", "k", "--online", "--stale-while-revalidate", "1h", "--json"
      ).object
      #expect(grace["action"] as? String == "serve-and-refresh")
      let text = try await playground.run("explain", "k", "--online").text
      #expect(text.contains("a get would: fetch it and wait"))
    }

    @Test(arguments: [["k"], ["--tag", "t"], ["--prefix", "k"], ["--all"]])
    func `mark makes the next get fetch`(selection: [String]) async throws {
      let playground = try Playground()
      _ = try await playground.run("get", "k", "--tag", "t", "--", "printf", "one")
      let mark = try await playground.runAlone(["mark", "--db", playground.database] + selection)
      #expect(mark.status == 0)
      #expect(mark.text == "marked 1 record\n")
      #expect(try await playground.run("get", "k", "--", "printf", "two").text == "two")
    }

    @Test func `mark marks the other keys when one is missing, and exits with 4`() async throws {
      let playground = try Playground()
      _ = try await playground.run("put", "k", input: [1])
      let run = try await playground.run("mark", "none", "k")
      #expect(run.status == 4)
      #expect(run.error.contains("\"none\""))
      #expect(try await playground.run("get", "k", "--", "printf", "new").text == "new")
    }

    @Test func `sweep marks expired records, and only counts them in a dry run`()
      async throws
    {
      let playground = try Playground()
      _ = try await playground.run("put", "old", "--expiry", "0", input: [1])
      _ = try await playground.run("put", "new", input: [1])
      let dry = try await playground.run("sweep", "--dry-run", "--json").object
      #expect(dry["marked"] as? Int == 1)
      #expect(dry["isDryRun"] as? Bool == true)
      #expect(try await playground.run("sweep", "--json").object["marked"] as? Int == 1)
      #expect(try await playground.run("sweep", "--json").object["marked"] as? Int == 0)
      #expect(try await playground.run("stats", "--json").object["due"] as? Int == 1)
    }

    @Test func `a pinned record outlives a prune until it is unpinned`() async throws {
      let playground = try Playground()
      _ = try await playground.run(
        "put", "k", "-", "--expiry", "1h", "--tag", "a", input: Array("v".utf8))
      #expect(try await playground.run("pin", "k").status == 0)
      _ = try await playground.run("prune", "--max-count", "0")
      let record = try await playground.run("list", "--json").object
      #expect(record["isPinned"] as? Bool == true)
      #expect(record["tags"] as? [String] == ["a"])
      _ = try await playground.run("pin", "--off", "k")
      _ = try await playground.run("prune", "--max-count", "0")
      #expect(try await playground.run("list").text == "")
      #expect(try await playground.run("pin", "k").status == 4)
    }

    @Test func `--failing lists the records whose last fetch failed`() async throws {
      let playground = try Playground()
      for key in ["a", "b"] {
        _ = try await playground.run("get", key, "--expiry", "0", "--", "printf", "v")
      }
      _ = try await playground.run("get", "b", "--", "false")
      _ = try await playground.run("get", "never", "--", "false")
      let lines = try await playground.run("list", "--failing").text.split(separator: "\n")
      #expect(lines.count == 2)
      #expect(lines.first?.hasPrefix("default\tb\tstale\t") == true)
      #expect(lines.last?.hasPrefix("default\tnever\tmissing\t") == true)
    }

    @Test(arguments: [["--older-than", "0"], ["--max-count", "0"], ["--max-total", "0"]])
    func `prune removes by age, count and bytes`(limit: [String]) async throws {
      let playground = try Playground()
      _ = try await playground.run("put", "k", input: [1, 2, 3])
      let dry = try await playground.run("prune", limit[0], limit[1], "--dry-run", "--json").object
      #expect(dry["removed"] as? Int == 1)
      #expect(try await playground.run("show", "k").status == 0)
      let pruned = try await playground.run("prune", limit[0], limit[1], "--json").object
      #expect(pruned["removed"] as? Int == 1)
      // The size of the record in the file, and not of its value alone.
      #expect(try #require(pruned["bytes"] as? Int) > 3)
      #expect(try await playground.run("show", "k").status == 4)
    }

    @Test func `prune keeps the records within its limits`() async throws {
      let playground = try Playground()
      _ = try await playground.run("put", "k", input: [1, 2, 3])
      let run = try await playground.run(
        "prune", "--older-than", "1d", "--max-count", "1", "--max-total", "1k", "--json")
      #expect(try run.object["removed"] as? Int == 0)
    }

    @Test func `stats counts, and check finds no damage`() async throws {
      let playground = try Playground()
      _ = try await playground.run("put", "k", input: [1, 2, 3])
      let statistics = try await playground.run("stats", "--json").object
      let collections = try #require(statistics["collections"] as? [[String: Any]])
      #expect(collections.map { $0["bytes"] as? Int } == [3])
      #expect(try await playground.run("stats").text.hasPrefix("default\t1\t3\t0"))
      let check = try await playground.run("check", "--json")
      #expect(check.status == 0)
      #expect(try check.object["records"] as? Int == 1)
      #expect((try check.object["damagedRecords"] as? [Any])?.isEmpty == true)
    }

    @Test func `A collection has keys of its own`() async throws {
      let playground = try Playground()
      _ = try await playground.run("put", "k", "--collection", "one", input: [1])
      #expect(try await playground.run("show", "k").status == 4)
      #expect(try await playground.run("show", "k", "--collection", "one").output == [1])
    }
  }
#endif
