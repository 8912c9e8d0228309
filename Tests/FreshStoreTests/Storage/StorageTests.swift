import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// The connection, its statements and its transactions.
@Suite struct StorageTests {
  private func withConnection(
    _ body: (borrowing Connection) throws(SQLiteError) -> Void
  ) throws {
    let folder = try TemporaryFolder()
    try RawDatabase(folder.file("plain.db")).execute("CREATE TABLE row (a, b)")
    let connection = try Connection(
      path: folder.file("plain.db"), access: .readWrite, busyTimeout: .milliseconds(10))
    try body(connection)
  }

  private static let insert = SQL("INSERT INTO row VALUES (?1, ?2)")
  private static let select = SQL("SELECT a, b FROM row")
  private static let broken = SQL("SELECT a FROM nowhere")

  @Test func `a transaction that throws leaves nothing behind`() throws {
    try withConnection { (connection) throws(SQLiteError) in
      let refused = SQLiteError(code: 1, message: "no", activity: "testing")
      #expect(throws: refused) {
        try connection.transaction { (connection) throws(SQLiteError) in
          try connection.execute("INSERT INTO row VALUES (1, 2)")
          throw refused
        }
      }
      #expect(try connection.integer("SELECT count(*) FROM row") == 0)
      try connection.transaction { (connection) throws(SQLiteError) in
        try connection.execute("INSERT INTO row VALUES (1, 2)")
      }
      #expect(try connection.integer("SELECT count(*) FROM row") == 1)
    }
  }

  @Test func `a reused statement has no earlier bindings`() throws {
    try withConnection { (connection) throws(SQLiteError) in
      for value in [7 as Int64?, nil] {
        try connection.withStatement(Self.insert) { (statement) throws(SQLiteError) in
          if let value { try statement.bind(value, at: 1) }
          try statement.run()
        }
      }
      #expect(try connection.integer("SELECT count(*) FROM row WHERE a IS NULL") == 1)
      #expect(try connection.integer("SELECT sum(a) FROM row") == 7)
    }
  }

  @Test func `a half-read statement blocks neither a commit nor a checkpoint`()
    throws
  {
    try withConnection { (connection) throws(SQLiteError) in
      _ = try connection.text("PRAGMA journal_mode=WAL")
      try connection.execute("INSERT INTO row VALUES (1, 2), (3, 4)")
      try connection.withStatement(Self.select) { (statement) throws(SQLiteError) in
        _ = try statement.step()
      }
      #expect(try connection.checkpoint())
    }
  }

  @Test(arguments: ["", "\0", "a\0b", "é💾", String(repeating: "x", count: 100_000)])
  func `a text is read back with every byte`(_ text: String) throws {
    try withConnection { (connection) throws(SQLiteError) in
      try connection.withStatement(Self.insert) { (statement) throws(SQLiteError) in
        try statement.bind(text, at: 1)
        try statement.bind(Array(text.utf8), at: 2)
        try statement.run()
      }
      try connection.withStatement(Self.select) { (statement) throws(SQLiteError) in
        #expect(try statement.step())
        #expect(!statement.isNull(0) && !statement.isNull(1))
        #expect(statement.text(0) == text)
        #expect(statement.bytes(1) == Array(text.utf8))
      }
    }
  }

  @Test(arguments: [0, 1, -1, Int64.max, Int64.min]) func `a number is read back`(
    _ number: Int64
  ) throws {
    try withConnection { (connection) throws(SQLiteError) in
      try connection.withStatement(Self.insert) { (statement) throws(SQLiteError) in
        try statement.bind(number, at: 1)
        try statement.bind(nil as Int64?, at: 2)
        try statement.run()
      }
      try connection.withStatement(Self.select) { (statement) throws(SQLiteError) in
        _ = try statement.step()
        #expect(statement.optionalInt(0) == number)
        #expect(statement.optionalInt(1) == nil)
      }
    }
  }

  @Test func `an error names the activity, and never the bound values`() throws {
    try withConnection { (connection) throws(SQLiteError) in
      let error = #expect(throws: SQLiteError.self) {
        try connection.withStatement(Self.broken) { (statement) throws(SQLiteError) in
          try statement.run()
        }
      }
      #expect(error?.activity == "preparing SELECT a FROM nowhere")
      #expect(error?.message == "no such table: nowhere")
    }
  }

  @Test func `a durable write is fully synchronous, also after one that failed`() throws {
    let folder = try TemporaryFolder()
    let database = try Database(
      DatabaseFile(
        path: folder.file("store.db"), access: .readWrite, busyTimeout: .seconds(1),
        maximumSize: nil), readers: 1)
    func level(_ durability: Durability) throws -> Int64 {
      try database.write(.put, durability) { (connection) throws(SQLiteError) in
        try connection.integer("PRAGMA synchronous")
      }
    }

    let first = (try level(.full), try level(.normal), try level(.full))
    #expect(throws: StoreError.self) {
      try database.write(.put, .normal) { (_) throws(SQLiteError) in
        throw SQLiteError(code: 1, message: "no", activity: "testing")
      }
    }

    #expect(first == (2, 1, 2))
    #expect(try level(.full) == 2)
    try database.close()
  }

  @Test func `a lock that was waited for in vain is not waited for again`() throws {
    let folder = try TemporaryFolder()
    let database = try Database(
      DatabaseFile(
        path: folder.file("store.db"), access: .readWrite, busyTimeout: .milliseconds(60),
        maximumSize: nil), readers: 1, lockPatience: .milliseconds(20))
    func write() throws {
      _ = try database.write(.put) { (connection) throws(SQLiteError) in
        try connection.integer("PRAGMA user_version")
      }
    }
    func waited() throws -> Duration {
      try database.maintain(.check) { (connection) throws(SQLiteError) in connection.waited }
    }

    try write()
    let other = try RawDatabase(folder.file("store.db"))
    try other.execute("BEGIN IMMEDIATE")
    #expect(throws: StoreError.self) { try write() }
    let first = try waited()
    #expect(first > .zero)
    for _ in 1...9 {
      #expect(throws: StoreError.self) { try write() }
    }
    let later = try waited()
    #expect(later == first)
    try other.execute("COMMIT")
    try write()

    try other.execute("BEGIN IMMEDIATE")
    #expect(throws: StoreError.self) { try write() }
    let second = try waited()
    #expect(second > first)
    try other.execute("COMMIT")
    // A write that does not wait in any case has the lock, too.
    let atOnce = try database.writeAtOnce(.put, touching: AffectedKeys()) {
      (connection) throws(SQLiteError) in
      try connection.integer("PRAGMA user_version")
    }
    #expect(atOnce != nil)
    try other.execute("BEGIN IMMEDIATE")
    #expect(throws: StoreError.self) { try write() }
    let third = try waited()
    #expect(third > second)

    database.bePatient()
    #expect(throws: StoreError.self) { try write() }
    let last = try waited()
    #expect(last > third)
    try other.execute("COMMIT")
    try write()
    try database.close()
  }

  @Test func `a note of the time waits for a lock as a write does`() throws {
    let folder = try TemporaryFolder()
    let clock = ManualClock()
    let database = try Database(
      DatabaseFile(
        path: folder.file("store.db"), access: .readWrite, busyTimeout: .seconds(60),
        maximumSize: nil), readers: 1, clock: clock, lockPatience: .milliseconds(20))
    func waited() throws -> Duration {
      try database.maintain(.check) { (connection) throws(SQLiteError) in connection.waited }
    }
    try database.keepTime(.due)
    let other = try RawDatabase(folder.file("store.db"))
    try other.execute("BEGIN IMMEDIATE")
    clock.stepWall(by: .hours(1))

    let start = ContinuousClock.now
    try database.keepTime(.due)
    let first = try waited()
    try database.keepTime(.due)
    let second = try waited()
    #expect(ContinuousClock.now - start < .seconds(50))
    #expect(first > .zero)
    #expect(second == first)
    try other.execute("COMMIT")
    try database.keepTime(.due)
    try database.close()
  }

  @Test func `every connection has the settings of a store`() throws {
    let folder = try TemporaryFolder()
    let database = try Database(
      DatabaseFile(
        path: folder.file("store.db"), access: .readWrite, busyTimeout: .seconds(1),
        maximumSize: nil), readers: 1)
    let expected: [(StaticString, String)] = [
      ("PRAGMA journal_mode", "wal"), ("PRAGMA mmap_size", "0"), ("PRAGMA trusted_schema", "0"),
      ("PRAGMA cell_size_check", "1"), ("PRAGMA application_id", "1181897521"),
      ("PRAGMA user_version", "\(DatabaseSchema.version)"), ("PRAGMA auto_vacuum", "2"),
      ("PRAGMA wal_autocheckpoint", "0"),
    ]
    for (pragma, value) in expected {
      let (written, read) = (
        try database.maintain(.check) { (connection) throws(SQLiteError) in
          try connection.text(pragma)
        },
        try database.read(.check) { (connection) throws(SQLiteError) in
          try connection.text(pragma)
        }
      )
      #expect(written == value, "\(pragma)")
      #expect(read == value, "\(pragma)")
    }
    try database.close()
  }

  @Test func `reopening changes nothing in the schema`() async throws {
    try await TemporaryStore.run { temporary in
      let raw = try RawDatabase(temporary.path)
      let before = try raw.rows("SELECT name, sql FROM sqlite_schema ORDER BY name")
      let version = try raw.integer("PRAGMA schema_version")
      for _ in 0..<3 { try await temporary.another().close() }

      #expect(try raw.rows("SELECT name, sql FROM sqlite_schema ORDER BY name") == before)
      #expect(try raw.integer("PRAGMA schema_version") == version)
      #expect(try raw.integer("PRAGMA user_version") == DatabaseSchema.version)
    }
  }

  @Test func `a store cannot be compromised through its schema`() async throws {
    try await TemporaryStore.run { temporary in
      let bytes = try temporary.store.bytes("'); DROP TABLE record; --")
      try await bytes.put([1], for: "\"'; DELETE FROM record; --")
      try await temporary.store.markStale(tag: "'; DROP TABLE record; --")

      #expect(try bytes.read("\"'; DELETE FROM record; --").copy?.value == [1])
    }
  }

  @Test func `another process's commit after a transaction without writes is visible`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let bytes = try temporary.store.bytes("bytes", policy: Policy().expiring(.never))
      try await bytes.put([1], for: "k")
      for _ in 0..<4 { _ = try bytes.read("k") }
      let other = try temporary.another()
      let there = try other.bytes("bytes")
      let database = temporary.store.storage.database
      // It comes between the end of the transaction and the evaluation of its result.
      let writing = Task(executorPreference: OwnThread()) {
        for _ in 0..<200 {
          _ = try database.write(.claim, touching: AffectedKeys()) { _ in }
        }
      }
      for number in 0..<50 { try await there.put([UInt8(number)], for: "k") }
      try await writing.value
      try await there.markStale("k")

      #expect(try bytes.servableValue("k") == nil)
      #expect(try bytes.read("k").copy?.value == [49])
      try await other.close()
    }
  }
}
