import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

/// The state of a source as a synchronizer sees it before a request.
@Suite struct SourceStateTests {
  private static let cause = "\(OriginFailure(isUnreachable: true))"

  private func withArticles(
    origin: Origin? = nil,
    _ body: (TemporaryStore, RecordCollection<String>) async throws -> Void
  ) async throws {
    try await TemporaryStore.run(configure: { configuration in
      configuration.random = { 0.5 }
      configuration.breaker = BreakerPolicy(
        threshold: 2, minimumPause: .seconds(10), maximumPause: .seconds(60))
    }) { temporary in
      var policy = Policy()
      policy.origin = origin
      let articles = try temporary.store.collection("articles", of: String.self, policy: policy)
      try await body(temporary, articles)
    }
  }

  @Test func `a source without evidence is open`() async throws {
    try await withArticles(origin: "https://example.org:443") { _, articles in
      let state = try articles.sourceState()
      #expect(state == .open)
    }
  }

  @Test func `a source that is provably out of reach is offline, with the kernel's reason`()
    async throws
  {
    try await withArticles { temporary, articles in
      temporary.reachability.set(.offline("unplugged"))
      let state = try articles.sourceState()
      #expect(state == .offline("unplugged"))
    }
  }

  @Test(arguments: [
    (JudgementContext.ReachabilityHandling.ignore, SourceState.open),
    (.assume(.online), .open), (.assume(.offline("assumed")), .offline("assumed")),
  ])
  func `a policy's statement about the network overrides the evidence`(
    handling: JudgementContext.ReachabilityHandling, state: SourceState
  ) async throws {
    try await withArticles { temporary, articles in
      let silent = ScriptedOrigin<String> { _ in throw OriginFailure(isUnreachable: true) }
      _ = await articles.failure("1", from: silent)
      temporary.reachability.set(.offline("unplugged"))
      var policy = Policy()
      policy.reachability = handling
      let found = try articles.sourceState(policy: policy)
      #expect(found == state)
    }
  }

  @Test func `a suspected route is left alone for a while, then one attempt is a trial`()
    async throws
  {
    try await withArticles { temporary, articles in
      let silent = ScriptedOrigin<String> { _ in throw OriginFailure(isUnreachable: true) }
      _ = await articles.failure("1", from: silent)
      let until = temporary.clock.reading().wall.advanced(by: .milliseconds(500))
      #expect(try articles.sourceState() == .paused(until: until, reason: Self.cause))
      temporary.clock.advance(by: .milliseconds(499))
      #expect(try articles.sourceState() == .paused(until: until, reason: Self.cause))
      temporary.clock.advance(by: .milliseconds(1))
      #expect(try articles.sourceState() == .trial)
      silent.answer { _ in .value("one") }
      try await articles.get("1", from: silent)
      #expect(try articles.sourceState() == .open)
    }
  }

  /// A collection whose origin has just failed as often as its breaker allows.
  private func withDownOrigin(
    _ body: (TemporaryStore, RecordCollection<String>, ScriptedOrigin<String>) async throws -> Void
  ) async throws {
    try await withArticles(origin: "https://example.org:443") { temporary, articles in
      let failing = ScriptedOrigin<String> { _ in throw OriginFailure() }
      for key in ["1", "2"] { _ = await articles.failure(key, from: failing) }
      try await body(temporary, articles, failing)
    }
  }

  @Test func `a failing origin is left alone for a while, then one attempt is a trial`()
    async throws
  {
    try await withDownOrigin { temporary, articles, origin in
      let until = temporary.clock.reading().wall.advanced(by: .seconds(10))
      let paused = SourceState.paused(
        until: until, reason: "https://example.org:443 keeps failing")
      #expect(try articles.sourceState() == paused)
      temporary.clock.advance(by: .milliseconds(9999))
      #expect(try articles.sourceState() == paused)
      temporary.clock.advance(by: .milliseconds(1))
      #expect(try articles.sourceState() == .trial)
      origin.answer { _ in .value("one") }
      try await articles.get("1", from: origin)
      #expect(try articles.sourceState() == .open)
    }
  }

  @Test(arguments: [(50_000, true), (50_001, false)])
  func `a clock that was set back pauses no origin for longer than the longest pause`(
    back: Int, isPaused: Bool
  ) async throws {
    try await withDownOrigin { temporary, articles, _ in
      temporary.clock.stepWall(by: .milliseconds(-back))
      let state = try articles.sourceState()
      #expect((state == .trial) == !isPaused)
    }
  }
}
