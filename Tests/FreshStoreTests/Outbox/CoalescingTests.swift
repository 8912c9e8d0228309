import FreshStore
import FreshStoreTesting
import Strategies
import Testing

/// Local writes that take the place of the one before them.
@Suite struct CoalescingTests: ArticleSuite {
  private static let coalescing = WriteOptions(coalesces: true)

  @Test func `a creation and its deletion come to nothing`() async throws {
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

      #expect(entry?.kind == .delete)
      #expect(try articles.value("1") == nil)
    }
  }

  @Test(arguments: [(false, OutboxEntry.Kind?.some(.delete)), (true, nil)])
  func `a deletion is sent where the source will hold the object once it knows what waits`(
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

      #expect(entry?.kind == kind)
      #expect(try temporary.store.outbox().count == (isDeleted ? 1 : 2))
      #expect(try articles.value("1") == nil)
    }
  }

  @Test func `writes to two sources are both sent`() async throws {
    try await withArticles { temporary, articles in
      for source in ["https://a/", "https://b/"] {
        try await articles.write(
          source, for: "1", options: WriteOptions(coalesces: true, source: source))
      }

      #expect(try temporary.store.outbox().count == 2)
    }
  }

  @Test func `who drops a write does not drop the one that took its place`() async throws {
    try await withArticles { temporary, articles in
      let seen = try await articles.write("a", for: "1")
      try await articles.write("b", for: "1", options: Self.coalescing)
      let dropped = try await temporary.store.drop([seen.id])

      #expect(dropped.isEmpty)
      #expect(try temporary.store.outbox().count == 1)
      #expect(try articles.value("1") == "b")
    }
  }
}
