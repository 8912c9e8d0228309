import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// The evidence that fetches collect about the way to their source, and its effect on gets.
@Suite struct SuspectedWayTests {
  private static let silence = OriginFailure(isUnreachable: true)

  private static var standing: Policy {
    var policy = Policy()
    policy.graceOnError = .unlimited
    // Only the way itself keeps a key from being tried again.
    policy.retryPause = .zero
    return policy
  }

  /// Two stale records whose source is silent, and the network of a store that pauses for half of
  /// the longest time.
  private func withSilentSource(
    _ policy: Policy = standing,
    _ body: (TemporaryStore, RecordCollection<String>, ScriptedOrigin<String>) async throws -> Void
  ) async throws {
    try await TemporaryStore.run(configure: { $0.random = { 0.5 } }) { temporary in
      let articles = try temporary.store.collection("articles", of: String.self, policy: policy)
      for key in ["1", "2"] { try await articles.put(key, for: key) }
      temporary.clock.advance(by: .seconds(300))
      try await body(temporary, articles, ScriptedOrigin { _ in throw Self.silence })
    }
  }

  @Test func `a fetch that returns something validates the route for a minute`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in .value("one") }

      let before = articles.reachability()
      try await articles.get("1", from: origin)
      let after = articles.reachability()
      temporary.clock.advance(by: .seconds(60))
      let late = articles.reachability()

      #expect([before, after, late] == [.online, .validated, .online])
    }
  }

  @Test(arguments: [
    (OriginFailure(isUnreachable: true), true), (OriginFailure(), false),
    (OriginFailure(blamesOrigin: false), false),
  ])
  func `only an unanswered fetch makes the route suspected`(
    failure: OriginFailure, isSuspected: Bool
  ) async throws {
    try await withSilentSource { _, articles, origin in
      origin.answer { _ in throw failure }
      try await articles.get("1", from: origin)
      #expect((articles.reachability().code == "suspected") == isSuspected)
    }
  }

  @Test func `an error without details makes no route suspected`() async throws {
    struct Plain: Error {}
    try await withSilentSource { _, articles, origin in
      origin.answer { _ in throw Plain() }
      try await articles.get("1", from: origin)
      #expect(articles.reachability() == .online)
    }
  }

  @Test func `a fetch that takes longer than its hard timeout makes the route suspected`()
    async throws
  {
    try await withSilentSource { temporary, articles, origin in
      origin.hold()
      let running = Task { try await articles.get("1", from: origin) }
      await origin.calls(atLeast: 1)
      // The hard timeout, the lease's heartbeat and the stale copy's mark.
      await temporary.clock.sleepers(atLeast: 3)
      temporary.clock.advance(by: .seconds(30))
      _ = try await running.value

      #expect(
        articles.reachability() == .suspected("the fetch took longer than 30 s"))
    }
  }

  @Test func `on a suspected route the copy of another key is served without an attempt`()
    async throws
  {
    try await withSilentSource { temporary, articles, origin in
      try await articles.get("1", from: origin)
      let until = temporary.clock.reading().wall.advanced(by: .milliseconds(500))
      let explained = try articles.explain("2")
      let answer = try await articles.get("2", from: origin)

      #expect(origin.calls == 1)
      #expect(answer.freshness == .staleOnError)
      #expect(answer.fetchFailure?.code == .pausing(until: until))
      #expect(explained.action == .standIn)
    }
  }

  @Test func `a copy that may only be served during its refresh is served, too`() async throws {
    try await withSilentSource { _, articles, origin in
      try await articles.get("1", from: origin)
      var policy = Policy()
      policy.graceWhileRevalidating = .unlimited
      let answer = try await articles.get("2", policy, from: origin)
      #expect(answer.freshness == .staleOnError)
      #expect(origin.calls == 1)
    }
  }

  @Test func `on a suspected route a fresh copy is served although the source comes first`()
    async throws
  {
    try await withSilentSource { _, articles, origin in
      try await articles.get("1", from: origin)
      try await articles.put("3", for: "3")
      let answer = try await articles.get("3", .sourceFirst, from: origin)
      #expect(answer.freshness == .fresh)
      #expect(origin.calls == 1)
    }
  }

  @Test func `after the pause one attempt is a trial, and a success opens the route`()
    async throws
  {
    try await withSilentSource { temporary, articles, origin in
      try await articles.get("1", from: origin)
      temporary.clock.advance(by: .milliseconds(499))
      let early = try await articles.get("2", from: origin).freshness
      temporary.clock.advance(by: .milliseconds(1))
      origin.answer { _ in .value("new") }
      let due = try await articles.get("2", from: origin).freshness
      let opened = try await articles.get("1", from: origin).freshness

      #expect([early, due, opened] == [.staleOnError, .fetched, .fetched])
    }
  }

  @Test func `during the trial no other caller tries`() async throws {
    try await withSilentSource { temporary, articles, origin in
      try await articles.get("1", from: origin)
      temporary.clock.advance(by: .milliseconds(500))
      origin.hold()
      let running = Task { try await articles.get("1", from: origin) }
      await origin.calls(atLeast: 2)
      let meanwhile = try await articles.get("2", from: origin).freshness
      origin.release()
      _ = try await running.value

      #expect(meanwhile == .staleOnError)
      #expect(origin.calls == 2)
    }
  }

  @Test func `one of many concurrent attempts is let through`() async throws {
    try await withSilentSource { temporary, articles, origin in
      try await articles.get("1", from: origin)
      let now = temporary.clock.reading()
      let route = FetchEvidence.Route.collection(ExactName("articles"))
      let evidence = temporary.store.evidence
      let later = ClockReading(
        wall: now.wall.advanced(by: .milliseconds(500)), boot: now.boot,
        sinceBoot: now.sinceBoot + 500)
      let isFree = evidence.pause(over: route, at: later) == nil
      let admissions = (0..<3).map { _ in evidence.admit(over: route, at: later) == nil }

      #expect(isFree)
      #expect(admissions == [true, false, false])
    }
  }

  @Test func `a caller without a copy is let through all the same`() async throws {
    try await withSilentSource { _, articles, origin in
      try await articles.get("1", from: origin)
      origin.answer { _ in .value("three") }
      let answer = try await articles.get("3", from: origin)
      #expect(answer.value == "three")
      #expect(origin.calls == 2)
    }
  }

  @Test func `a copy that may not replace the fetch is fetched all the same`() async throws {
    try await withSilentSource { _, articles, origin in
      try await articles.get("1", from: origin)
      let failure = await articles.failure("2", .cacheFirst, from: origin)
      #expect(failure?.code == .fetchFailed)
      #expect(origin.calls == 2)
    }
  }

  @Test func `a new network ends the suspicion`() async throws {
    try await withSilentSource { temporary, articles, origin in
      try await articles.get("1", from: origin)
      temporary.reachability.changeNetwork()
      let state = articles.reachability()
      origin.answer { _ in .value("new") }
      let answer = try await articles.get("2", from: origin)

      #expect(state == .online)
      #expect(answer.freshness == .fetched)
    }
  }

  @Test(arguments: [
    JudgementContext.ReachabilityHandling.ignore, .assume(.online),
  ])
  func `a caller that overrides reachability overrides the suspicion`(
    handling: JudgementContext.ReachabilityHandling
  ) async throws {
    try await withSilentSource { _, articles, origin in
      try await articles.get("1", from: origin)
      var policy = Self.standing
      policy.reachability = handling
      try await articles.get("2", policy, from: origin)
      #expect(origin.calls == 2)
    }
  }

  @Test func `an assumed state is reported as the known state`() async throws {
    try await withSilentSource { _, articles, origin in
      try await articles.get("1", from: origin)
      var policy = Self.standing
      policy.reachability = .assume(.offline("unplugged"))
      #expect(articles.reachability(policy: policy) == .offline("unplugged"))
    }
  }

  @Test func `the evidence starts over when there are more routes than usual origins`() {
    let evidence = FetchEvidence(provider: .fixed(.online)) { 0.5 }
    let now = ClockReading(wall: Timestamp(millisecondsSinceEpoch: 0), boot: 1, sinceBoot: 0)
    for number in 0...1024 {
      let route = FetchEvidence.Route.origin(Origin("\(number)"))
      evidence.note(nil, of: evidence.attempt(over: route, at: now), over: route, at: now)
    }
    #expect(evidence.reachability(over: .origin(Origin("1023")), at: now) == .online)
    #expect(evidence.reachability(over: .origin(Origin("1024")), at: now) == .validated)
  }

  @Test func `the routes to two origins are distinguished`() async throws {
    var first = Self.standing
    first.origin = "https://a.example:443"
    var second = first
    second.origin = "https://b.example:443"
    try await withSilentSource(first) { [second] _, articles, origin in
      try await articles.get("1", from: origin)
      #expect(articles.reachability().code == "suspected")
      #expect(articles.reachability(policy: second) == .online)
      try await articles.get("2", second, from: origin)
      #expect(origin.calls == 2)
    }
  }

  @Test func `an explanation reports the evidence of fetches`() async throws {
    try await withSilentSource { _, articles, origin in
      try await articles.get("1", from: origin)
      let reasons = try articles.explain("2").decision.trace.map(\.opinion.reason)
      #expect(reasons.first == .reachability(.suspected("\(Self.silence)")))
    }
  }

  @Test func `a fetch that bypasses the store is evidence, too`() async throws {
    try await withSilentSource { _, articles, origin in
      var policy = Policy()
      policy.mode = .bypass
      _ = await articles.failure("1", policy, from: origin)
      #expect(articles.reachability().code == "suspected")
    }
  }
}
