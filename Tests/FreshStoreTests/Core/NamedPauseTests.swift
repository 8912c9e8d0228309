import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// Pauses that a source has named.
@Suite struct NamedPauseTests: GuardedSuite {
  private func withNamedPause(
    _ body: (TemporaryStore, RecordCollection<String>, ScriptedOrigin<String>) async throws -> Void
  ) async throws {
    try await withStore { temporary, articles in
      let origin = ScriptedOrigin<String> { _ in
        throw OriginFailure(blamesOrigin: false, retryAfter: .seconds(120))
      }
      _ = await articles.failure("1", from: origin)
      try await body(temporary, articles, origin)
    }
  }

  @Test func `a pause that the source has named is respected without a copy, too`() async throws {
    try await withNamedPause { temporary, articles, origin in
      let until = temporary.clock.reading().wall.advanced(by: .seconds(120))
      temporary.clock.advance(by: .milliseconds(119_999))
      let refused = await articles.failure("1", from: origin)
      let explained = try articles.explain("1")
      let asked = origin.calls
      temporary.clock.advance(by: .milliseconds(1))
      _ = await articles.failure("1", from: origin)

      #expect(refused?.code == .fetchFailed)
      #expect(refused?.fetchFailure?.code == .pausing(until: until))
      #expect(refused?.fetchFailure?.message.contains("left alone until \(until)") == true)
      #expect(explained.action == .fail && explained.refusal?.code == .pausing(until: until))
      #expect((asked, origin.calls) == (1, 2))
    }
  }

  @Test func `a failed fetch pauses a key without a copy, too, but not a refresh of it`()
    async throws
  {
    try await withStore { temporary, articles in
      let origin = ScriptedOrigin<String> { _ in throw Self.broken }
      for _ in 1...3 { _ = await articles.failure("1", from: origin) }
      #expect(origin.calls == 1)
      _ = try? await articles.refresh("1") { try await origin.fetch($0) }  // It fails, as it must.
      #expect(origin.calls == 2)
      temporary.clock.advance(by: .seconds(300))
      _ = await articles.failure("1", from: origin)
      #expect(origin.calls == 3)
    }
  }

  @Test func `a named pause applies to one record, outlives the store, and is ended by a value`()
    async throws
  {
    try await withNamedPause { temporary, articles, origin in
      origin.answer { _ in .value("up") }
      try await articles.get("2", from: origin)
      try await temporary.store.close()
      let again = try temporary.another()
      let later = try again.collection("articles", of: String.self, policy: Self.guarded)
      let refused = await later.failure("1", from: origin)
      try await later.put("here", for: "1", details: FetchDetails(expiry: .immediately))
      let answer = try await later.get("1", from: origin)
      try await again.close()

      guard case .pausing = refused?.fetchFailure?.code else {
        Issue.record("let through: \(String(describing: refused))")
        return
      }
      #expect(answer.value == "up")
    }
  }

  @Test(arguments: [0, -60, 3] as [Int64])
  func `a named pause shortens neither the pause of the breaker nor that of the record`(
    seconds: Int64
  ) async throws {
    try await withOpenBreaker(OriginFailure(retryAfter: .seconds(seconds))) {
      temporary, articles, origin in
      let until = temporary.clock.reading().wall.advanced(by: .seconds(10))
      let downUntil = try articles.explain("3").originIsDownUntil
      let nextAttempt = try articles.explain("1").decision.nextAttempt
      for key in 3...30 { _ = await articles.failure("\(key)", from: origin) }
      #expect(downUntil == until)
      // Half of the first pause of 20 s.
      #expect(nextAttempt == until)
      #expect(origin.calls == 2)
    }
  }

  @Test(arguments: [120, 3600]) func `the breaker keeps a named pause unchanged`(
    seconds: Int
  ) async throws {
    try await withOpenBreaker(OriginFailure(retryAfter: .seconds(seconds))) {
      temporary, articles, origin in
      let until = temporary.clock.reading().wall.advanced(by: .seconds(seconds))
      let downUntil = try articles.explain("3").originIsDownUntil
      #expect(downUntil == until)
      temporary.clock.advance(by: .seconds(seconds) - .milliseconds(1))
      _ = await articles.failure("3", from: origin)
      let asked = origin.calls
      temporary.clock.advance(by: .milliseconds(1))
      _ = await articles.failure("3", from: origin)
      #expect((asked, origin.calls) == (2, 3))
    }
  }

  @Test func `a policy that heeds named pauses up to a limit does so whoever has stored them`()
    async throws
  {
    try await withOpenBreaker(OriginFailure(retryAfter: .seconds(3600))) {
      temporary, articles, origin in
      var breaker = BreakerPolicy(
        threshold: 2, minimumPause: .seconds(1), maximumPause: .seconds(10))
      breaker.longestNamedPause = .seconds(10)
      var policy = Self.guarded
      policy.breaker = breaker
      let others = try temporary.store.collection("others", of: String.self, policy: policy)
      let patient = await articles.failure("3", from: origin)
      #expect(origin.calls == 2)
      _ = await others.failure("1", from: origin)
      #expect(origin.calls == 3)
      let until = temporary.clock.reading().wall.advanced(by: .seconds(10))
      let refused = await others.failure("2", from: origin)
      temporary.clock.advance(by: .milliseconds(9999))
      _ = await others.failure("2", from: origin)
      #expect(origin.calls == 3)
      temporary.clock.advance(by: .milliseconds(1))
      _ = await others.failure("2", from: origin)

      guard case .originIsDown = patient?.fetchFailure?.code else {
        Issue.record("let through: \(String(describing: patient))")
        return
      }
      #expect(refused?.fetchFailure?.code == .originIsDown(until: until))
      #expect(origin.calls == 4)
    }
  }
}
