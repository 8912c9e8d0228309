import FreshStoreTesting
import Rules
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// The parts of its question that a list keeps: the cursor, and the time.
@Suite(.timeLimit(.minutes(1))) struct ListCursorTests: ListSuite {
  private struct NoLease: Error {}

  @Test func `members are as old as the question for the list`() async throws {
    try await withArticles(.cacheFirst.expiring(.after(.seconds(60)))) { temporary, articles in
      _ = try await follow(articles, .full(["1": .value("listed")], cursor: nil)) {
        temporary.clock.advance(by: .seconds(20))
      }

      #expect(try articles.read("1").decision.age == .seconds(20))
      #expect(
        try articles.listDue("all") == temporary.clock.reading().wall.advanced(by: .seconds(40)))
    }
  }

  @Test func `a clock that is set while a rule is awaited makes no member younger`() async throws {
    try await withArticles { temporary, articles in
      let ruled = articles.admitting(
        awaiting: AsyncRule { _, _ in
          temporary.clock.stepWall(by: .seconds(-3600))
          return .passed
        })
      _ = try await ruled.follow("all") { _ in .full(["1": .value("a")], cursor: "1") }
      temporary.clock.advance(by: .seconds(3600))
      #expect(try articles.state("1") == .stale)
    }
  }

  @Test(arguments: [3600, 3])
  func `a clock that is set while a list waits to be stored makes no member younger`(
    step: Int
  ) async throws {
    try await withArticles { temporary, articles in
      let (store, asked) = (temporary.store, temporary.store.now())
      let (claim, _) = try store.storage.claimList(
        "all", in: articles.name, owner: store.owner, for: .seconds(60), now: asked)
      guard case .granted(let lease) = claim else { throw NoLease() }
      var content = articles.content("1", FetchDetails(), expiry: .after(.seconds(600)))
      content.value = try articles.encoded("a", "1", .follow)
      var change = Storage.ListChange(
        lease: lease, list: "all", expiry: .never, origin: nil, known: asked)
      (change.followed.isFull, change.writes) = (true, [Storage.Write(content: content)])
      temporary.clock.stepWall(by: .seconds(step))
      _ = try store.storage.follow(change, now: asked)

      temporary.clock.advance(by: .seconds(599))
      #expect(try articles.state("1") == .fresh)
      temporary.clock.advance(by: .seconds(1))
      #expect(try articles.state("1") == .stale)
    }
  }

  @Test func `a follow that is cancelled while a rule is awaited keeps the old cursor`()
    async throws
  {
    try await withArticles { _, articles in
      let (asked, never) = (Signal(), Signal())
      let ruled = articles.admitting(
        awaiting: AsyncRule { _, _ in
          asked.fire()
          await never.fired()
          return .passed
        })
      let following = Task {
        try await ruled.follow("all") { _ in .full(["1": .value("a")], cursor: "1") }
      }
      await asked.fired()
      following.cancel()
      await #expect(throws: GetError.self) { try await following.value }
      never.fire()

      _ = try await articles.follow("all") { previous in
        #expect(previous.cursor == nil)
        return .full(["1": .value("a")], cursor: "1")
      }
      #expect(try articles.value("1") == "a")
    }
  }

  @Test(arguments: [true, false])
  func `"not modified" is no answer where nothing is known, even of a list without members`(
    wasFollowed: Bool
  ) async throws {
    try await withArticles { _, articles in
      if wasFollowed {
        _ = try await articles.follow("all") { _ in .full([:], cursor: "1") }
        try await articles.restart(list: "all")
      }
      let failure = await #expect(throws: GetError.self) {
        try await articles.follow("all") { _ in .notModified }
      }
      #expect(failure?.fetchFailure?.code == .notModifiedWithoutCopy)
      #expect(try articles.listCursor("all") == nil)
    }
  }

  @Test func `a source that no longer knows the cursor must send the list`() async throws {
    try await withArticles { _, articles in
      _ = try await articles.follow("all") { _ in .full(["1": .value("a")], cursor: "1") }
      let asked = Recorder<PreviousList>()
      await #expect(throws: GetError.self) {
        try await articles.follow("all") { previous in
          asked.add(previous)
          return previous.cursor == nil ? .notModified : .expiredCursor
        }
      }

      #expect(asked.last?.lastUpdate == nil && asked.all.count == 2)
    }
  }
}
