#if CommandLine
  import Foundation
  import FreshStore
  import FreshStoreTesting
  import Glibc
  import Strategies
  import Testing

  @Suite(.serialized, .timeLimit(.minutes(2))) struct DoctorCommandTests {
    /// What the doctor says of a store, by check.
    private struct Report {
      let run: Playground.Run
      private let findings: [[String: Any]]

      init(_ run: Playground.Run) throws {
        self.run = run
        findings = try #require(try run.object["findings"] as? [[String: Any]])
      }

      func level(_ check: String) -> String? { first(check)?["level"] as? String }
      func message(_ check: String) -> String { first(check)?["message"] as? String ?? "" }
      func advice(_ check: String) -> String { first(check)?["advice"] as? String ?? "" }

      private func first(_ check: String) -> [String: Any]? {
        findings.filter { $0["check"] as? String == check }
          .max { ($0["level"] as? String == "ok") && $1["level"] as? String != "ok" }
      }
    }

    private func report(_ playground: Playground) async throws -> Report {
      try Report(await playground.run("doctor", "127.0.0.1", "--json"))
    }

    private func report(path: String, in playground: Playground) async throws -> Report {
      try Report(await playground.runAlone(["doctor", "127.0.0.1", "--json", "--db", path]))
    }

    /// Makes a store with one record.
    private func makeStore(
      _ playground: Playground, clock: any StoreClock = .system,
      _ body: (Store) async throws -> Void = { _ in }
    ) async throws {
      var configuration = Configuration(reachability: .fixed(.online))
      configuration.clock = clock
      let store = try Store(path: playground.database, configuration: configuration)
      try await store.bytes("default").put([1], for: "k")
      try await body(store)
      try await store.close()
    }

    /// Every file of the store, with a checksum, its size, its mode and when it was changed.
    /// Another process looks: closing a file here would drop the locks of a store that is open
    /// here.
    private func state(_ playground: Playground) async throws -> String {
      try await playground.runShell(
        """
        cd "$folder"
        for file in store*; do test -e "$file" && cksum "$file" && stat -c '%n %s %a %y' "$file"; done
        """
      ).text
    }

    private func expectSound(_ playground: Playground) async throws {
      let store = try Store(path: playground.database)
      #expect(try await store.check().isSound)
      try await store.close()
    }

    // MARK: A store that is well

    @Test func `a store that is well has no problem, and a line for every check`() async throws {
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
      #expect(versions["freshstore"] as? String == "0.1.0")
      #expect((versions["sqlite"] as? String)?.hasPrefix("3.") == true)
    }

    @Test func `its help has an example and its exit codes`() async throws {
      let run = try await Playground().runAlone(["doctor", "--help"])
      #expect(run.status == 0)
      #expect(run.text.contains("EXAMPLES\n  freshstore doctor\n"))
      #expect(run.text.contains("  7    something is a problem"))
    }

    // MARK: It changes nothing

    @Test func `a closed store is left as it is, and no file is made beside it`() async throws {
      let playground = try Playground()
      try await makeStore(playground)
      let before = try await state(playground)
      #expect(before.split(separator: "\n").count == 2)
      #expect(try await report(playground).level("structure") == "ok")
      #expect(try await state(playground) == before)
      try await expectSound(playground)
    }

    @Test func `a store in use is read with its log, and named with whoever has it open`()
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

    @Test func `a log whose index is gone is not looked into, and not brought up to date`()
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

    @Test func `nothing is made where there is no store, not even the folder`() async throws {
      let playground = try Playground()
      let report = try Report(await playground.runAlone(["doctor", "127.0.0.1", "--json"]))
      #expect(report.run.status == 0)
      #expect(report.level("file") == "warning")
      #expect(report.message("file").contains("there is no store at "))
      #expect(report.level("folder") == "ok")
      #expect(unsafe access(playground.file(".cache"), F_OK) != 0)
    }

    // MARK: Files that are no store

    enum Obstacle: String, CaseIterable {
      case noFolder, fileAsFolder, folder, text, foreign, newer, damaged, empty, link

      /// Makes it; the path to give.
      func make(_ playground: Playground) async throws -> String {
        let path = playground.database
        let files = FileManager.default
        switch self {
        case .noFolder: return playground.file("none/store.db")
        case .fileAsFolder:
          try Data("text".utf8).write(to: URL(fileURLWithPath: path))
          return path + "/store.db"
        case .folder:
          try files.createDirectory(atPath: path, withIntermediateDirectories: false)
        case .text:
          try Data(repeating: 0x41, count: 8192).write(to: URL(fileURLWithPath: path))
        case .foreign: try await patch(path, at: 68, [1, 2, 3, 4])
        case .newer: try await patch(path, at: 60, [0, 0, 0x27, 0x0F])
        case .damaged: try await patch(path, at: 100, [UInt8](repeating: 0xEE, count: 6000))
        case .empty: try Data().write(to: URL(fileURLWithPath: path))
        case .link:
          try files.createSymbolicLink(atPath: path, withDestinationPath: playground.file("gone"))
        }
        return path
      }

      private func patch(_ path: String, at offset: UInt64, _ bytes: [UInt8]) async throws {
        let store = try Store(path: path)
        try await store.bytes("default").put([UInt8](repeating: 1, count: 50_000), for: "k")
        try await store.close()
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        try file.seek(toOffset: offset)
        try file.write(contentsOf: Data(bytes))
        try file.close()
      }

      var level: String { self == .empty || self == .link ? "warning" : "problem" }

      var words: String {
        switch self {
        case .noFolder, .fileAsFolder: "its folder does not exist"
        case .folder: "no regular file"
        case .text: "no SQLite database"
        case .foreign: "another program"
        case .newer: "has the format 9999"
        case .damaged: "is damaged"
        case .empty: "is empty"
        case .link: "there is no store"
        }
      }
    }

    @Test(arguments: Obstacle.allCases)
    func `a file that is no store is told as what it is, and left alone`(
      obstacle: Obstacle
    ) async throws {
      let playground = try Playground()
      let path = try await obstacle.make(playground)
      let before = try await state(playground)
      let report = try await report(path: path, in: playground)
      #expect(report.level("file") == obstacle.level)
      #expect(report.message("file").contains(obstacle.words))
      #expect(!report.advice("file").isEmpty)
      #expect(report.run.status == (obstacle.level == "problem" ? 7 : 0))
      #expect(report.level("reachability") == "ok")
      #expect(try await state(playground) == before)
    }

    @Test func `damage deep in the file is found by its structure`() async throws {
      let playground = try Playground()
      try await makeStore(playground) { store in
        for number in 0..<200 {
          try await store.bytes("default").put([UInt8](repeating: 1, count: 900), for: "\(number)")
        }
      }
      let size = try #require(
        FileManager.default.attributesOfItem(atPath: playground.database)[.size] as? Int)
      let file = try #require(FileHandle(forUpdatingAtPath: playground.database))
      try file.seek(toOffset: UInt64(size / 4096 / 2 * 4096))
      try file.write(contentsOf: Data(repeating: 0xEE, count: 4096))
      try file.close()
      let before = try await state(playground)
      let report = try await report(playground)
      #expect(report.run.status == 7)
      #expect(report.level("structure") == "problem" || report.level("file") == "problem")
      #expect(try await state(playground) == before)
    }

    @Test func `a database that somebody has locked is told with whom`() async throws {
      let playground = try Playground()
      try await makeStore(playground)
      let descriptor = unsafe open(playground.database, O_RDWR | O_CLOEXEC)
      defer { close(descriptor) }
      // The bytes that SQLite's exclusive lock covers.
      try lock(descriptor, F_WRLCK, 1 << 30, 512)
      let report = try await report(playground)
      #expect(report.run.status == 7)
      #expect(report.message("file").contains("process \(getpid()) ("))
      #expect(report.message("file").contains("locked everybody out"))
    }

    private func lock(_ descriptor: Int32, _ kind: Int32, _ start: Int, _ count: Int) throws {
      var range = flock()
      range.l_type = Int16(kind)
      range.l_whence = Int16(SEEK_SET)
      range.l_start = start
      range.l_len = count
      try #require(unsafe fcntl(descriptor, F_SETLK, &range) == 0)
    }

    // MARK: Permissions

    @Test func `files that other users can write are a warning each`() async throws {
      let playground = try Playground()
      try await makeStore(playground)
      _ = unsafe chmod(playground.database, 0o666)
      let report = try await report(playground)
      #expect(report.run.status == 0)
      #expect(report.level("permissions") == "warning")
      #expect(report.message("permissions").contains("666"))
      #expect(report.level("folder") == "ok")
    }

    @Test(arguments: [(mode_t(0o777), "warning"), (0o1777, "ok"), (0o755, "ok")])
    func `a folder that other users can write is a warning, unless it is sticky`(
      mode: mode_t, level: String
    ) async throws {
      let playground = try Playground()
      try await makeStore(playground)
      _ = unsafe chmod(playground.path, mode)
      #expect(try await report(playground).level("folder") == level)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
    func `files of several owners are a warning`() async throws {
      let playground = try Playground()
      try await makeStore(playground)
      try Data().write(to: URL(fileURLWithPath: playground.file("store.db-wal")))
      _ = unsafe chown(playground.file("store.db-wal"), 65534, 65534)
      let report = try await report(playground)
      #expect(report.level("permissions") == "warning")
      #expect(report.message("permissions").contains("store.db-wal belongs to "))
    }

    @Test(
      .enabled("another user needs a user namespace or root") {
        try await Playground().runShell("setpriv --reuid 65534 --clear-groups true").status == 0
      })
    func `a store that this user may not read is a problem that is told`() async throws {
      let playground = try Playground()
      try await makeStore(playground)
      _ = unsafe chmod(playground.path, 0o755)
      let run = try await playground.runShell(
        """
        chmod 755 "$(dirname "$folder")"
        setpriv --reuid 65534 --clear-groups $(command -v freshstore) doctor 127.0.0.1 --json \
          --db "$db"
        """)
      let report = try Report(run)
      #expect(run.status == 7)
      #expect(report.level("file") == "problem")
      #expect(report.message("file").contains("cannot be read: Permission denied"))
      #expect(report.level("permissions") == "problem")
      #expect(report.level("folder") == "warning")
    }

    // MARK: Log, sweep, salvage

    @Test func `a large log that nobody empties is a warning`() async throws {
      let playground = try Playground()
      try await makeStore(playground)
      try grow(playground.file("store.db-wal"))
      let report = try await report(playground)
      #expect(report.level("log") == "warning")
      #expect(report.message("log").contains("20.0 MiB"))
      try await expectSound(playground)
    }

    @Test func `a large log that a reader holds back names the reader`() async throws {
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

    @Test func `whoever sweeps is named`() async throws {
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

    @Test func `damaged files that were moved aside are told, waiting ones first`() async throws {
      let playground = try Playground()
      try await makeStore(playground)
      let aside = URL(fileURLWithPath: playground.file("store.db.damaged-2"))
      try Data("damaged".utf8).write(to: aside)
      let done = try await report(playground)
      #expect(done.level("salvage") == "warning")
      #expect(done.message("salvage").contains("nothing that is waited for"))
      #expect(done.message("salvage").contains("store.db.damaged-2"))
      for name in ["store.db.damaged-1", "store.db.damaged-1-outbox"] {
        try Data().write(to: URL(fileURLWithPath: playground.file(name)))
      }
      let waiting = try await report(playground)
      #expect(waiting.message("salvage").hasPrefix("local writes wait in "))
      #expect(waiting.run.status == 0)
    }

    // MARK: What waits

    @Test func `parked local writes are a warning, waiting ones of today are not`() async throws {
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

    @Test func `what has waited for days is a warning`() async throws {
      let playground = try Playground()
      let now = SystemClock().now().wall
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

    @Test func `records from the future say that the clock was set back`() async throws {
      let playground = try Playground()
      let now = SystemClock().now().wall
      try await makeStore(playground, clock: ManualClock(wall: now.advanced(by: .seconds(3600))))
      let report = try await report(playground)
      #expect(report.run.status == 0)
      #expect(report.level("clock") == "warning")
      #expect(
        report.message("clock").hasPrefix("records that were last updated in the future: 1, "))
    }

    // MARK: The network

    @Test(arguments: [("offline", "warning", 0), ("ask", "ok", 0), ("wrong", "problem", 7)])
    func `the variable that overrides the kernel is told`(
      value: String, level: String, status: Int32
    ) async throws {
      let playground = try Playground()
      let run = try await playground.runAlone(
        ["doctor", "127.0.0.1", "--json", "--db", playground.database],
        environment: ["FRESHSTORE_REACHABILITY": value])
      #expect(try Report(run).level("override") == level)
      #expect(run.status == status)
    }

    @Test(
      .enabled("a network of its own needs a user namespace") {
        try await Playground().runShell("unshare -rn true").status == 0
      })
    func `a source that is out of reach is a warning`() async throws {
      let run = try await Playground().runShell(
        "unshare -rn freshstore doctor 192.0.2.1 --json --db \"$db\"")
      #expect(try Report(run).level("reachability") == "warning")
      #expect(run.status == 0)
    }

    @Test(arguments: [["doctor", ""], ["doctor", "--db", ""], ["doctor", "http://"]])
    func `arguments that make no sense are refused`(arguments: [String]) async throws {
      #expect(try await Playground().runAlone(arguments).status == 64)
    }

    @Test func `control characters in a path do nothing to a terminal`() async throws {
      let playground = try Playground()
      let run = try await playground.runAlone(
        ["doctor", "127.0.0.1", "--db", playground.file("a\u{1B}[2Jb\n.db")])
      #expect(!run.text.contains("\u{1B}"))
      #expect(run.text.split(separator: "\n").count == 13)
    }
  }
#endif
