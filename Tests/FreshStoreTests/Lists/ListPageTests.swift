import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

/// Lists, and changes of lists, that come in several pages.
@Suite(.timeLimit(.minutes(1))) struct ListPageTests: ArticleSuite {
  private typealias Answer = SourceListChange<String>
  private typealias Pages = ListPages

  private func follow(
    _ articles: RecordCollection<String>, _ pages: Pages
  ) async throws -> FollowedList {
    try await pages.followed(by: articles)
  }

  private static let whole = Pages(answers: [
    "-": .fullPage(["1": .value("a")], next: "p2"),
    "p2": .fullPage(["2": .value("b")], next: "p3"), "p3": .full(["3": .value("c")], cursor: "1"),
  ])

  @Test func `the pages of a whole list are stored one by one`() async throws {
    try await withArticles { _, articles in
      _ = try await articles.follow("all") { _ in .full(["0": .value("old")], cursor: "0") }
      let (pages, seen) = (Pages(answers: Self.whole.answers), Recorder<[String]>())

      let followed = try await articles.follow("all") { previous in
        seen.add(try ["0", "1", "2", "3"].filter { try articles.value($0) != nil })
        return try pages.answer(previous)
      }

      #expect(pages.asked.batches == [["0", "-"], ["-", "p2"], ["-", "p3"]])
      #expect(seen.all == [["0"], ["0", "1"], ["0", "1", "2"]])
      #expect(followed.isFull && followed.removed == ["0"])
      #expect(followed.stored == ["1", "2", "3"])
      #expect(try articles.members(of: "all") == ["1", "2", "3"])
      #expect(try articles.listCursor("all") == "1")
    }
  }

  @Test func `an interrupted walk goes on with its page, in another process, too`() async throws {
    try await withArticles { temporary, articles in
      _ = try await articles.follow("all") { _ in .full(["0": .value("old")], cursor: "0") }
      var answers = Self.whole.answers
      answers["p3"] = nil
      let first = Pages(answers: answers)
      await #expect(throws: GetError.self) { try await follow(articles, first) }
      #expect(try articles.members(of: "all") == ["0", "1", "2"])

      let other = try temporary.another()
      let there = try other.collection("articles", of: String.self)
      let second = Pages(answers: Self.whole.answers)
      let followed = try await follow(there, second)
      try await other.close()

      #expect(second.asked.batches == [["-", "p3"]])
      #expect(followed.removed == ["0"])
      #expect(try articles.members(of: "all") == ["1", "2", "3"])
    }
  }

  @Test func `the cursor moves with the last page of changes`() async throws {
    try await withArticles { _, articles in
      _ = try await articles.follow("all") { _ in
        .full(["1": .value("a"), "2": .value("b"), "3": .value("c")], cursor: "1")
      }
      let broken = Pages(answers: [
        "-": .deltaPage(["1": .value("a2")], removals: ["3"], next: "d2")
      ])
      await #expect(throws: GetError.self) { try await follow(articles, broken) }
      #expect(try articles.listCursor("all") == "1")

      let pages = Pages(answers: ["d2": .delta(["4": .value("d")], removals: [], cursor: "2")])
      _ = try await follow(articles, pages)

      #expect(pages.asked.batches == [["1", "d2"]])
      #expect(try articles.members(of: "all") == ["1", "2", "4"])
      #expect(try articles.value("1") == "a2")
      #expect(try articles.listCursor("all") == "2")
    }
  }

  @Test(
    arguments: [
      ["-": .fullPage(["1": .value("a")], next: "p2"), "p2": .fullPage([:], next: "p2")],
      [
        "-": .fullPage(["1": .value("a")], next: "p2"), "p2": .fullPage([:], next: "p3"),
        "p3": .fullPage([:], next: "p2"),
      ],
      ["-": .deltaPage(["1": .value("a")], removals: [], next: "0")],
      [
        "-": .deltaPage(["1": .value("a")], removals: [], next: "p2"),
        "p2": .deltaPage([:], removals: [], next: "0"),
        "0": .deltaPage([:], removals: [], next: "p2"),
      ],
      [
        "-": .deltaPage(["1": .value("a")], removals: [], next: "p2"),
        "p2": .deltaPage([:], removals: [], next: "p2"),
      ],
    ] as [[String: SourceListChange<String>]])
  func `pages that go in circles fail, and what was stored stays`(
    answers: [String: SourceListChange<String>]
  ) async throws {
    try await withArticles { _, articles in
      _ = try await articles.follow("all") { _ in .full(["0": .value("old")], cursor: "0") }
      let pages = Pages(answers: answers)

      let failure = await #expect(throws: GetError.self) { try await follow(articles, pages) }

      #expect(failure?.fetchFailure?.message.contains("circles") == true)
      #expect(pages.asked.batches.count == answers.count)
      #expect(try articles.value("0") == "old")
      let next = Pages(answers: ["-": .full(["1": .value("b")], cursor: "1")])
      _ = try await follow(articles, next)
      #expect(next.asked.batches.map { $0[1] } == ["-"])
      #expect(try articles.value("1") == "b")
    }
  }

  @Test func `members are as old as the question for their page, and the list as its first one`()
    async throws
  {
    let policy = Policy.cacheFirst.expiring(.after(.seconds(60)))
    try await withArticles(policy) { temporary, articles in
      let start = temporary.clock.reading().wall
      let pages = Pages(answers: [
        "-": .fullPage(["1": .value("a")], next: "p2"),
        "p2": .full(["2": .value("b")], cursor: "1"),
      ])
      _ = try await articles.follow("all") { previous in
        temporary.clock.advance(by: .seconds(previous.page == nil ? 10 : 20))
        return try pages.answer(previous)
      }

      #expect(try articles.read("1").decision.age == .seconds(30))
      #expect(try articles.read("2").decision.age == .seconds(20))
      #expect(try articles.listDue("all") == start.advanced(by: .seconds(60)))
    }
  }

  @Test func `a walk whose page the source has forgotten begins again`() async throws {
    try await withArticles { _, articles in
      let forgets = Pages(answers: ["-": .fullPage(["gone": .value("x")], next: "lost")])
      await #expect(throws: GetError.self) { try await follow(articles, forgets) }
      let pages = Pages(answers: [
        "lost": .expiredCursor, "-": .fullPage(["1": .value("a")], next: "p2"),
        "p2": .full(["2": .value("b")], cursor: "1"),
      ])

      let followed = try await follow(articles, pages)

      #expect(pages.asked.batches.map { $0[1] } == ["lost", "-", "p2"])
      #expect(followed.removed == ["gone"])
      #expect(try articles.members(of: "all") == ["1", "2"])
    }
  }

  @Test func `what was seen on forgotten pages of the same update does not count`() async throws {
    try await withArticles { _, articles in
      let calls = Recorder<String>()
      let followed = try await articles.follow("all") { previous in
        calls.add(previous.page ?? "-")
        switch calls.all.count {
        case 1: return .fullPage(["gone": .value("x")], next: "lost")
        case 2: return .expiredCursor
        case 3: return .fullPage(["1": .value("a")], next: "p2")
        default: return .full(["2": .value("b")], cursor: "1")
        }
      }

      #expect(calls.all == ["-", "lost", "-", "p2"])
      #expect(followed.removed == ["gone"])
    }
  }

  @Test func `a source that forgets its pages at once is not asked forever`() async throws {
    try await withArticles { _, articles in
      let pages = Pages(answers: [
        "-": .fullPage(["1": .value("a")], next: "lost"), "lost": .expiredCursor,
      ])
      let failure = await #expect(throws: GetError.self) { try await follow(articles, pages) }
      #expect(failure?.fetchFailure?.message.contains("forgotten its pages") == true)
      #expect(pages.asked.batches.count == 4)
    }
  }

  @Test func `an answer that is no page of the walk fails`() async throws {
    try await withArticles { (_, articles) async throws in
      let pages = Pages(answers: [
        "-": .fullPage(["1": .value("a")], next: "p2"), "p2": .notModified,
      ])
      await #expect(throws: GetError.self) { try await follow(articles, pages) }
      #expect(try articles.value("1") == "a")
    }
  }

  @Test func `a whole list does not take the place of a page of changes`() async throws {
    try await withArticles { _, articles in
      _ = try await articles.follow("all") { _ in .full(["0": .value("old")], cursor: "0") }
      let pages = Pages(answers: [
        "-": .deltaPage([:], removals: [], next: "p2"), "p2": .full([:], cursor: "1"),
      ])
      await #expect(throws: GetError.self) { try await follow(articles, pages) }
      #expect(try articles.value("0") == "old")
    }
  }

  @Test func `a removal between two pages leads to the whole list`() async throws {
    try await withArticles { _, articles in
      let pages = Pages(answers: Self.whole.answers)
      _ = try await articles.follow("all") { previous in
        if previous.page == "p3" { try await articles.remove("1") }
        return try pages.answer(previous)
      }
      #expect(try articles.value("1") == nil)

      _ = try await articles.follow("all") { previous in
        previous.cursor == nil && previous.page == nil
          ? .full(["1": .value("a")], cursor: "2") : .notModified
      }
      #expect(try articles.value("1") == "a")
    }
  }

  @Test func `a member that comes on two pages has the later value`() async throws {
    try await withArticles { _, articles in
      let pages = Pages(answers: [
        "-": .fullPage(["2": .value("b"), "1": .value("a")], next: "p2"),
        "p2": .full(["1": .value("a2")], cursor: "1"),
      ])
      _ = try await follow(articles, pages)
      #expect(try articles.value("1") == "a2")
      #expect(try articles.members(of: "all") == ["1", "2"])
    }
  }

  @Test func `a page leaves alone what was put while the walk went on`() async throws {
    try await withArticles { _, articles in
      let pages = Pages(answers: Self.whole.answers)
      _ = try await articles.follow("all") { previous in
        if previous.page == "p3" { try await articles.put("put", for: "3") }
        return try pages.answer(previous)
      }
      #expect(try articles.value("3") == "put")
      #expect(try articles.state("3") == .stale)
    }
  }

  @Test func `the right to follow a list is held page by page`() async throws {
    try await withArticles { temporary, articles in
      let there = try temporary.another()
      let others = try there.collection("articles", of: String.self)
      let (pages, refusals) = (Pages(answers: Self.whole.answers), Recorder<GetError.Code>())
      _ = try await articles.follow("all") { previous in
        temporary.clock.advance(by: .seconds(20))
        do throws(GetError) {
          _ = try await others.follow("all") { _ in .notModified }
        } catch {
          refusals.add(error.code)
        }
        return try pages.answer(previous)
      }
      try await there.close()

      #expect(refusals.all == [.store, .store, .store])
      #expect(try articles.members(of: "all") == ["1", "2", "3"])
    }
  }

  @Test func `the members of all pages are renewed together`() async throws {
    let policy = Policy.cacheFirst.expiring(.after(.seconds(60)))
    try await withArticles(policy) { temporary, articles in
      _ = try await follow(articles, Pages(answers: Self.whole.answers))
      temporary.clock.advance(by: .seconds(90))

      let followed = try await articles.follow("all") { _ in .notModified }

      #expect(followed.renewed == ["1", "2", "3"])
    }
  }

  @Test func `the last page of changes renews what no page has mentioned`() async throws {
    let policy = Policy.cacheFirst.expiring(.after(.seconds(60)))
    try await withArticles(policy) { temporary, articles in
      _ = try await follow(articles, Pages(answers: Self.whole.answers))
      temporary.clock.advance(by: .seconds(90))
      let changes = Pages(answers: [
        "-": .deltaPage(["1": .changed], removals: [], next: "d2"),
        "d2": .delta(["2": .value("b2")], removals: [], cursor: "2"),
      ])

      let followed = try await follow(articles, changes)
      let next = try await articles.follow("all") { _ in .notModified }

      #expect(followed.renewed == ["3"] && next.renewed == ["2", "3"])
      #expect(try articles.state("1") == .stale)
    }
  }

  @Test func `a walk that goes on after the clock was set back makes no member younger`()
    async throws
  {
    try await withArticles { (temporary, articles) async throws in
      let details = FetchDetails(expiry: .after(.seconds(5400)))
      _ = try await articles.follow("all") { _ in
        .full(["1": .value("a", details)], cursor: "1")
      }
      await #expect(throws: GetError.self) {
        try await articles.follow("all") { previous in
          guard previous.page == nil else { throw OriginFailure() }
          return .deltaPage(["2": .value("b")], removals: [], next: "d2")
        }
      }
      temporary.clock.stepWall(by: .seconds(-3600))
      temporary.clock.advance(by: .seconds(7200))
      _ = try await articles.follow("all") { _ in .delta([:], removals: [], cursor: "2") }
      #expect(try articles.state("1") != .fresh)
    }
  }
}
