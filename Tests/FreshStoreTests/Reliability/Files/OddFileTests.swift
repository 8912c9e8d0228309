import FreshStoreTools
import StoreSupport

#if os(Linux)
  import Foundation
  import FreshStoreTesting
  import Glibc
  import Strategies
  import Testing

  @testable import FreshStore

  /// Named pipes, devices, folders and links in place of a store's files: no process waits for them, and
  /// nothing is written through them.
  @Suite(.timeLimit(.minutes(2))) struct OddFileTests {
    private let folder: TemporaryFolder
    private var path: String { folder.file("store.db") }

    init() throws { folder = try TemporaryFolder() }

    private func open(
      _ path: String, _ access: Configuration.Access = .readWrite
    ) throws(StoreError) -> Store {
      var configuration = Configuration(reachability: .fixed(.online))
      configuration.access = access
      return try Store(path: path, configuration: configuration)
    }

    /// A closed store with one record.
    private func makeStore() async throws {
      let store = try open(path)
      try await store.bytes("bytes").put([1], for: "key")
      try await store.close()
    }

    @Test(arguments: [Configuration.Access.readWrite, .readOnly])
    func `a named pipe and a device are no stores`(_ access: Configuration.Access) async throws {
      #expect(unsafe mkfifo(path, 0o600) == 0)
      for name in [path, "/dev/zero", "/dev/null"] {
        #expect(await storeFailure { try open(name, access) }?.code == .notAFile)
        let recovered = await storeFailure {
          try await Store.recover(name, to: folder.file("new.db"))
        }
        #expect(recovered?.code == .notAFile)
      }
      #expect(!FileManager.default.fileExists(atPath: folder.file("new.db")))
    }

    @Test(arguments: ["-wal", "-shm", "-sweep", "-sync", "-outbox", "-owners"])
    func `a named pipe in the place of a file beside the store does not block`(
      _ suffix: String
    ) async throws {
      try await makeStore()
      try? FileManager.default.removeItem(atPath: path + suffix)  // The file may be missing.
      #expect(unsafe mkfifo(path + suffix, 0o600) == 0)

      _ = Diagnosis(of: path)
      _ = StoredNames(of: path).collections(beginningWith: "", limit: 5)
      _ = SyncLock.holder(of: path)
      let failure = await storeFailure {
        let store = try open(path)
        _ = try await store.bytes("bytes").write([2], for: "other")
        try await store.lockSweeps().release()
        try await store.close()
      }
      try? FileManager.default.removeItem(atPath: path + suffix)  // SQLite may have removed it.

      // Without the log and its index nothing can be written.
      let isNeeded = ["-wal", "-shm"].contains(suffix)
      #expect((failure != nil) == isNeeded, "\(String(describing: failure))")
      let store = try open(path)
      #expect(try store.bytes("bytes").read("key").copy?.value == [1])
      try await store.close()
    }

    @Test(arguments: ["-wal", "-shm", "-sweep", "-outbox", "-owners"])
    func `a link in the place of a file beside the store is not written through`(
      _ suffix: String
    ) async throws {
      try await makeStore()
      let victim = folder.file("victim")
      try Data("precious".utf8).write(to: URL(fileURLWithPath: victim))
      try? FileManager.default.removeItem(atPath: path + suffix)  // The file may be missing.
      try FileManager.default.createSymbolicLink(
        atPath: path + suffix, withDestinationPath: victim)

      _ = Diagnosis(of: path)
      _ = await storeFailure {
        let store = try open(path)
        _ = try await store.bytes("bytes").write([2], for: "other")
        try await store.lockSweeps().release()
        try await store.close()
      }

      #expect(try Data(contentsOf: URL(fileURLWithPath: victim)) == Data("precious".utf8))
    }

    @Test func `a link in the place of a file to be made is not followed`() async throws {
      try await makeStore()
      let (victim, target) = (folder.file("victim"), folder.file("made"))
      try FileManager.default.createSymbolicLink(atPath: target, withDestinationPath: victim)
      let store = try open(path)

      let backup = await storeFailure { try await store.backup(to: target) }
      let recovery = await storeFailure { try await Store.recover(path, to: target) }
      let export = await storeFailure { _ = try NewFile(target, for: .export) }
      try await store.close()

      #expect([backup, recovery, export].allSatisfy { $0?.code == .alreadyExists })
      #expect(!FileManager.default.fileExists(atPath: victim))
    }

    @Test func `names of files that are being created are unpredictable`() throws {
      let names = Set((0..<100).map { _ in NewFile.temporaryName(beside: path, ending: "partial") })
      #expect(names.count == 100)
    }

    @Test(arguments: [S_IFIFO, S_IFDIR, S_IFLNK])
    func `an invalid note of a move moves nothing`(kind: mode_t) async throws {
      try await makeStore()
      let note = path + "-moving"
      switch kind {
      case S_IFIFO: #expect(unsafe mkfifo(note, 0o600) == 0)
      case S_IFDIR: #expect(unsafe mkdir(note, 0o700) == 0)
      default: #expect(unsafe symlink("/dev/zero", note) == 0)
      }
      let store = try open(path)
      #expect(try store.bytes("bytes").read("key").copy?.value == [1])
      try await store.bytes("bytes").put([2], for: "key")
      #expect(try await store.check().isSound)
      try await store.close()
    }
  }
#endif
