#if CommandLine
  import Foundation
  import FreshStore
  import FreshStoreTesting
  import Glibc
  import Strategies
  import Testing

  /// The doctor's report about files that are not stores, or that others can access.
  @Suite(.serialized, .timeLimit(.minutes(2))) struct DoctorFileTests: DoctorSuite {
    // MARK: Files that are not stores

    enum Obstacle: String, CaseIterable {
      case noFolder, fileAsFolder, folder, text, foreign, former, newer, damaged, empty, link

      /// Makes it; returns the path to give.
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
        case .former: try await patch(path, at: 68, [0x46, 0x72, 0x53, 0x74])
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
        case .former: "a format of before version 1"
        case .newer: "has the format 9999"
        case .damaged: "is damaged"
        case .empty: "is empty"
        case .link: "there is no store"
        }
      }
    }

    @Test(arguments: Obstacle.allCases)
    func `a file that is not a store is identified, and left alone`(
      obstacle: Obstacle
    ) async throws {
      let playground = try Playground()
      let path = try await obstacle.make(playground)
      let before = try await state(playground)
      let report = try await report(path: path, in: playground)
      #expect(report.level("file") == obstacle.level)
      #expect(report.message("file").contains(obstacle.words))
      #expect(!report.advice("file").isEmpty)
      // It may hold local writes.
      #expect(report.advice("file").hasPrefix("keep it, ") == (obstacle == .former))
      #expect(report.run.status == (obstacle.level == "problem" ? 7 : 0))
      #expect(report.level("reachability") == "ok")
      #expect(try await state(playground) == before)
    }

    @Test func `damage deep in the file is found by the structure check`() async throws {
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

    @Test func `the process that holds a lock on a database is named`() async throws {
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

    // MARK: Permissions

    @Test func `each file that other users can write is a warning`() async throws {
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

    @Test(arguments: ["-wal", "-shm"])
    func `a named pipe in the place of the log or its index is a problem`(
      suffix: String
    ) async throws {
      let playground = try Playground()
      try await makeStore(playground)
      let path = playground.database + suffix
      try? FileManager.default.removeItem(atPath: path)  // The file may be missing.
      #expect(unsafe mkfifo(path, 0o600) == 0)
      let report = try await report(playground)
      #expect(report.run.status == 7)
      #expect(report.level("permissions") == "problem")
      #expect(report.message("permissions").contains("store.db\(suffix) is no regular file"))
    }

    @Test(
      .enabled("another user needs a user namespace or root") {
        try await Playground().runShell("setpriv --reuid 65534 --clear-groups true").status == 0
      })
    func `a store without read permission is reported as a problem`() async throws {
      let playground = try Playground()
      try await makeStore(playground)
      _ = unsafe chmod(playground.path, 0o755)
      let run = try await playground.runShell(
        """
        chmod 755 "$(dirname "$folder")"
        setpriv --reuid 65534 --clear-groups $(command -v freshstore) doctor 127.0.0.1 --json \
          --db "$db"
        """)
      let report = try DoctorReport(run)
      #expect(run.status == 7)
      #expect(report.level("file") == "problem")
      #expect(report.message("file").contains("cannot be read: Permission denied"))
      #expect(report.level("permissions") == "problem")
      #expect(report.level("folder") == "warning")
    }
  }
#endif
