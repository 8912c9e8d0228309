import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Synchronization
import Testing

/// Fetches whose closures get records themselves.
@Suite(.timeLimit(.minutes(1))) struct NestedFetchTests {
  private func run(
    _ body: @escaping @Sendable (RecordCollection<String>) async throws -> Void
  ) async throws {
    try await TemporaryStore.run { temporary in
      try await body(temporary.store.collection("articles", of: String.self))
    }
  }

  /// Fetches keys that get the next ones, in a ring.
  private static func get(
    _ key: Int, of count: Int, in articles: RecordCollection<String>
  ) async throws -> String {
    try await articles.get("\(key)") { _ in
      .value("\(key)" + (try await get((key + 1) % count, of: count, in: articles)))
    }.value
  }

  @Test(arguments: [1, 2, 5])
  func `a fetch that comes to wait for itself fails at once, and says so`(
    _ count: Int
  ) async throws {
    try await run { (articles) async throws in
      do {
        _ = try await Self.get(0, of: count, in: articles)
        Issue.record("it was answered")
      } catch let error as GetError {
        #expect("\(error)".contains("it would wait for itself"))
      }
    }
  }

  @Test func `a fetch may get what others are fetching`() async throws {
    try await run { (articles) async throws in
      let inner = ScriptedOrigin<String> { _ in .value("inner") }
      inner.hold()
      let first = Task { () async throws in try await articles.get("inner", from: inner).value }
      await inner.calls(atLeast: 1)
      let outer = Task { () async throws in
        try await articles.get("outer") { _ in
          .value("outer of " + (try await articles.get("inner", from: inner).value))
        }.value
      }
      inner.release()
      #expect(try await outer.value == "outer of inner")
      #expect(try await first.value == "inner")
      #expect(inner.calls == 1)
    }
  }

  @Test func `two fetches that come to wait for each other do not wait for ever`() async throws {
    try await run { (articles) async throws in
      let (one, two) = (Latch(), Latch())
      one.close()
      two.close()
      let get: @Sendable (String, String, Latch, Latch) async -> String = { key, other, own, next in
        do {
          return try await articles.get(key) { _ in
            next.open()
            try await own.pass()
            return .value(key + (try await articles.get(other) { _ in .value("late") }.value))
          }.value
        } catch {
          return "\(error)"
        }
      }
      async let first = get("1", "2", one, two)
      async let second = get("2", "1", two, one)
      let answers = await [first, second]
      #expect(answers.contains { $0.contains("it would wait for itself") })
    }
  }

  @Test func `a refetch that gets its own record fails at once`() async throws {
    try await run { (articles) async throws in
      try await articles.put("old", for: "1")
      try await articles.markStale("1")
      let due = try await articles.store.due(limit: 1)
      #expect(due.count == 1)
      let results = await articles.refetch(due) { _ in
        ["1": .value(try await articles.get("1") { _ in .value("inner") }.value)]
      }
      guard case .failure(let error)? = results["1"] else {
        Issue.record("it was answered")
        return
      }
      #expect("\(error)".contains("it would wait for itself"))
    }
  }

  @Test func `a background fetch is no part of the fetch whose get began it`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection(
        "articles", of: String.self, policy: .offlineFirst)
      try await articles.put("old", for: "b", details: FetchDetails(expiry: .immediately))
      let inner = ScriptedOrigin<String> { _ in .value("unused") }
      inner.answer { [articles] _ in
        .value("new, beside " + (try await articles.get("a") { _ in .value("another a") }.value))
      }
      let changes = articles.changes(of: "b")

      let outer = try await articles.get("a") { _ in
        let served = try await articles.get("b", from: inner)
        // The background fetch waits for this one, which does not wait for it.
        await inner.calls(atLeast: 1)
        return .value("a with \(served.value)")
      }

      #expect(outer.value == "a with old")
      for await change in changes where change.kind == .stored { break }
      #expect(try articles.value("b") == "new, beside a with old")
    }
  }
}
