import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

/// Answers that a careful source does not give.
@Suite(.timeLimit(.minutes(1))) struct ListInputTests: ArticleSuite {
  private static let tooLong = String(repeating: "k", count: 1025)

  @Test(arguments: ["", tooLong])
  func `a key of an invalid size is refused, and the others are stored`(key: String) async throws {
    try await withArticles { _, articles in
      for member in [ListMember<String>.value("x"), .named, .unchanged, .changed] {
        let followed = try await articles.follow("all") { _ in
          .full([key: member, "1": .value("a")], cursor: nil)
        }
        #expect(Array(followed.refused.keys) == [key])
        #expect(try articles.members(of: "all") == ["1"])
      }
    }
  }

  @Test(arguments: ["", tooLong, "unknown"])
  func `the removal of a key that cannot be a member changes nothing`(key: String) async throws {
    try await withArticles { _, articles in
      _ = try await articles.follow("all") { _ in .full(["1": .value("a")], cursor: "1") }
      let followed = try await articles.follow("all") { _ in
        .delta([:], removals: [key, key], cursor: "2")
      }
      #expect(followed.removed.isEmpty && followed.kept.isEmpty)
      #expect(try articles.members(of: "all") == ["1"])
    }
  }

  @Test func `a key that is removed twice is removed once`() async throws {
    try await withArticles { _, articles in
      _ = try await articles.follow("all") { _ in .full(["1": .value("a")], cursor: "1") }
      let followed = try await articles.follow("all") { _ in
        .delta([:], removals: ["1", "1"], cursor: "2")
      }
      #expect(followed.removed == ["1"])
    }
  }

  @Test func `a cursor that comes again is sent again`() async throws {
    try await withArticles { _, articles in
      let asked = Asked()
      for _ in 0..<3 {
        _ = try await articles.follow("all") { previous in
          asked.note([previous.cursor ?? "-"])
          return .delta(["1": .value("a")], removals: [], cursor: "same")
        }
      }
      #expect(asked.batches == [["-"], ["same"], ["same"]])
    }
  }

  @Test func `a member that one page removes and a later one brings exists`() async throws {
    try await withArticles { _, articles in
      _ = try await articles.follow("all") { _ in .full(["1": .value("a")], cursor: "1") }
      _ = try await articles.follow("all") { previous in
        previous.page == nil
          ? .deltaPage([:], removals: ["1"], next: "d2")
          : .delta(["1": .value("b")], removals: [], cursor: "2")
      }
      #expect(try articles.members(of: "all") == ["1"])
      #expect(try articles.value("1") == "b")
    }
  }

  @Test func `a removed key with a waiting local write stays, and is asked for after its push`()
    async throws
  {
    try await withArticles { _, articles in
      _ = try await articles.follow("all") { _ in .full(["1": .value("a")], cursor: "1") }
      try await articles.write("mine", for: "1")

      let followed = try await articles.follow("all") { _ in
        .delta([:], removals: ["1"], cursor: "2")
      }

      #expect(followed.kept == ["1"] && followed.removed.isEmpty)
      #expect(try articles.value("1") == "mine")
      try await articles.drain { _ in .accepted }
      #expect(try articles.value("1") == "mine")
      #expect(try articles.members(of: "all").isEmpty)
    }
  }

  @Test func `a value that finds no room keeps neither the list nor the other values out`()
    async throws
  {
    try await TemporaryStore.run(configure: { $0.maximumSize = 300_000 }) { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let large = String(repeating: "x", count: 400_000)

      let followed = try await articles.follow("all") { _ in
        .full(["1": .value("a"), "2": .value(large), "3": .value("c")], cursor: "1")
      }

      #expect(try articles.members(of: "all") == ["1", "2", "3"])
      #expect(Array(followed.refused.keys).contains("2"))
      #expect(try articles.value("2") == nil)
      // At most half of the values are fetched again.
      #expect(try ["1", "3"].count { try articles.value($0) != nil } >= 1)
      #expect(followed.queued.contains("2"))
    }
  }
}
