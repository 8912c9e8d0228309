import Foundation
import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@Suite struct OpeningTests {
  private func open(
    _ path: String, _ access: Configuration.Access = .readWrite
  ) throws(StoreError) -> Store {
    var configuration = Configuration(reachability: .fixed(.online))
    configuration.access = access
    return try Store(path: path, configuration: configuration)
  }

  private func failure(
    _ path: String, _ access: Configuration.Access = .readWrite
  ) async -> StoreError.Code? {
    await storeFailure { try await open(path, access).close() }?.code
  }

  @Test func `a path that names a folder`() async throws {
    let folder = try TemporaryFolder()
    #expect(await failure(folder.path) == .notAFile)
  }

  @Test(arguments: ["none/store.db", "file/store.db"])
  func `a path in a missing folder`(_ path: String) async throws {
    let folder = try TemporaryFolder()
    try Data().write(to: URL(fileURLWithPath: folder.file("file")))
    #expect(await failure(folder.file(path)) == .folderMissing)
  }

  @Test(arguments: ["", "a\0b"]) func `an empty path, and one with a NUL`(
    _ path: String
  ) async throws {
    guard case .invalidArgument = await failure(path) else {
      Issue.record("opened")
      return
    }
  }

  @Test(arguments: ["plain text, and more than sixteen bytes of it", "x", "SQLite format 3\0"])
  func `a file that is not a database is left as it is`(_ text: String) async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.db")
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))

    #expect(await failure(path) == .notADatabase)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(text.utf8))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["store.db"])
  }

  /// The properties that make a database someone else's.
  enum Owner: String, Sendable, CaseIterable {
    case nobody = "CREATE TABLE mine (a); INSERT INTO mine VALUES (1)"
    case another = "CREATE TABLE mine (a); PRAGMA application_id = 77"
    case anotherEmpty = "PRAGMA application_id = 77"
    case newer = "PRAGMA application_id = 1181897521; PRAGMA user_version = 999"
    /// Of a version whose highest bit has flipped.
    case farNewer = "PRAGMA application_id = 1181897521; PRAGMA user_version = -2147483648"
    /// Of before the first version.
    case former = "PRAGMA application_id = 1181897588; PRAGMA user_version = 4"
  }

  private func isRefusal(_ code: StoreError.Code?, of owner: Owner) -> Bool {
    switch (owner, code) {
    case (.newer, .newerSchema(found: 999, supported: _)): return true
    case (.farNewer, .newerSchema(found: 2_147_483_648, supported: _)): return true
    case (.newer, _), (.farNewer, _): return false
    case (.former, _): return code == .formerFormat
    default: return code == .foreignDatabase
    }
  }

  /// Everything in a folder, by name.
  private func contents(_ folder: TemporaryFolder) throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return try Dictionary(
      uniqueKeysWithValues: names.map {
        ($0, try Data(contentsOf: URL(fileURLWithPath: folder.file($0))))
      })
  }

  @Test(arguments: Owner.allCases) func `another program's database is left byte for byte`(
    _ owner: Owner
  ) async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.db")
    try RawDatabase(path).execute(owner.rawValue)
    let before = try contents(folder)

    let code = await failure(path)

    #expect(isRefusal(code, of: owner))
    #expect(try contents(folder) == before)
  }

  @Test(arguments: Owner.allCases)
  func `another program's database with a log that was never copied keeps its log`(
    _ owner: Owner
  ) async throws {
    let (first, folder) = (try TemporaryFolder(), try TemporaryFolder())
    let raw = try RawDatabase(first.file("store.db"))
    _ = try raw.rows("PRAGMA journal_mode = WAL")
    try raw.execute(owner.rawValue)
    // As after a crash: the files of a connection that is still open.
    for name in ["store.db", "store.db-wal"] {
      try FileManager.default.copyItem(atPath: first.file(name), toPath: folder.file(name))
    }
    let before = try contents(folder)

    let code = await failure(folder.file("store.db"))
    let after = try contents(folder)

    #expect(isRefusal(code, of: owner))
    #expect(after["store.db"] == before["store.db"])
    #expect(after["store.db-wal"] == before["store.db-wal"])
  }

  @Test func `a new file and its companions are for the owner only`() async throws {
    let folder = try TemporaryFolder()
    let store = try open(folder.file("store.db"))
    try await store.bytes("bytes").put([1], for: "k")

    for name in ["store.db", "store.db-wal", "store.db-shm"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.file(name))
      #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600, "\(name)")
    }
    try await store.close()
  }

  @Test(arguments: ["with space.db", "100%.db", "what?.db", "a#b.db", "é.db", "?mode=memory"])
  func `a name that is special in a URI is accepted`(_ name: String) async throws {
    let folder = try TemporaryFolder()
    let store = try open(folder.file(name))
    try await store.bytes("bytes").put([1], for: "k")
    try await store.close()

    #expect(FileManager.default.fileExists(atPath: folder.file(name)))
    let again = try open(folder.file(name))
    #expect(try again.bytes("bytes").read("k").copy?.value == [1])
    try await again.close()
  }

  @Test func `an empty file becomes a store`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.db")
    try Data().write(to: URL(fileURLWithPath: path))

    #expect(await failure(path) == nil)
    #expect(await failure(path, .readOnly) == nil)
  }

  @Test func `a read-only store treats an empty file as an empty store`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.db")
    try Data().write(to: URL(fileURLWithPath: path))

    #expect(await failure(path, .readOnly) == nil)
    #expect(await failure(folder.file("none.db"), .readOnly) == .cannotOpen)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["store.db"])
  }

  @Test func `many stores opened concurrently on one missing file agree on one schema`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.file("store.db")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        group.addTask {
          let store = try open(path)
          try await store.bytes("bytes").put([1], for: "\(number)")
          try await store.close()
        }
      }
      try await group.waitForAll()
    }
    let store = try open(path)

    #expect(try store.list().count == 8)
    #expect(try await store.check().isSound)
    try await store.close()
  }

  @Test func `closing twice does nothing, and a closed store says so`() async throws {
    let folder = try TemporaryFolder()
    let store = try open(folder.file("store.db"))
    let bytes = try store.bytes("bytes")
    try await bytes.put([1], for: "k")
    try await store.close()
    try await store.close()
    let origin = ScriptedOrigin<[UInt8]> { _ in .value([2]) }

    let codes = [
      await storeFailure { try bytes.read("k") }?.code,
      await storeFailure { try await bytes.put([1], for: "k") }?.code,
      await storeFailure { try await bytes.remove("k") }?.code,
      await storeFailure { try await bytes.markStale("k") }?.code,
      await storeFailure { try bytes.explain("k") }?.code,
      await storeFailure { try store.list() }?.code,
      await storeFailure { try store.statistics() }?.code,
      await storeFailure { try await store.sweep() }?.code,
      await storeFailure { try await store.due(limit: 1) }?.code,
      await storeFailure { try await store.check() }?.code,
      await bytes.failure("k", from: origin)?.storeFailure?.code,
    ]

    #expect(codes.allSatisfy { $0 == .closed })
    #expect(origin.calls == 0)
  }
}
