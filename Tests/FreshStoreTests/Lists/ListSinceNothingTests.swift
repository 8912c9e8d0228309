import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

/// Sources that tell changes since a cursor, and since nothing without one.
@Suite(.timeLimit(.minutes(1))) struct ListSinceNothingTests: ArticleSuite {
  private func followFirst(_ articles: RecordCollection<String>) async throws {
    let followed = try await articles.follow("all") { previous in
      #expect(previous.wantsWhole)
      return .delta(["1": .value("a"), "2": .value("b")], removals: ["0"], cursor: "1")
    }
    #expect(followed.isFull)
  }

  @Test func `changes since nothing are the whole list`() async throws {
    try await withArticles { _, articles in
      try await followFirst(articles)
      #expect(try articles.members(of: "all") == ["1", "2"])

      try await articles.restart(list: "all")
      let followed = try await articles.follow("all") { _ in
        .delta(["2": .value("c")], removals: [], cursor: "2")
      }

      #expect(followed.isFull && followed.removed == ["1"])
      #expect(try articles.members(of: "all") == ["2"])
      #expect(try articles.read("1").copy == nil)
    }
  }

  @Test func `after an expired cursor no member is left behind`() async throws {
    try await withArticles { _, articles in
      try await followFirst(articles)
      let followed = try await articles.follow("all") { previous in
        previous.wantsWhole
          ? .delta(["2": .value("b")], removals: [], cursor: "9") : .expiredCursor
      }

      #expect(followed.removed == ["1"])
    }
  }

  @Test func `pages of changes since nothing are pages of the whole list`() async throws {
    try await withArticles { _, articles in
      try await followFirst(articles)
      try await articles.restart(list: "all")
      let followed = try await articles.follow("all") { previous in
        #expect(previous.wantsWhole)
        return previous.page == nil
          ? .deltaPage(["2": .value("b"), "3": .value("c")], removals: [], next: "p2")
          : .delta(["4": .value("d")], removals: ["3"], cursor: "2")
      }

      #expect(followed.isFull)
      #expect(Set(followed.removed) == ["1", "3"])
      #expect(try articles.members(of: "all") == ["2", "4"])
    }
  }

  @Test func `changes since a cursor leave the other members where they are`() async throws {
    try await withArticles { _, articles in
      try await followFirst(articles)
      let followed = try await articles.follow("all") { previous in
        #expect(!previous.wantsWhole)
        return .delta(["3": .value("c")], removals: [], cursor: "2")
      }

      #expect(!followed.isFull)
      #expect(try articles.members(of: "all") == ["1", "2", "3"])
    }
  }

  @Test func `changes since a time are none of the whole list`() async throws {
    try await withArticles { _, articles in
      _ = try await articles.follow("all") { _ in .full(["1": .value("a")], cursor: nil) }
      let followed = try await articles.follow("all") { previous in
        #expect(previous.cursor == nil && previous.lastUpdate != nil)
        return .delta(["2": .value("b")], removals: [], cursor: nil)
      }

      #expect(!followed.isFull)
      #expect(try articles.members(of: "all") == ["1", "2"])
    }
  }
}
