import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

@Suite(.timeLimit(.minutes(1))) struct FailureStateTests {
  private static var standing: Policy {
    var policy = Policy()
    policy.graceOnError = .unlimited
    policy.retryPause = .seconds(10)
    policy.maximumRetryPause = .seconds(100)
    return policy
  }

  @Test func `failures are counted and the next attempt outlives the store`() async throws {
    try await TemporaryStore.run(configure: { $0.random = { 0.5 } }) { temporary in
      let articles = try temporary.store.collection(
        "articles", of: String.self, policy: Self.standing)
      let origin = ScriptedOrigin<String> { _ in throw OriginFailure() }
      try await articles.put("one", for: "1")
      temporary.clock.advance(by: .seconds(300))

      try await articles.get("1", from: origin)
      try await temporary.store.close()
      let again = try temporary.another()
      let decision = try again.collection("articles", of: String.self).explain("1").decision
      try await again.close()

      #expect(decision.failures == 1)
      #expect(decision.nextAttempt == temporary.clock.reading().wall.advanced(by: .seconds(5)))
      #expect(decision.failure?.contains("OriginFailure") == true)
    }
  }

  @Test func `during the pause the copy is served and the source is left alone`() async throws {
    try await TemporaryStore.run(configure: { $0.random = { 0.5 } }) { temporary in
      let articles = try temporary.store.collection(
        "articles", of: String.self, policy: Self.standing)
      let origin = ScriptedOrigin<String> { _ in throw OriginFailure() }
      try await articles.put("one", for: "1")
      temporary.clock.advance(by: .seconds(300))

      try await articles.get("1", from: origin)
      let until = temporary.clock.reading().wall.advanced(by: .seconds(5))
      temporary.clock.advance(by: .milliseconds(4999))
      let paused = try await articles.get("1", from: origin)
      let explained = try articles.explain("1").action
      temporary.clock.advance(by: .milliseconds(1))
      try await articles.get("1", from: origin)

      #expect(paused.freshness == .staleOnError && paused.value == "one")
      #expect(paused.fetchFailure?.code == .pausing(until: until))
      #expect(explained == .standIn)
      #expect(origin.calls == 2)
    }
  }

  @Test func `a success resets the count`() async throws {
    try await TemporaryStore.run(configure: { $0.random = { 0 } }) { temporary in
      let articles = try temporary.store.collection(
        "articles", of: String.self, policy: Self.standing)
      let origin = ScriptedOrigin<String> { _ in throw OriginFailure() }
      try await articles.put("one", for: "1")
      temporary.clock.advance(by: .seconds(300))
      try await articles.get("1", from: origin)
      try await articles.get("1", from: origin)
      let failing = try articles.explain("1").decision.failures

      origin.answer { _ in .notModified }
      try await articles.get("1", from: origin)
      let decision = try articles.explain("1").decision

      #expect(failing == 2)
      #expect(decision.failures == 0 && decision.nextAttempt == nil && decision.failure == nil)
    }
  }

  @Test func `a key that was never fetched keeps its count, too`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in throw OriginFailure() }

      _ = await articles.failure("1", from: origin)
      temporary.clock.advance(by: .seconds(1))
      _ = await articles.failure("1", from: origin)
      let decision = try articles.explain("1").decision

      #expect(decision.failures == 2)
      #expect(decision.outcome == .missing && decision.cause == .neverFetched)
      #expect(try temporary.store.list().isEmpty)
    }
  }

  @Test(arguments: [
    (1, 0.0, 0), (1, 0.5, 5), (2, 0.5, 10), (3, 0.5, 20), (4, 0.5, 40), (5, 0.5, 50), (9, 0.5, 50),
    (200, 0.5, 50),
  ]) func `the pause doubles up to its limit, with full jitter`(
    _ failures: Int, _ random: Double, _ seconds: Int
  ) {
    let backoff = Backoff(base: .seconds(10), maximum: .seconds(100))
    #expect(backoff.pause(afterFailures: failures, random: random) == .seconds(seconds))
  }

  @Test(arguments: [0.0, 0.1, 0.5, 0.999_999])
  func `full jitter stays between zero and the longest pause`(_ random: Double) {
    let backoff = Backoff(base: .seconds(10), maximum: .seconds(100))
    for failures in 1...100 {
      let pause = backoff.pause(afterFailures: failures, random: random)
      #expect(pause >= .zero && pause <= backoff.longest(failures - 1))
      #expect(backoff.longest(failures - 1) <= .seconds(100))
    }
  }

  @Test func `a pause that the source names is respected`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection(
        "articles", of: String.self, policy: Self.standing)
      let origin = ScriptedOrigin<String> { _ in throw OriginFailure(retryAfter: .seconds(77)) }
      try await articles.put("one", for: "1")
      temporary.clock.advance(by: .seconds(300))

      try await articles.get("1", from: origin)

      #expect(
        try articles.explain("1").decision.nextAttempt
          == temporary.clock.reading().wall.advanced(by: .seconds(77)))
    }
  }

  @Test func `a named pause longer than the policy's longest is respected, too`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection(
        "articles", of: String.self, policy: Self.standing)
      let origin = ScriptedOrigin<String> { _ in throw OriginFailure(retryAfter: .seconds(3600)) }
      try await articles.put("one", for: "1")
      temporary.clock.advance(by: .seconds(300))

      try await articles.get("1", from: origin)
      for seconds in [1, 1799, 1799] {
        temporary.clock.advance(by: .seconds(seconds))
        try await articles.get("1", from: origin)
      }
      let during = origin.calls
      temporary.clock.advance(by: .seconds(1))
      try await articles.get("1", from: origin)

      #expect(during == 1)
      #expect(origin.calls == 2)
    }
  }

  @Test func `a clock that was set back does not prolong a pause`() async throws {
    try await TemporaryStore.run(configure: { $0.random = { 0.5 } }) { temporary in
      let articles = try temporary.store.collection(
        "articles", of: String.self, policy: Self.standing)
      let origin = ScriptedOrigin<String> { _ in throw OriginFailure() }
      try await articles.put("one", for: "1")
      temporary.clock.advance(by: .seconds(300))
      try await articles.get("1", from: origin)

      temporary.clock.stepWall(by: .seconds(-1_000_000))
      try await articles.get("1", from: origin)
      #expect(origin.calls == 1)
      temporary.clock.advance(by: .seconds(300))
      try await articles.get("1", from: origin)

      #expect(origin.calls == 2)
    }
  }

  @Test func `a put ends the failures of the record`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in throw OriginFailure() }
      _ = await articles.failure("1", from: origin)

      try await articles.put("one", for: "1")

      #expect(try articles.explain("1").decision.failures == 0)
      #expect(try temporary.store.statistics().collections.map(\.failing) == [0])
    }
  }

  @Test func `an answer that may not be stored resets the count and the pause`() async throws {
    try await TemporaryStore.run(configure: { $0.random = { 0.5 } }) { temporary in
      let articles = try temporary.store.collection(
        "articles", of: String.self, policy: Self.standing)
      try await articles.put("one", for: "1", details: FetchDetails(expiry: .immediately))
      _ = await articles.failure("1", from: ScriptedOrigin { _ in throw OriginFailure() })
      var byHand = Self.standing
      byHand.heedsPauses = false

      _ = try await articles.get("1", policy: byHand) { _ in
        .value("two", FetchDetails(isStorable: false))
      }

      let decision = try articles.explain("1").decision
      #expect(decision.failures == 0 && decision.nextAttempt == nil)
    }
  }

  @Test func `a record marked during an unstorable answer is due at once, whatever its pause`()
    async throws
  {
    try await TemporaryStore.run(configure: { $0.random = { 0.5 } }) { temporary in
      let articles = try temporary.store.collection(
        "articles", of: String.self, policy: Self.standing)
      try await articles.put("one", for: "1", details: FetchDetails(expiry: .immediately))
      _ = await articles.failure("1", from: ScriptedOrigin { _ in throw OriginFailure() })
      var byHand = Self.standing
      byHand.heedsPauses = false

      _ = try await articles.get("1", policy: byHand) { _ in
        try await articles.markStale("1")
        return .value("two", FetchDetails(isStorable: false))
      }

      #expect(try await temporary.store.due(limit: 1).map(\.key) == ["1"])
    }
  }

  @Test func `the offline grace holds for a store whose chain does not ask about the network`()
    async throws
  {
    try await TemporaryStore.run(configure: {
      $0.chain = [.invalidation(), .timestamp(), .default()]
    }) {
      temporary in
      let articles = try temporary.store.collection(
        "articles", of: String.self, policy: Self.standing)
      try await articles.put("one", for: "1", details: FetchDetails(expiry: .immediately))
      temporary.reachability.set(.offline("cut"))

      let answer = try await articles.get("1") { _ in .value("two") }

      #expect(answer.value == "one" && answer.fetchFailure?.code == .offline)
    }
  }

  @Test func `a get in a pause does not wait for writers`() async throws {
    try await TemporaryStore.run(configure: { configuration in
      configuration.random = { 0.5 }
      configuration.busyTimeout = .seconds(600)
    }) { temporary in
      let articles = try temporary.store.collection(
        "articles", of: String.self, policy: Self.standing)
      try await articles.put("one", for: "1", details: FetchDetails(expiry: .immediately))
      try await articles.get("1", from: ScriptedOrigin { _ in throw OriginFailure() })
      // Long enough for an update of the time in the file, without the writer.
      temporary.clock.stepWall(by: .seconds(2))
      let raw = try RawDatabase(temporary.path)
      try raw.execute("BEGIN IMMEDIATE")

      let answer = try await articles.get("1") { _ in .value("two") }

      try raw.execute("ROLLBACK")
      #expect(answer.value == "one" && answer.freshness == .staleOnError)
    }
  }
}
