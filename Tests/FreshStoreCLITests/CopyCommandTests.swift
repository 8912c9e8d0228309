#if CommandLine
  import Foundation
  import FreshStore
  import FreshStoreTesting
  import Glibc
  import Strategies
  import Testing

  /// Backup, export and import, recover.
  @Suite(.serialized, .timeLimit(.minutes(3))) struct CopyCommandTests {
    /// A store with records in two collections, and a local write.
    private func fill(_ playground: Playground, writes: Int = 1) async throws {
      let store = try Store(path: playground.database)
      for name in ["a", "b"] {
        let bytes = try store.bytes(name)
        for number in 0..<3 {
          try await bytes.put(
            Array("value \(name)\(number)".utf8), for: "\(number)",
            details: FetchDetails(expiry: .never, tags: ["t"]))
        }
      }
      for number in 0..<writes {
        try await store.bytes("local").write(Array("mine".utf8), for: "\(number)")
      }
      try await store.close()
    }

    private func names(_ playground: Playground) throws -> Set<String> {
      Set(try FileManager.default.contentsOfDirectory(atPath: playground.path))
        .filter { !$0.hasPrefix(".") && !$0.hasSuffix("db-wal") && !$0.hasSuffix("db-shm") }
    }

    private func text(_ path: String) throws -> String {
      try String(contentsOfFile: path, encoding: .utf8)
    }

    @Test(arguments: ["backup", "recover", "export", "import"])
    func `every verb explains itself with examples and exit codes`(verb: String) async throws {
      let run = try await Playground().runAlone([verb, "--help"])
      #expect(run.status == 0)
      for part in ["EXAMPLES", "  freshstore \(verb) ", "EXIT CODES"] {
        #expect(run.text.contains(part))
      }
    }

    @Test(arguments: [
      ["backup"], ["backup", ""], ["recover"], ["recover", "one"], ["recover", "", "new"],
      ["export", ""], ["export", "f", "--json"], ["import", "--max-size", "0"],
      ["import", "--require", "xml"], ["import", "--scenario", "s"],
    ])
    func `wrong arguments exit with 64`(arguments: [String]) async throws {
      let run = try await Playground().runAlone(arguments)
      #expect(run.status == 64)
      #expect(run.output.isEmpty && !run.error.isEmpty)
    }

    // MARK: Backup

    @Test func `a backup is a store that every verb works on`() async throws {
      let playground = try Playground()
      try await fill(playground)
      let copy = playground.file("copy.db")
      let run = try await playground.run("backup", copy)
      #expect(run.status == 0 && run.error == "")
      #expect(run.text.hasPrefix("copied 7 records and 1 local writes, "))
      #expect(run.text.hasSuffix(" bytes, to \(copy)\n"))
      #expect(try await playground.runAlone(["check", "--db", copy]).status == 0)
      let shown = try await playground.runAlone(
        ["show", "1", "--collection", "b", "--db", copy])
      #expect(shown.text == "value b1")

      let json = try await playground.run("backup", playground.file("2.db"), "--json", "-q").object
      #expect(Set(json.keys) == ["path", "bytes", "records", "localWrites"])
      #expect(json["localWrites"] as? Int == 1)
    }

    @Test func `a backup never overwrites a file and never creates its source`() async throws {
      let playground = try Playground()
      let without = try await playground.run("backup", playground.file("copy.db"))
      #expect(without.status == 7)
      #expect(try names(playground).isEmpty)
      try await fill(playground)
      let before = try names(playground)
      let again = try await playground.run("backup", playground.database)
      #expect(again.status == 74)
      #expect(again.error.contains("something of that name already"))
      #expect(try await playground.run("backup", playground.file("no/copy.db")).status == 7)
      #expect(try names(playground) == before)
    }

    @Test func `a backup onto a full disk fails and leaves nothing there`() async throws {
      let playground = try Playground()
      let store = try Store(path: playground.database)
      try await store.bytes("b").put(.init(repeating: 1, count: 4 << 20), for: "big")
      try await store.close()
      let run = try await playground.runShell(
        """
        mkdir "$folder/small"
        unshare -rm sh -c 'mount -t tmpfs -o size=1m none "$folder/small" || exit 99
          freshstore backup --db "$db" "$folder/small/copy.db"; echo $?; ls -A "$folder/small"'
        """)
      // Without the right to mount there is nothing to observe.
      if run.status == 1 || run.status == 99 { return }
      #expect(run.text == "7\n")
      #expect(run.error.contains("full"))
    }

    @Test func `an interrupted backup leaves nothing behind`() async throws {
      let playground = try Playground()
      let store = try Store(path: playground.database)
      for number in 0..<5 {
        try await store.bytes("b").put(
          .init(repeating: 1, count: 20 << 20), for: "\(number)", durability: .normal)
      }
      try await store.close()
      let before = try names(playground)
      let run = try await playground.run("backup", playground.file("copy.db"), "--quiet") {
        process in
        while try names(playground) == before, kill(process, 0) == 0 { await Task.yield() }
        kill(process, SIGINT)
      }
      #expect(run.status == 130)
      #expect(try names(playground) == before)
    }

    // MARK: Export and import

    @Test func `an export into a file is imported into another store`() async throws {
      let playground = try Playground()
      try await fill(playground)
      let (file, other) = (playground.file("all.jsonl"), playground.file("other.db"))
      let run = try await playground.run("export", file)
      #expect(run.status == 0 && run.output.isEmpty)
      #expect(
        run.error
          == "freshstore: 1 local write is not in the export; freshstore backup has all of them\n")
      #expect(try text(file).split(separator: "\n").count == 7)
      #expect(try text(file).hasPrefix(#"{"format":"freshstore-export","version":1}"# + "\n"))

      let imported = try await playground.runAlone(["import", file, "--db", other, "--json"])
      #expect(imported.status == 0 && imported.error == "")
      let result = try imported.object
      #expect(
        Set(result.keys) == [
          "records", "imported", "kept", "pending", "refused", "bytes", "isDryRun",
        ])
      #expect(result["imported"] as? Int == 6)
      let again = try await playground.runAlone(["export", "--db", other])
      #expect(try again.text == text(file))
      let kept = try await playground.runAlone(["import", file, "--db", other])
      #expect(
        kept.text == """
          imported 0 of 6 records with 0 bytes
          kept 6 that are as new in the store, or newer

          """)
      let replaced = try await playground.runAlone(["import", file, "--db", other, "--replace"])
      #expect(replaced.text == "imported 6 of 6 records with 48 bytes\n")
    }

    @Test func `a pipe carries one collection from store to store`() async throws {
      let playground = try Playground()
      try await fill(playground, writes: 0)
      let run = try await playground.runShell(
        """
        freshstore export --db "$db" --collection b | freshstore import --db "$folder/other.db"
        """)
      #expect(run.status == 0)
      #expect(run.text == "imported 3 of 3 records with 24 bytes\n")
      #expect(run.error == "")
      let closed = try await playground.runShell(
        #"{ freshstore export --db "$db"; echo $? > "$folder/status"; } | true; cat "$folder/status""#
      )
      #expect(["0\n", "141\n"].contains(closed.text) && closed.error == "")
    }

    @Test func `an export never overwrites, and leaves no partial file`() async throws {
      let playground = try Playground()
      try await fill(playground)
      let before = try names(playground)
      #expect(try await playground.run("export", playground.database).status == 74)
      #expect(try await playground.run("export", playground.file("no/file")).status == 74)
      #expect(try await playground.run("export", "/dev/full").status == 74)
      let full = try await playground.runShell(#"freshstore export --db "$db" > /dev/full"#)
      #expect(full.status == 74)
      #expect(try names(playground) == before)
    }

    @Test func `a damaged record is named, and the export is complete otherwise`() async throws {
      let playground = try Playground()
      try await fill(playground, writes: 0)
      let file = URL(fileURLWithPath: playground.database)
      var bytes = try Data(contentsOf: file)
      let place = try #require(bytes.range(of: Data("value a1".utf8)))
      bytes.replaceSubrange(place, with: Data("VALUE A1".utf8))
      try bytes.write(to: file)
      let run = try await playground.run("export", playground.file("all.jsonl"))
      #expect(run.status == 7)
      #expect(run.error.contains("1 damaged record is not in the export"))
      #expect(run.error.contains("a/1"))
      #expect(try text(playground.file("all.jsonl")).split(separator: "\n").count == 6)
    }

    @Test func `a value beyond the limit of an import is told with the option for it`()
      async throws
    {
      let playground = try Playground()
      let value = [UInt8](repeating: 0x61, count: 100)
      #expect(try await playground.run("put", "k", input: value).status == 0)
      let file = playground.file("news.jsonl")
      #expect(try await playground.run("export", file).status == 0)
      let run = try await playground.run("import", file, "--max-size", "10")
      #expect(run.status == 6)
      #expect(run.error.contains("; raise --max-size"), "\(run.error)")
    }

    @Test func `refused lines are reported by number and exit with 6`() async throws {
      let playground = try Playground()
      let lines = """
        {"format":"freshstore-export","version":1}
        {"collection":"b","key":"1","text":"{}"}
        {"collection":"b","key":"2","text":"{"}
        nonsense
        """
      let dry = try await playground.run("import", "--dry-run", input: Array(lines.utf8))
      #expect(dry.status == 7)
      #expect(try names(playground) == ["input"])
      let run = try await playground.run(
        "import", "-", "--require", "json", "--json", input: Array(lines.utf8))
      #expect(run.status == 6)
      #expect(try run.object["imported"] as? Int == 1)
      #expect(run.error.contains("freshstore: line 3 (\"2\"): the value breaks its rules"))
      #expect(run.error.contains("freshstore: line 4: "))
      #expect(run.error.contains("2 of 3 lines were refused"))
      let told = try await playground.run("import", "--dry-run", input: Array(lines.utf8))
      #expect(told.text.hasPrefix("would import 1 of 3 records"))
      #expect(try await playground.run("list", "--json").text.split(separator: "\n").count == 1)
    }

    @Test func `many refused lines do not flood a terminal`() async throws {
      let lines =
        #"{"format":"freshstore-export","version":1}"# + String(repeating: "\n[]", count: 100)
      let run = try await Playground().run("import", input: Array(lines.utf8))
      #expect(run.status == 6)
      #expect(run.error.split(separator: "\n").count == 22)
      #expect(run.error.contains("100 of 100 lines were refused"))
    }

    @Test func `a file that is no export exits with 6, and an unreadable one with 74`() async throws
    {
      let playground = try Playground()
      let run = try await playground.run("import", input: Array("nonsense".utf8))
      #expect(run.status == 6)
      #expect(run.error.contains("not what freshstore export writes"))
      #expect(try await playground.run("import", playground.file("nothing")).status == 74)
      #expect(try await playground.run("import", playground.path).status == 74)
      #expect(try await playground.run("import", input: []).status == 6)
    }

    // MARK: Recover

    @Test func `a damaged store is recovered into a new one and stays as it is`() async throws {
      let playground = try Playground()
      try await fill(playground)
      try FileChaos.fill(0..<4096, ofFileAt: playground.database, seed: 1)
      let before = try Data(contentsOf: URL(fileURLWithPath: playground.database))
      let new = playground.file("new.db")
      let run = try await playground.runAlone(["recover", playground.database, new])
      #expect(run.status == 0 && run.error == "")
      #expect(
        run.text == """
          local writes: 1 taken over, 0 lost
          records: 7 taken over, 0 unreadable
          made \(new)

          """)
      #expect(try Data(contentsOf: URL(fileURLWithPath: playground.database)) == before)
      #expect(try await playground.runAlone(["check", "--db", new]).status == 0)
      let again = try await playground.runAlone(["recover", playground.database, new])
      #expect(again.status == 74)
      let json = try await playground.runAlone(
        ["recover", playground.database, playground.file("2.db"), "--json"])
      #expect(
        try Set(json.object.keys) == [
          "path", "writes", "takenWrites", "lostWrites", "records", "unreadableRecords",
          "staleRecords", "bytes",
        ])
    }

    @Test func `lost local writes exit with 7 and nothing is made until the loss is accepted`()
      async throws
    {
      let playground = try Playground()
      try await fill(playground)
      let size = try Data(contentsOf: URL(fileURLWithPath: playground.database)).count
      try FileChaos.fill(8192..<size, ofFileAt: playground.database, seed: 3)
      let before = try names(playground)
      let new = playground.file("new.db")
      let run = try await playground.runAlone(["recover", playground.database, new])
      #expect(run.status == 7)
      #expect(run.output.isEmpty)
      #expect(run.error.contains("--accept-lost-writes"))
      #expect(try names(playground) == before)
      let nothing = try await playground.runAlone(["recover", playground.file("no.db"), new])
      #expect(nothing.status == 74)
      let foreign = playground.file("text")
      try Data("text".utf8).write(to: URL(fileURLWithPath: foreign))
      let refused = try await playground.runAlone(["recover", foreign, new])
      #expect(refused.status == 7)
      #expect(refused.error.contains("not a SQLite database"))
    }

    @Test func `unreadable local writes are reported with a working remedy`()
      async throws
    {
      let playground = try Playground()
      try await fill(playground)
      let size = try Data(contentsOf: URL(fileURLWithPath: playground.database)).count
      try FileChaos.fill(8192..<size, ofFileAt: playground.database, seed: 3)
      let put = try await playground.run("put", "k", input: [1])
      #expect(put.status == 7)
      #expect(
        put.error.contains("freshstore recover \(playground.database).damaged-1 NEW"))
      #expect(put.error.contains("--accept-lost-writes"))
      for verb in [["outbox", "list"], ["sync", "status"], ["list"]] {
        let run = try await playground.runAlone(verb + ["--db", playground.database])
        #expect(run.error.contains("local writes may wait in \(playground.database).damaged-1"))
      }
      let way = try await playground.runShell(
        """
        freshstore recover $db.damaged-1 $folder/new.db --accept-lost-writes && mv $folder/new.db $db && \
        printf new | freshstore put --db $db k && freshstore show --db $db k
        """)
      #expect(way.status == 0 && way.text.hasSuffix("new"), "\(way)")
    }

    @Test(arguments: ["text", String(repeating: "text", count: 3000)])
    func `every verb identifies a file of another kind and leaves it untouched`(
      content: String
    ) async throws {
      let playground = try Playground()
      try Data(content.utf8).write(to: URL(fileURLWithPath: playground.database))
      for verb in [["list"], ["stats"], ["outbox", "list"], ["show", "k"], ["sweep"]] {
        let run = try await playground.runAlone(verb + ["--db", playground.database])
        #expect(run.status == 7 && run.error.contains("not a SQLite database"), "\(run)")
      }
      #expect(try text(playground.database) == content)
    }
  }
#endif
