import StoreSupport

#if os(Linux)
  import Foundation
  import FreshStore
  import FreshStoreTesting
  import Strategies
  import Testing

  /// Stores on file systems that are full or read-only.
  @Suite(.enabled("needs root") { await MountedFolder.isPossible() })
  struct FileSystemTests {
    private func open(
      _ path: String, _ access: Configuration.Access = .readWrite
    ) throws(StoreError) -> Store {
      var configuration = Configuration(reachability: .fixed(.online))
      configuration.access = access
      return try Store(path: path, configuration: configuration)
    }

    @Test
    func `a full disk refuses puts, serves the stored values, and recovers when there is room`()
      async throws
    {
      let disk = try await MountedFolder(size: "1m")
      let store = try open(disk.file("store.db"))
      let bytes = try store.bytes("bytes")
      var stored = 0
      var failure: StoreError?
      while failure == nil {
        failure = await storeFailure {
          try await bytes.put(.init(repeating: 7, count: 20_000), for: "\(stored)")
        }
        if failure == nil { stored += 1 }
      }
      let code = failure?.code
      let readable = try (0..<stored).filter { try bytes.read("\($0)").copy?.value.count == 20_000 }
      // A get still returns its fetched value.
      let answer = try await bytes.get("fetched") { _ in .value(.init(repeating: 8, count: 50_000))
      }

      try await disk.remount("size=8m")
      try await bytes.put([1], for: "after")
      let check = try await store.check()
      try await store.close()

      #expect(code == .full && stored > 3)
      #expect(readable.count == stored)
      #expect(answer.value.count == 50_000 && answer.storeFailure?.code == .full)
      #expect(check.isSound && check.records == stored + 1)
    }

    @Test func `a disk that is full from the start has no store, and gets one when there is room`()
      async throws
    {
      let disk = try await MountedFolder(size: "512k")
      try Data().write(to: URL(fileURLWithPath: disk.file("filler")))
      let filler = try #require(FileHandle(forWritingAtPath: disk.file("filler")))
      // It fails when the disk is full, which is intended.
      while (try? filler.write(contentsOf: Data(repeating: 1, count: 4096))) != nil {}
      try filler.close()

      let failure = await storeFailure { try open(disk.file("store.db")) }
      try FileManager.default.removeItem(atPath: disk.file("filler"))
      let store = try open(disk.file("store.db"))
      try await store.bytes("bytes").put([1], for: "key")

      #expect(
        failure?.code == .full || failure?.code == .inputOutput, "\(String(describing: failure))")
      #expect(store.health.movedAside.isEmpty)
      try await store.close()
    }

    /// A store without write permission: closed, with no files beside it, or as a killed process leaves
    /// it, with some of the files beside it.
    private func unwritable(with suffixes: [String]) async throws -> MountedFolder {
      let disk = try await MountedFolder(size: "8m")
      let folder = try TemporaryFolder()
      let source = folder.file("store.db")
      let store = try open(source)
      try await store.bytes("bytes").put([1], for: "old")
      try await store.close()
      let again = try open(source)
      try await again.bytes("bytes").put([2], for: "new")
      if suffixes.isEmpty { try await again.close() }
      for suffix in [""] + suffixes {
        try FileManager.default.copyItem(
          atPath: source + suffix, toPath: disk.file("store.db") + suffix)
      }
      if !suffixes.isEmpty { try await again.close() }
      try FileManager.default.createSymbolicLink(
        atPath: disk.file("link.db"), withDestinationPath: disk.file("store.db"))
      try await disk.remount("ro")
      return disk
    }

    @Test(arguments: [[], ["-wal", "-shm"], ["-wal"]], ["store.db", "link.db"])
    func `committed records are read without write permission, including those in the log`(
      _ suffixes: [String], _ name: String
    ) async throws {
      let disk = try await unwritable(with: suffixes)
      for access in [Configuration.Access.readOnly, .readWrite] {
        let store = try open(disk.file(name), access)
        let bytes = try store.bytes("bytes")
        #expect(try ["old", "new"].map { try bytes.read($0).copy?.value } == [[1], [2]])
        #expect(try await store.check().isSound)
        #expect(await storeFailure { try await bytes.put([3], for: "new") }?.code == .readOnly)
        try await store.close()
      }
    }
  }
#endif
