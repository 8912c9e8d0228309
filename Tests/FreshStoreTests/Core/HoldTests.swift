import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// Origins that nobody asks until somebody is signed in.
@Suite struct HoldTests {
  private static let origin: Origin = "https://example.org:443"

  private func withArticles(
    _ policy: Policy = .offlineFirst,
    _ body: (TemporaryStore, RecordCollection<String>) async throws -> Void
  ) async throws {
    try await TemporaryStore.run(configure: { $0.random = { 0.5 } }) { temporary in
      let articles = try temporary.store.collection(
        "articles", of: String.self, policy: policy.origin(Self.origin))
      try await body(temporary, articles)
    }
  }

  private static func signedOut() -> ScriptedOrigin<String> {
    ScriptedOrigin { _ in
      throw OriginFailure(blamesOrigin: false, wasAnswered: false, needsSignIn: true)
    }
  }

  @Test func `a fetch that finds nobody signed in holds its origin, and counts as no failure`()
    async throws
  {
    try await withArticles { temporary, articles in
      let origin = Self.signedOut()
      let first = await articles.failure("1", from: origin)
      let second = await articles.failure("2", from: origin)

      #expect(first?.fetchFailure?.code == .held && second?.fetchFailure?.code == .held)
      #expect(origin.calls == 1)
      #expect(try temporary.store.failures(of: Self.origin.name) == 0)
      #expect(try articles.explain("1").decision.failures == 0)
      #expect(try temporary.store.holds().keys.map(\.name) == [Self.origin.name])
      #expect(try articles.explain("2").refusal?.code == .held)
      guard case .held = try articles.sourceState() else {
        Issue.record("not held")
        return
      }
    }
  }

  @Test func `a held origin is asked by no other store, nor after a restart, until it is released`()
    async throws
  {
    try await withArticles { temporary, articles in
      try await temporary.store.hold(Self.origin, because: "nobody is signed in")
      let other = try temporary.another()
      let there = try other.collection(
        "articles", of: String.self, policy: .offlineFirst.origin(Self.origin))
      let origin = ScriptedOrigin<String> { _ in .value("news") }
      temporary.clock.advance(by: .days(2))
      let refused = await there.failure("1", from: origin)

      let isReleased = try await other.endPause(origin: Self.origin)
      let answer = try await articles.get("1", from: origin)

      #expect(refused?.fetchFailure?.code == .held && origin.calls == 1)
      #expect(refused?.description.contains("nobody is signed in") == true)
      #expect(isReleased && answer.value == "news")
      #expect(try temporary.store.holds().isEmpty)
      try await other.close()
    }
  }

  @Test(arguments: [
    Policy.Mode.cacheFirst, .sourceFirst, .sourceOnly, .cacheOnly(allowsStale: true), .bypass,
  ])
  func `a held origin is asked by no get of any mode`(_ mode: Policy.Mode) async throws {
    try await withArticles { temporary, articles in
      try await temporary.store.hold(Self.origin, because: "nobody is signed in")
      let origin = ScriptedOrigin<String> { _ in .value("news") }
      var policy = articles.policy.mode(mode)
      let failure = await articles.failure("1", policy, from: origin)
      #expect(origin.calls == 0)
      if mode != .cacheOnly(allowsStale: true) { #expect(failure?.fetchFailure?.code == .held) }
      guard mode == .bypass else { return }
      policy.origin = "https://other.example"
      #expect(try await articles.get("1", policy, from: origin).value == "news")
    }
  }

  @Test func `a held origin is not asked while nothing can be written`() async throws {
    try await withArticles { temporary, articles in
      try await temporary.store.hold(Self.origin, because: "nobody is signed in")
      let origin = ScriptedOrigin<String> { _ in .value("news") }
      var configuration = temporary.store.configuration
      configuration.busyTimeout = .milliseconds(20)
      let busy = try Store(path: temporary.path, configuration: configuration)
      let there = try busy.collection(
        "articles", of: String.self, policy: .offlineFirst.origin(Self.origin))
      let raw = try RawDatabase(temporary.path)
      try raw.execute("BEGIN IMMEDIATE")

      let refused = await there.failure("1", from: origin)

      try raw.execute("ROLLBACK")
      #expect(refused?.fetchFailure?.code == .held, "\(String(describing: refused))")
      #expect(origin.calls == 0)
      try await busy.close()
    }
  }

  @Test func `a copy stands in while its origin is held`() async throws {
    try await withArticles { temporary, articles in
      try await articles.put("old", for: "1")
      temporary.clock.advance(by: .hours(1))
      try await temporary.store.hold(Self.origin, because: "nobody is signed in")
      let origin = ScriptedOrigin<String> { _ in .value("new") }

      let byStore = try await articles.get("1", from: origin)
      let bySource = try await articles.get(
        "1", Policy.sourceFirst.origin(Self.origin), from: origin)

      #expect(byStore.value == "old" && bySource.value == "old" && origin.calls == 0)
      #expect(bySource.fetchFailure?.code == .held)
    }
  }

  @Test func `an answer to an earlier request, or its failure, ends no hold`() async throws {
    try await withArticles { temporary, articles in
      let (good, bad) = (
        ScriptedOrigin<String> { _ in .value("news") },
        ScriptedOrigin<String> { _ in throw OriginFailure() }
      )
      for origin in [good, bad] { origin.hold() }
      async let answer = articles.get("1", from: good)
      async let failure = articles.failure("2", from: bad)
      for origin in [good, bad] { await origin.calls(atLeast: 1) }
      try await temporary.store.hold(Self.origin, because: "nobody is signed in")
      for origin in [bad, good] { origin.release() }

      #expect(await failure?.fetchFailure?.code == .thrown)
      #expect(try await answer.value == "news")
      #expect(try temporary.store.holds().count == 1)
    }
  }

  @Test func `somebody who signs in during an attempt is not held by its outdated failure`()
    async throws
  {
    try await withArticles { temporary, articles in
      let origin = Self.signedOut()
      origin.hold()
      async let failure = articles.failure("1", from: origin)
      await origin.calls(atLeast: 1)
      try await temporary.store.endPause(origin: Self.origin)
      origin.release()

      #expect(await failure?.fetchFailure?.code == .thrown)
      #expect(try temporary.store.holds().isEmpty)
    }
  }

  @Test func `without an origin in the policy it is an ordinary failure`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let failure = await articles.failure("1", from: Self.signedOut())

      #expect(failure?.fetchFailure?.code == .thrown)
      #expect(try articles.explain("1").decision.failures == 1)
      #expect(try temporary.store.holds().isEmpty)
    }
  }

  @Test func `a list of a held origin is not asked for, and its failure is not noted`() async throws
  {
    try await withArticles { temporary, articles in
      let asked = Asked()
      for _ in 0..<2 {
        await #expect(throws: GetError.self) {
          try await articles.follow("all") { _ in
            asked.note(["all"])
            throw OriginFailure(blamesOrigin: false, wasAnswered: false, needsSignIn: true)
          }
        }
      }
      #expect(asked.batches.count == 1)
      let state = try temporary.store.storage.listState("all", in: "articles")
      #expect(state == nil)
    }
  }

  @Test func `a refresh by hand asks all the same, and ending all pauses ends the hold`()
    async throws
  {
    try await withArticles { temporary, articles in
      try await temporary.store.hold(Self.origin, because: "nobody is signed in")
      let refreshed = try await articles.refresh("1") { _ in .value("new") }
      #expect(refreshed.value == "new")
      #expect(try temporary.store.holds().count == 1)
      #expect(try await temporary.store.endPauses() == 1)
      #expect(try temporary.store.holds().isEmpty)
    }
  }
}
