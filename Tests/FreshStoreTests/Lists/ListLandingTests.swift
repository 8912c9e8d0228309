import FreshStoreTesting
import Rules
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// The results of a list and of other questions that are in flight at the same time.
@Suite(.timeLimit(.minutes(1))) struct ListLandingTests: ListSuite {
  private struct NoAnswer: Error {}

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

  @Test(arguments: [Expiry?.none, .never], [true, false])
  func `a late list does not bring back an object that was deleted at its source`(
    negativeExpiry: Expiry?, isWhole: Bool
  ) async throws {
    try await withArticles { temporary, articles in
      var policy = Policy()
      policy.negativeExpiry = negativeExpiry
      _ = try await articles.follow("all") { _ in .full(["1": .value("old")], cursor: "1") }
      try await articles.writeDeletion(of: "1")
      let members = ["1": ListMember<String>.value("old")]
      let answer =
        isWhole
        ? SourceListChange<String>.full(members, cursor: "2")
        : .delta(members, removals: [], cursor: "2")

      let followed = try await follow(articles, answer) {
        try await articles.drain(policy: policy) { _ in .accepted }
      }

      #expect(followed.stored.isEmpty && followed.queued == ["1"])
      #expect(try articles.value("1") == nil)
      #expect(try await temporary.store.due(limit: 9).map(\.key) == ["1"])
    }
  }

  @Test func `a late list does not bring back what a conflict showed to be kept nowhere`()
    async throws
  {
    try await withArticles { temporary, articles in
      _ = try await articles.follow("all") { _ in .full(["1": .value("old")], cursor: "1") }
      try await articles.write("mine", for: "1")

      let followed = try await follow(
        articles, .delta(["1": .value("old")], removals: [], cursor: "2")
      ) {
        try await articles.drain(conflicts: .serverWins) { _ in
          .conflict(.value("theirs", FetchDetails(isStorable: false)))
        }
      }

      #expect(followed.stored.isEmpty && followed.queued == ["1"])
      #expect(try articles.value("1") == nil)
      #expect(try await temporary.store.due(limit: 9).map(\.key) == ["1"])
    }
  }

  @Test(arguments: [
    Fetched<String>.gone, .gone(FetchDetails(isStorable: false)),
    .value("theirs", FetchDetails(isStorable: false)),
  ])
  func `a late list does not take the place of what a fetch meanwhile did not keep`(
    answer: Fetched<String>
  ) async throws {
    try await withArticles { temporary, articles in
      let followed = try await follow(articles, .full(["1": .value("old")], cursor: "1")) {
        try await get(articles, answer) {}
      }

      #expect(followed.stored.isEmpty && followed.queued == ["1"])
      #expect(try articles.value("1") == nil)
      #expect(try await temporary.store.due(limit: 9).map(\.key) == ["1"])
    }
  }

  @Test func `a list that was asked for after a deletion brings the object back`() async throws {
    try await withArticles { _, articles in
      _ = try await articles.follow("all") { _ in .full(["1": .value("old")], cursor: "1") }
      try await articles.writeDeletion(of: "1")

      _ = try await follow(articles, .delta(["1": .value("old")], removals: [], cursor: "2")) {
        try await articles.drain { _ in .accepted }
        _ = try await articles.follow("other") { _ in .full(["1": .value("new")], cursor: "1") }
        #expect(try articles.state("1") == .fresh)
      }

      #expect(try articles.value("1") == "new")
      #expect(try articles.state("1") == .stale)
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
}
