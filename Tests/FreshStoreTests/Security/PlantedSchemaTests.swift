import Foundation
import FreshStoreTesting
import FreshStoreTools
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// Files with the mark of a store and with schema objects that act when they are read or written.
@Suite struct PlantedSchemaTests {
  /// A planted schema object.
  enum Plant: String, Sendable, CaseIterable {
    case trigger = "CREATE TRIGGER t AFTER INSERT ON record BEGIN DELETE FROM record; END"
    case endlessView = """
      ALTER TABLE record RENAME TO hidden;
      CREATE VIEW record AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)
        SELECT hidden.* FROM hidden, c
      """
    case expression = "CREATE INDEX slow ON record (printf('%9000d', id))"
    case table = "CREATE TABLE mine (a)"
    case virtualTable = "CREATE VIRTUAL TABLE search USING fts5 (a)"
    case generatedColumn = "ALTER TABLE record ADD COLUMN g BLOB AS (hex(zeroblob(100000)))"
    case check = """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(sql, 'owner TEXT NOT NULL,',
        'owner TEXT NOT NULL CHECK (length(hex(zeroblob(100000))) > 0),') WHERE name = 'lease'
      """
    case nothing = "DROP TABLE lease"

    /// The error that names the object.
    var object: StoreError.Code {
      switch self {
      case .trigger: .foreignObject(kind: "trigger", name: "t")
      case .endlessView: .foreignObject(kind: "table", name: "hidden")
      case .expression: .foreignObject(kind: "index", name: "slow")
      case .table: .foreignObject(kind: "table", name: "mine")
      case .virtualTable: .foreignObject(kind: "table", name: "search")
      default: .damaged
      }
    }

    /// True for a store's tables that differ from their definition: a damaged page looks the same.
    var isDamage: Bool { [.generatedColumn, .check, .nothing].contains(self) }
  }

  private func open(
    _ path: String, _ access: Configuration.Access = .readWrite
  ) throws(StoreError) -> Store {
    var configuration = Configuration(reachability: .fixed(.online))
    configuration.access = access
    return try Store(path: path, configuration: configuration)
  }

  /// A closed store with one record, and then the plant.
  private func plant(_ plant: Plant, in folder: TemporaryFolder) async throws -> String {
    let path = folder.file("store.db")
    let store = try open(path)
    try await store.bytes("bytes").put([1], for: "key")
    try await store.close()
    let raw = try RawDatabase(path)
    try raw.execute(plant.rawValue)
    _ = try raw.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    return path
  }

  @Test(
    arguments: Plant.allCases.filter { !$0.isDamage }, [Configuration.Access.readWrite, .readOnly])
  func `a schema object unknown to every version of the store is refused, and left byte for byte`(
    _ planted: Plant, _ access: Configuration.Access
  ) async throws {
    let folder = try TemporaryFolder()
    let path = try await plant(planted, in: folder)
    let before = try Data(contentsOf: URL(fileURLWithPath: path))

    let failure = await storeFailure { try open(path, access) }

    #expect(failure?.code == planted.object)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  /// VACUUM makes the tables before the indexes, and ANALYZE makes tables of its own.
  @Test(arguments: ["VACUUM", "ANALYZE", "VACUUM; ANALYZE; VACUUM"])
  func `a file maintained by SQLite's own means is still a store`(
    _ statements: String
  ) async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.db")
    let store = try open(path)
    try await store.bytes("bytes").put([1], for: "key")
    try await store.close()
    for statement in statements.split(separator: "; ") {
      try RawDatabase(path).execute(String(statement))
    }

    let again = try open(path)
    #expect(again.health.movedAside.isEmpty)
    #expect(try again.bytes("bytes").read("key").copy?.value == [1])
    #expect(try await again.check().isSound)
    try await again.close()
  }

  @Test(arguments: Plant.allCases.filter(\.isDamage))
  func `a store's table with another definition is damage, and the file is moved aside whole`(
    _ planted: Plant
  ) async throws {
    let folder = try TemporaryFolder()
    let path = try await plant(planted, in: folder)
    let before = try Data(contentsOf: URL(fileURLWithPath: path))

    let store = try open(path)
    let aside = try #require(store.health.movedAside.first)
    let found = try store.bytes("bytes").read("key").copy
    try await store.close()

    #expect(try Data(contentsOf: URL(fileURLWithPath: aside)) == before)
    #expect(found == nil)
  }

  @Test(arguments: Plant.allCases) func `a diagnosis executes none of it either`(
    _ planted: Plant
  ) async throws {
    let folder = try TemporaryFolder()
    let path = try await plant(planted, in: folder)

    let content = Diagnosis(of: path).content
    let names = StoredNames(of: path).collections(beginningWith: "", limit: 10)

    if case .store = content { Issue.record("looked into") }
    #expect(names.isEmpty)
  }

  @Test func `a trigger that is planted under an open store does not fire`() async throws {
    try await TemporaryStore.run { temporary in
      let bytes = try temporary.store.bytes("bytes")
      try await bytes.put([1], for: "kept")
      let raw = try RawDatabase(temporary.path)
      try raw.execute(Plant.trigger.rawValue)

      try await bytes.put([2], for: "new")

      #expect(try bytes.read("kept").copy?.value == [1])
      #expect(try bytes.read("new").copy?.value == [2])
      try raw.execute("DROP TRIGGER t")
    }
  }

  @Test func `local writes are not read from an object that replaces their table`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.file("store.db")
    try await open(path).close()
    let aside = path + ".damaged-1"
    try FileManager.default.copyItem(atPath: path, toPath: aside)
    let raw = try RawDatabase(aside)
    try raw.execute("ALTER TABLE outbox ADD COLUMN g BLOB AS (hex(zeroblob(100000)))")
    _ = try raw.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    try Data().write(to: URL(fileURLWithPath: aside + "-outbox"))

    let failure = await storeFailure { try open(path) }

    #expect(failure?.code == .writesLost(file: aside, writes: nil))
  }

  @Test func `a file of any version is recognised, also with statistics`()
    async throws
  {
    for version in 1...DatabaseSchema.version {
      let folder = try TemporaryFolder()
      let path = folder.file("store.db")
      let raw = try RawDatabase(path)
      try raw.execute("PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL")
      for step in DatabaseSchema.migrations.prefix(version) { try raw.execute(step.description) }
      try raw.execute(
        "ANALYZE; PRAGMA application_id = \(DatabaseSchema.applicationIdentifier); "
          + "PRAGMA user_version = \(version)")

      let store = try open(path)

      #expect(store.health.movedAside.isEmpty, "\(version)")
      try await store.bytes("bytes").put([1], for: "key")
      try await store.close()
    }
  }
}
