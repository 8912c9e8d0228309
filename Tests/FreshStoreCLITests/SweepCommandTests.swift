#if CommandLine
  import Foundation
  import FreshStore
  import FreshStoreTesting
  import Glibc
  import OriginServer
  import Strategies
  import Synchronization
  import Testing

  @Suite(.serialized, .timeLimit(.minutes(2))) struct SweepCommandTests {
    /// Stores `count` expired records.
    private func fill(_ playground: Playground, _ count: Int) async throws {
      let store = try Store(path: playground.database)
      let values = try store.bytes("default")
      try await values.put(
        Dictionary(uniqueKeysWithValues: (0..<count).map { ("\($0)", [1]) }),
        details: FetchDetails(expiry: .immediately))
      try await store.close()
    }

    @Test func `the summary has every figure`() async throws {
      let playground = try Playground()
      try await fill(playground, 3)
      let summary = try await playground.run("sweep", "--json").object
      #expect(
        Set(summary.keys) == [
          "examined", "marked", "batches", "longestHoldSeconds", "refetched", "failed", "deferred",
          "skipped", "removed", "bytes", "seconds", "isComplete", "isDryRun",
        ])
      #expect(summary["examined"] as? Int == 3)
      #expect(summary["marked"] as? Int == 3)
      #expect(summary["isComplete"] as? Bool == true)
      #expect((summary["longestHoldSeconds"] as? Double ?? 0) > 0)
    }

    @Test func `a limit leaves the rest to the next sweep`() async throws {
      let playground = try Playground()
      try await fill(playground, 5)
      let first = try await playground.run("sweep", "--limit", "2", "--json").object
      #expect(first["marked"] as? Int == 2)
      #expect(first["isComplete"] as? Bool == false)
      #expect(try await playground.run("sweep", "--json").object["marked"] as? Int == 3)
    }

    @Test func `a second sweep exits with 75 and names the running one`() async throws {
      let playground = try Playground()
      let store = try Store(path: playground.database)
      let lock = try await store.lockSweeps()
      let run = try await playground.run("sweep")
      #expect(run.status == 75)
      #expect(run.output.isEmpty)
      #expect(run.error.contains("another sweep is under way (process \(getpid()) ("))
      #expect(run.error.contains("since 20"))
      // A line would be a mail of cron's.
      let quiet = try await playground.run("sweep", "--quiet")
      #expect(quiet.status == 75 && quiet.output.isEmpty && quiet.error == "")
      #expect(try await playground.run("sweep", "--wait", "100ms").status == 75)
      #expect(try await playground.run("sweep", "--dry-run").status == 0)
      lock.release()
      #expect(try await playground.run("sweep").status == 0)
      try await store.close()
    }

    @Test func `a killed sweep blocks no other, and the next one continues from there`()
      async throws
    {
      let playground = try Playground()
      let count = 20_000
      try await fill(playground, count)
      let store = try Store(path: playground.database)
      let due = { @Sendable in try store.statistics().due }
      let killed = try await playground.run("sweep", "--quiet") { process in
        while try due() == 0, kill(process, 0) == 0 { await Task.yield() }
        kill(process, SIGKILL)
      }
      let before = try due()
      let next = try await playground.run("sweep", "--json")
      #expect(killed.status == -SIGKILL)
      #expect(before > 0 && before < count)
      #expect(next.status == 0)
      #expect(try next.object["marked"] as? Int == count - before)
      #expect(try due() == count)
      #expect(try await store.check().isSound)
      try await store.close()
    }

    @Test func `progress is printed as lines without a terminal, and not at all when quiet`()
      async throws
    {
      let playground = try Playground()
      try await fill(playground, 3)
      let loud = try await playground.run("sweep", "--dry-run", "--progress-every", "0")
      #expect(loud.error == "freshstore: looked at 3, marked 3\n")
      #expect(try await playground.run("sweep", "--dry-run").error == "")
      let quiet = try await playground.run("sweep", "--quiet", "--progress-every", "0")
      #expect(quiet.error == "")
      #expect(quiet.text == "")
    }

    @Test func `progress is a bar on a terminal, and is erased`() async throws {
      let playground = try Playground()
      try await fill(playground, 3)
      let run = try await playground.runShell(
        """
        script -qec "freshstore sweep --db $db --json > $folder/summary" /dev/null
        """)
      #expect(run.text.contains("\r"))
      #expect(run.text.contains("[####################] 100 % looked at 3, marked 3\u{1B}[K"))
      #expect(run.text.hasSuffix("\r\u{1B}[K"))
    }

    @Test func `a refetch keeps the expiry that the get stated`() async throws {
      let origin = try await OriginServer.start { _ in .init(body: "value") }
      let playground = try Playground()
      _ = try await playground.run("get", origin.url("/"), "--expiry", "1h")
      _ = try await playground.run("mark", origin.url("/"))
      let sweep = try await playground.run(
        ["sweep", "--refetch", "--db", playground.database],
        environment: ["FRESHSTORE_REACHABILITY": "online"])
      #expect(sweep.status == 0)
      #expect(origin.requests.count == 2)
      let record = try await playground.run("list", "--json").object
      #expect(record["expirySeconds"] as? Double == 3600)
      await origin.stop()
    }

    @Test func `refetch fetches from sources with a URL and counts the rest`() async throws {
      let playground = try Playground()
      let origin = try await OriginServer.start { _ in .init(200, [:], body: "new") }
      for path in ["/good", "/also"] {
        _ = try await playground.run("get", origin.url(path), "--expiry", "0")
      }
      try await fill(playground, 2)
      let run = try await playground.runAlone(
        ["sweep", "--db", playground.database, "--refetch", "--concurrency", "2", "--json"],
        environment: ["FRESHSTORE_REACHABILITY": "online"])
      let summary = try run.object
      #expect(run.status == 0)
      #expect(summary["refetched"] as? Int == 2)
      #expect(summary["failed"] as? Int == 0)
      #expect(summary["skipped"] as? Int == 2)
      #expect(origin.requests.count == 4)
      await origin.stop()
    }

    @Test func `a failed refetch exits with 5 and is tried once`() async throws {
      let playground = try Playground()
      let origin = try await OriginServer.start { _ in .init(200, [:], body: "old") }
      _ = try await playground.run("get", origin.url("/"), "--expiry", "0")
      await origin.stop()
      let run = try await playground.runAlone(
        ["sweep", "--db", playground.database, "--refetch", "--json"],
        environment: ["FRESHSTORE_REACHABILITY": "online"])
      #expect(run.status == 5)
      #expect(try run.object["failed"] as? Int == 1)
      #expect(try run.object["refetched"] as? Int == 0)
      #expect(run.error.contains("1 of the refetches failed"))
    }

    @Test func `records found stale again during the refetch are left to the next sweep`()
      async throws
    {
      let playground = try Playground()
      let database = playground.database
      let count = Atomic(0)
      let origin = try await OriginServer.start { request in
        // The last fetch of the sweep: readers find the first values stale.
        if count.add(1, ordering: .relaxed).newValue == 4 {
          await #expect(throws: Never.self) {
            let store = try Store(
              path: database, configuration: Configuration(reachability: .fixed(.online)))
            let pages = try store.bytes("http")
            for path in ["/1", "/2"] {
              _ = try pages.read("http://\(request["Host"] ?? "")\(path)")
            }
            try await store.close()
          }
        }
        return .init(200, ["Cache-Control": "max-age=0"], body: "value")
      }
      for path in ["/1", "/2"] { _ = try await playground.run("get", origin.url(path)) }
      let run = try await playground.runAlone(
        ["sweep", "--db", database, "--refetch", "--concurrency", "1", "--json"],
        environment: ["FRESHSTORE_REACHABILITY": "online"])
      await origin.stop()
      #expect(run.status == 0)
      #expect(try run.object["refetched"] as? Int == 2)
      #expect(origin.requests.count == 4)
      #expect(try await playground.run("stats", "--json").object["due"] as? Int == 1)
    }

    @Test func `a source out of reach is deferred, with exit code 4`() async throws {
      let playground = try Playground()
      let origin = try await OriginServer.start { _ in .init(200, [:], body: "old") }
      for path in ["/1", "/2"] {
        _ = try await playground.run("get", origin.url(path), "--expiry", "0")
      }
      let run = try await playground.runAlone(
        ["sweep", "--db", playground.database, "--refetch", "--json"],
        environment: ["FRESHSTORE_REACHABILITY": "offline"])
      #expect(run.status == 4)
      #expect(try run.object["deferred"] as? Int == 2)
      #expect(try run.object["failed"] as? Int == 0)
      #expect(run.error.contains("2 were put off"))
      #expect(origin.requests.count == 2)
      await origin.stop()
    }

    @Test(
      .enabled("a file system of its own needs root, or user namespaces") {
        try await Playground().runShell("unshare -rm true").status == 0
      })
    func `a value that the store has no room for is fetched once, and ends the refetches`()
      async throws
    {
      let playground = try Playground()
      let count = Atomic(0)
      let origin = try await OriginServer.start { _ in
        let isSmall = count.add(1, ordering: .relaxed).oldValue < 2
        return .init(200, [:], body: Array(repeating: 1, count: isSmall ? 1 : 16 << 20))
      }
      let run = try await playground.runShell(
        """
        mkdir "$folder/disk"
        export FRESHSTORE_REACHABILITY=online
        exec unshare -rm sh -ec '
          mount -t tmpfs -o size=8m none "$folder/disk"
          for path in 1 2; do
            freshstore get \(origin.url("/"))$path --expiry 0 --db "$folder/disk/store.db" > "$folder/first"
          done
          exec timeout 30 freshstore sweep --refetch --concurrency 1 --json --db "$folder/disk/store.db"'
        """)
      #expect(run.status == 5)
      #expect(try run.object["failed"] as? Int == 1)
      #expect(try run.object["deferred"] as? Int == 1)
      #expect(run.error.contains("1 of the refetches failed; 1 are as due as before; "))
      #expect(run.error.contains("full"))
      #expect(origin.requests.count == 3)
      await origin.stop()
    }

    @Test func `a sweep can remove by age and by size`() async throws {
      let playground = try Playground()
      try await fill(playground, 4)
      // A mark takes room, too.
      _ = try await playground.run("sweep")
      let all = try await playground.run("prune", "--max-total", "0", "--dry-run", "--json").object
      let two = try await playground.run("prune", "--max-count", "2", "--dry-run", "--json").object
      let bytes = try #require(two["bytes"] as? Int)
      let limit = try #require(all["bytes"] as? Int) - bytes
      let sized = try await playground.run("sweep", "--max-total", "\(limit)", "--json").object
      #expect(sized["removed"] as? Int == 2)
      #expect(sized["bytes"] as? Int == bytes)
      let dry = try await playground.run("sweep", "--dry-run", "--older-than", "0", "--json")
      #expect(try dry.object["removed"] as? Int == 2)
      let aged = try await playground.run("sweep", "--older-than", "0", "--json").object
      #expect(aged["removed"] as? Int == 2)
    }

    @Test(arguments: [
      ["--limit", "0"], ["--limit", "x"], ["--concurrency", "4"],
      ["--refetch", "--concurrency", "0"], ["--refetch", "--concurrency", "65"],
      ["--refetch", "--dry-run"], ["--wait", "5x"], ["--wait", "-5s"],
      ["--older-than", "x"], ["--max-total", "-1"], ["--max-total", "1x"],
    ])
    func `invalid input is refused before any change`(arguments: [String]) async throws {
      let playground = try Playground()
      let run = try await playground.runAlone(["sweep", "--db", playground.database] + arguments)
      #expect(run.status == 64)
      #expect(run.output.isEmpty)
      #expect(unsafe access(playground.database, F_OK) != 0)
    }

    @Test func `a damaged record whose source forbids storing is fetched once`() async throws {
      let playground = try Playground()
      let forbids = Gate()
      let origin = try await OriginServer.start { _ in
        forbids.isOpen
          ? .init(200, ["Cache-Control": "no-store"], body: "new")
          : .init(200, ["Cache-Control": "max-age=0"], body: "the old value")
      }
      _ = try await playground.run("get", origin.url("/"), "--expiry", "0")
      forbids.open()
      let database = URL(fileURLWithPath: playground.database)
      var bytes = try Data(contentsOf: database)
      let value = try #require(bytes.firstRange(of: Data("the old value".utf8)))
      bytes.replaceSubrange(value, with: Data("the 0ld value".utf8))
      try bytes.write(to: database)
      let run = try await playground.runAlone(
        ["sweep", "--db", playground.database, "--refetch", "--json"],
        environment: ["FRESHSTORE_REACHABILITY": "online"])
      #expect(run.status == 0)
      #expect(origin.requests.count == 2)
      await origin.stop()
    }
  }
#endif
