import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@Suite struct EagerRefreshTests {
  /// Stores a value that lives 100 s and took `cost` to fetch, lets `age` pass, gets it, and returns
  /// the number of further requests to the source.
  private func refreshes(
    _ eager: Policy.EagerRefresh, age: Duration, cost: Duration = .zero, random: Double = 0.5,
    reachability: Reachability = .online
  ) async throws -> Int {
    try await TemporaryStore.run(configure: { $0.random = { random } }) { temporary in
      var policy = Policy().expiring(.after(.seconds(100)))
      policy.eagerRefresh = eager
      policy.ageBase = .response
      let articles = try temporary.store.collection("articles", of: String.self, policy: policy)
      let clock = temporary.clock
      let origin = ScriptedOrigin<String> { _ in
        clock.advance(by: cost)
        return .value("one")
      }
      try await articles.get("1", from: origin)
      clock.advance(by: age)
      temporary.reachability.set(reachability)
      let changes = articles.changes(of: "1")

      let answer = try await articles.get("1", from: origin)
      #expect(answer.freshness == .fresh)
      let explained = try articles.explain("1").action
      if explained == .serveAndRefresh, origin.calls == 1 {
        for await change in changes where change.kind == .stored { break }
      }
      try await temporary.store.close()
      return origin.calls - 1
    }
  }

  @Test(arguments: [(79, 0), (80, 1), (99, 1)])
  func `a fraction of the lifetime starts a background refresh of a fresh copy`(
    _ age: Int, _ expected: Int
  ) async throws {
    #expect(try await refreshes(.afterFraction(0.8), age: .seconds(age)) == expected)
  }

  @Test func `no record is refreshed ahead of time while offline`() async throws {
    let count = try await refreshes(
      .afterFraction(0.5), age: .seconds(90), reachability: .offline("no route"))
    #expect(count == 0)
  }

  /// −δ·β·ln(0.5) is 0.69 times the cost: with 10 s the refresh begins 6.9 s before the expiry.
  @Test(arguments: [(93.0, 0), (93.1, 1), (99.0, 1)])
  func `XFetch starts earlier after a more expensive fetch`(
    _ age: Double, _ expected: Int
  ) async throws {
    let count = try await refreshes(
      .probabilistic(beta: 1), age: .milliseconds(Int64(age * 1000)), cost: .seconds(10))
    #expect(count == expected)
  }

  @Test func `XFetch never starts early for a fetch that costs nothing`() async throws {
    #expect(try await refreshes(.probabilistic(beta: 1), age: .seconds(99), random: 0) == 0)
  }

  @Test func `a failed eager refresh leaves the fresh copy and keeps the pause`() async throws {
    try await TemporaryStore.run(configure: { $0.random = { 0.5 } }) { temporary in
      var policy = Policy().expiring(.after(.seconds(100)))
      policy.eagerRefresh = .afterFraction(0.5)
      policy.retryPause = .seconds(20)
      let articles = try temporary.store.collection("articles", of: String.self, policy: policy)
      let origin = ScriptedOrigin<String> { _ in throw OriginFailure() }
      try await articles.put("one", for: "1")
      temporary.clock.advance(by: .seconds(60))

      _ = try await articles.renew("1", policy: policy) { try await origin.fetch($0) }
      await origin.calls(atLeast: 1)
      while try articles.explain("1").decision.failures == 0 { await Task.yield() }
      let paused = try articles.explain("1").action
      temporary.clock.advance(by: .seconds(10))

      #expect(paused == .serve)
      #expect(try articles.explain("1").action == .serveAndRefresh)
      #expect(try articles.state("1") == .fresh)
    }
  }
}
