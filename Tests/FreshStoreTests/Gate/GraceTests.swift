import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@Suite struct GraceTests {
  /// The result of a get of a copy that expired `overdue` ago while its source fails.
  private func freshness(
    _ policy: Policy, overdue: Duration, details: FetchDetails = FetchDetails()
  ) async throws -> Answer<String>.Freshness? {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self, policy: policy)
      let origin = ScriptedOrigin<String> { _ in throw OriginFailure() }
      try await articles.put("one", for: "1", details: details)
      temporary.clock.advance(by: .seconds(300) + overdue)
      do throws(GetError) {
        return try await articles.get("1", from: origin).freshness
      } catch {
        return nil
      }
    }
  }

  @Test(arguments: [(0, true), (60_000, true), (60_001, false)])
  func `the error grace ends with its last millisecond`(
    _ overdue: Int, _ isServed: Bool
  ) async throws {
    var policy = Policy()
    policy.graceOnError = .seconds(60)
    let freshness = try await freshness(policy, overdue: .milliseconds(overdue))
    #expect(freshness == (isServed ? .staleOnError : nil))
  }

  @Test(arguments: [(0, true), (10_000, true), (10_001, false)])
  func `the revalidation window ends with its last millisecond`(
    _ overdue: Int, _ isServed: Bool
  ) async throws {
    var policy = Policy()
    policy.graceWhileRevalidating = .seconds(10)
    let freshness = try await freshness(policy, overdue: .milliseconds(overdue))
    #expect(freshness == (isServed ? .staleWhileRevalidating : nil))
  }

  @Test func `the record's own graces take precedence over the policy's`() async throws {
    var policy = Policy()
    policy.graceOnError = .seconds(60)
    let details = FetchDetails(graceOnError: .seconds(5))
    #expect(try await freshness(policy, overdue: .seconds(5), details: details) == .staleOnError)
    #expect(try await freshness(policy, overdue: .seconds(6), details: details) == nil)
  }

  @Test func `a record's own revalidation window is stored with it`() async throws {
    let details = FetchDetails(graceWhileRevalidating: .seconds(5))
    let freshness = try await freshness(Policy(), overdue: .seconds(5), details: details)
    #expect(freshness == .staleWhileRevalidating)
  }

  @Test(arguments: [(60_000, true), (60_001, false)])
  func `the grace of a copy that expired at once counts from its last update`(
    _ age: Int, _ isServed: Bool
  ) async throws {
    var policy = Policy()
    policy.graceOnError = .seconds(60)
    let freshness = try await freshness(
      policy, overdue: .milliseconds(age - 300_000), details: FetchDetails(expiry: .immediately))
    #expect(freshness == (isServed ? .staleOnError : nil))
  }

  @Test func `without a grace a failed fetch returns no stale copy`() async throws {
    #expect(try await freshness(Policy(), overdue: .zero) == nil)
  }

  @Test func `a failing origin can extend the error grace`() async throws {
    try await TemporaryStore.run(configure: { $0.breaker.threshold = 1 }) { temporary in
      var policy = Policy()
      policy.graceWhileOriginIsDown = .seconds(600)
      policy.origin = "https://example.org:443"
      let articles = try temporary.store.collection("articles", of: String.self, policy: policy)
      let origin = ScriptedOrigin<String> { _ in throw OriginFailure() }
      try await articles.put("one", for: "1")
      try await articles.put("one", for: "2")
      temporary.clock.advance(by: .seconds(400))

      let first = await articles.failure("1", from: origin)
      let second = try await articles.get("2", from: origin)

      #expect(first?.code == .fetchFailed)
      #expect(second.freshness == .staleOnError)
      #expect(origin.calls == 1)
    }
  }

  @Test func `a fallback can allow the stale copy, and receives the failure and the decision`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      var policy = Policy()
      policy.fallback = { failure, decision in
        failure.underlying is OriginFailure && decision.age == .seconds(400)
      }
      let articles = try temporary.store.collection("articles", of: String.self, policy: policy)
      let origin = ScriptedOrigin<String> { _ in throw OriginFailure() }
      try await articles.put("one", for: "1")
      temporary.clock.advance(by: .seconds(400))

      let answer = try await articles.get("1", from: origin)

      #expect(answer.value == "one" && answer.freshness == .staleOnError)
    }
  }

  @Test func `a marked record is stale since its mark`() async throws {
    try await TemporaryStore.run { temporary in
      var policy = Policy()
      policy.graceOnError = .seconds(60)
      let articles = try temporary.store.collection("articles", of: String.self, policy: policy)
      let origin = ScriptedOrigin<String> { _ in throw OriginFailure() }
      try await articles.put("one", for: "1")
      try await articles.markStale("1")
      temporary.clock.advance(by: .seconds(61))

      #expect(await articles.failure("1", from: origin)?.code == .fetchFailed)
    }
  }

  @Test func `a record covered by a tag is stale since the tag was marked`() async throws {
    try await TemporaryStore.run { temporary in
      var policy = Policy()
      policy.graceOnError = .seconds(60)
      let articles = try temporary.store.collection("articles", of: String.self, policy: policy)
      let origin = ScriptedOrigin<String> { _ in throw OriginFailure() }
      try await articles.put("one", for: "1", details: FetchDetails(tags: ["news"]))
      try await temporary.store.markStale(tag: "news")
      temporary.clock.advance(by: .seconds(61))

      #expect(await articles.failure("1", from: origin)?.code == .fetchFailed)
    }
  }

  @Test func `a mark from before the clock was set back counts as old as the copy`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      var policy = Policy()
      policy.graceOnError = .seconds(60)
      let articles = try temporary.store.collection("articles", of: String.self, policy: policy)
      let origin = ScriptedOrigin<String> { _ in throw OriginFailure() }
      try await articles.put("one", for: "1")
      try await articles.markStale("1")
      temporary.clock.stepWall(by: .seconds(-7200))
      temporary.clock.advance(by: .seconds(61))

      #expect(await articles.failure("1", from: origin)?.code == .fetchFailed)
    }
  }
}
