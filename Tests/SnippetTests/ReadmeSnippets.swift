import Foundation
import FreshHTTP
import FreshStore
import FreshStoreTesting
import FreshSync
import Reachability
import Rules
import Strategies
import Testing

@Suite struct ReadmeSnippets {
  @Sendable private func download(_ key: String) async throws -> String { "Article \(key)" }

  @Test func `get, read and mark`() async throws {
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

      let reading = try articles.read("42")  // never fetches, never waits
      print(reading.copy?.value.title ?? "nothing")  // Article 42
      let title = try articles.servableValue("42")?.title  // the quickest read: a value, or nothing
      print(title ?? "stale")  // stale
      // end
      try await store.close()
    }
  }

  #if HTTP
    private func pages(_ store: Store) async throws {
      // begin: readme: web
      let web = try HTTPSource()
      let pages = try store.bytes("pages")
      let page = try await pages.get("https://example.org/") { previous in
        try await web.fetch("https://example.org/", previous: previous)
      }
      print(page.value.count, "bytes,", page.freshness)
      // end
    }

    private struct Note: Codable, Sendable {
      var text: String
    }

    private func synchronize(_ store: Store, _ web: HTTPSource) async throws {
      // begin: readme: sync
      let notes = try store.collection("notes", of: Note.self, policy: .offlineFirst)
      try await notes.write(Note(text: "Buy milk"), for: "7")  // durable, also without a network
      print(try store.outbox().count, "waits")

      @Sendable func address(_ key: String) -> String { "https://example.org/notes/\(key)" }
      @Sendable func decode(_ bytes: [UInt8]) throws -> Note {
        try JSONDecoder().decode(Note.self, from: Data(bytes))
      }
      let synchronizer = Synchronizer(store)
      synchronizer.add(notes, conflicts: .clientWins) { previous in
        try await web.fetch(address(previous.key), previous: previous).map(decode)
      } push: { write in
        let bytes = try write.map { try [UInt8](JSONEncoder().encode($0)) }
        return try await web.push(bytes, to: address(write.key)).map(decode)
      }
      try await synchronizer.run()  // until it is stopped or cancelled
      // end
    }
  #endif

  @Test func `rules`() async throws {
    struct Article: Codable {
      var title: String
    }
    try await Stage.run("readme: rules") {
      let store = try Store(path: file("rules.db"))
      // begin: readme: rules
      let rule = Rule<Article>.field(\.title, "title", .notBlank && .length(max: 120))
      let articles = try store.collection("articles", of: Article.self, admitting: rule)
      print(rule.check(Article(title: " ")))  // title: must not be blank (blank)
      // end
      #expect(try articles.read("1").copy == nil)
      try await store.close()
    }
  }

  private func follow() async throws {
    // begin: readme: reachability
    let monitor: RouteMonitor = .monitor(host: "api.example.org")
    let configuration = Configuration(reachability: monitor)
    let store = try Store(path: file("store.db"), configuration: configuration)
    for await state in monitor.changes() {
      print(state.code)  // offline at once, online once it has settled
    }
    // end
    try await store.close()
  }
}
