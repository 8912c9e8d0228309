import FreshStoreTesting
import FreshStoreTools
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// Operations that make something due here are reported to the observers of every other store on the
/// file: a synchronizer there sleeps until it is notified.
@Suite(.timeLimit(.minutes(1))) struct QueueNewsTests: ArticleSuite {
  /// Does something with a store while another one observes, and returns once that has been notified.
  private func hears(
    _ kind: Change.Kind, on temporary: TemporaryStore, of body: () async throws -> Void
  ) async throws {
    let other = try temporary.another()
    let changes = other.changes()
    try await body()
    for await change in changes where change.kind == kind { break }
    try await other.close()
  }

  @Test func `a stale verdict of a read is reported when it is written down`() async throws {
    try await withArticles { temporary, articles in
      try await articles.put("old", for: "1", details: FetchDetails(expiry: .immediately))

      try await hears(.marked, on: temporary) {
        _ = try articles.read("1")
        _ = await temporary.store.flushMarks()
      }
    }
  }

  @Test func `a read of a waiting record is not reported`() async throws {
    try await withArticles { temporary, articles in
      try await articles.put("old", for: "1", details: FetchDetails(expiry: .immediately))
      var news: [Bool] = []
      for _ in 1...2 {
        _ = try articles.read("1")
        news.append(try await temporary.store.flushMarks().get())
      }

      #expect(news == [true, false])
    }
  }

  @Test func `an import of a stale record is reported`() async throws {
    let exported = try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      try await articles.put("old", for: "1", details: FetchDetails(expiry: .never))
      try await articles.markStale("1")
      return try await temporary.store.exported()
    }
    try await TemporaryStore.run { temporary in
      let changes = temporary.store.changes()
      try await hears(.marked, on: temporary) {
        var importing = temporary.store.importer()
        try await importing.take(exported[...])
        _ = try await importing.finish()
      }
      for await change in changes where change.kind == .marked { break }
    }
  }

  @Test func `a record that is given back is reported`() async throws {
    try await withArticles { temporary, articles in
      try await articles.put("old", for: "1", details: FetchDetails(expiry: .never))
      try await articles.markStale("1")
      let due = try await temporary.store.due(limit: 1)

      try await hears(.resumed, on: temporary) { try await temporary.store.giveBack(due) }
    }
  }

  @Test func `a write that is given back is reported`() async throws {
    try await withArticles { temporary, articles in
      try await articles.write("new", for: "1")
      let due = try await temporary.store.dueWrites(limit: 1)

      try await hears(.resumed, on: temporary) { try await temporary.store.giveBack(due) }
    }
  }

  @Test func `the claims of a closed store are reported when they are freed`() async throws {
    try await withArticles { temporary, articles in
      try await articles.write("new", for: "1")

      try await hears(.resumed, on: temporary) {
        let gone = try temporary.another()
        _ = try await gone.dueWrites(limit: 1)
        try await gone.close()
        try await temporary.store.reclaim()
      }
    }
  }

  @Test func `a record given back before it expires is due at once`() async throws {
    try await withArticles { temporary, articles in
      try await articles.put(
        "old", for: "1", details: FetchDetails(expiry: .after(.seconds(3600))))
      try await articles.markStale("1")
      let due = try await temporary.store.due(limit: 1)
      try await temporary.store.giveBack(due)

      #expect(try await temporary.store.due(limit: 1).map(\.key) == ["1"])
    }
  }
}
