import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

/// Local writes that replace the preceding one.
@Suite struct CoalescingTests: ArticleSuite {
  private static let coalescing = WriteOptions(coalesces: true)

  @Test func `a creation and its deletion cancel each other out`() async throws {
    try await withArticles { temporary, articles in
      try await articles.write("a", for: "1", as: .create)
      let entry = try await articles.writeDeletion(of: "1", options: Self.coalescing)

      #expect(entry == nil)
      #expect(try temporary.store.outbox().isEmpty)
      #expect(try articles.value("1") == nil)
    }
  }

  @Test func `a deletion is sent where the source is known to hold the object`() async throws {
    try await withArticles { temporary, articles in
      try await articles.put("theirs", for: "1")
      try await articles.write("a", for: "1", as: .create)
      let entry = try await articles.writeDeletion(of: "1", options: Self.coalescing)

      #expect(try #require(entry).kind == .delete)
      #expect(try articles.value("1") == nil)
    }
  }

  @Test(arguments: [(false, OutboxEntry.Kind?.some(.delete)), (true, nil)])
  func `a deletion is sent where a waiting write will create the object at the source`(
    isDeleted: Bool, kind: OutboxEntry.Kind?
  ) async throws {
    try await withArticles { temporary, articles in
      if isDeleted {
        try await articles.writeDeletion(of: "1")
      } else {
        try await articles.write("first", for: "1")
      }
      try await articles.write("a", for: "1", as: .create)
      let entry = try await articles.writeDeletion(of: "1", options: Self.coalescing)

      // No entry is expected where the waiting deletion is equivalent.
      #expect(entry?.kind == kind)
      #expect(try temporary.store.outbox().count == (isDeleted ? 1 : 2))
      #expect(try articles.value("1") == nil)
    }
  }

  @Test func `writes to two sources are both sent`() async throws {
    try await withArticles { temporary, articles in
      for source in ["https://a/", "https://b/"] {
        try await articles.write(
          source, for: "1", options: WriteOptions(coalesces: true, address: source))
      }

      #expect(try temporary.store.outbox().count == 2)
    }
  }

  @Test func `a write keeps its place however often it is replaced`() async throws {
    try await withArticles { temporary, articles in
      let first = try await articles.write("a", for: "1")
      try await articles.write("other", for: "2")
      let last = try await articles.write("b", for: "1", options: Self.coalescing)

      #expect(last.id == first.id)
      #expect(try await temporary.store.dueWrites(limit: 2).map(\.entry.key) == ["1", "2"])
    }
  }

  @Test func `a deletion is sent where the source has named a version that may not be stored`()
    async throws
  {
    try await withArticles { temporary, articles in
      let unstorable = FetchDetails(isStorable: false, validators: Validators(entityTag: "t"))
      try await articles.write("first", for: "1")
      try await articles.write("a", for: "1", as: .create)
      try await articles.drain { _ in .acceptedAs("made", unstorable) }
      let entry = try await articles.writeDeletion(of: "1", options: Self.coalescing)

      #expect(try #require(entry).kind == .delete)
    }
  }
}
