import Dispatch
import FreshStoreTesting
import StoreSupport
import Strategies
import Synchronization
import Testing

@testable import FreshStore

/// The decision whether a source may be asked now: the same for all callers.
@Suite struct SourceAdmissionTests: GuardedSuite {
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
      let refused = await articles.failure("3", from: origin)
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

  // MARK: Writers

  @Test(.timeLimit(.minutes(1)))
  func `a source without failures is asked, and heard, while others write`() async throws {
    try await withStore { temporary, articles in
      let gate = DispatchSemaphore(value: 0)
      temporary.store.queue.start { gate.wait() }
      let answer = await articles.asking(
        by: Self.guarded, canWait: false, blaming: { (_: Int) in nil }
      ) { 200 }
      gate.signal()
      let status = try answer.get()

      #expect(status == 200)
    }
  }

  /// A failure of the source that waits for a writer who takes his time.
  private func failBehindWriter(_ store: Store) {
    let origin = OriginGuard(origin: Self.origin, policy: BreakerPolicy(threshold: 2))
    store.failuresToNote.add(1, ordering: .acquiringAndReleasing)
    store.queue.start {
      _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(200))
      do {
        try store.storage.note(.failed(OriginBlame(message: "x")), at: origin, now: store.now())
      } catch {
        Issue.record(error)
      }
      store.failuresToNote.subtract(1, ordering: .acquiringAndReleasing)
    }
  }

  @Test func `an open breaker counts while nothing can be written`() async throws {
    try await withOpenBreaker { temporary, _, _ in
      var configuration = temporary.store.configuration
      configuration.busyTimeout = .milliseconds(20)
      let busy = try Store(path: temporary.path, configuration: configuration)
      let articles = try busy.collection("articles", of: String.self, policy: Self.guarded)
      let raw = try RawDatabase(temporary.path)
      try raw.execute("BEGIN IMMEDIATE")

      let asked = await articles.asking(
        by: Self.guarded, canWait: false, blaming: { (_: Int) in nil }
      ) { 200 }

      try raw.execute("ROLLBACK")
      try await busy.close()
      guard case .failure(let failure) = asked, case .originIsDown = failure.code else {
        Issue.record("it was asked")
        return
      }
    }
  }

  @Test func `an answer counts behind a failure that still waits for the writers`() async throws {
    try await withStore { temporary, articles in
      let store = temporary.store
      let answer = await articles.asking(
        by: Self.guarded, canWait: false, blaming: { (_: Int) in nil }
      ) {
        // It has been admitted already, and ends behind the other one.
        failBehindWriter(store)
        return 200
      }
      let status = try answer.get()
      await store.queue.run {}
      let failures = try store.storage.failures(of: Self.origin.name)

      #expect(status == 200 && failures == 0)
    }
  }

  @Test
  func `a failure that still waits for the writers may open the breaker for whoever comes next`()
    async throws
  {
    try await withStore { temporary, articles in
      _ = await articles.failure("1", from: ScriptedOrigin<String> { _ in throw Self.down })
      failBehindWriter(temporary.store)

      let next = await articles.asking(
        by: Self.guarded, canWait: false, blaming: { (_: Int) in nil }
      ) { 200 }

      guard case .failure(let failure) = next, case .originIsDown = failure.code else {
        Issue.record("it was asked")
        return
      }
    }
  }

  @Test func `an answer is noted where there was a failure, and only there`() async throws {
    try await withStore { temporary, articles in
      let storage = temporary.store.storage
      let origin = OriginGuard(origin: Self.origin, policy: BreakerPolicy(threshold: 2))
      #expect(try !storage.changes(.answered, at: origin))
      #expect(try !storage.changes(.unknown, at: origin))
      #expect(try storage.changes(.failed(OriginBlame(message: "x")), at: origin))
      _ = await articles.failure("1", from: ScriptedOrigin<String> { _ in throw Self.down })
      #expect(try storage.changes(.answered, at: origin))
      try await articles.get("2", from: ScriptedOrigin<String> { _ in .value("up") })
      #expect(try !storage.changes(.answered, at: origin))
    }
  }

  @Test func `an origin without failures is looked up once, until others commit`() async throws {
    try await withStore { temporary, articles in
      let storage = temporary.store.storage
      let memory = storage.database.memory
      let origin = OriginGuard(origin: Self.origin, policy: BreakerPolicy(threshold: 2))
      func look() throws -> OriginGuard.State {
        try storage.breakerState(of: origin, now: temporary.store.now())
      }
      #expect(!memory.isUntroubled(origin.name))
      #expect(try look() == .closed)
      #expect(memory.isUntroubled(origin.name))
      #expect(!memory.isUntroubled("https://other.example:443"))
      try await articles.put("one", for: "1")
      #expect(memory.isUntroubled(origin.name))

      let other = try temporary.another()
      let there = other.storage
      try there.note(.failed(OriginBlame(message: "x")), at: origin, now: other.now())
      #expect(!memory.isUntroubled(origin.name))
      #expect(try storage.failures(of: origin.name) == 1)
      #expect(!memory.isUntroubled(origin.name))
      try there.note(.answered, at: origin, now: other.now())
      #expect(try storage.failures(of: origin.name) == 0)
      #expect(memory.isUntroubled(origin.name))
      try await other.close()
    }
  }

  @Test(arguments: [true, false])
  func `a failure, or a hold, of this store counts at once`(isHold: Bool) async throws {
    try await withStore { temporary, articles in
      let storage = temporary.store.storage
      let origin = OriginGuard(origin: Self.origin, policy: BreakerPolicy(threshold: 1))
      func look() throws -> OriginGuard.State {
        try storage.breakerState(of: origin, now: temporary.store.now())
      }
      for _ in 1...2 {
        #expect(try look() == .closed)
        #expect(try look() == .closed)
        if isHold {
          #expect(try storage.hold(origin.name, because: "x"))
          #expect(try look() == .held("x"))
        } else {
          try storage.note(
            .failed(OriginBlame(message: "x")), at: origin, now: temporary.store.now())
          #expect(try look() != .closed)
        }
        try await articles.put("one", for: "1")
        #expect(try look() != .closed)
        _ = try storage.forgetFailures(of: nil, releasingHolds: true)
      }
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
            return .full(["1": .value("one")], cursor: nil)
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
}
