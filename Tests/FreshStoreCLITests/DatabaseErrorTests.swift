#if CommandLine
  import Foundation
  import FreshStore
  import Glibc
  import Testing

  @Suite(.serialized, .timeLimit(.minutes(2))) struct DatabaseErrorTests {
    /// A file, or something in its place, that the command must not open as a store.
    enum Obstacle: CaseIterable {
      case folder, text, emptyPath, noFolder, fileAsFolder, foreignDatabase, newerSchema

      var status: Int32 { self == .emptyPath ? 64 : 7 }

      /// Makes it; returns the path to give.
      func make(_ playground: Playground) async throws -> String {
        let path = playground.database
        switch self {
        case .folder:
          try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        case .text:
          try "a text that is long enough to be read as the header of a database file, and is none"
            .write(toFile: path, atomically: false, encoding: .utf8)
        case .emptyPath: return ""
        case .noFolder: return playground.file("none/store.db")
        case .fileAsFolder:
          try "text".write(toFile: path, atomically: false, encoding: .utf8)
          return path + "/store.db"
        case .foreignDatabase: try await patch(path, at: 68, [1, 2, 3, 4])
        case .newerSchema: try await patch(path, at: 60, [0, 0, 0x27, 0x0F])
        }
        return path
      }

      /// Changes bytes of the header of a store (https://sqlite.org/fileformat2.html section 1.3).
      private func patch(_ path: String, at offset: UInt64, _ bytes: [UInt8]) async throws {
        try await Store(path: path).close()
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        try file.seek(toOffset: offset)
        try file.write(contentsOf: Data(bytes))
        try file.close()
      }
    }

    @Test(arguments: Obstacle.allCases, ["get", "put", "show", "list", "sweep", "check"])
    func `A file that is not a store is refused and left as it is`(
      obstacle: Obstacle, verb: String
    ) async throws {
      let playground = try Playground()
      let path = try await obstacle.make(playground)
      let before = FileManager.default.contents(atPath: path)
      let rest: [String] =
        switch verb {
        case "get": ["k", "--online", "--", "printf", "v"]
        case "put", "show": ["k"]
        default: []
        }
      let run = try await playground.runAlone([verb, "--db", path] + rest)
      #expect(run.status == obstacle.status)
      #expect(run.output.isEmpty)
      #expect(run.error.hasPrefix("freshstore: "))
      #expect(run.error.split(separator: "\n").count == 1)
      #expect(FileManager.default.contents(atPath: path) == before)
    }

    @Test(
      arguments: [
        (["list"], 0), (["list", "--json"], 0), (["stats"], 0), (["outbox", "list"], 0),
        (["show", "k"], 4), (["explain", "k"], 4), (["sync", "status"], 4), (["check"], 7),
        (["export"], 7),
      ] as [([String], Int32)])
    func `Readers treat a missing store as empty and do not create it`(
      arguments: [String], status: Int32
    ) async throws {
      let playground = try Playground()
      for path in [["--db", playground.database], []] {
        let run = try await playground.runAlone(arguments + path)
        #expect(run.status == status)
        #expect(["stats", "sync"].contains(arguments[0]) || run.output.isEmpty)
        // A store that is named may be mistyped.
        #expect(path.isEmpty || run.error.contains("there is no store at"))
        let isEmptyAnswer = status == 0 || arguments[0] == "sync"
        #expect(!path.isEmpty || run.error.isEmpty == isEmptyAnswer)
      }
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: playground.path) == [".suppressions"])
    }

    @Test func `The stats of a missing store count nothing`() async throws {
      let counts = try await Playground().run("stats", "--json").object
      #expect(counts["due"] as? Int == 0)
      #expect((counts["collections"] as? [Any])?.isEmpty == true)
    }

    @Test(arguments: [[], ["--json"]])
    func `A missing record is explained, with 4`(options: [String]) async throws {
      let playground = try Playground()
      _ = try await playground.run("put", "other", input: [1])
      let run = try await playground.runAlone(
        ["explain", "k", "--db", playground.database] + options)
      #expect(run.status == 4)
      #expect(run.text.contains("missing"))
    }

    @Test(.enabled(if: geteuid() != 0, "permissions do not bind root"))
    func `A store without write permission is an error of the database`() async throws {
      let playground = try Playground()
      _ = try await playground.run("get", "k", "--", "printf", "v")
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o400], ofItemAtPath: playground.database)
      #expect(try await playground.run("put", "k").status == 7)
      #expect(try await playground.run("show", "k").text == "v")
    }

    @Test func `check finds a damaged record and exits with 7`() async throws {
      let playground = try Playground()
      _ = try await playground.run("put", "k", input: Array("precious-value".utf8))
      let file = try #require(FileHandle(forUpdatingAtPath: playground.database))
      let bytes = try #require(try file.readToEnd())
      let place = try #require(bytes.range(of: Data("precious".utf8)))
      try file.seek(toOffset: UInt64(place.lowerBound))
      try file.write(contentsOf: Data("P".utf8))
      try file.close()
      let run = try await playground.run("check")
      #expect(run.status == 7)
      #expect(
        run.text.contains("damaged record: default/k: its value does not match its checksum\n"))
      #expect(try await playground.run("show", "k").status == 4)
    }

    @Test func `The default store lies in the cache folder, for its owner only`() async throws {
      let playground = try Playground()
      let folder = playground.file(".cache/freshstore")
      _ = try await playground.runAlone(["get", "k", "--online", "--", "printf", "v"])
      #expect(try mode(folder) == 0o700)
      #expect(try mode(folder + "/store.db") == 0o600)
      let caches = playground.file("caches")
      _ = try await playground.runAlone(
        ["get", "k", "--online", "--", "printf", "v"], environment: ["XDG_CACHE_HOME": caches])
      #expect(try mode(caches + "/freshstore/store.db") == 0o600)
    }

    private func mode(_ path: String) throws -> Int {
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      return try #require(attributes[.posixPermissions] as? Int)
    }
  }
#endif
