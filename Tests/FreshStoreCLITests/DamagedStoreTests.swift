#if CommandLine
  import Foundation
  import FreshStore
  import FreshStoreTesting
  import Strategies
  import Testing

  /// The output and the effects of the command on a damaged store.
  @Suite(.serialized, .timeLimit(.minutes(2))) struct DamagedStoreTests: DoctorSuite {
    /// A store with many puts, the page of one of which is noise.
    private func makeDamaged(_ playground: Playground) async throws {
      let store = try Store(path: playground.database)
      let padding = [UInt8](repeating: 0x2E, count: 700)
      try await store.bytes("default").put(
        Dictionary(
          uniqueKeysWithValues: (100..<400).map { number in
            ("k\(number)", Array("<value of \(number)>".utf8) + padding)
          }), details: FetchDetails(expiry: .never))
      try await store.close()
      let bytes = try #require(FileManager.default.contents(atPath: playground.database))
      let place = try #require(bytes.firstRange(of: Data("<value of 250>".utf8))).lowerBound
      let page = place / 4096 * 4096
      let file = try #require(FileHandle(forUpdatingAtPath: playground.database))
      try file.seek(toOffset: UInt64(page))
      try file.write(contentsOf: Data(repeating: 0xEE, count: 4096))
      try file.close()
    }

    @Test(arguments: ["list", "stats", "export", "check --heal", "get k250"])
    func `a verb that meets the damage has a new store begun, with the other puts`(
      _ verb: String
    ) async throws {
      let playground = try Playground()
      try await makeDamaged(playground)
      let aside = playground.database + ".damaged-1"
      let met = try await playground.runShell(
        "freshstore \(verb) --db \"$db\"" + (verb.hasPrefix("get") ? " --online" : ""))
      #expect(met.status != 0)
      #expect(met.error.contains("the store was damaged; it was moved to \(aside)"))
      #expect(met.error.contains("taken over from it: values that no source can give again: 29"))
      #expect(met.error.contains("`freshstore recover \(aside) NEW`"))
      let listed = try await playground.run("list")
      #expect(listed.status == 0 && listed.error == "")
      let count = listed.text.split(separator: "\n").count
      #expect((290..<300).contains(count))
      #expect(try await playground.run("get", "k300").status == 0)
      try await expectSound(playground)
    }

    @Test
    func `doctor advises removal of a file that was moved aside only when it has nothing left`()
      async throws
    {
      let playground = try Playground()
      try await makeDamaged(playground)
      let aside = playground.database + ".damaged-1"
      let found = try await report(playground)
      #expect(found.advice("file").contains("freshstore check --heal"))
      _ = try await playground.run("list")
      let kept = try await report(playground)
      #expect(kept.level("salvage") == "warning")
      #expect(kept.message("salvage").contains("parts of it cannot be read"))
      #expect(kept.advice("salvage").contains("`freshstore recover \(aside) NEW`"))
      #expect(!kept.advice("salvage").contains("remove"))

      // The commands that it names bring in what they can.
      let recovered = try await playground.runShell(
        """
        freshstore recover "$db.damaged-1" "$folder/new.db" && freshstore export --db "$folder/new.db" \
          | freshstore import --db "$db"
        """)
      #expect(recovered.status == 0)
      // A whole file has nothing that the store does not have, until something is removed there.
      try FileManager.default.removeItem(atPath: aside)
      try FileManager.default.copyItem(atPath: playground.file("new.db"), toPath: aside)
      let spent = try await report(playground)
      #expect(spent.message("salvage").contains("they have nothing that is not in the store"))
      #expect(spent.advice("salvage").contains("then remove them"))
      #expect(try await playground.run("remove", "k300").status == 0)
      let missing = try await report(playground)
      #expect(missing.message("salvage").contains("not in the store: 1"))
      #expect(!missing.advice("salvage").contains("remove them"))
    }

    @Test func `a mark of local writes that are not in the store is a problem`() async throws {
      let playground = try Playground()
      try await makeStore(playground) { store in
        try await store.bytes("default").write([1], for: "written")
      }
      try FileManager.default.removeItem(atPath: playground.database)
      let found = try await report(playground)
      #expect(found.level("outbox") == "problem")
      #expect(found.message("outbox").contains("local writes waited here"))
      let refused = try await playground.run("put", "k", input: [1])
      #expect(refused.status == 7)
      #expect(refused.error.contains("put the file back that has them"))
    }

    // MARK: One judgement

    private func judgements(_ playground: Playground) async throws -> [String] {
      let listed = try await playground.run("list", "--json").object["outcome"] as? String
      let explained = try await playground.run("explain", "k", "--json").object["decision"]
      let decision = try #require(explained as? [String: Any])
      let got = try await playground.run("get", "k").status
      return [
        listed ?? "", decision["outcome"] as? String ?? "", got == 0 ? "fresh" : "unusable",
      ]
    }

    @Test(arguments: ["", #""codec":"json","#, #""codec":"other","#])
    func `a record that was imported is judged alike, whatever its codec`(_ codec: String)
      async throws
    {
      let playground = try Playground()
      let now = Int(Date().timeIntervalSince1970 * 1000)
      let lines = """
        {"format":"freshstore-export","version":1}
        {"collection":"default","key":"k","text":"v",\(codec)"lastUpdate":\(now),"expiry":"never"}

        """
      #expect(try await playground.run("import", input: Array(lines.utf8)).status == 0)
      #expect(try await judgements(playground) == ["fresh", "fresh", "fresh"])
      if codec.isEmpty {
        let store = try Store(path: playground.database)
        #expect(try store.bytes("default").read("k").copy?.value == Array("v".utf8))
        try await store.close()
      }
    }

    @Test(arguments: [true, false])
    func `a record whose value cannot be used is unusable to all`(hasChanged: Bool) async throws {
      let playground = try Playground()
      let store = try Store(path: playground.database)
      try await store.bytes("default", contentVersion: hasChanged ? 0 : 3).put(
        Array("<a value>".utf8), for: "k", details: FetchDetails(expiry: .never))
      try await store.close()
      if hasChanged {
        let bytes = try #require(FileManager.default.contents(atPath: playground.database))
        let place = try #require(bytes.firstRange(of: Data("<a value>".utf8))).lowerBound
        let file = try #require(FileHandle(forUpdatingAtPath: playground.database))
        try file.seek(toOffset: UInt64(place))
        try file.write(contentsOf: Data("<A".utf8))
        try file.close()
      }
      #expect(try await judgements(playground) == ["unusable", "unusable", "unusable"])
    }

    // MARK: The surroundings

    @Test func `a home that is no folder is named, with what helps`() async throws {
      let playground = try Playground()
      let environment = ["HOME": "/nonexistent", "XDG_CACHE_HOME": "", "FRESHSTORE_DB": ""]
      let run = try await playground.runAlone(
        ["doctor", "127.0.0.1", "--json"], environment: environment)
      let found = try DoctorReport(run)
      #expect(found.level("file") == "problem")
      #expect(found.message("file").contains("HOME is /nonexistent, and /nonexistent is no folder"))
      #expect(found.advice("file").contains("name a file with --db"))
      let put = try await playground.runAlone(["put", "k"], environment: environment)
      #expect(put.error.contains("HOME is /nonexistent, and /nonexistent is no folder"))
    }

    @Test func `a path that is too long for SQLite is named so`() async throws {
      let playground = try Playground()
      var folder = playground.path
      for _ in 0..<4 { folder += "/" + String(repeating: "a", count: 120) }
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let found = try await report(path: folder + "/store.db", in: playground)
      #expect(found.level("file") == "problem")
      #expect(found.advice("file").contains("SQLite takes up to 504"))
    }

    @Test(
      .enabled("needs root") {
        try await Playground().runShell("unshare -m --propagation private true").status == 0
      })
    func `a database that is mounted by itself, and a full table of files, are problems`()
      async throws
    {
      let playground = try Playground()
      try await makeStore(playground)
      let alone = try await playground.runShell(
        """
        exec unshare -m --propagation private sh -c '
          mkdir "$folder/c" && touch "$folder/c/store.db"
          mount --bind "$db" "$folder/c/store.db"
          exec freshstore doctor 127.0.0.1 --json --db "$folder/c/store.db"'
        """)
      let mounted = try DoctorReport(alone)
      #expect(mounted.level("file-system") == "problem")
      #expect(mounted.advice("file-system").contains("mount the folder"))
      let full = try await playground.runShell(
        """
        exec unshare -m --propagation private sh -c '
          mkdir "$folder/few" && mount -t tmpfs -o nr_inodes=6 few "$folder/few"
          cp "$db" "$folder/few/store.db"
          exec freshstore doctor 127.0.0.1 --json --db "$folder/few/store.db"'
        """)
      let files = try DoctorReport(full)
      #expect(files.level("space") == "problem")
      #expect(files.advice("space").contains("df -i"))
    }

    @Test(
      .enabled("needs root") {
        try await Playground().runShell("unshare -m --propagation private true").status == 0
      })
    func `on a disk without any room a prune is advised once it can begin, and then it does`()
      async throws
    {
      let playground = try Playground()
      let run = try await playground.runShell(
        """
        exec unshare -m --propagation private sh -c '
          mkdir "$folder/disk" && mount -t tmpfs -o size=4m disk "$folder/disk" && cd "$folder/disk"
          {
            echo "{\\"format\\":\\"freshstore-export\\",\\"version\\":1}"
            yes "" | head -500 | cat -n | while read -r number; do
              printf "{\\"collection\\":\\"default\\",\\"key\\":\\"%s\\",\\"text\\":\\"%0700d\\",\\"lastUpdate\\":1}\n" \
                "$number" 0
            done
          } | freshstore import --db store.db -q >/dev/null
          dd if=/dev/zero of=filler bs=4096 2>/dev/null
          echo value | freshstore put new --db store.db
          freshstore prune --older-than 1d --db store.db
          truncate -s -128K filler
          freshstore prune --older-than 1d --db store.db
          echo value | freshstore put new --db store.db && freshstore check --db store.db'
        """)
      #expect(run.status == 0, "\(run.error)")
      #expect(run.error.contains("a prune has no room there now, and needs 128 KiB to begin with"))
      #expect(run.error.contains("128 KiB are enough to begin with"))
      #expect(run.text.contains("removed 500 records"))
    }
  }
#endif
