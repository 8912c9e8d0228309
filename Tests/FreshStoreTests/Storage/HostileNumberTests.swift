import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

/// An attacker with write access can store any number in the file: the worst result is an error.
@Suite(.timeLimit(.minutes(5))) struct HostileNumberTests {
  private static let tables = [
    "record", "outbox", "lease", "list", "origin", "invalidation", "base", "failure",
  ]

  /// A store with rows in every table.
  private func fill(_ temporary: TemporaryStore) async throws {
    var policy = Policy()
    policy.origin = "origin"
    let articles = try temporary.store.collection("articles", of: String.self, policy: policy)
    for key in ["1", "2", "3"] { try await articles.put("one", for: key) }
    _ = try await articles.follow("all") { _ in .full(["4": .value("one")], cursor: "a") }
    for key in ["2", "5"] { try await articles.write("two", for: key) }
    let notes = try temporary.store.collection("notes", of: String.self)
    try await notes.write("two", for: "1")
    _ = await articles.failure("6", from: ScriptedOrigin { _ in throw OriginFailure() })
    try await temporary.store.markStale(tag: "tag")
    _ = try await temporary.store.dueWrites(limit: 1)
  }

  /// Tries every operation on it; errors are expected.
  private func use(_ temporary: TemporaryStore) async throws {
    var policy = Policy()
    policy.origin = "origin"
    let store = try temporary.another()
    let articles = try store.collection("articles", of: String.self, policy: policy)
    func attempt(_ body: () async throws -> Void) async {
      do { try await body() } catch { #expect(!"\(error)".isEmpty) }
    }
    // First, while every damaged row is there.
    await attempt { _ = try store.backlog() }
    for key in ["1", "2", "3", "4", "5", "6"] {
      await attempt { _ = try articles.read(key) }
      await attempt { _ = try articles.explain(key) }
      await attempt { _ = try await articles.get(key) { _ in throw OriginFailure() } }
      await attempt { _ = try await articles.refresh(key) { _ in .value("three") } }
      await attempt { try await articles.markStale(key) }
      await attempt { try await articles.put("four", for: key) }
      await attempt { try await articles.write("five", for: key) }
    }
    await attempt { try await articles.drain { _ in throw OriginFailure() } }
    temporary.clock.advance(by: .seconds(3600))
    await attempt {
      try await articles.drain(conflicts: .clientWins) { _ in .conflict(.value("x")) }
    }
    await attempt { try await store.retry(store.outbox().map(\.id)) }
    for _ in 0..<2 {
      await attempt { _ = try await articles.follow("all") { _ in throw OriginFailure() } }
    }
    await attempt { _ = try await store.due(limit: 10) }
    await attempt { _ = try store.backlog() }
    await attempt { _ = try store.statistics() }
    await attempt { _ = try await store.sweep() }
    await attempt {
      var options = PruneOptions()
      options.olderThan = .zero
      _ = try await store.prune(options)
    }
    await attempt { _ = try await store.exported() }
    await attempt { _ = try await store.check() }
    await attempt { try await store.drop(store.outbox().map(\.id)) }
    await attempt { try await store.close() }
  }

  private static func columns(of table: String) throws -> [String] {
    let folder = try TemporaryFolder()
    let path = folder.file("store.db")
    _ = try Store(path: path, configuration: Configuration(reachability: .fixed(.online)))
    return try RawDatabase(path).rows(
      "SELECT name FROM pragma_table_info('\(table)') WHERE type = 'INTEGER' AND pk = 0"
    ).map { $0[0] }
  }

  @Test(arguments: tables, [Int64.max, Int64.min])
  func `numbers of any size cause no trap`(table: String, number: Int64) async throws {
    let columns = try Self.columns(of: table)
    #expect(!columns.isEmpty)
    for column in columns {
      // Not checked at the end: the file is damaged on purpose.
      let temporary = try TemporaryStore()
      try await fill(temporary)
      do {
        try RawDatabase(temporary.path).execute("UPDATE \(table) SET \(column) = \(number)")
      } catch {
        // Values that the schema refuses cannot be stored.
        continue
      }
      try await use(temporary)
      try await temporary.store.close()
    }
  }

  @Test func `a damaged flag of a parked write counts as one, in every collection`() async throws {
    try await TemporaryStore.run { temporary in
      for name in ["articles", "notes"] {
        let values = try temporary.store.collection(name, of: String.self)
        try await values.write("one", for: "1")
      }
      let raw = try RawDatabase(temporary.path)
      try raw.execute("UPDATE outbox SET parked = \(Int64.max)")

      #expect(try temporary.store.backlog().parkedWrites == 2)
      #expect(try temporary.store.statistics().parkedWrites == 2)
      try raw.execute("UPDATE outbox SET parked = 0")
    }
  }

  @Test(arguments: ["-1:x", "-9:", "9223372036854775807:x", "1:", ":", "0:0:", ""])
  func `texts of any form cause no trap`(_ text: String) async throws {
    let temporary = try TemporaryStore()
    try await fill(temporary)
    try RawDatabase(temporary.path).execute(
      "UPDATE outbox SET tags = '\(text)', address = '\(text)', patch_type = '\(text)'")
    try await use(temporary)
    try await temporary.store.close()
  }

  @Test(arguments: [Int64.max, 1 << 62, 1 << 41])
  func `sequence numbers in any order cause no trap in an observer`(_ number: Int64) async throws {
    try await TemporaryStore.run { temporary in
      let raw = try RawDatabase(temporary.path)
      let (other, changes) = (try temporary.another(), temporary.store.changes())
      let articles = try other.collection("articles", of: String.self)
      try await articles.put("one", for: "1")
      for await change in changes where change.key == "1" { break }
      let again = temporary.store.changes()
      try raw.execute(
        "INSERT INTO change (sequence, owner, kind, collection, key) VALUES (\(number), 'x', 'stored', 'articles', '2')"
      )
      try await articles.put("one", for: "3")
      for await _ in again { break }
      try await other.close()
    }
  }
}
