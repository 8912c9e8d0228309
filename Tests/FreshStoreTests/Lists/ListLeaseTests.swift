import FreshStore
import FreshStoreTesting
import Rules
import StoreSupport
import Strategies
import Testing

/// The right to follow a list.
@Suite(.timeLimit(.minutes(1))) struct ListLeaseTests: ArticleSuite {
  @Test func `a second question to the source keeps the right to follow`() async throws {
    try await withArticles { temporary, articles in
      let there = try temporary.another()
      let others = try there.collection("articles", of: String.self)
      _ = try await articles.follow("all") { _ in .full(["1": .named], cursor: "old") }
      let refusals = Recorder<GetError.Code>()

      let followed = try await articles.follow("all") { previous in
        temporary.clock.advance(by: .seconds(20))
        guard previous.cursor == nil else { return .expiredCursor }
        do {
          _ = try await others.follow("all") { _ in .notModified }
        } catch let error as GetError {
          refusals.add(error.code)
        }
        return .full(["2": .named], cursor: "new")
      }
      try await there.close()

      #expect(refusals.all == [.store])
      #expect(followed.removed == ["1"])
      #expect(try articles.members(of: "all") == ["2"])
    }
  }

  @Test func `the right to follow a list lasts for as long as its members' rules take`()
    async throws
  {
    try await withArticles { temporary, articles in
      let there = try temporary.another()
      let others = try there.collection("articles", of: String.self)
      let refusals = Recorder<GetError.Code>()
      let ruled = articles.admitting(
        awaiting: AsyncRule(code: "never") { _ in
          temporary.clock.advance(by: .seconds(20))
          do throws(GetError) {
            _ = try await others.follow("all") { _ in .notModified }
          } catch {
            refusals.add(error.code)
          }
          return true
        })

      let followed = try await ruled.follow("all") { _ in
        temporary.clock.advance(by: .seconds(20))
        return .full(["1": .value("one")], cursor: "new")
      }
      try await there.close()

      #expect(refusals.all == [.store])
      #expect(followed.stored == ["1"])
    }
  }

  @Test func `a list of a collection with an unusual name is stored under that name`() async throws
  {
    try await TemporaryStore.run { temporary in
      let texts = try temporary.store.collection("\u{301}x", of: String.self)
      _ = try await texts.follow("all") { _ in .full(["a": .value("1")], cursor: nil) }

      #expect(try texts.members(of: "all") == ["a"])
      #expect(try texts.value("a") == "1")
    }
  }

  @Test func `a failure that is an answer closes the breaker`() async throws {
    var policy = Policy()
    policy.origin = "api"
    try await withArticles(
      policy,
      configure: { configuration in
        configuration.random = { 0.5 }
        configuration.breaker = BreakerPolicy(threshold: 2, minimumPause: .seconds(10))
      }
    ) { temporary, articles in
      func fail(_ failure: OriginFailure) async {
        await #expect(throws: GetError.self) {
          _ = try await articles.follow("all") { _ in throw failure }
        }
      }
      for _ in 0..<2 { await fail(OriginFailure()) }
      let open = try articles.explain("1").originIsDownUntil
      temporary.clock.advance(by: .seconds(20))
      await fail(OriginFailure(blamesOrigin: false))

      #expect(open != nil)
      #expect(try temporary.store.backlog().failingOrigins.isEmpty)
    }
  }
}
