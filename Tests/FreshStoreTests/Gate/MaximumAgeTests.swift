import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

/// The oldest age that a caller accepts, whatever a copy's own expiry.
@Suite struct MaximumAgeTests {
  private let limited = Policy.cacheFirst.maximumAge(.minutes(5))

  private func withArticles(
    aged age: Duration,
    _ body: (TemporaryStore, RecordCollection<String>) async throws -> Void
  ) async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      try await articles.put("one", for: "1", details: FetchDetails(expiry: .after(.hours(1))))
      temporary.clock.advance(by: age)
      try await body(temporary, articles)
    }
  }

  @Test(arguments: [
    (Duration.minutes(4), Decision.Outcome.fresh), (.minutes(5), .stale), (.minutes(59), .stale),
    (.minutes(61), .stale),
  ])
  func `a copy that is there is stale from that age on`(
    _ age: Duration, _ outcome: Decision.Outcome
  ) async throws {
    try await withArticles(aged: age) { temporary, articles in
      var own = articles
      own.policy = limited
      let decision = try own.read("1").decision
      let isByLimit = outcome == .stale && age < .hours(1)
      #expect(decision.outcome == outcome)
      #expect(try articles.read("1", policy: limited).decision.outcome == outcome)
      #expect(try own.values().map(\.isStale) == [outcome != .fresh])
      #expect(try own.servableValue("1") == (outcome == .fresh ? "one" : nil))
      #expect((decision.decidedBy == "maxAge") == isByLimit)
      #expect(decision.maximumAge == .minutes(5))
      if isByLimit { #expect(decision.staleFor == age - .minutes(5)) }
      let explained = try own.explain("1").decision
      #expect(explained.outcome == outcome && explained.decidedBy == decision.decidedBy)
      #expect((explained.trace.last?.strategy == "maxAge") == isByLimit)
    }
  }

  @Test func `offline it is served all the same, unless it must be revalidated`() async throws {
    try await withArticles(aged: .minutes(30)) { temporary, articles in
      temporary.reachability.set(.offline("no route"))
      let reading = try articles.read("1", policy: limited)
      #expect(reading.decision.outcome == .offline)
      #expect(
        try articles.read("1", policy: limited.mustRevalidate()).decision.outcome == .stale)
      #expect(try articles.read("1").decision.outcome == .fresh)
    }
  }

  @Test func `the graces count from that age`() async throws {
    try await withArticles(aged: .minutes(7)) { temporary, articles in
      let origin = ScriptedOrigin<String> { _ in throw OriginFailure() }
      let graceful = limited.graceOnError(.minutes(3))
      let served = try await articles.get("1", graceful, from: origin)
      #expect(served.value == "one")
      temporary.clock.advance(by: .minutes(4))
      #expect(await articles.failure("1", graceful, from: origin)?.code == .fetchFailed)
    }
  }

  @Test(arguments: [false, true])
  func `a call with it that fails or is interrupted changes nothing for others`(
    isInterrupted: Bool
  ) async throws {
    try await withArticles(aged: .minutes(30)) { temporary, articles in
      let origin = ScriptedOrigin<String> { _ in throw OriginFailure() }
      if isInterrupted {
        origin.hold()
        let call = Task { await articles.failure("1", limited, from: origin) }
        await origin.calls(atLeast: 1)
        call.cancel()
        #expect(await call.value?.code == .cancelled)
        origin.release()
      } else {
        #expect(await articles.failure("1", limited, from: origin)?.code == .fetchFailed)
      }
      _ = try articles.read("1", policy: limited)
      _ = try await temporary.store.flushMarks().get()

      let raw = try RawDatabase(temporary.path)
      #expect(try raw.integer("SELECT count(*) FROM record WHERE stale_at IS NOT NULL") == 0)
      #expect(try raw.integer("SELECT count(*) FROM record WHERE queue_at IS NOT NULL") == 0)
      let other = try temporary.another()
      let there = try other.collection("articles", of: String.self)
      #expect(try there.read("1").decision.outcome == .fresh)
      #expect(try await there.get("1", from: origin).freshness == .fresh)
      try await other.close()
    }
  }

  @Test func `it fetches once, and the new copy is fresh for it`() async throws {
    try await withArticles(aged: .minutes(30)) { _, articles in
      let origin = ScriptedOrigin<String> { _ in .value("two") }
      let fetched = try await articles.get("1", limited, from: origin)
      #expect(fetched.value == "two")
      #expect(try await articles.get("1", limited, from: origin).freshness == .fresh)
      #expect(origin.calls == 1)
    }
  }
}
