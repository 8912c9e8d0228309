import FreshStoreTesting
import Rules
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// The outcome of a local write that its source does not accept.
@Suite struct PushFailureTests: ArticleSuite {
  @Test func `a refused write is parked, and its record stays as it was written`() async throws {
    try await withArticles { temporary, articles in
      try await articles.write("new", for: "1")
      let outcome = try await articles.drain { _ in .refused("too long") }

      let entry = try #require(try temporary.store.outbox(state: .parked).first)
      #expect(outcome["1"]?.words == "parked: too long")
      #expect(entry.failure == "too long" && entry.attempts == 1)
      #expect(try articles.value("1") == "new")
    }
  }

  @Test func `after a failure the next attempt waits, longer each time, under the same key`()
    async throws
  {
    var policy = Policy()
    policy.retryPause = .seconds(2)
    policy.maximumRetryPause = .seconds(6)
    try await withArticles(policy) { temporary, articles in
      let sent = Sent<String>()
      try await articles.write("new", for: "1")
      // Half of 2, 4, 6 and 6 seconds, by the random number.
      for pause in [1, 2, 3, 3] {
        let now = temporary.clock.reading().wall
        let outcome = try await articles.drain { write in
          sent.add(write)
          throw OriginFailure()
        }
        #expect(outcome["1"]?.until == now.advanced(by: .seconds(pause)))
        temporary.clock.advance(by: .milliseconds(pause * 1000 - 1))
        #expect(try await temporary.store.dueWrites(limit: 1).isEmpty)
        temporary.clock.advance(by: .milliseconds(1))
      }
      #expect(sent.all.map(\.attempts) == [0, 1, 2, 3])
      #expect(Set(sent.all.map(\.idempotencyKey)).count == 1)
      #expect(try temporary.store.outbox().first?.failure?.contains("OriginFailure") == true)
    }
  }

  @Test func `a pause that the source names is respected, at most a day`() async throws {
    try await withArticles { temporary, articles in
      let now = temporary.clock.reading().wall
      for (key, seconds) in [("1", 77), ("2", 1_000_000), ("3", -5)] {
        try await articles.write("new", for: key)
        let outcome = try await articles.drain { _ in
          throw OriginFailure(retryAfter: .seconds(seconds))
        }
        // Never shorter than the policy's own, which is half of the first second.
        let pause = max(.milliseconds(500), Duration.seconds(min(86_400, seconds)))
        #expect(outcome[key]?.until == now.advanced(by: pause))
        try await temporary.store.drop(temporary.store.outbox(key: key).map(\.id))
      }
    }
  }

  @Test func `a push without an answer ends at the hard timeout, and keeps its claim until then`()
    async throws
  {
    try await withArticles { temporary, articles in
      try await articles.write("new", for: "1")
      let due = try await temporary.store.dueWrites(limit: 1, holding: .seconds(1))
      let stubborn = StubbornSource()
      let pushing = Task {
        await articles.push(due) { _ in
          _ = await stubborn.fetch("")
          return .accepted
        }
      }
      await temporary.clock.sleepers(atLeast: 1)
      temporary.clock.advance(by: .milliseconds(29_999))
      #expect(try await temporary.store.dueWrites(limit: 1).isEmpty)
      temporary.clock.advance(by: .milliseconds(1))
      let outcome = try await pushing.value[due[0].entry.id]?.get()
      stubborn.answer()

      #expect(outcome?.words.hasPrefix("deferred: the push took longer") == true)
      #expect(try temporary.store.outbox().map(\.state) == [.waiting])
    }
  }

  @Test func `a cancelled push leaves the write due at once`() async throws {
    try await withArticles { temporary, articles in
      try await articles.write("new", for: "1")
      let due = try await temporary.store.dueWrites(limit: 1)
      let (latch, began) = (Latch(isOpen: false), Signal())
      let pushing = Task {
        await articles.push(due) { _ in
          began.fire()
          try await latch.pass()
          return .accepted
        }
      }
      await began.fired()
      pushing.cancel()
      let outcome = try await pushing.value[due[0].entry.id]?.get()

      #expect(outcome?.until == temporary.clock.reading().wall)
      #expect(try await temporary.store.dueWrites(limit: 1).map(\.entry.attempts) == [0])
    }
  }

  /// Begins a push, and gives it up while it is in flight.
  private func giveUp(
    _ articles: RecordCollection<String>, _ limits: PushLimits
  ) async throws -> String? {
    let due = try await articles.store.dueWrites(limit: 1)
    let (latch, began) = (Latch(isOpen: false), Signal())
    let pushing = Task {
      await articles.push(due, limits: limits) { _ in
        began.fire()
        try await latch.pass()
        return .accepted
      }
    }
    await began.fired()
    pushing.cancel()
    return try await pushing.value[due[0].entry.id]?.get().words
  }

  @Test func `pushes that were given up are no failed attempts, and leave the write in doubt`()
    async throws
  {
    try await withArticles { temporary, articles in
      try await articles.put("old", for: "1")
      let entry = try await articles.write("new", for: "1")
      let limits = PushLimits(attempts: 2)
      for _ in 1...5 {
        #expect(try await giveUp(articles, limits)?.hasPrefix("deferred") == true)
      }
      let due = try await temporary.store.dueWrites(limit: 1)
      let sent = Sent<String>()
      let outcomes = await articles.push(due, limits: limits) { write in
        sent.add(write)
        throw OriginFailure()
      }
      #expect(try outcomes[entry.id]?.get().words.hasPrefix("deferred") == true)
      #expect(sent.all.map(\.attempts) == [0] && sent.last?.mayHaveArrived == true)
      #expect(try temporary.store.outbox().map(\.attempts) == [1])

      try await temporary.store.drop([entry.id])
      #expect(try articles.state("1") == .stale)
    }
  }

  @Test func `a write whose push was given up is not replaced by the next one`() async throws {
    try await withArticles { temporary, articles in
      try await articles.write("new", for: "1")
      _ = try await giveUp(articles, PushLimits())
      try await articles.write("newer", for: "1", options: WriteOptions(coalesces: true))

      #expect(try temporary.store.outbox().map(\.attempts) == [0, 0])
    }
  }

  @Test
  func `a write dropped or taken over during its push is not settled by the push`()
    async throws
  {
    try await withArticles { temporary, articles in
      try await articles.put("old", for: "1")
      try await articles.write("new", for: "1")
      let dropped = try await articles.drain { _ in
        try await temporary.store.drop(temporary.store.outbox().map(\.id))
        return .accepted
      }
      try await articles.write("newer", for: "1")
      let other = try temporary.another()
      let taken = try await articles.drain { _ in
        temporary.clock.reboot()
        _ = try await other.dueWrites(limit: 1)
        return .accepted
      }

      #expect(dropped["1"]?.words == "superseded")
      #expect(taken["1"]?.words == "superseded")
      #expect(try articles.value("1") == "newer")
      #expect(try temporary.store.outbox().map(\.state) == [.pushing])
      try await other.close()
    }
  }

  @Test func `a claim that was lost before the push sends nothing`() async throws {
    try await withArticles { temporary, articles in
      try await articles.write("new", for: "1")
      let due = try await temporary.store.dueWrites(limit: 1)
      try await temporary.store.giveBack(due)
      let sent = Sent<String>()
      let outcomes = await articles.push(due) { write in
        sent.add(write)
        return .accepted
      }
      #expect(try outcomes[due[0].entry.id]?.get().words == "superseded")
      #expect(sent.all.isEmpty)
    }
  }

  @Test func `while offline no write is sent or counted as an attempt, and all stay due`()
    async throws
  {
    try await withArticles { temporary, articles in
      try await articles.write("new", for: "1")
      temporary.reachability.set(.offline("no route"))
      let outcome = try await articles.drain { _ in .accepted }

      #expect(outcome["1"]?.words == "deferred: the source is provably out of reach")
      temporary.reachability.set(.online)
      #expect(try await temporary.store.dueWrites(limit: 1).map(\.entry.attempts) == [0])
    }
  }

  @Test func `an open breaker and a suspected route hold writes back without counting attempts`()
    async throws
  {
    var policy = Policy()
    policy.origin = "https://example.org:443"
    try await withArticles(
      policy,
      configure: {
        $0.random = { 0.5 }
        $0.breaker = BreakerPolicy(threshold: 2, minimumPause: .seconds(40))
      }
    ) { temporary, articles in
      for key in ["1", "2", "3"] { try await articles.write("new", for: key) }
      let now = temporary.clock.reading().wall
      let outcomes = try await articles.drain { write in
        throw OriginFailure(retryAfter: .seconds(write.key == "1" ? 1 : 50))
      }
      // For as long as the origin has requested itself when the breaker opened.
      #expect(outcomes["3"]?.until == now.advanced(by: .seconds(50)))
      #expect(outcomes["3"]?.words.contains("keeps failing") == true)
      #expect(try temporary.store.outbox().map(\.attempts) == [1, 1, 0])

      temporary.clock.advance(by: .seconds(50))
      try await articles.drain { _ in .refused("an answer all the same") }
      #expect(try articles.explain("1").originIsDownUntil == nil)
    }
    try await withArticles { temporary, articles in
      for key in ["1", "2"] { try await articles.write("new", for: key) }
      let outcomes = try await articles.drain { _ in throw OriginFailure(isUnreachable: true) }
      #expect(articles.reachability().code == "suspected")
      #expect(
        outcomes["2"]?.until ?? temporary.clock.reading().wall > temporary.clock.reading().wall)
      #expect(try temporary.store.outbox().map(\.attempts) == [1, 0])
    }
  }

  @Test(arguments: [Pushed<String>.accepted, .refused("no"), .conflict(.value("theirs"))])
  func `any answer closes the breaker, even if the write was dropped meanwhile`(
    _ answer: Pushed<String>
  ) async throws {
    var policy = Policy()
    policy.origin = "https://example.org:443"
    try await withArticles(policy, configure: { $0.breaker = BreakerPolicy(threshold: 1) }) {
      temporary, articles in
      try await articles.write("new", for: "1")
      let due = try await temporary.store.dueWrites(limit: 1)
      let outcomes = await articles.push(due, conflicts: .serverWins) { _ in
        _ = await articles.failure("2", from: ScriptedOrigin { _ in throw OriginFailure() })
        #expect(try articles.explain("2").originIsDownUntil != nil)
        try await temporary.store.drop(due.map(\.entry.id))
        return answer
      }

      #expect(try outcomes[due[0].entry.id]?.get().words == "superseded")
      #expect(try articles.explain("2").originIsDownUntil == nil)
    }
  }

  @Test func `a failure that does not blame the origin does not open its breaker`() async throws {
    var policy = Policy()
    policy.origin = "https://example.org:443"
    try await withArticles(policy, configure: { $0.breaker = BreakerPolicy(threshold: 1) }) {
      _, articles in
      for key in ["1", "2"] { try await articles.write("new", for: key) }
      let outcomes = try await articles.drain { _ in throw OriginFailure(blamesOrigin: false) }

      #expect(outcomes.values.allSatisfy { $0.words.contains("OriginFailure") })
      #expect(try articles.explain("1").originIsDownUntil == nil)
    }
  }

  @Test func `a failing store leaves the write for later, and reports the failure`() async throws {
    try await withArticles { temporary, articles in
      try await articles.write("new", for: "1")
      let due = try await temporary.store.dueWrites(limit: 1)
      let outcomes = await articles.push(due) { _ in
        try await temporary.store.close()
        return .accepted
      }
      var failure: StoreError?
      if case .failure(let error) = outcomes[due[0].entry.id] { failure = error }
      #expect(failure?.code == .closed)
    }
  }
}
