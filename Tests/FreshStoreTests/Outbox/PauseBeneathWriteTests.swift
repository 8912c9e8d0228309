import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

/// A pause that a source has named outlives the local writes that cover its record.
@Suite struct PauseBeneathWriteTests: ArticleSuite {
  /// Whether a get asks the source.
  private func isAsked(_ articles: RecordCollection<String>) async -> Bool {
    let asked = Recorder<String>()
    _ = await articles.get(["1"]) { missing in
      for previous in missing { asked.add(previous.key) }
      return ["1": .value("theirs")]
    }
    return !asked.all.isEmpty
  }

  /// The source asks for a pause of an hour.
  private func pause(_ articles: RecordCollection<String>) async {
    _ = await articles.get(["1"]) { _ in throw OriginFailure(retryAfter: .seconds(3600)) }
  }

  @Test(arguments: [nil, "old"])
  func `a dropped local write does not end the pause`(_ copy: String?) async throws {
    try await withArticles { temporary, articles in
      if let copy {
        try await articles.put(copy, for: "1", details: FetchDetails(expiry: .immediately))
      }
      await pause(articles)
      let entry = try await articles.write("mine", for: "1")
      try await temporary.store.drop([entry.id])

      #expect(await isAsked(articles) == false)
      temporary.clock.advance(by: .seconds(3600))
      #expect(await isAsked(articles))
    }
  }

  @Test func `a mark beneath the local write does not end the pause`() async throws {
    try await withArticles { temporary, articles in
      try await articles.put("old", for: "1", details: FetchDetails(expiry: .immediately))
      await pause(articles)
      let entry = try await articles.write("mine", for: "1")
      try await articles.markStale("1")
      try await temporary.store.drop([entry.id])

      #expect(await isAsked(articles) == false)
      #expect(try await temporary.store.due(limit: 9).isEmpty)
    }
  }

  @Test func `a write that the source accepted ends the pause of its record`() async throws {
    try await withArticles { temporary, articles in
      try await articles.put("old", for: "1", details: FetchDetails(expiry: .immediately))
      await pause(articles)
      _ = try await articles.write("first", for: "1")
      let second = try await articles.write("second", for: "1")
      #expect(try await articles.drain { _ in .accepted }["1"]?.words == "accepted first")
      try await articles.markStale("1")
      try await temporary.store.drop([second.id])

      #expect(try await temporary.store.due(limit: 9).map(\.key) == ["1"])
    }
  }

  @Test func `the pause keeps its length, although the wall clock is set meanwhile`() async throws {
    try await withArticles { temporary, articles in
      await pause(articles)
      let entry = try await articles.write("mine", for: "1")
      temporary.clock.stepWall(by: .seconds(-36_000))
      try await temporary.store.drop([entry.id])

      #expect(await isAsked(articles) == false)
      temporary.clock.advance(by: .seconds(3600))
      #expect(await isAsked(articles))
    }
  }

  @Test func `a member of a list waits for the end of the pause in the queue`() async throws {
    try await withArticles { temporary, articles in
      _ = try await articles.follow("all") { _ in .full(["1": .named], cursor: nil) }
      await pause(articles)
      let entry = try await articles.write("mine", for: "1")
      try await temporary.store.drop([entry.id])

      #expect(try await temporary.store.due(limit: 9).isEmpty)
      temporary.clock.advance(by: .seconds(3600))
      #expect(try await temporary.store.due(limit: 9).map(\.key) == ["1"])
    }
  }
}
