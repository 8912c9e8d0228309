import FreshStore
import Strategies
import Testing

@Suite struct ReadmeSnippets {
  @Sendable private func download(_ key: String) async throws -> String { "Article \(key)" }

  @Test func `get and mark`() async throws {
    try await Stage.run("readme: get") {
      // begin: readme: get
      struct Article: Codable {
        var title: String
      }

      let store = try Store(path: file("store.db"))
      let articles = try store.collection("articles", of: Article.self, policy: .offlineFirst)
      let answer = try await articles.get("42") { previous in
        let title = try await download(previous.key)
        let details = FetchDetails(expiry: .after(.minutes(5)), tags: ["news"])
        return .value(Article(title: title), details)
      }
      print(answer.value.title, answer.freshness)  // Article 42 fetched

      try await store.markStale(tag: "news")  // every process sees it at its next read
      print(try articles.explain("42").decision)  // stale (invalidation): marked by tag
      // end
      try await store.close()
    }
  }
}
