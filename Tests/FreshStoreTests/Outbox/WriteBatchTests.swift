import FreshStoreTesting
import Rules
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// Puts and local writes of several collections in one transaction.
@Suite struct WriteBatchTests: ArticleSuite {
  private func withTwo(
    _ body: (TemporaryStore, RecordCollection<String>, RecordCollection<Int>) async throws -> Void
  ) async throws {
    try await withArticles { temporary, articles in
      try await body(
        temporary, articles,
        temporary.store.collection("numbers", of: Int.self, admitting: .atMost(9)))
    }
  }

  @Test func `puts and local writes of several collections are stored together`() async throws {
    try await withTwo { temporary, articles, numbers in
      try await articles.put("old", for: "gone")
      var batch = WriteBatch()
      batch.write(7, for: "1", in: numbers, as: .create)
      batch.put("one", for: "1", in: articles, details: FetchDetails(tags: ["t"]))
      batch.writeDeletion(of: "gone", in: articles)
      batch.write("two", for: "1", in: articles)
      let entries = try await temporary.store.commit(batch)

      #expect(entries.map { $0?.kind } == [.create, .delete, .replace])
      #expect(try temporary.store.outbox().map(\.id) == entries.map { $0?.id })
      #expect(try numbers.value("1") == 7 && articles.value("1") == "two")
      #expect(try articles.value("gone") == nil)
      // The put lies beneath the local write.
      try await temporary.store.drop([try #require(entries[2]).id])
      #expect(try articles.value("1") == "one")
      #expect(try await temporary.store.commit(WriteBatch()).isEmpty)
    }
  }

  enum Fault: CaseIterable {
    case refused, pending, badKey, otherStore, predecessor
  }

  @Test(arguments: Fault.allCases)
  func `one part that cannot be stored keeps all others from being stored`(
    fault: Fault
  ) async throws {
    try await withTwo { temporary, articles, numbers in
      let store = temporary.store
      try await numbers.write(1, for: "waits")
      let other = try temporary.another()
      var batch = WriteBatch()
      batch.put("one", for: "1", in: articles)
      batch.write("two", for: "2", in: articles)
      switch fault {
      case .refused: batch.write(10, for: "1", in: numbers)
      case .pending: batch.put(2, for: "waits", in: numbers)
      case .badKey: batch.put("", for: "", in: articles)
      case .otherStore:
        batch.put("x", for: "x", in: try other.collection("articles", of: String.self))
      case .predecessor:
        batch.write(1, for: "1", in: numbers, options: WriteOptions(after: 99))
      }
      let failure = await #expect(throws: StoreError.self) { try await store.commit(batch) }
      switch (fault, failure?.code) {
      case (.refused, .refused), (.pending, .pendingWrite), (.badKey, .invalidKey),
        (.otherStore, .invalidArgument), (.predecessor, .invalidArgument):
        break
      default: Issue.record("\(String(describing: failure))")
      }
      #expect(try articles.values().isEmpty)
      #expect(try store.outbox().map(\.key) == ["waits"])
      try await other.close()
    }
  }

  @Test func `a mark that is set while rules are awaited covers what is put`() async throws {
    try await withArticles { temporary, _ in
      let store = temporary.store
      let notes = try store.collection("notes", of: String.self)
        .admitting(
          awaiting: AsyncRule(code: "slow") { _ in
            do {
              try await store.markStale(tag: "t")
              return true
            } catch {
              return false
            }
          })
      var batch = WriteBatch()
      batch.put("one", for: "1", in: notes, details: FetchDetails(tags: ["t"]))
      try await store.commit(batch)
      #expect(try notes.read("1").decision.outcome == .stale)
    }
  }
}
