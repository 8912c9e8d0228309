import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@Suite struct PresetTests {
  /// The effect of each preset on a stale copy.
  struct Case: Sendable, CustomTestStringConvertible {
    enum Network: Sendable { case up, failing, offline }

    var preset: String
    var network: Network
    var expected: String
    var calls: Int

    var testDescription: String { "\(preset), \(network): \(expected)" }

    var policy: Policy {
      switch preset {
      case "cacheFirst": .cacheFirst
      case "offlineFirst": .offlineFirst
      case "networkFirst": .networkFirst
      case "cacheOnly": .cacheOnly
      default: .strict
      }
    }
  }

  static let stale: [Case] = [
    Case(preset: "cacheFirst", network: .up, expected: "two fetched", calls: 1),
    Case(preset: "cacheFirst", network: .failing, expected: "fetchFailed", calls: 1),
    Case(preset: "cacheFirst", network: .offline, expected: "one stale-offline", calls: 0),
    Case(preset: "offlineFirst", network: .up, expected: "one stale-while-revalidating", calls: 1),
    Case(
      preset: "offlineFirst", network: .failing, expected: "one stale-while-revalidating",
      calls: 1),
    Case(preset: "offlineFirst", network: .offline, expected: "one stale-offline", calls: 0),
    Case(preset: "networkFirst", network: .up, expected: "two fetched", calls: 1),
    Case(preset: "networkFirst", network: .failing, expected: "one stale-on-error", calls: 1),
    Case(preset: "networkFirst", network: .offline, expected: "one stale-offline", calls: 0),
    Case(preset: "cacheOnly", network: .up, expected: "stale", calls: 0),
    Case(preset: "cacheOnly", network: .failing, expected: "stale", calls: 0),
    Case(preset: "cacheOnly", network: .offline, expected: "one stale-offline", calls: 0),
    Case(preset: "strict", network: .up, expected: "two fetched", calls: 1),
    Case(preset: "strict", network: .failing, expected: "fetchFailed", calls: 1),
    Case(preset: "strict", network: .offline, expected: "offline", calls: 0),
  ]

  static let fresh: [Case] = [
    Case(preset: "cacheFirst", network: .up, expected: "one fresh", calls: 0),
    Case(preset: "offlineFirst", network: .up, expected: "one fresh", calls: 0),
    Case(preset: "networkFirst", network: .up, expected: "two fetched", calls: 1),
    Case(preset: "networkFirst", network: .failing, expected: "one fresh", calls: 1),
    Case(preset: "networkFirst", network: .offline, expected: "one fresh", calls: 0),
    Case(preset: "cacheOnly", network: .up, expected: "one fresh", calls: 0),
    Case(preset: "strict", network: .offline, expected: "one fresh", calls: 0),
  ]

  static let missing: [Case] = [
    Case(preset: "cacheFirst", network: .up, expected: "two fetched", calls: 1),
    Case(preset: "offlineFirst", network: .failing, expected: "fetchFailed", calls: 1),
    Case(preset: "networkFirst", network: .offline, expected: "offline", calls: 0),
    Case(preset: "cacheOnly", network: .up, expected: "missing", calls: 0),
    Case(preset: "strict", network: .up, expected: "two fetched", calls: 1),
  ]

  @Test(arguments: stale) func `a stale copy under each preset`(_ given: Case) async throws {
    try await check(given, storedFor: .seconds(300))
  }

  @Test(arguments: fresh) func `a fresh copy under each preset`(_ given: Case) async throws {
    try await check(given, storedFor: .seconds(1))
  }

  @Test(arguments: missing) func `a missing record under each preset`(_ given: Case) async throws {
    try await check(given, storedFor: nil)
  }

  private func check(_ given: Case, storedFor age: Duration?) async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection(
        "articles", of: String.self, policy: given.policy)
      let origin = ScriptedOrigin<String> { _ in
        if given.network == .failing { throw OriginFailure() }
        return .value("two")
      }
      if let age {
        try await articles.put("one", for: "1")
        temporary.clock.advance(by: age)
      }
      if given.network == .offline { temporary.reachability.set(.offline("no route")) }

      let outcome: String
      do throws(GetError) {
        let answer = try await articles.get("1", from: origin)
        outcome = "\(answer.value) \(answer.freshness.rawValue)"
      } catch {
        outcome = "\(error.code)"
      }
      if given.calls > 0 { await origin.calls(atLeast: given.calls) }
      try await temporary.store.close()

      #expect(outcome == given.expected)
      #expect(origin.calls == given.calls)
    }
  }

  @Test
  func `cache only with stale copies allowed serves them, but not copies that must be revalidated`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      var policy = Policy()
      policy.mode = .copyOnly(allowsStale: true)
      let articles = try temporary.store.collection("articles", of: String.self, policy: policy)
      let origin = ScriptedOrigin<String> { _ in .value("two") }
      try await articles.put("one", for: "1")
      try await articles.put("one", for: "2", details: FetchDetails(mustRevalidate: true))
      temporary.clock.advance(by: .seconds(300))

      #expect(try await articles.get("1", from: origin).freshness == .stale)
      #expect(await articles.failure("2", from: origin)?.code == .stale)
      #expect(origin.calls == 0)
    }
  }

  @Test func `source only neither reads the store nor writes it`() async throws {
    try await TemporaryStore.run { temporary in
      var policy = Policy()
      policy.mode = .sourceOnly
      let articles = try temporary.store.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in .value("two") }
      try await articles.put("one", for: "1")

      let answer = try await articles.get("1", policy, from: origin)

      #expect(answer.value == "two" && answer.freshness == .fetched)
      #expect(origin.requests.first?.value == nil)
      #expect(try articles.read("1").copy?.value == "one")
    }
  }

  @Test func `a cancelled caller of source only receives the cancellation`() async throws {
    try await TemporaryStore.run { temporary in
      var policy = Policy()
      policy.mode = .sourceOnly
      let articles = try temporary.store.collection("articles", of: String.self, policy: policy)
      let origin = ScriptedOrigin<String> { _ in .value("two") }
      origin.hold()

      let task = Task { await articles.failure("1", from: origin) }
      await origin.calls(atLeast: 1)
      task.cancel()

      #expect(await task.value?.code == .cancelled)
    }
  }
}
