#if CommandLine
  import Foundation
  import FreshStore
  import FreshStoreTesting
  import Glibc
  import Strategies
  import Testing

  @Suite(.serialized, .timeLimit(.minutes(2))) struct DoctorCommandTests: DoctorSuite {
    // MARK: A sound store

    @Test func `a sound store has no problem, and a line for every check`() async throws {
      let playground = try Playground()
      try await makeStore(playground)
      let run = try await playground.run("doctor", "127.0.0.1")
      #expect(run.status == 0)
      #expect(run.error.isEmpty)
      let checks = run.text.split(separator: "\n").map {
        $0.split(separator: " ", omittingEmptySubsequences: true)[1]
      }
      #expect(
        checks == [
          "file", "permissions", "folder", "file-system", "space", "log", "sqlite", "salvage",
          "sweep", "structure", "outbox", "queue", "origins", "clock", "time-source", "override",
          "reachability", "version",
        ])
      #expect(run.text.contains("is a store of format "))
      #expect(run.text.contains("127.0.0.1: there is a route"))
      try await expectSound(playground)
    }

    @Test func `JSON has the worst level, the versions, and every finding`() async throws {
      let playground = try Playground()
      try await makeStore(playground)
      let object = try await playground.run("doctor", "127.0.0.1", "--json").object
      #expect(Set(object.keys) == ["path", "level", "isWell", "findings", "versions"])
      #expect(object["isWell"] as? Bool == true)
      #expect(object["path"] as? String == playground.database)
      let versions = try #require(object["versions"] as? [String: Any])
      #expect(versions["freshstore"] as? String == "0.2.0")
      #expect((versions["sqlite"] as? String)?.hasPrefix("3.") == true)
    }

    @Test func `its help has an example and its exit codes`() async throws {
      let run = try await Playground().runAlone(["doctor", "--help"])
      #expect(run.status == 0)
      #expect(run.text.contains("EXAMPLES\n  freshstore doctor\n"))
      #expect(run.text.contains("  7    something is a problem"))
    }

    // MARK: No changes

    @Test func `a closed store is left as it is, and no file is made beside it`() async throws {
      let playground = try Playground()
      try await makeStore(playground)
      let before = try await state(playground)
      #expect(before.split(separator: "\n").count == 2)
      #expect(try await report(playground).level("structure") == "ok")
      #expect(try await state(playground) == before)
      try await expectSound(playground)
    }

    @Test func `a store in use is read with its log, and the process that has it open is named`()
      async throws
    {
      let playground = try Playground()
      try await makeStore(playground) { store in
        try await store.bytes("default").put([UInt8](repeating: 1, count: 100_000), for: "large")
        let before = try await state(playground)
        let report = try await report(playground)
        #expect(report.run.status == 0)
        #expect(report.level("structure") == "ok")
        #expect(report.message("log").contains("open in process \(getpid()) ("))
        #expect(try await state(playground) == before)
        #expect(try await store.check().isSound)
      }
    }

    @Test func `a log without its index is neither read nor rebuilt`()
      async throws
    {
      let playground = try Playground()
      try await makeStore(playground)
      let log = Data(repeating: 1, count: 5000)
      try log.write(to: URL(fileURLWithPath: playground.file("store.db-wal")))
      let before = try await state(playground)
      let report = try await report(playground)
      #expect(report.run.status == 0)
      #expect(report.level("file") == "warning")
      #expect(try await state(playground) == before)
      try await expectSound(playground)
    }

    @Test func `nothing is created where there is no store, not even the folder`() async throws {
      let playground = try Playground()
      let report = try DoctorReport(await playground.runAlone(["doctor", "127.0.0.1", "--json"]))
      #expect(report.run.status == 0)
      #expect(report.level("file") == "warning")
      #expect(report.message("file").contains("there is no store at "))
      #expect(report.level("folder") == "ok")
      #expect(unsafe access(playground.file(".cache"), F_OK) != 0)
    }

    // MARK: Log, sweep, salvage

    @Test func `a large log that no process empties is a warning`() async throws {
      let playground = try Playground()
      try await makeStore(playground)
      try grow(playground.file("store.db-wal"))
      let report = try await report(playground)
      #expect(report.level("log") == "warning")
      #expect(report.message("log").contains("20.0 MiB"))
      try await expectSound(playground)
    }

    @Test func `a warning about a large log names the reader that holds it back`() async throws {
      let playground = try Playground()
      try await makeStore(playground)
      try grow(playground.file("store.db-wal"))
      let index = playground.file("store.db-shm")
      try Data(repeating: 0, count: 32768).write(to: URL(fileURLWithPath: index))
      let descriptor = unsafe open(index, O_RDWR | O_CLOEXEC)
      defer { close(descriptor) }
      try lock(descriptor, F_RDLCK, 124, 1)
      let report = try await report(playground)
      #expect(report.message("log").contains("while process \(getpid()) ("))
      #expect(report.advice("log").contains("end the process"))
    }

    private func grow(_ path: String) throws {
      try Data().write(to: URL(fileURLWithPath: path))
      try #require(unsafe truncate(path, 20 << 20) == 0)
    }

    @Test func `the process that sweeps is named`() async throws {
      let playground = try Playground()
      try await makeStore(playground) { store in
        #expect(try await report(playground).message("sweep") == "nobody sweeps now")
        let lock = try await store.lockSweeps()
        let message = try await report(playground).message("sweep")
        #expect(message.contains("process \(getpid()) ("))
        #expect(try await playground.run("sweep").status == 75)
        lock.release()
        #expect(try await report(playground).message("sweep") == "nobody sweeps now")
      }
    }

    @Test func `damaged files that were moved aside are listed, waiting ones first`() async throws {
      let playground = try Playground()
      try await makeStore(playground)
      let aside = URL(fileURLWithPath: playground.file("store.db.damaged-2"))
      try Data("damaged".utf8).write(to: aside)
      let done = try await report(playground)
      #expect(done.level("salvage") == "warning")
      #expect(done.message("salvage").contains("parts of it cannot be read here"))
      #expect(done.message("salvage").contains("store.db.damaged-2"))
      for name in ["store.db.damaged-1", "store.db.damaged-1-outbox"] {
        try Data().write(to: URL(fileURLWithPath: playground.file(name)))
      }
      let waiting = try await report(playground)
      #expect(waiting.message("salvage").hasPrefix("values and local writes may wait in "))
      #expect(waiting.run.status == 0)
    }

    // MARK: Waiting work

    @Test func `parked local writes are a warning, today's waiting writes are not`() async throws {
      let playground = try Playground()
      try await makeStore(playground) { store in
        let notes = try store.bytes("notes")
        _ = try await notes.write([1], for: "a")
        let waiting = try await report(playground)
        #expect(waiting.level("outbox") == "ok")
        #expect(waiting.message("outbox").contains("local writes: 1 waiting, 0 parked"))
        let due = try await store.dueWrites(limit: 1)
        _ = await notes.push(due) { _ in .refused("no") }
        let parked = try await report(playground)
        #expect(parked.level("outbox") == "warning")
        #expect(parked.message("outbox").contains("local writes: 0 waiting, 1 parked"))
        #expect(try await store.check().isSound)
      }
    }

    @Test func `a write that has waited for days is a warning`() async throws {
      let playground = try Playground()
      let now = SystemClock().reading().wall
      let clock = ManualClock(wall: now.advanced(by: .seconds(-3 * 86_400)))
      try await makeStore(playground, clock: clock) { store in
        _ = try await store.bytes("notes").write([1], for: "a")
        let details = FetchDetails(expiry: .immediately)
        try await store.bytes("default").put([1], for: "old", details: details)
        _ = try await store.sweep()
      }
      let report = try await report(playground)
      #expect(report.run.status == 0)
      #expect(report.level("outbox") == "warning")
      #expect(report.message("outbox").contains("the oldest written 3 d ago"))
      #expect(report.level("queue") == "warning")
      #expect(
        report.message("queue").contains("records that wait for a refetch: 1, the first for 3 d"))
      try await expectSound(playground)
    }

    @Test func `records from the future indicate that the clock was set back`() async throws {
      let playground = try Playground()
      let now = SystemClock().reading().wall
      try await makeStore(playground, clock: ManualClock(wall: now.advanced(by: .seconds(3600))))
      let report = try await report(playground)
      #expect(report.run.status == 0)
      #expect(report.level("clock") == "warning")
      #expect(
        report.message("clock").hasPrefix("records that were last updated in the future: 1, "))
    }

    // MARK: The network

    @Test(arguments: [("offline", "warning", 0), ("ask", "ok", 0), ("wrong", "problem", 7)])
    func `the variable that overrides the kernel is reported`(
      value: String, level: String, status: Int32
    ) async throws {
      let playground = try Playground()
      let run = try await playground.runAlone(
        ["doctor", "127.0.0.1", "--json", "--db", playground.database],
        environment: ["FRESHSTORE_REACHABILITY": value])
      #expect(try DoctorReport(run).level("override") == level)
      #expect(run.status == status)
    }

    @Test(
      .enabled("a network of its own needs a user namespace") {
        try await Playground().runShell("unshare -rn true").status == 0
      })
    func `a source that is out of reach is a warning`() async throws {
      let run = try await Playground().runShell(
        "unshare -rn freshstore doctor 192.0.2.1 --json --db \"$db\"")
      #expect(try DoctorReport(run).level("reachability") == "warning")
      #expect(run.status == 0)
    }

    @Test(arguments: [["doctor", ""], ["doctor", "--db", ""], ["doctor", "http://"]])
    func `invalid arguments are refused`(arguments: [String]) async throws {
      #expect(try await Playground().runAlone(arguments).status == 64)
    }

    @Test func `control characters in a path do not reach the terminal`() async throws {
      let playground = try Playground()
      let run = try await playground.runAlone(
        ["doctor", "127.0.0.1", "--db", playground.file("a\u{1B}[2Jb\n.db")])
      #expect(!run.text.contains("\u{1B}"))
      #expect(run.text.split(separator: "\n").count == 13)
    }
  }
#endif
