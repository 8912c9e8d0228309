import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

/// The state of a record and its outbox after a conflict.
@Suite struct ResolutionTests: ArticleSuite {
  private func writeTwice(_ articles: RecordCollection<String>) async throws {
    for name in ["a", "b"] {
      try await articles.write(
        name, for: "1",
        options: WriteOptions(
          tags: [name], address: "https://\(name)/1", contentType: "text/\(name)"))
    }
  }

  @Test func `a resolution is sent to the address of the last write`() async throws {
    try await withArticles { temporary, articles in
      let sent = Sent<String>()
      try await writeTwice(articles)
      let outcomes = try await articles.drain(conflicts: .clientWins) { write in
        sent.add(write)
        return .conflict(.value("theirs"))
      }

      #expect(sent.all.map(\.value) == ["a"])
      #expect(outcomes["1"]?.until == temporary.clock.reading().wall)
      let due = try await temporary.store.dueWrites(limit: 9)
      #expect(due.map(\.address) == ["https://b/1"])
    }
  }

  @Test func `a resolution is sent with the media type of the last write`() async throws {
    try await withArticles { _, articles in
      let sent = Sent<String>()
      try await writeTwice(articles)
      try await articles.drain(conflicts: .clientWins) { _ in .conflict(.value("theirs")) }
      try await articles.drain { write in
        sent.add(write)
        return .accepted
      }

      #expect(sent.all.map(\.value) == ["b"])
      #expect(sent.all.map(\.contentType) == ["text/b"])
    }
  }

  @Test func `a resolution has the tags of the last write`() async throws {
    try await withArticles { _, articles in
      try await writeTwice(articles)
      try await articles.drain(conflicts: .clientWins) { _ in .conflict(.value("theirs")) }
      try await articles.drain { _ in .accepted }

      #expect(try articles.explain("1").tags == ["b"])
    }
  }

  // MARK: The server wins

  private static let never = FetchDetails(expiry: .never)

  @Test func `the source's version has the copy's tags, and none of the dropped write's`()
    async throws
  {
    try await withArticles { temporary, articles in
      try await articles.put("old", for: "1", details: FetchDetails(expiry: .never, tags: ["t"]))
      try await articles.write("new", for: "1", options: WriteOptions(tags: ["w"]))
      try await articles.drain(conflicts: .serverWins) { _ in
        .conflict(.value("theirs", Self.never))
      }

      try await temporary.store.markStale(tag: "w")
      #expect(try articles.state("1") == .fresh)
      try await temporary.store.markStale(tag: "t")
      #expect(try articles.state("1") == .stale)
    }
  }

  @Test func `the source's version has the copy's media type, not the dropped write's`()
    async throws
  {
    try await withArticles { _, articles in
      try await articles.put("old", for: "1", details: FetchDetails(contentType: "text/old"))
      try await articles.write("new", for: "1", options: WriteOptions(contentType: "text/new"))
      try await articles.drain(conflicts: .serverWins) { _ in .conflict(.value("theirs")) }

      #expect(try articles.explain("1").contentType == "text/old")
    }
  }

  // MARK: Unstorable versions

  @Test func `the source's version is not stored where the source forbids it`() async throws {
    try await withArticles { temporary, articles in
      try await articles.put("old", for: "1")
      try await articles.write("new", for: "1")
      try await articles.drain(conflicts: .serverWins) { _ in
        .conflict(.value("secret", FetchDetails(isStorable: false)))
      }

      #expect(try articles.value("1") == nil)
      #expect(try temporary.store.list().isEmpty)
    }
  }

  @Test func `an unstorable version of the source is not the base of the next write`() async throws
  {
    try await withArticles { _, articles in
      let sent = Sent<String>()
      try await articles.write("new", for: "1")
      try await articles.drain(conflicts: .clientWins) { write in
        sent.add(write)
        return sent.all.count > 1
          ? .accepted : .conflict(.value("secret", FetchDetails(isStorable: false)))
      }

      #expect(sent.all.count == 2)
      #expect(sent.last?.base == nil)
    }
  }

  @Test func `an absence at the source is not stored where the source forbids it`() async throws {
    var policy = Policy()
    policy.negativeExpiry = .never
    try await withArticles(policy) { temporary, articles in
      try await articles.write("new", for: "1")
      try await articles.drain(conflicts: .serverWins) { _ in
        .conflict(.gone(FetchDetails(isStorable: false)))
      }

      #expect(try temporary.store.list().isEmpty)
    }
  }

  @Test func `an absence at the source is known no longer than the source allows`() async throws {
    var policy = Policy()
    policy.negativeExpiry = .never
    try await withArticles(policy) { temporary, articles in
      var details = FetchDetails()
      details.maximumExpiry = .seconds(5)
      let gone = Pushed<String>.conflict(.gone(details))
      try await articles.write("new", for: "1")
      try await articles.drain(conflicts: .serverWins) { _ in gone }

      #expect(try articles.state("1") == .absent)
      temporary.clock.advance(by: .seconds(6))
      #expect(try articles.state("1") != .absent)
    }
  }

  @Test func `the source's version of a write is not stored where the source forbids it`()
    async throws
  {
    try await withArticles { _, articles in
      try await articles.write("mine", for: "1")
      let outcomes = try await articles.drain { _ in
        .acceptedAs("secret", FetchDetails(isStorable: false))
      }

      #expect(outcomes["1"]?.words.hasPrefix("accepted") == true)
      #expect(try articles.value("1") == "mine")
      #expect(try articles.state("1") == .stale)
    }
  }

  // MARK: Age

  @Test(arguments: [(Policy.AgeBase.request, Decision.Outcome.stale), (.response, .fresh)])
  func `a pushed value is as old as its question, unless the policy says otherwise`(
    base: Policy.AgeBase, outcome: Decision.Outcome
  ) async throws {
    var policy = Policy.cacheFirst.expiring(.after(.seconds(10)))
    policy.ageBase = base
    try await withArticles(policy) { temporary, articles in
      try await articles.write("mine", for: "1")
      try await articles.drain { _ in
        temporary.clock.advance(by: .seconds(20))
        return .acceptedAs("theirs", FetchDetails())
      }

      #expect(try articles.value("1") == "theirs")
      #expect(try articles.state("1") == outcome)
    }
  }

  @Test
  func `a clock that is set back while a conflict is resolved makes no value older or younger`()
    async throws
  {
    try await withArticles(.cacheFirst.expiring(.after(.seconds(10)))) { temporary, articles in
      let merge = ConflictPolicy<String>.merge { _ in
        temporary.clock.stepWall(by: .seconds(-36_000))
        return .remote
      }
      try await articles.write("mine", for: "1")
      try await articles.drain(conflicts: merge) { _ in .conflict(.value("theirs")) }

      #expect(try articles.state("1") == .fresh)
      temporary.clock.advance(by: .seconds(10))
      #expect(try articles.state("1") == .stale)
    }
  }
}
