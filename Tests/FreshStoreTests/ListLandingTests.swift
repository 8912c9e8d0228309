import FreshStoreTesting
import Rules
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// The results of a list and of other questions under way at the same time.
@Suite(.timeLimit(.minutes(1))) struct ListLandingTests: ArticleSuite {
  private struct NoAnswer: Error {}

  /// Follows a list, and does something while its source is being asked.
  private func follow(
    _ articles: RecordCollection<String>, _ answer: SourceListChange<String>,
    _ meanwhile: () async throws -> Void
  ) async throws -> FollowedList {
    let (sent, answers) = (Signal(), Signal())
    let following = Task {
      try await articles.follow("all") { _ in
        sent.fire()
        await answers.fired()
        return answer
      }
    }
    await sent.fired()
    do {
      try await meanwhile()
    } catch {
      answers.fire()
      throw error
    }
    answers.fire()
    return try await following.value
  }

  @Test(
    arguments: [
      (.gone, "old", .stale), (.value("older"), "old", .stale), (.value("theirs"), "old", .fresh),
      (.gone, nil, .stale), (.value("older"), nil, .stale),
    ] as [(Fetched<String>, String?, State)])
  func `a fetch that lands after a list brought a value meanwhile is repeated`(
    answer: Fetched<String>, copy: String?, state: State
  ) async throws {
    try await withArticles { temporary, articles in
      if let copy { try await articles.put(copy, for: "1") }
      let (sent, answers) = (Signal(), Signal())
      var fetching: Task<Answer<String>, any Error>?
      _ = try await follow(articles, .full(["1": .value("theirs")], cursor: "1")) {
        fetching = Task {
          try await articles.get("1", policy: .sourceFirst) { _ in
            sent.fire()
            await answers.fired()
            return answer
          }
        }
        await sent.fired()
      }
      answers.fire()
      do { _ = try await fetching?.value } catch { #expect(error is GetError) }

      let isDue = try await temporary.store.due(limit: 9).map(\.key) == ["1"]
      #expect(isDue == (state == .stale))
    }
  }

  /// The state of a record.
  enum State { case fresh, stale }

  @Test func `a list does not undo a push that was accepted while it was under route`() async throws
  {
    try await withArticles { temporary, articles in
      try await articles.put("old", for: "1")
      try await articles.write("mine", for: "1")

      let followed = try await follow(
        articles, .delta(["1": .value("old")], removals: [], cursor: "2")
      ) {
        try await articles.drain { _ in .accepted }
      }

      #expect(followed.stored.isEmpty && followed.queued == ["1"])
      #expect(try articles.value("1") == "mine")
      #expect(try articles.state("1") == .stale)
      #expect(try await temporary.store.due(limit: 9).map(\.key) == ["1"])
    }
  }

  @Test func `a list that agrees with a younger answer changes nothing`() async throws {
    try await withArticles { _, articles in
      let followed = try await follow(articles, .full(["1": .value("same")], cursor: "2")) {
        try await articles.put("same", for: "1")
      }

      #expect(followed.queued.isEmpty)
      #expect(try articles.state("1") == .fresh)
    }
  }

  @Test func `a put while a list is under route stands, marked stale`() async throws {
    try await withArticles { _, articles in
      _ = try await follow(articles, .full(["1": .value("listed")], cursor: "2")) {
        try await articles.put("put", for: "1")
      }

      #expect(try articles.value("1") == "put")
      #expect(try articles.state("1") == .stale)
    }
  }

  /// Stale, missing, and waiting for its first fetch.
  @Test(arguments: ["marked", "missing", "unfetched"])
  func `a list's "changed" covers a fetch that began before it`(_ state: String) async throws {
    try await withArticles { temporary, articles in
      switch state {
      case "marked":
        try await articles.put("oldest", for: "1")
        try await articles.markStale("1")
      case "unfetched":
        _ = try await articles.follow("all") { _ in .full(["1": .named], cursor: "1") }
      default: break
      }
      let origin = ScriptedOrigin<String> { _ in .value("old") }
      origin.hold()
      let getting = Task { try await articles.get("1", from: origin) }
      await origin.calls(atLeast: 1)
      _ = try await articles.follow("all") { _ in
        .delta(["1": .changed], removals: [], cursor: "2")
      }
      origin.release()

      #expect(try await getting.value.value == "old")

      #expect(try articles.state("1") == .stale)
      #expect(try await temporary.store.due(limit: 9).map(\.key) == ["1"])
    }
  }

  @Test(arguments: [
    SourceListChange.delta(["1": .value("theirs")], removals: [], cursor: "3"),
    .delta(["1": .changed], removals: [], cursor: "3"), .delta([:], removals: ["1"], cursor: "3"),
  ])
  func `a list's answer during a push is not forgotten when the push is accepted`(
    _ change: SourceListChange<String>
  ) async throws {
    try await withArticles { _, articles in
      try await articles.put("old", for: "1")
      try await articles.write("mine", for: "1")
      try await articles.drain { _ in
        _ = try await articles.follow("all") { _ in change }
        return .accepted
      }

      #expect(try articles.value("1") == "mine")
      #expect(try articles.state("1") == .stale)
    }
  }

  @Test(arguments: LandingTests.Mark.allCases)
  func `a mark between two attempts of a push covers the answer to the second`(
    _ mark: LandingTests.Mark
  ) async throws {
    try await withArticles { temporary, articles in
      try await articles.put("old", for: "1", details: FetchDetails(tags: ["news"]))
      try await articles.write("mine", for: "1")
      try await articles.drain { _ in throw NoAnswer() }
      try await mark(articles)
      _ = try await temporary.store.sweep()
      temporary.clock.advance(by: .seconds(60))

      try await articles.drain { _ in .accepted }

      #expect(try articles.state("1") == .stale)
    }
  }

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

  @Test(arguments: ["remove", "removeAll", "prune"])
  func `a list whose members were removed here is fetched as a whole the next time`(
    _ route: String
  ) async throws {
    try await withArticles { temporary, articles in
      _ = try await articles.follow("all") { _ in .full(["1": .value("a")], cursor: "1") }
      switch route {
      case "remove": try await articles.remove("1")
      case "removeAll": try await articles.removeAll()
      default:
        var options = PruneOptions()
        options.maximumCount = 0
        _ = try await temporary.store.prune(options)
      }
      #expect(try articles.value("1") == nil)

      _ = try await articles.follow("all") { previous in
        previous.cursor == nil ? .full(["1": .value("a")], cursor: "2") : .notModified
      }

      #expect(try articles.value("1") == "a")
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

  @Test func `a member that breaks its rules is fetched again, and not skipped`() async throws {
    try await withArticles { temporary, articles in
      try await articles.put("good", for: "1")
      let ruled = articles.admitting(.notBlank)

      let followed = try await ruled.follow("all") { _ in .full(["1": .value(" ")], cursor: "1") }

      #expect(Array(followed.refused.keys) == ["1"])
      #expect(try articles.value("1") == "good")
      #expect(try articles.state("1") == .stale)
      #expect(try await temporary.store.due(limit: 9).map(\.key) == ["1"])
    }
  }

  @Test func `a member that waits for its first fetch is fetched after its local write is dropped`()
    async throws
  {
    try await withArticles { temporary, articles in
      _ = try await articles.follow("all") { _ in .full(["1": .named], cursor: "1") }
      let entry = try await articles.write("mine", for: "1")

      try await temporary.store.drop([entry.id])

      #expect(try articles.value("1") == nil)
      #expect(try await temporary.store.due(limit: 9).map(\.key) == ["1"])
    }
  }
}

extension ListLandingTests {
  @Test func `a list whose member is removed during a request comes whole the next time`()
    async throws
  {
    try await withArticles { _, articles in
      _ = try await articles.follow("all") { _ in .full(["1": .value("a")], cursor: "1") }

      _ = try await articles.follow("all") { _ in
        try await articles.remove("1")
        return .delta([:], removals: [], cursor: "2")
      }
      _ = try await articles.follow("all") { previous in
        previous.cursor == nil ? .full(["1": .value("a")], cursor: "3") : .notModified
      }

      #expect(try articles.value("1") == "a")
    }
  }

  @Test func `a removal in a list does not undo a push that was accepted while it was under route`()
    async throws
  {
    try await withArticles { temporary, articles in
      _ = try await articles.follow("all") { _ in .full(["1": .value("a")], cursor: "1") }
      try await articles.write("mine", for: "1")

      _ = try await articles.follow("all") { _ in
        try await articles.drain { _ in .accepted }
        return .delta([:], removals: ["1"], cursor: "2")
      }

      #expect(try articles.value("1") == "mine")
      #expect(try articles.state("1") == .stale)
      #expect(try await temporary.store.due(limit: 9).map(\.key) == ["1"])
    }
  }

  @Test(arguments: [true, false])
  func `a list does not restore a removed record as fresh`(all: Bool) async throws {
    try await withArticles { _, articles in
      try await articles.put("old", for: "1")
      _ = try await follow(articles, .full(["1": .value("old")], cursor: "2")) {
        if all { try await articles.removeAll() } else { try await articles.remove("1") }
      }
      #expect(try articles.state("1") == .stale)
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

  /// Gets `1` from a source that answers only once `meanwhile` is done.
  private func get(
    _ articles: RecordCollection<String>, _ answer: Fetched<String>,
    _ meanwhile: () async throws -> Void
  ) async throws {
    let (sent, answers) = (Signal(), Signal())
    let getting = Task {
      try await articles.get("1", policy: .sourceFirst) { _ in
        sent.fire()
        await answers.fired()
        return answer
      }
    }
    await sent.fired()
    try await meanwhile()
    answers.fire()
    do { _ = try await getting.value } catch { #expect(error is GetError) }
  }

  @Test func `a get during a list does not restore a record that the list removes`()
    async throws
  {
    try await withArticles { temporary, articles in
      _ = try await articles.follow("all") { _ in .full(["1": .value("a")], cursor: "1") }
      let (asked, lands) = (Signal(), Signal())
      let following = Task {
        try await articles.follow("all") { _ in
          asked.fire()
          await lands.fired()
          return .delta([:], removals: ["1"], cursor: "2")
        }
      }
      await asked.fired()
      try await get(articles, .value("a")) {
        lands.fire()
        let followed = try await following.value
        #expect(followed.removed == ["1"])
      }

      #expect(try articles.state("1") == .stale)
      #expect(try await temporary.store.due(limit: 9).map(\.key) == ["1"])
    }
  }

  @Test(arguments: [SourceListChange<String>.full([:], cursor: "2"), .full([:], cursor: nil)])
  func `a get from before a list does not restore a record that the list removes`(
    change: SourceListChange<String>
  ) async throws {
    try await withArticles { _, articles in
      _ = try await articles.follow("all") { _ in .full(["1": .value("a")], cursor: "1") }
      try await articles.remove("1")
      try await get(articles, .value("a")) { _ = try await articles.follow("all") { _ in change } }

      #expect(try articles.state("1") == .missing)
    }
  }

  @Test func `a get from before a list stores nothing where the list removes the record`()
    async throws
  {
    try await withArticles { _, articles in
      _ = try await articles.follow("all") { _ in .full(["1": .value("a")], cursor: "1") }
      try await get(articles, .value("a")) {
        _ = try await articles.follow("all") { _ in
          .delta([:], removals: ["1"], cursor: "2")
        }
      }

      #expect(try articles.state("1") == .missing)
    }
  }

  @Test func `an absence from before a list that names the member is checked again`() async throws {
    try await withArticles { temporary, articles in
      try await get(articles, .gone(FetchDetails(expiry: .never))) {
        let followed = try await articles.follow("all") { _ in
          .delta(["1": .named], removals: [], cursor: "1")
        }
        #expect(followed.queued == ["1"])
      }

      #expect(try articles.state("1") == .missing)
      #expect(try await temporary.store.due(limit: 9).map(\.key) == ["1"])
    }
  }

  @Test func `a value requested before a list names its key is fresh`() async throws {
    try await withArticles { _, articles in
      try await get(articles, .value("a")) {
        _ = try await articles.follow("all") { _ in
          .delta(["1": .named], removals: [], cursor: "1")
        }
      }

      #expect(try articles.state("1") == .fresh)
    }
  }

  @Test(arguments: [Expiry?.none, .never])
  func `a member that a list names while a push finds it gone is fetched`(
    negativeExpiry: Expiry?
  ) async throws {
    try await withArticles { temporary, articles in
      var policy = Policy()
      policy.negativeExpiry = negativeExpiry
      try await articles.write("mine", for: "1")
      try await articles.drain(policy: policy, conflicts: .serverWins) { _ in
        _ = try await articles.follow("all") { _ in
          .delta(["1": .named], removals: [], cursor: "1")
        }
        return .conflict(.gone)
      }

      #expect(try articles.state("1") == .missing)
      #expect(try await temporary.store.due(limit: 9).map(\.key) == ["1"])
    }
  }

  @Test(arguments: [ListMember<String>.value("b"), .named, .changed])
  func `a key that a list both removes and contains exists`(member: ListMember<String>) async throws
  {
    try await withArticles { temporary, articles in
      _ = try await articles.follow("all") { _ in .full(["1": .value("a")], cursor: "1") }
      let followed = try await articles.follow("all") { _ in
        .delta(["1": member], removals: ["1"], cursor: "2")
      }

      #expect(followed.removed == [])
      #expect(try articles.members(of: "all") == ["1"])
      #expect(try articles.value("1") != nil)
    }
  }

  @Test func `a source without cursors is asked for the whole list after a removal`() async throws {
    try await withArticles { _, articles in
      _ = try await articles.follow("all") { _ in .full(["1": .value("a")], cursor: nil) }
      let times = Recorder<Timestamp?>()
      try await articles.remove("1")
      for _ in 0..<2 {
        _ = try await articles.follow("all") { previous in
          times.add(previous.lastUpdate)
          return previous.lastUpdate == nil ? .full(["1": .value("a")], cursor: nil) : .notModified
        }
      }

      #expect(try articles.value("1") == "a")
      #expect(times.all.first == .some(nil) && times.all.last != .some(nil))
    }
  }

  @Test func `a removal while a source without cursors is asked leads to a whole list`()
    async throws
  {
    try await withArticles { _, articles in
      _ = try await articles.follow("all") { _ in .full(["1": .value("a")], cursor: nil) }
      _ = try await articles.follow("all") { _ in
        try await articles.remove("1")
        return .notModified
      }
      _ = try await articles.follow("all") { previous in
        previous.lastUpdate == nil ? .full(["1": .value("a")], cursor: nil) : .notModified
      }

      #expect(try articles.value("1") == "a")
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

  @Test(arguments: [3600, 3])
  func `a clock that is set while a list waits to be stored makes no member younger`(
    step: Int
  ) async throws {
    try await withArticles { temporary, articles in
      let (store, asked) = (temporary.store, temporary.store.now())
      let (claim, _) = try store.storage.claimList(
        "all", in: articles.name, owner: store.owner, for: .seconds(60), now: asked)
      guard case .granted(let lease) = claim else { throw NoAnswer() }
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
}
