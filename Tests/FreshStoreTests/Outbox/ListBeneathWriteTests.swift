import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

/// The statements of a list about a record with waiting local writes are not forgotten.
@Suite struct ListBeneathWriteTests: ArticleSuite {
  private struct NoAnswer: Error {}

  private func version(_ number: Int) -> FetchDetails {
    FetchDetails(validators: Validators(entityTag: "\"\(number)\""))
  }

  /// The source accepted the write, and the answer was lost.
  private func loseAnswer(
    _ temporary: TemporaryStore, _ articles: RecordCollection<String>
  ) async throws {
    try await articles.drain { _ in throw NoAnswer() }
    temporary.clock.advance(by: .seconds(60))
  }

  @Test(arguments: [
    SourceListChange.delta(["1": .value("theirs")], removals: [], cursor: "3"),
    .delta(["1": .changed], removals: [], cursor: "3"),
    .delta([:], removals: ["1"], cursor: "3"),
  ])
  func `an answer to a repeated write does not undo a list's newer statement`(
    _ change: SourceListChange<String>
  ) async throws {
    try await withArticles { temporary, articles in
      try await articles.put("old", for: "1", details: version(1))
      try await articles.write("mine", for: "1")
      try await loseAnswer(temporary, articles)
      _ = try await articles.follow("all") { _ in change }

      try await articles.drain { _ in .accepted(version(2)) }

      #expect(try articles.value("1") == "mine")
      #expect(try articles.state("1") == .stale)
      #expect(try await temporary.store.due(limit: 9).map(\.key) == ["1"])
    }
  }

  @Test func `the answer to a write that was sent once is newer than the list`() async throws {
    try await withArticles { temporary, articles in
      try await articles.put("old", for: "1", details: version(1))
      try await articles.write("mine", for: "1")
      _ = try await articles.follow("all") { _ in .full(["1": .value("theirs")], cursor: "3") }

      try await articles.drain { _ in .accepted(version(4)) }

      #expect(try articles.state("1") == .fresh)
    }
  }

  @Test func `a creation that is cancelled out leaves the list's value to be fetched`()
    async throws
  {
    try await withArticles { temporary, articles in
      try await articles.write("mine", for: "1", as: .create)
      _ = try await articles.follow("all") { _ in .full(["1": .value("theirs")], cursor: "3") }

      let entry = try await articles.writeDeletion(
        of: "1", options: WriteOptions(coalesces: true))

      #expect(entry == nil)
      #expect(try await temporary.store.due(limit: 9).map(\.key) == ["1"])
    }
  }

  @Test func `a member unknown to its source is fetched once the local write is gone`()
    async throws
  {
    try await withArticles { temporary, articles in
      await #expect(throws: GetError.self) {
        _ = try await articles.get("1") { _ in .gone(FetchDetails(expiry: .never)) }
      }
      try await articles.write("mine", for: "1", as: .create)
      _ = try await articles.follow("all") { _ in .full(["1": .named], cursor: "3") }
      try await articles.writeDeletion(of: "1", options: WriteOptions(coalesces: true))

      #expect(try articles.state("1") != .absent)
      #expect(try await temporary.store.due(limit: 9).map(\.key) == ["1"])
    }
  }

  @Test func `a local deletion does not lead to a fetch of a listed member`() async throws {
    try await withArticles { temporary, articles in
      try await articles.put("old", for: "1", details: FetchDetails(expiry: .never))
      try await articles.writeDeletion(of: "1")
      _ = try await articles.follow("all") { _ in .full(["1": .named], cursor: "3") }
      try await articles.drain(conflicts: .serverWins) { _ in
        .conflict(.value("old", FetchDetails(expiry: .never)))
      }

      #expect(try articles.state("1") == .fresh)
    }
  }

  @Test func `a list is followed again when the wall clock was set back before its last time`()
    async throws
  {
    try await withArticles { temporary, articles in
      _ = try await articles.follow("all") { _ in .full([:], cursor: "3") }
      let planned = try articles.listDue("all")

      temporary.clock.stepWall(by: .seconds(-86_400))

      #expect(try articles.listDue("all") == temporary.clock.reading().wall)
      #expect(planned == temporary.clock.reading().wall.advanced(by: .seconds(86_400 + 300)))
    }
  }
}
