import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

/// A copy is judged when it is handed out, however long its fetch took.
@Suite(.timeLimit(.minutes(1))) struct LongWaitTests {
  /// A policy that asks the source first, and allows a copy in its place.
  private static func policy(_ change: (inout Policy) -> Void = { _ in }) -> Policy {
    var policy = Policy.sourceFirst
    policy.graceOnError = .seconds(60)
    change(&policy)
    return policy
  }

  @Test(
    arguments: [
      (policy(), .after(.seconds(10)), .staleOnError),
      (policy(), .after(.seconds(60)), .fresh),
      (policy { $0.graceOnError = .seconds(14) }, .after(.seconds(10)), nil),
      (policy { $0.graceOnError = .seconds(15) }, .after(.seconds(10)), .staleOnError),
      (policy { $0.mustRevalidate = true }, .after(.seconds(10)), nil),
      (policy { $0.hardEnd = .seconds(20) }, .never, nil),
      (policy { $0.hardEnd = .seconds(26) }, .never, .fresh),
    ] as [(Policy, Expiry, Answer<String>.Freshness?)])
  func `a copy that replaces a slow failed fetch has its age at that time`(
    policy: Policy, expiry: Expiry, freshness: Answer<String>.Freshness?
  ) async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self, policy: policy)
      let origin = ScriptedOrigin<String> { _ in throw OriginFailure() }
      try await articles.put("one", for: "1", details: FetchDetails(expiry: expiry))
      temporary.clock.advance(by: .seconds(5))
      origin.hold()

      let get = Task { try await articles.get("1", from: origin) }
      await origin.calls(atLeast: 1)
      temporary.clock.advance(by: .seconds(20))
      origin.release()
      let answer: Answer<String>?
      do { answer = try await get.value } catch { answer = nil }

      #expect(answer?.freshness == freshness)
      #expect(answer.map(\.age) ?? .seconds(25) == .seconds(25))
    }
  }

  @Test func `a mark made while a get waits for a fetch applies when the fetch fails`() async throws
  {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection(
        "articles", of: String.self, policy: Self.policy { $0.graceOnError = .zero })
      let origin = ScriptedOrigin<String> { _ in throw OriginFailure() }
      try await articles.put("one", for: "1", details: FetchDetails(expiry: .never))
      origin.hold()

      let get = Task { try await articles.get("1", from: origin) }
      await origin.calls(atLeast: 1)
      try await articles.markStale("1")
      temporary.clock.advance(by: .seconds(1))
      origin.release()

      await #expect(throws: GetError.self) { try await get.value }
    }
  }

  @Test func `a copy that is past its hard end by the soft timeout is not served`() async throws {
    try await TemporaryStore.run { temporary in
      var policy = Policy()
      (policy.softTimeout, policy.hardEnd) = (.seconds(2), .seconds(6))
      let articles = try temporary.store.collection("articles", of: String.self, policy: policy)
      let origin = ScriptedOrigin<String> { _ in .value("two") }
      try await articles.put(
        "one", for: "1", details: FetchDetails(expiry: .after(.seconds(1))))
      temporary.clock.advance(by: .seconds(5))
      origin.hold()

      let get = Task { try await articles.get("1", from: origin) }
      await origin.calls(atLeast: 1)
      // The hard timeout, the lease's heartbeat, the stale copy's mark and the soft timeout.
      await temporary.clock.sleepers(atLeast: 4)
      temporary.clock.advance(by: .seconds(2))
      for _ in 0..<1000 { await Task.yield() }
      origin.release()

      #expect(try await get.value.value == "two")
    }
  }

  @Test func `the result of a flight with a laxer policy is judged by the caller's own`()
    async throws
  {
    let log = EventLog()
    try await TemporaryStore.run(configure: { $0.reporter = log }) { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let there = try temporary.another()
      let others = try there.collection("articles", of: String.self)
      try await articles.put("one", for: "1", details: FetchDetails(expiry: .immediately))
      let origin = ScriptedOrigin<String> { _ in throw OriginFailure() }
      origin.hold()
      let first = Task { try await others.get("1", from: origin) }
      await origin.calls(atLeast: 1)

      let lax = Task { try await articles.get("1", policy: .cacheFirst) { _ in .value("two") } }
      while !log.events.contains(where: { if case .waitedForLease = $0 { true } else { false } }) {
        await Task.yield()
      }
      let strict = Task { try await articles.get("1", policy: .strict) { _ in .value("two") } }
      for _ in 0..<1000 { await Task.yield() }
      temporary.reachability.set(.offline("cut"))
      origin.release()

      #expect(try await lax.value.freshness == .staleOffline)
      await #expect(throws: GetError.self) { try await strict.value }
      #expect(try await first.value.freshness == .staleOffline)
      try await there.close()
    }
  }
}
