import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// Single bits beside the values that determine the handling of a record.
@Suite struct ChangedFlagTests {
  private func withRecord(
    _ body: (TemporaryStore, RecordCollection<String>, RawDatabase) async throws -> Void
  ) async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      _ = try await articles.get("1") { _ in .value("old", FetchDetails(tags: ["news"])) }
      try await body(temporary, articles, RawDatabase(temporary.path))
    }
  }

  enum Operation: CaseIterable {
    case get, put, remove, removeAll, prune
  }

  @Test(arguments: Operation.allCases)
  func `a record with a false local-write flag is not locked`(
    _ operation: Operation
  ) async throws {
    try await withRecord { temporary, articles, raw in
      try raw.execute("UPDATE record SET flags = flags | 8")

      #expect(try articles.read("1").decision.outcome == .unusable)
      #expect(try await temporary.store.check().damagedRecords.map(\.key) == ["1"])
      switch operation {
      case .get:
        #expect(try await articles.get("1") { _ in .value("new") }.value == "new")
      case .put: try await articles.put("new", for: "1")
      case .remove: try await articles.remove("1")
      case .removeAll: try await articles.removeAll()
      case .prune:
        var options = PruneOptions()
        options.maximumCount = 0
        _ = try await temporary.store.prune(options)
        #expect(try raw.rows("SELECT value FROM record") == [["\"old\""]])
        try await articles.remove("1")
      }

      let isThere = operation == .get || operation == .put
      #expect(try articles.value("1") == (isThere ? "new" : nil))
      #expect(try await temporary.store.check().isSound)
    }
  }

  @Test(arguments: Operation.allCases)
  func `a record with a missing local-write flag is not overwritten`(
    _ operation: Operation
  ) async throws {
    try await withRecord { temporary, articles, raw in
      try await articles.write("mine", for: "1")
      let found = try temporary.store.storage.prunable(Storage.PruneBatch())
      #expect(found.isEmpty)
      try raw.execute("UPDATE record SET flags = flags & ~8")

      #expect(try articles.read("1").decision.outcome == .unusable)
      switch operation {
      // The get may fail or not: the local write stays.
      case .get: _ = try? await articles.get("1") { _ in .value("theirs") }
      case .put:
        await #expect(throws: StoreError.self) { try await articles.put("theirs", for: "1") }
      case .remove: await #expect(throws: StoreError.self) { try await articles.remove("1") }
      case .removeAll: try await articles.removeAll()
      case .prune:
        var options = PruneOptions()
        options.maximumCount = 0
        #expect(try await temporary.store.prune(options).removed == 0)
      }

      #expect(try temporary.store.outbox().count == 1)
      #expect(try raw.rows("SELECT value FROM record") == [["\"mine\""]])
      #expect(try await articles.drain { _ in .accepted }["1"]?.words == "accepted mine")
      #expect(try articles.value("1") == "mine")
    }
  }

  @Test func `a put over a plain record asks the outbox for a local write`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      try await articles.write("mine", for: "1")
      try RawDatabase(temporary.path).execute("UPDATE record SET flags = flags & ~8")

      let failure = await storeFailure {
        try await articles.put("theirs", for: "1", details: FetchDetails(expiry: .never))
      }

      #expect(failure?.code == .pendingWrite)
      #expect(try await articles.drain { _ in .accepted }["1"]?.words == "accepted mine")
      #expect(try articles.value("1") == "mine")
    }
  }

  @Test func `a mark applies even if the number that orders marks is lost`() async throws {
    try await withRecord { temporary, articles, raw in
      try raw.execute("DELETE FROM state")
      #expect(try await !temporary.store.check().isSound)

      try await temporary.store.markStale(tag: "news")

      #expect(try articles.state("1") == .stale)
      #expect(try await temporary.store.check().isSound)
    }
  }

  @Test(arguments: ["sequence = 0", "sequence = sequence | 1 << 40", "sequence_check = 0"])
  func `a mark applies even if the number that orders marks has changed`(_ change: String)
    async throws
  {
    try await withRecord { temporary, articles, raw in
      try raw.execute("UPDATE state SET \(change)")
      #expect(try await !temporary.store.check().isSound)

      try await temporary.store.markStale(tag: "news")

      #expect(try articles.state("1") == .stale)
      #expect(try await articles.get("1") { _ in .value("new") }.value == "new")
      #expect(try articles.state("1") == .fresh)
      try await articles.markStale("1")
      #expect(try articles.state("1") == .stale)
    }
  }

  @Test func `a get that joins reads a changed number`() async throws {
    try await withRecord { temporary, articles, raw in
      try raw.execute("UPDATE state SET sequence = 0")
      let number = try temporary.store.storage.currentNumber()
      #expect(try number > Int64(raw.integer("SELECT epoch FROM record")))
      #expect(try await temporary.store.check().isSound)
    }
  }
}
