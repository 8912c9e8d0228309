import FreshStoreTesting
import Rules
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

@Suite struct BreakerTests {
  private static var guarded: Policy {
    var policy = Policy()
    policy.origin = "https://example.org:443"
    return policy
  }

  private func withStore(
    _ body: (TemporaryStore, RecordCollection<String>) async throws -> Void
  ) async throws {
    try await TemporaryStore.run(configure: { configuration in
      configuration.breaker = BreakerPolicy(
        threshold: 3, minimumPause: .seconds(10), maximumPause: .seconds(60))
      configuration.random = { 0.5 }
    }) { temporary in
      let articles = try temporary.store.collection(
        "articles", of: String.self, policy: Self.guarded)
      try await body(temporary, articles)
    }
  }

  @Test func `after the threshold no attempt is made until the pause is over`() async throws {
    try await withStore { temporary, articles in
      let origin = ScriptedOrigin<String> { _ in throw OriginFailure() }
      let start = temporary.clock.reading().wall
      for key in ["1", "2", "3"] { _ = await articles.failure(key, from: origin) }

      let refused = await articles.failure("4", from: origin)
      temporary.clock.advance(by: .milliseconds(9999))
      let still = await articles.failure("5", from: origin)

      let until = start.advanced(by: .seconds(10))
      let explained = try articles.explain("1").originIsDownUntil
      #expect(
        refused?.fetchFailure?.code == .originIsDown(until: until))
      #expect(still?.fetchFailure?.code == refused?.fetchFailure?.code)
      #expect(origin.calls == 3)
      #expect(explained == until)
    }
  }

  @Test func `after each pause one attempt is let through, and failures double the pause`()
    async throws
  {
    try await withStore { temporary, articles in
      let origin = ScriptedOrigin<String> { _ in throw OriginFailure() }
      for key in ["1", "2", "3"] { _ = await articles.failure(key, from: origin) }

      temporary.clock.advance(by: .seconds(10))
      for key in ["4", "5", "6"] { _ = await articles.failure(key, from: origin) }
      let afterFirst = origin.calls
      // The fourth failure: between 10 and 20 s, halfway by the random number.
      temporary.clock.advance(by: .milliseconds(14_999))
      _ = await articles.failure("7", from: origin)
      let tooEarly = origin.calls
      temporary.clock.advance(by: .milliseconds(1))
      _ = await articles.failure("8", from: origin)

      #expect(afterFirst == 4)
      #expect(tooEarly == 4)
      #expect(origin.calls == 5)
    }
  }

  @Test func `an attempt that fails before its request is sent is no evidence about the origin`()
    async throws
  {
    try await withStore { temporary, articles in
      let origin = ScriptedOrigin<String> { _ in throw OriginFailure() }
      for key in ["1", "2", "3"] { _ = await articles.failure(key, from: origin) }
      temporary.clock.advance(by: .seconds(10))
      origin.answer { _ in throw OriginFailure(blamesOrigin: false, wasAnswered: false) }
      _ = await articles.failure("4", from: origin)
      let failures = try temporary.store.failures(of: "https://example.org:443")
      temporary.clock.advance(by: .seconds(10))
      origin.answer { _ in throw OriginFailure(blamesOrigin: false) }
      _ = await articles.failure("5", from: origin)

      #expect(failures == 3 && origin.calls == 5)
      #expect(try temporary.store.failures(of: "https://example.org:443") == 0)
    }
  }

  @Test func `while the one attempt runs no other caller gets through`() async throws {
    try await withStore { temporary, articles in
      let latch = Latch(isOpen: false)
      let origin = ScriptedOrigin<String> { previous in
        if previous.key == "4" { try await latch.pass() }
        throw OriginFailure()
      }
      for key in ["1", "2", "3"] { _ = await articles.failure(key, from: origin) }
      temporary.clock.advance(by: .seconds(10))

      async let probe = articles.failure("4", from: origin)
      await origin.calls(atLeast: 4)
      let other = await articles.failure("5", from: origin)
      latch.open()

      #expect(await probe?.fetchFailure?.code == .thrown)
      guard case .originIsDown = other?.fetchFailure?.code else {
        Issue.record("let through: \(String(describing: other))")
        return
      }
      #expect(origin.calls == 4)
    }
  }

  @Test func `a success closes the breaker`() async throws {
    try await withStore { temporary, articles in
      let origin = ScriptedOrigin<String> { _ in throw OriginFailure() }
      for key in ["1", "2", "3"] { _ = await articles.failure(key, from: origin) }
      temporary.clock.advance(by: .seconds(10))
      origin.answer { _ in .value("up") }

      try await articles.get("4", from: origin)
      try await articles.get("5", from: origin)

      #expect(try articles.explain("4").originIsDownUntil == nil)
      #expect(try temporary.store.statistics().failingOrigins == 0)
    }
  }

  @Test func `the breaker is shared by two stores and outlives both`() async throws {
    try await withStore { temporary, articles in
      let origin = ScriptedOrigin<String> { _ in throw OriginFailure() }
      let other = try temporary.another()
      let there = try other.collection("articles", of: String.self, policy: Self.guarded)
      for key in ["1", "2"] { _ = await articles.failure(key, from: origin) }
      _ = await there.failure("3", from: origin)

      let here = await articles.failure("4", from: origin)
      try await temporary.store.close()
      try await other.close()
      let again = try temporary.another()
      let later = try again.collection("articles", of: String.self, policy: Self.guarded)
      let reopened = await later.failure("5", from: origin)
      try await again.close()

      for failure in [here, reopened] {
        guard case .originIsDown = failure?.fetchFailure?.code else {
          Issue.record("let through: \(String(describing: failure))")
          continue
        }
      }
      #expect(origin.calls == 3)
    }
  }

  @Test func `other origins, and fetches without one, continue`() async throws {
    try await withStore { temporary, articles in
      let origin = ScriptedOrigin<String> { _ in throw OriginFailure() }
      for key in ["1", "2", "3"] { _ = await articles.failure(key, from: origin) }
      var elsewhere = Self.guarded
      elsewhere.origin = "https://example.net:443"

      _ = await articles.failure("4", elsewhere, from: origin)
      _ = await articles.failure("5", Policy(), from: origin)

      #expect(origin.calls == 5)
    }
  }

  @Test func `a value that breaks its rules does not count`() async throws {
    try await withStore { temporary, _ in
      let rule = Rule<String>(code: "short", message: "at most three letters") { $0.count <= 3 }
      let articles = try temporary.store.collection(
        "articles", policy: Self.guarded, admitting: rule)
      let origin = ScriptedOrigin<String> { _ in .value("too long") }

      for key in 1...5 { _ = await articles.failure("\(key)", from: origin) }
      let statistics = try temporary.store.statistics()

      #expect(origin.calls == 5)
      #expect(statistics.failingOrigins == 0)
    }
  }

  @Test func `an error that does not blame the origin does not count`() async throws {
    try await withStore { temporary, articles in
      let origin = ScriptedOrigin<String> { _ in throw OriginFailure(blamesOrigin: false) }

      for key in 1...5 { _ = await articles.failure("\(key)", from: origin) }
      let statistics = try temporary.store.statistics()

      #expect(origin.calls == 5)
      #expect(statistics.failingOrigins == 0)
    }
  }

  @Test func `a clock that was set back does not prolong the breaker's pause`() async throws {
    try await withStore { temporary, articles in
      let origin = ScriptedOrigin<String> { _ in throw OriginFailure() }
      for key in ["1", "2", "3"] { _ = await articles.failure(key, from: origin) }

      temporary.clock.stepWall(by: .seconds(-1_000_000))
      _ = await articles.failure("4", from: origin)
      #expect(origin.calls == 3)
      temporary.clock.advance(by: .seconds(300))
      _ = await articles.failure("5", from: origin)

      #expect(origin.calls == 4)
    }
  }

  @Test func `a failing origin is asked a few times a minute, whatever the load`() async throws {
    try await withStore { temporary, articles in
      let origin = ScriptedOrigin<String> { _ in throw OriginFailure() }
      for second in 0..<60 {
        for caller in 0..<5 { _ = await articles.failure("\(second)-\(caller)", from: origin) }
        temporary.clock.advance(by: .seconds(1))
      }

      #expect(origin.calls <= 3 + 6)
    }
  }

  @Test(arguments: [(1, 0), (2, 0), (3, 10), (4, 15), (5, 25), (6, 35), (50, 35)])
  func `the breaker's pauses`(_ failures: Int, _ seconds: Int) {
    let policy = BreakerPolicy(
      threshold: 3, minimumPause: .seconds(10), maximumPause: .seconds(60))
    #expect(policy.pause(afterFailures: failures, random: 0.5) == .seconds(seconds))
  }
}
