import FreshStore
import FreshStoreTesting
import Strategies
import Testing

@Suite struct GetTests {
  struct Article: Codable, Sendable, Equatable {
    var title: String
  }

  @Test func `a missing record is fetched, stored and then served without a fetch`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: Article.self)
      let origin = ScriptedOrigin<Article> { _ in .value(Article(title: "one")) }

      let first = try await articles.get("1") { try await origin.fetch($0) }
      let second = try await articles.get("1") { try await origin.fetch($0) }

      #expect(first.freshness == .fetched)
      #expect(second.freshness == .fresh)
      #expect(second.value == Article(title: "one"))
      #expect(origin.calls == 1)
    }
  }

  @Test func `ten thousand tasks that ask for one key share one fetch`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: Article.self)
      let origin = ScriptedOrigin<Article> { _ in .value(Article(title: "one")) }
      origin.hold()

      let values = try await withThrowingTaskGroup(of: Article.self) { group in
        for _ in 0..<10_000 {
          group.addTask { try await articles.get("1") { try await origin.fetch($0) }.value }
        }
        await origin.calls(atLeast: 1)
        origin.release()
        return try await group.reduce(into: Set<String>()) { $0.insert($1.title) }
      }

      #expect(values == ["one"])
      #expect(origin.calls == 1)
    }
  }
}
