import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// The decision whether a source may be asked now: the same for all callers.
@Suite struct SourceAdmissionTests {
  private static let origin: Origin = "https://example.org:443"
  private static let down = OriginFailure()
  /// A failure of the requested record alone.
  private static let broken = OriginFailure(blamesOrigin: false)

  private static var guarded: Policy {
    var policy = Policy()
    policy.origin = origin
    policy.retryPause = .seconds(20)
    return policy
  }

  private func withStore(
    _ body: (TemporaryStore, RecordCollection<String>) async throws -> Void
  ) async throws {
    try await TemporaryStore.run(configure: { configuration in
      configuration.breaker = BreakerPolicy(
        threshold: 2, minimumPause: .seconds(10), maximumPause: .seconds(60))
      configuration.random = { 0.5 }
    }) { temporary in
      let articles = try temporary.store.collection(
        "articles", of: String.self, policy: Self.guarded)
      try await body(temporary, articles)
    }
  }

  /// A store whose breaker has just opened.
  private func withOpenBreaker(
    _ failure: OriginFailure = down,
    _ body: (TemporaryStore, RecordCollection<String>, ScriptedOrigin<String>) async throws -> Void
  ) async throws {
    try await withStore { temporary, articles in
      let origin = ScriptedOrigin<String> { _ in throw failure }
      try await articles.put("old", for: "stale", details: FetchDetails(expiry: .immediately))
      for key in ["1", "2"] { _ = await articles.failure(key, from: origin) }
      try await body(temporary, articles, origin)
    }
  }

  // MARK: One path and its host

  @Test func `a failure of one record pauses that record alone`() async throws {
    try await withStore { temporary, articles in
      var policy = Self.guarded
      policy.graceOnError = .unlimited
      let origin = ScriptedOrigin<String> { previous in
        if previous.key == "broken" { throw Self.broken }
        return .value("fine")
      }
      try await articles.put("old", for: "broken", details: FetchDetails(expiry: .immediately))
      for _ in 1...6 {
        try await articles.get("broken", policy, from: origin)
        temporary.clock.advance(by: .seconds(300))
      }
      try await articles.get("broken", policy, from: origin)
      let paused = try await articles.get("broken", policy, from: origin)
      let asked = origin.calls
      let other = try await articles.get("other", policy, from: origin)

      #expect(paused.freshness == .staleOnError)
      #expect(asked == 7)
      #expect(other.value == "fine")
      #expect(try articles.sourceState() == .open)
    }
  }

  // MARK: Manual refreshes

  @Test func `a manual refresh sends one request despite pauses and an open breaker`() async throws
  {
    try await withOpenBreaker { _, articles, origin in
      var byHand = Self.guarded
      byHand.mode = .sourceFirst
      byHand.heedsPauses = false
      let refused = await articles.failure("2", from: origin)
      let asked = origin.calls
      _ = await articles.failure("2", byHand, from: origin)
      let askedByHand = origin.calls
      origin.answer { _ in .value("up") }
      let answer = try await articles.get("2", byHand, from: origin)

      guard case .originIsDown = refused?.fetchFailure?.code else {
        Issue.record("let through: \(String(describing: refused))")
        return
      }
      #expect((asked, askedByHand, origin.calls) == (2, 3, 4))
      #expect(answer.value == "up")
      #expect(try articles.sourceState() == .open)
    }
  }

  @Test func `a manual refresh sends a request over a suspected route and during a record's pause`()
    async throws
  {
    try await withStore { _, articles in
      let silent = ScriptedOrigin<String> { _ in throw OriginFailure(isUnreachable: true) }
      var policy = Self.guarded
      policy.graceOnError = .unlimited
      try await articles.put("old", for: "1", details: FetchDetails(expiry: .immediately))
      try await articles.get("1", policy, from: silent)
      try await articles.get("1", policy, from: silent)
      #expect(silent.calls == 1)
      policy.heedsPauses = false
      try await articles.get("1", policy, from: silent)
      #expect(silent.calls == 2)
    }
  }

  @Test func `a manual refresh sends no request to a source that is provably out of reach`()
    async throws
  {
    try await withStore { temporary, articles in
      temporary.reachability.set(.offline("unplugged"))
      let origin = ScriptedOrigin<String> { _ in .value("up") }
      var byHand = Self.guarded
      byHand.heedsPauses = false
      #expect(await articles.failure("1", byHand, from: origin)?.code == .offline)
      #expect(origin.calls == 0)
    }
  }

  // MARK: Explaining

  @Test func `an explanation reports that a failing source would not be asked`() async throws {
    try await withOpenBreaker { temporary, articles, origin in
      let until = temporary.clock.reading().wall.advanced(by: .seconds(10))
      var standing = Self.guarded
      standing.graceOnError = .unlimited
      var revalidating = Self.guarded
      revalidating.graceWhileRevalidating = .unlimited
      var byHand = Self.guarded
      byHand.heedsPauses = false

      let missing = try articles.explain("3")
      let stale = try articles.explain("stale")
      let copy = try articles.explain("stale", policy: standing)
      let behind = try articles.explain("stale", policy: revalidating)
      let forced = try articles.explain("3", policy: byHand)

      #expect(missing.action == .fail && stale.action == .fail)
      #expect(missing.refusal?.code == .originIsDown(until: until))
      #expect(copy.action == .standIn)
      #expect(behind.action == .serve)
      #expect(forced.action == .fetch && forced.refusal == nil)
      let failure = await articles.failure("3", from: origin)
      #expect(failure?.fetchFailure?.message == missing.refusal?.message)
      temporary.clock.advance(by: .seconds(10))
      let due = try articles.explain("3")
      #expect(due.action == .fetch && due.refusal == nil && due.originIsDownUntil == nil)
    }
  }

  // MARK: Pauses that a source has named

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

  @Test func `a store's own pause does not prevent the fetch of a key without a copy`()
    async throws
  {
    try await withStore { _, articles in
      let origin = ScriptedOrigin<String> { _ in throw Self.broken }
      for _ in 1...3 { _ = await articles.failure("1", from: origin) }
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

  // MARK: Another network

  @Test func `in another network one attempt is let through at once, and no second one`()
    async throws
  {
    try await withOpenBreaker { temporary, articles, origin in
      temporary.reachability.changeNetwork()
      let state = try articles.sourceState()
      let explained = try articles.explain("3").action
      let latch = Latch(isOpen: false)
      origin.answer { _ in
        try await latch.pass()
        throw Self.down
      }
      async let trial = articles.failure("3", from: origin)
      await origin.calls(atLeast: 3)
      _ = await articles.failure("4", from: origin)
      latch.open()
      _ = await trial
      _ = await articles.failure("5", from: origin)

      #expect(state == .trial && explained == .fetch)
      #expect(origin.calls == 3)
      temporary.reachability.changeNetwork()
      origin.answer { _ in .value("up") }
      let answer = try await articles.get("5", from: origin)
      #expect(answer.value == "up")
      #expect(try articles.sourceState() == .open)
    }
  }

  @Test func `another network does not end a pause that the origin has named`() async throws {
    try await withOpenBreaker(OriginFailure(retryAfter: .seconds(600))) {
      temporary, articles, origin in
      let until = temporary.clock.reading().wall.advanced(by: .seconds(600))
      temporary.reachability.changeNetwork()
      _ = await articles.failure("3", from: origin)
      let asked = origin.calls
      temporary.clock.advance(by: .seconds(60))
      let refused = await articles.failure("4", from: origin)

      #expect((asked, origin.calls) == (3, 3))
      #expect(refused?.fetchFailure?.code == .originIsDown(until: until))
    }
  }

  @Test func `an unanswered trial in another network keeps a named pause`()
    async throws
  {
    try await withOpenBreaker(OriginFailure(retryAfter: .seconds(600))) {
      temporary, articles, origin in
      let until = temporary.clock.reading().wall.advanced(by: .seconds(600))
      temporary.reachability.changeNetwork()
      origin.hold()
      let trial = Task { await articles.failure("3", from: origin) }
      await origin.calls(atLeast: 3)
      temporary.clock.advance(by: .seconds(11))
      let downUntil = try articles.explain("4").originIsDownUntil
      trial.cancel()
      origin.release()
      _ = await trial.value
      #expect(downUntil == until)
    }
  }

  @Test
  func `a breaker opened by another store is respected by a store that knows this network alone`()
    async throws
  {
    try await withStore { temporary, articles in
      temporary.reachability.changeNetwork()
      let other = try temporary.another()
      let there = try other.collection("articles", of: String.self, policy: Self.guarded)
      let origin = ScriptedOrigin<String> { _ in throw Self.down }
      for key in ["1", "2"] { _ = await articles.failure(key, from: origin) }
      _ = await there.failure("3", from: origin)
      let asked = origin.calls
      temporary.reachability.changeNetwork()
      _ = await there.failure("3", from: origin)
      try await other.close()
      #expect((asked, origin.calls) == (2, 3))
    }
  }

  @Test func `pushes begin again in another network`() async throws {
    try await withOpenBreaker { temporary, articles, _ in
      try await articles.write("mine", for: "w")
      let early = try await articles.drain { _ in .accepted(FetchDetails()) }
      temporary.reachability.changeNetwork()
      try await temporary.store.retry(try temporary.store.outbox().map(\.id))
      let late = try await articles.drain { _ in .accepted(FetchDetails()) }
      #expect(early["w"]?.words == "deferred: \(Self.origin) keeps failing")
      #expect(late["w"]?.words == "accepted mine")
    }
  }

  // MARK: Lists

  @Test func `a list is not requested over a suspected route`() async throws {
    try await withStore { temporary, articles in
      let silent = ScriptedOrigin<String> { _ in throw OriginFailure(isUnreachable: true) }
      _ = await articles.failure("1", from: silent)
      let asked = Asked()
      func follow() async -> GetError? {
        do throws(GetError) {
          _ = try await articles.follow("all") { _ in
            asked.note([])
            return .notModified
          }
          return nil
        } catch {
          return error
        }
      }
      let refused = await follow()
      temporary.clock.advance(by: .milliseconds(500))
      let later = await follow()

      guard case .pausing = refused?.fetchFailure?.code else {
        Issue.record("let through: \(String(describing: refused))")
        return
      }
      #expect(later == nil)
      #expect(asked.batches.count == 1)
    }
  }

  // MARK: Ending pauses

  @Test func `all pauses can be ended manually`() async throws {
    try await withOpenBreaker(OriginFailure(retryAfter: .seconds(600), isUnreachable: true)) {
      temporary, articles, origin in
      _ = try? await articles.follow("all") { _ in throw Self.broken }
      let refused = await articles.failure("1", from: origin)?.fetchFailure?.code
      let count = try await temporary.store.endPauses()
      origin.answer { _ in .value("up") }
      let list = try articles.listDue("all")
      let answer = try await articles.get("1", from: origin)

      #expect(refused != nil)
      #expect(count >= 3)
      #expect(answer.value == "up")
      #expect(list.map { $0 <= temporary.clock.reading().wall } == true)
      let left = try await temporary.store.endPauses()
      #expect(left == 0)
    }
  }

  @Test func `the pause of one record, and the breaker of one origin, can be ended manually`()
    async throws
  {
    try await withOpenBreaker(OriginFailure(retryAfter: .seconds(600))) {
      temporary, articles, origin in
      let changes = temporary.store.changes()
      let ended = try await articles.endPause("1")
      let again = try await articles.endPause("1")
      let stillOpen = try articles.explain("1").refusal?.code
      let closed = try await temporary.store.endPause(origin: Self.origin)
      origin.answer { _ in .value("up") }
      let answer = try await articles.get("1", from: origin)
      let other = await articles.failure("2", from: origin)?.fetchFailure?.code

      #expect(ended && !again && closed)
      guard case .originIsDown = stillOpen, case .pausing = other else {
        Issue.record("\(String(describing: stillOpen)), \(String(describing: other))")
        return
      }
      #expect(answer.value == "up")
      let first = await changes.first { _ in true }
      #expect(first?.kind == .resumed && first?.key == "1")
    }
  }

  @Test func `ending pauses also ends another store's suspicion of its routes`() async throws {
    try await withStore { temporary, articles in
      let silent = ScriptedOrigin<String> { _ in throw OriginFailure(isUnreachable: true) }
      _ = await articles.failure("1", from: silent)
      let changes = temporary.store.changes()
      let before = articles.reachability().code
      let other = try temporary.another()
      try await other.endPauses()
      _ = await changes.first { $0.kind == .resumed }
      try await other.close()
      #expect(before == "suspected")
      #expect(articles.reachability() == .online)
    }
  }

  @Test func `another store on the file is notified that pauses were ended`() async throws {
    try await withOpenBreaker { temporary, _, _ in
      let other = try temporary.another()
      let changes = other.changes()
      try await temporary.store.endPauses()
      let change = await changes.first { $0.kind == .resumed }
      try await other.close()
      #expect(change?.collection == nil)
    }
  }
}
