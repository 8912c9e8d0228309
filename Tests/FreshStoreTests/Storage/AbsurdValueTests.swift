import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

/// Unreasonable figures within their ranges, and those of sources: nothing traps, and every answer is one of the
/// table's.
@Suite struct AbsurdValueTests {
  static let ends: [Duration] = [.zero, .milliseconds(1), .nanoseconds(1), .unlimited]
  /// A source may state any duration.
  static let durations: [Duration] =
    ends + [
      .seconds(-1), .seconds(Int64.max), .seconds(Int64.min), Duration(attoseconds: .max),
      Duration(attoseconds: .min),
    ]

  @Test(arguments: ends) func `a policy with absurd durations`(_ absurd: Duration) async throws {
    try await TemporaryStore.run(configure: { $0.random = { 0.999 } }) { temporary in
      var policy = Policy().expiring(.after(absurd))
      policy.jitter = 0.5
      policy.graceOnError = absurd
      policy.graceWhileRevalidating = absurd
      policy.graceWhileOriginIsDown = absurd
      policy.hardEnd = absurd
      policy.retryPause = absurd
      policy.maximumRetryPause = absurd
      policy.softTimeout = absurd
      policy.negativeExpiry = .after(absurd)
      policy.origin = "origin"
      let articles = try temporary.store.collection("articles", of: String.self, policy: policy)
      let origin = ScriptedOrigin<String> { _ in .value("one") }

      let first = try await articles.get("1", from: origin)
      origin.answer { _ in throw OriginFailure() }
      for _ in 0..<50 { _ = await articles.failure("2", from: origin) }
      temporary.clock.advance(by: .seconds(1))
      _ = await articles.failure("1", from: origin)
      _ = try await temporary.store.sweep()

      #expect(first.value == "one")
      #expect(try articles.explain("2").decision.outcome == .missing)
    }
  }

  @Test(arguments: durations) func `a fetch that states absurd durations`(
    _ absurd: Duration
  ) async throws {
    try await TemporaryStore.run(configure: { $0.random = { 0 } }) { temporary in
      let articles = try temporary.store.collection(
        "articles", of: String.self,
        policy: Policy(jitter: 0.5, eagerRefresh: .afterFraction(1)))
      let origin = ScriptedOrigin<String> { _ in
        .value(
          "one",
          FetchDetails(
            expiry: .after(absurd), graceWhileRevalidating: absurd, graceOnError: absurd,
            hardEnd: absurd))
      }

      #expect(try await articles.get("1", from: origin).value == "one")
      #expect(try articles.state("1") == (absurd >= .milliseconds(1) ? .fresh : .unusable))
      #expect(try await temporary.store.sweep().isComplete)
    }
  }

  @Test(arguments: durations) func `a source that names an absurd pause`(
    _ absurd: Duration
  ) async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in throw OriginFailure(retryAfter: absurd) }

      _ = await articles.failure("1", from: origin)
      let next = try #require(try articles.explain("1").decision.nextAttempt)

      let now = temporary.clock.reading().wall
      #expect(next >= now && next <= now.advanced(by: .seconds(86_400)))
    }
  }

  @Test func `a store with absurd durations`() async throws {
    let absurd = Duration.unlimited
    try await TemporaryStore.run(configure: { configuration in
      configuration.busyTimeout = absurd
      configuration.leaseDuration = absurd
      configuration.allowedSkew = absurd
      configuration.breaker = BreakerPolicy(
        threshold: 1, minimumPause: absurd, maximumPause: absurd)
    }) { temporary in
      var policy = Policy()
      policy.origin = "origin"
      policy.hardTimeout = .unlimited
      let articles = try temporary.store.collection("articles", of: String.self, policy: policy)
      let origin = ScriptedOrigin<String> { _ in throw OriginFailure() }
      try await articles.put("one", for: "1")
      try await articles.markStale("1")

      let due = try await temporary.store.due(limit: 1, holding: absurd)
      try await temporary.store.giveBack(due)
      _ = await articles.failure("1", from: origin)

      #expect(due.map(\.key) == ["1"])
      #expect(try articles.explain("1").originIsDownUntil != nil)
    }
  }

  @Test func `a store without waiting times and with the shortest leases`() async throws {
    try await TemporaryStore.run(configure: { configuration in
      configuration.busyTimeout = .zero
      configuration.leaseDuration = .milliseconds(1)
      configuration.allowedSkew = .zero
      configuration.maximumReaders = 1
    }) { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in .value("one") }

      #expect(try await articles.get("1", from: origin).value == "one")
      #expect(try articles.state("1") == .fresh)
    }
  }

  @Test func `an unlimited deadline is no deadline`() async throws {
    try await TemporaryStore.run { temporary in
      var policy = Policy()
      policy.hardTimeout = .unlimited
      let articles = try temporary.store.collection("articles", of: String.self, policy: policy)
      let origin = ScriptedOrigin<String> { _ in .value("one") }

      #expect(try await articles.get("1", from: origin).value == "one")
    }
  }

  @Test(arguments: [.unlimited, Duration(attoseconds: .max)])
  func `the system's clock can sleep for ever`(_ limit: Duration) async throws {
    let first = try await withThrowingTaskGroup(of: Duration.self) { group in
      for duration in [limit, .milliseconds(1)] {
        group.addTask {
          try await SystemClock().sleep(for: duration)
          return duration
        }
      }
      defer { group.cancelAll() }
      return try await group.next()
    }
    #expect(first == .milliseconds(1))
  }

  @Test func `a clock that jumps back, forward and through a reboot`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in .value("one") }
      for step in [-1_000_000_000, 7, -3, 2_000_000_000] {
        try await articles.put("one", for: "1")
        temporary.clock.stepWall(by: .seconds(step))
        #expect(try articles.state("1") == .fresh)
        temporary.clock.reboot(after: .seconds(-step))
        #expect(try await articles.get("1", from: origin).value == "one")
      }
    }
  }
}
