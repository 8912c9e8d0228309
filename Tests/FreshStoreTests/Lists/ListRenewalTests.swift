import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

/// The effect of an answer on the members that it does not mention.
@Suite(.timeLimit(.minutes(1))) struct ListRenewalTests: ArticleSuite {
  private static let policy = Policy.cacheFirst.expiring(.after(.seconds(60)))

  /// A list of two members, which have expired since.
  private func withExpiredList(
    _ body: (TemporaryStore, RecordCollection<String>) async throws -> Void
  ) async throws {
    try await withArticles(Self.policy) { temporary, articles in
      _ = try await articles.follow("all") { _ in
        .full(["1": .value("a"), "2": .value("b")], cursor: "1")
      }
      temporary.clock.advance(by: .seconds(90))
      try await body(temporary, articles)
    }
  }

  /// Follows a list, and does something while its source is being asked.
  private func follow(
    _ articles: RecordCollection<String>, _ answer: SourceListChange<String>,
    _ meanwhile: @escaping @Sendable () async throws -> Void
  ) async throws -> FollowedList {
    try await articles.follow("all") { _ in
      try await meanwhile()
      return answer
    }
  }

  @Test(arguments: [
    SourceListChange<String>.notModified, .delta([:], removals: [], cursor: "2"),
  ])
  func `members that are not mentioned are as fresh as the request`(
    answer: SourceListChange<String>
  ) async throws {
    try await withExpiredList { temporary, articles in
      #expect(try articles.state("1") == .stale)
      _ = try await temporary.store.sweep()

      let followed = try await follow(articles, answer) {
        temporary.clock.advance(by: .seconds(20))
      }

      #expect(followed.renewed == ["1", "2"] && followed.stored.isEmpty)
      #expect(try articles.read("1").decision.age == .seconds(20))
      #expect(try articles.state("1") == .fresh && articles.state("2") == .fresh)
      #expect(try await temporary.store.due(limit: 9).isEmpty)
    }
  }

  @Test func `one request after the other renews the members again`() async throws {
    try await withExpiredList { temporary, articles in
      for _ in 0..<3 {
        let followed = try await articles.follow("all") { _ in .notModified }
        #expect(followed.renewed == ["1", "2"])
        temporary.clock.advance(by: .seconds(90))
      }
    }
  }

  @Test func `a mark from before the request ends, and so do failures`() async throws {
    try await withExpiredList { _, articles in
      try await articles.markStale("1")
      _ = await articles.failure(
        "2", .sourceFirst, from: ScriptedOrigin { _ in throw OriginFailure() })

      _ = try await articles.follow("all") { _ in .notModified }

      #expect(try articles.state("1") == .fresh)
      #expect(try articles.state("2") == .fresh)
      #expect(try articles.read("2").decision.failures == 0)
    }
  }

  @Test func `a mark during the request stays`() async throws {
    try await withExpiredList { _, articles in
      let followed = try await follow(articles, .notModified) {
        try await articles.markStale("1")
      }
      #expect(followed.renewed == ["2"])
      #expect(try articles.state("1") == .stale)
    }
  }

  @Test func `a mark of all members during the request stays until the next one`() async throws {
    try await withExpiredList { _, articles in
      _ = try await follow(articles, .notModified) { try await articles.markAllStale() }
      #expect(try articles.state("1") == .stale)

      _ = try await articles.follow("all") { _ in .notModified }
      #expect(try articles.state("1") == .fresh)
    }
  }

  @Test func `a member that has changed is not renewed, nor by the next answer`() async throws {
    try await withExpiredList { _, articles in
      let changed = try await articles.follow("all") { _ in
        .delta(["1": .changed], removals: [], cursor: "2")
      }
      let next = try await articles.follow("all") { _ in .notModified }

      #expect(changed.renewed == ["2"] && next.renewed == ["2"])
      #expect(try articles.state("1") == .stale)
    }
  }

  @Test func `a named member is renewed once it was fetched after the list`() async throws {
    try await withArticles(Self.policy) { temporary, articles in
      try await articles.put("old", for: "1")
      _ = try await articles.follow("all") { _ in .full(["1": .named], cursor: "1") }
      let before = try await articles.follow("all") { _ in .notModified }
      temporary.clock.advance(by: .seconds(90))
      try await articles.get("1", from: ScriptedOrigin { _ in .value("new") })
      temporary.clock.advance(by: .seconds(90))

      let after = try await articles.follow("all") { _ in .notModified }

      #expect(before.renewed.isEmpty && after.renewed == ["1"])
    }
  }

  @Test func `a copy that was fetched while the list was asked for is not vouched for`()
    async throws
  {
    try await withArticles(Self.policy) { _, articles in
      _ = try await follow(articles, .full(["1": .named], cursor: "1")) {
        try await articles.get("1", from: ScriptedOrigin { _ in .value("old") })
      }

      let followed = try await articles.follow("all") { _ in .notModified }
      #expect(followed.renewed.isEmpty)
    }
  }

  @Test func `a copy that was put while the list was asked for is not vouched for`() async throws {
    try await withArticles(Self.policy) { _, articles in
      _ = try await follow(articles, .full(["1": .named], cursor: "1")) {
        try await articles.put("old", for: "1")
      }

      let followed = try await articles.follow("all") { _ in .notModified }
      #expect(followed.renewed.isEmpty)
    }
  }

  @Test func `a copy from a cache on the way that is older than the list is not vouched for`()
    async throws
  {
    try await withArticles(Self.policy) { temporary, articles in
      _ = try await articles.follow("all") { _ in .full(["1": .named], cursor: "1") }
      let old = temporary.clock.reading().wall.advanced(by: .seconds(-30))
      try await articles.get(
        "1", from: ScriptedOrigin { _ in .value("old", FetchDetails(lastUpdate: old)) })

      let followed = try await articles.follow("all") { _ in .notModified }
      #expect(followed.renewed.isEmpty)
    }
  }

  @Test(arguments: [3600, -3600], [true, false])
  func `a step of the clock makes no copy newer than its list, nor older`(
    step: Int, isDuringRequest: Bool
  ) async throws {
    try await withArticles(Self.policy) { temporary, articles in
      temporary.clock.advance(by: .seconds(60))
      _ = try await articles.follow("all") { _ in
        .full(["old": .named, "new": .named], cursor: "1")
      }
      let told = temporary.clock.reading().wall
      temporary.clock.advance(by: .seconds(1))
      if !isDuringRequest { temporary.clock.stepWall(by: .seconds(step)) }
      let shift = isDuringRequest ? 0 : step
      for (key, age) in [("old", -1), ("new", 1)] {
        let lastUpdate = told.advanced(by: .seconds(shift + age))
        try await articles.get(
          key, from: ScriptedOrigin { _ in .value(key, FetchDetails(lastUpdate: lastUpdate)) })
      }

      let followed = try await articles.follow("all") { _ in
        if isDuringRequest { temporary.clock.stepWall(by: .seconds(step)) }
        return .notModified
      }

      #expect(followed.renewed == ["new"])
    }
  }

  @Test func `a doubt about a push outlives the mark that showed it`() async throws {
    try await withArticles(Self.policy) { _, articles in
      try await articles.put("old", for: "1")
      try await articles.write("mine", for: "1")
      try await articles.drain { _ in
        _ = try await articles.follow("all") { _ in
          .delta(["1": .changed], removals: [], cursor: "1")
        }
        return .accepted
      }
      try await articles.markStale("1")

      let followed = try await articles.follow("all") { _ in .notModified }

      #expect(followed.renewed.isEmpty)
      #expect(try articles.state("1") == .stale)
    }
  }

  @Test func `a damaged copy is not renewed`() async throws {
    try await withExpiredList { temporary, articles in
      try RawDatabase(temporary.path).execute("UPDATE record SET value = x'00' WHERE key = '1'")
      let followed = try await articles.follow("all") { _ in .notModified }
      #expect(followed.renewed == ["2"])
      try await articles.put("whole", for: "1")
    }
  }

  @Test func `what lies below a local write is renewed`() async throws {
    try await withExpiredList { temporary, articles in
      let entry = try await articles.write("mine", for: "1")

      let followed = try await articles.follow("all") { _ in .notModified }

      #expect(followed.renewed == ["2"])
      #expect(try articles.value("1") == "mine")
      // The source is asked again about what lay beneath a dropped write, but that is as young as the list.
      try await temporary.store.drop([entry.id])
      #expect(try articles.value("1") == "a")
      #expect(try articles.explain("1").decision.lastUpdate == temporary.clock.reading().wall)
    }
  }

  @Test func `a delta without a cursor vouches for nobody`() async throws {
    try await withExpiredList { _, articles in
      try await articles.restart(list: "all")
      let followed = try await articles.follow("all") { _ in
        .delta(["1": .named], removals: [], cursor: "2")
      }
      #expect(followed.renewed.isEmpty)
    }
  }

  @Test func `"not modified" is no answer to a request for the whole list`() async throws {
    try await withExpiredList { _, articles in
      try await articles.restart(list: "all")
      let failure = await #expect(throws: GetError.self) {
        try await articles.follow("all") { _ in .notModified }
      }
      #expect(failure?.fetchFailure?.code == .notModifiedWithoutCopy)
      #expect(try articles.members(of: "all") == ["1", "2"])
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `observers hear of the renewed members`() async throws {
    try await withExpiredList { _, articles in
      let changes = articles.changes()
      _ = try await articles.follow("all") { _ in .notModified }
      var found: [Change] = []
      for await change in changes {
        found.append(change)
        if found.count == 2 { break }
      }
      #expect(found.map(\.kind) == [.revalidated, .revalidated])
      #expect(found.map(\.key) == ["1", "2"])
    }
  }

  // MARK: Unchanged

  @Test func `an unchanged member is renewed, however old it is`() async throws {
    try await withArticles(Self.policy) { temporary, articles in
      try await articles.put("old", for: "1")
      try await articles.markStale("1")
      temporary.clock.advance(by: .seconds(90))

      let followed = try await articles.follow("all") { _ in
        .full(["1": .unchanged, "2": .unchanged], cursor: nil)
      }

      #expect(followed.renewed == ["1"] && followed.queued == ["2"])
      #expect(try articles.state("1") == .fresh)
      #expect(try await temporary.store.due(limit: 9).map(\.key) == ["2"])
    }
  }

  @Test func `a copy that came in meanwhile is not the one that is unchanged`() async throws {
    try await withExpiredList { temporary, articles in
      let followed = try await follow(
        articles, .delta(["1": .unchanged], removals: [], cursor: "2")
      ) { try await articles.put("put", for: "1") }

      #expect(followed.queued == ["1"] && followed.renewed == ["2"])
      #expect(try articles.value("1") == "put")
      #expect(try articles.state("1") == .stale)
    }
  }

  @Test func `an unchanged member that is being written is asked for after the push`() async throws
  {
    try await withExpiredList { _, articles in
      try await articles.write("mine", for: "1")
      try await articles.drain { _ in
        _ = try await articles.follow("all") { _ in
          .delta(["1": .unchanged], removals: [], cursor: "2")
        }
        return .accepted
      }
      #expect(try articles.value("1") == "mine")
      #expect(try articles.state("1") == .stale)
    }
  }

  // MARK: Pushes

  @Test(arguments: [
    SourceListChange<String>.delta(["1": .value("old")], removals: [], cursor: "2"),
    .delta(["1": .changed], removals: [], cursor: "2"),
    .delta(["1": .unchanged], removals: [], cursor: "2"),
    .delta(["1": .named], removals: [], cursor: "2"),
    .delta([:], removals: ["1"], cursor: "2"), .delta([:], removals: [], cursor: "2"),
    .notModified,
  ])
  func `no delta undoes a push that was accepted after it was asked for`(
    answer: SourceListChange<String>
  ) async throws {
    try await withExpiredList { _, articles in
      try await articles.write("mine", for: "1")
      _ = try await follow(articles, answer) { try await articles.drain { _ in .accepted } }

      #expect(try articles.value("1") == "mine")
      #expect(try isSettled(articles))
    }
  }

  /// True when nothing waits to be sent.
  private func isSettled(_ articles: RecordCollection<String>) throws -> Bool {
    try articles.store.outbox().isEmpty
  }
}
