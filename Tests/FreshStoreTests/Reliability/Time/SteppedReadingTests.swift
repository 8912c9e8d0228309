import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// A clock that is set between its reading and the storing of the result.
@Suite struct SteppedReadingTests: ArticleSuite {
  private static let tenHoursBack = Duration.seconds(-36_000)

  @Test func `a write's pause keeps its intended length`() async throws {
    try await withArticles { temporary, articles in
      let store = temporary.store
      try await articles.write("new", for: "1")
      let due = try await store.dueWrites(limit: 1)
      let now = store.now()
      temporary.clock.stepWall(by: Self.tenHoursBack)
      _ = try await store.pushCommits.run { (connection) throws(SQLiteError) in
        try store.storage.settle(
          due[0].claim, .deferred("x", pause: { _ in FailurePause(named: nil, own: .seconds(1)) }),
          note: nil, now: now, connection)
      }

      #expect(try await store.dueWrites(limit: 1).isEmpty)
      temporary.clock.advance(by: .seconds(1))
      #expect(try await store.dueWrites(limit: 1).count == 1)
    }
  }

  @Test(arguments: [-36_000, 36_000])
  func `a store that has not noticed a clock change uses the time that another store recorded`(
    step: Int
  ) async throws {
    try await withArticles { temporary, articles in
      try await articles.put("a", for: "1")
      let other = try temporary.another()
      let theirs = try other.collection("articles", of: String.self)
      temporary.clock.stepWall(by: .seconds(step))
      try await theirs.put("b", for: "2")
      temporary.clock.stepWall(by: .seconds(-step))
      try await articles.markStale("1")
      try await theirs.put("c", for: "3")

      let queued = try RawDatabase(temporary.path).integer(
        "SELECT queue_at FROM record WHERE key = '1'")
      #expect(Int64(queued) == temporary.clock.reading().wall.millisecondsSinceEpoch)
      try await other.close()
    }
  }

  @Test func `a record's pause keeps its intended length`() async throws {
    try await withArticles { temporary, articles in
      let store = temporary.store
      let claims = try store.storage.claim(
        "articles", ["1"], owner: store.owner, for: .seconds(60), now: store.now())
      guard case .granted(let lease)? = claims["1"]?.claim else {
        Issue.record("nobody else has it")
        return
      }
      let now = store.now()
      temporary.clock.stepWall(by: Self.tenHoursBack)
      let failure = Storage.Failure(
        message: "x", pause: { _ in FailurePause(named: nil, own: .seconds(1)) })
      _ = try store.storage.complete([(lease, .failed(failure))], noting: nil, now: now)

      let next = try RawDatabase(temporary.path).integer("SELECT next_attempt FROM failure")
      let expected = temporary.clock.reading().wall.advanced(by: .seconds(1))
      #expect(Int64(next) == expected.millisecondsSinceEpoch)
    }
  }

  @Test func `a list's pause keeps its intended length`() async throws {
    try await withArticles { temporary, articles in
      let store = temporary.store
      let claim = try store.storage.claimList(
        "all", in: "articles", owner: store.owner, for: .seconds(60), now: store.now()
      ).claim
      guard case .granted(let lease) = claim else {
        Issue.record("nobody else has it")
        return
      }
      let now = store.now()
      temporary.clock.stepWall(by: Self.tenHoursBack)
      let failure = Storage.Failure(
        message: "x", pause: { _ in FailurePause(named: nil, own: .seconds(1)) })
      try store.storage.noteListFailure(failure, "all", lease, origin: nil, now: now)

      let expected = temporary.clock.reading().wall.advanced(by: .seconds(1))
      #expect(try articles.listDue("all") == expected)
    }
  }

  @Test func `a breaker's pause keeps its intended length`() async throws {
    try await withArticles { temporary, articles in
      let store = temporary.store
      let origin = OriginGuard(
        origin: "api", policy: BreakerPolicy(threshold: 1, minimumPause: .seconds(10)))
      let now = store.now()
      temporary.clock.stepWall(by: Self.tenHoursBack)
      try store.storage.database.write(.claim) { (connection) throws(SQLiteError) in
        try store.storage.note(
          .failed(OriginBlame(message: "x")), at: origin, now: now, connection)
      }

      let end = temporary.clock.reading().wall.advanced(by: .seconds(10))
      #expect(try store.storage.breakerState(of: origin, now: store.now()) == .open(until: end))
    }
  }

  @Test func `a record that is marked is due at once`() async throws {
    try await withArticles { temporary, articles in
      let store = temporary.store
      try await articles.put("old", for: "1", details: FetchDetails(expiry: .never))
      let now = store.now()
      temporary.clock.stepWall(by: Self.tenHoursBack)
      _ = try store.storage.mark(.key("articles", "1"), reason: "x", now: now)

      #expect(try await store.due(limit: 9).map(\.key) == ["1"])
    }
  }

  @Test func `an answer that a mark from before the step covers is due at once`() async throws {
    try await withArticles { temporary, articles in
      _ = try await articles.get("1") { _ in
        try await articles.markAllStale()
        temporary.clock.stepWall(by: Self.tenHoursBack)
        return .value("new", FetchDetails(expiry: .never))
      }

      #expect(try articles.state("1") == .stale)
      #expect(try await temporary.store.due(limit: 9).map(\.key) == ["1"])
    }
  }

  @Test
  func `a record marked by tag is due at once after a sweep, although the clock was set back`()
    async throws
  {
    try await withArticles { temporary, articles in
      let details = FetchDetails(expiry: .never, tags: ["t"])
      try await articles.put("old", for: "1", details: details)
      try await temporary.store.markStale(tag: "t")
      temporary.clock.stepWall(by: Self.tenHoursBack)
      _ = try await temporary.store.sweep()

      #expect(try await temporary.store.due(limit: 9).map(\.key) == ["1"])
    }
  }
}
