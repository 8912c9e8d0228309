import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

/// Walks through pages: the cursor that they leave, and what happens here meanwhile.
@Suite(.timeLimit(.minutes(1))) struct ListWalkTests: ArticleSuite {
  private typealias Answer = SourceListChange<String>

  private func follow(
    _ articles: RecordCollection<String>, _ pages: ListPages
  ) async throws -> FollowedList {
    try await pages.followed(by: articles)
  }

  /// The cursors that the pages of a walk name, and the one that is kept.
  struct Named: Sendable {
    var first: String?
    var second: String?
    var last: String?
    var kept: String?
  }

  @Test(
    arguments: [
      Named(first: "1", second: "2", last: "9", kept: "1"),
      Named(first: "1", second: "2", kept: "1"), Named(last: "9", kept: "9"),
      Named(second: "2", last: "9", kept: "9"), Named(),
    ], [true, false])
  func `the first page's cursor counts, and the last one's without it`(
    named: Named, isWhole: Bool
  ) async throws {
    try await withArticles { _, articles in
      _ = try await articles.follow("all") { _ in .full(["0": .value("old")], cursor: "0") }
      let whole: [String: Answer] = [
        "-": .fullPage(["1": .value("a")], next: "p2", cursor: named.first),
        "p2": .fullPage(["2": .value("b")], next: "p3", cursor: named.second),
        "p3": .full(["3": .value("c")], cursor: named.last),
      ]
      let changes: [String: Answer] = [
        "-": .deltaPage(
          ["1": .value("a")], removals: [], next: "p2", cursor: named.first),
        "p2": .deltaPage(["2": .value("b")], removals: [], next: "p3", cursor: named.second),
        "p3": .delta(["3": .value("c")], removals: [], cursor: named.last),
      ]

      _ = try await follow(articles, ListPages(answers: isWhole ? whole : changes))

      #expect(try articles.listCursor("all") == named.kept)
    }
  }

  @Test(arguments: [true, false])
  func `the first page's cursor outlives an interruption of the walk`(isWhole: Bool) async throws {
    try await withArticles { temporary, articles in
      _ = try await articles.follow("all") { _ in .full(["0": .value("old")], cursor: "0") }
      let first =
        isWhole
        ? Answer.fullPage(["1": .value("a")], next: "p2", cursor: "1")
        : .deltaPage(["1": .value("a")], removals: [], next: "p2", cursor: "1")
      await #expect(throws: GetError.self) {
        try await follow(articles, ListPages(answers: ["-": first]))
      }
      let last = isWhole ? Answer.full([:], cursor: "9") : .delta([:], removals: [], cursor: "9")

      let other = try temporary.another()
      let there = try other.collection("articles", of: String.self)
      _ = try await follow(there, ListPages(answers: ["p2": last]))
      try await other.close()

      #expect(try articles.listCursor("all") == "1")
    }
  }

  @Test func `a walk that begins again takes its own first page's cursor`() async throws {
    try await withArticles { _, articles in
      let broken = ListPages(answers: [
        "-": .fullPage(["1": .value("a")], next: "lost", cursor: "1")
      ])
      await #expect(throws: GetError.self) { try await follow(articles, broken) }
      _ = try await follow(
        articles, ListPages(answers: ["lost": .expiredCursor, "-": .full([:], cursor: "9")]))
      #expect(try articles.listCursor("all") == "9")
    }
  }

  @Test func `an object that changes behind a walk comes with the next update`() async throws {
    let policy = Policy.cacheFirst.expiring(.after(.seconds(60)))
    try await withArticles(policy) { temporary, articles in
      let asked = Asked()
      // Object 1 changes while the second page is asked for.
      let update = { () async throws -> FollowedList in
        try await articles.follow("all") { previous in
          asked.note([previous.cursor ?? "-", previous.page ?? "-"])
          switch (previous.cursor, previous.page) {
          case (nil, nil): return .fullPage(["1": .value("a")], next: "p2", cursor: "1")
          case (nil, _): return .full(["2": .value("b")], cursor: "2")
          case ("1", _): return .delta(["1": .value("a2")], removals: [], cursor: "3")
          default: return .notModified
          }
        }
      }
      _ = try await update()
      temporary.clock.advance(by: .seconds(90))

      let followed = try await update()

      #expect(asked.batches == [["-", "-"], ["-", "p2"], ["1", "-"]])
      #expect(followed.stored == ["1"] && followed.renewed == ["2"])
      #expect(try articles.value("1") == "a2")
    }
  }

  @Test(arguments: [nil, "d2", "d3"] as [String?], [true, false])
  func `a removal while a page of changes is asked for leads to the whole list`(
    page: String?, isInterrupted: Bool
  ) async throws {
    try await withArticles { _, articles in
      _ = try await articles.follow("all") { _ in
        .full(["1": .value("a"), "2": .value("b")], cursor: "1")
      }
      let removed = Recorder<Bool>()
      let answer = { @Sendable (previous: PreviousList) async throws -> Answer in
        if previous.page == page, removed.all.isEmpty {
          removed.add(true)
          try await articles.remove("1")
        }
        switch previous.page {
        case nil where previous.cursor == nil:
          return .full(["1": .value("a2"), "2": .value("b")], cursor: "3")
        case nil: return .deltaPage([:], removals: [], next: "d2")
        case "d2": return .deltaPage(["2": .value("b")], removals: [], next: "d3")
        default:
          if isInterrupted { throw OriginFailure() }
          return .delta([:], removals: [], cursor: "2")
        }
      }
      do throws(GetError) {
        _ = try await articles.follow("all", fetch: answer)
      } catch {
        #expect(isInterrupted && error.code == .fetchFailed)
      }

      #expect(try articles.listCursor("all") == nil)
      _ = try await articles.follow("all", fetch: answer)
      #expect(try articles.value("1") == "a2")
    }
  }

  @Test(arguments: [true, false])
  func `a walk whose list is forgotten stores nothing more, and begins with its first page`(
    isRemoving: Bool
  ) async throws {
    try await withArticles { _, articles in
      let answers: [String: Answer] = [
        "-": .fullPage(["1": .value("a")], next: "p2"),
        "p2": .full(["2": .value("b")], cursor: "1"),
      ]
      let (pages, again) = (ListPages(answers: answers), ListPages(answers: answers))
      let failure = await #expect(throws: GetError.self) {
        try await articles.follow("all") { previous in
          if previous.page != nil {
            try await articles.forget(list: "all", removingMembers: isRemoving)
          }
          return try pages.answer(previous)
        }
      }
      #expect(failure?.storeFailure?.code == .superseded)
      #expect(try articles.value("1") == (isRemoving ? nil : "a"))
      #expect(try articles.value("2") == nil)
      #expect(try articles.members(of: "all").isEmpty)

      _ = try await follow(articles, again)

      #expect(again.asked.batches == [["-", "-"], ["-", "p2"]])
      #expect(try articles.members(of: "all") == ["1", "2"])
    }
  }

  @Test func `a member that a page brings and a later one removes has left`() async throws {
    try await withArticles { _, articles in
      _ = try await articles.follow("all") { _ in .full(["0": .value("old")], cursor: "0") }
      let broken = ListPages(answers: [
        "-": .deltaPage(["1": .value("a"), "2": .value("b")], removals: [], next: "d2"),
        "d2": .deltaPage([:], removals: ["1"], next: "d3"),
      ])
      await #expect(throws: GetError.self) { try await follow(articles, broken) }
      #expect(try articles.members(of: "all") == ["0", "2"])

      let followed = try await follow(
        articles, ListPages(answers: ["d3": .delta([:], removals: ["2"], cursor: "1")]))

      #expect(followed.removed == ["2"])
      #expect(try articles.members(of: "all") == ["0"])
      for key in ["1", "2"] { #expect(try articles.value(key) == nil) }
    }
  }
}
