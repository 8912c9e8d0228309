import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// Two stores on one file stand for two processes: they share nothing but the file.
@Suite(.timeLimit(.minutes(2))) struct LeaseTests {
  @Test func `two stores that want one key fetch it once`() async throws {
    try await TemporaryStore.run { temporary in
      let other = try temporary.another()
      let here = try temporary.store.collection("articles", of: String.self)
      let there = try other.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in .value("one") }
      origin.hold()

      async let first = here.get("1", from: origin)
      await origin.calls(atLeast: 1)
      async let second = there.get("1", from: origin)
      origin.release()
      let answers = try await [first, second]
      try await other.close()

      #expect(answers.map(\.value) == ["one", "one"])
      #expect(origin.calls == 1)
    }
  }

  @Test func `the failure of an owner is not repeated by the store that waited for it`()
    async throws
  {
    let log = EventLog()
    try await TemporaryStore.run(configure: { configuration in
      configuration.reporter = log
      configuration.random = { 0.5 }
    }) { temporary in
      let other = try temporary.another()
      let here = try temporary.store.collection("articles", of: String.self)
      let there = try other.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in throw OriginFailure() }
      origin.hold()

      async let first = here.failure("1", from: origin)
      await origin.calls(atLeast: 1)
      async let second = there.failure("1", from: origin)
      while !log.events.contains(where: { if case .waitedForLease = $0 { true } else { false } }) {
        await Task.yield()
      }
      origin.release()
      let failures = await [first, second]
      try await other.close()

      #expect(failures[0]?.fetchFailure?.code == .thrown)
      #expect(
        failures[1]?.fetchFailure?.code
          == .pausing(until: temporary.clock.reading().wall.advanced(by: .milliseconds(500))))
      #expect(origin.calls == 1)
    }
  }

  @Test func `a copy served because the network was lost meanwhile is not called fresh`()
    async throws
  {
    let log = EventLog()
    try await TemporaryStore.run(configure: { $0.reporter = log }) { temporary in
      let other = try temporary.another()
      let here = try temporary.store.collection("articles", of: String.self)
      let there = try other.collection("articles", of: String.self)
      try await here.put("one", for: "1")
      try await here.markStale("1")
      let origin = ScriptedOrigin<String> { _ in throw OriginFailure() }
      origin.hold()

      async let first = there.failure("1", from: origin)
      await origin.calls(atLeast: 1)
      async let second = here.get("1", from: origin)
      while !log.events.contains(where: { if case .waitedForLease = $0 { true } else { false } }) {
        await Task.yield()
      }
      temporary.reachability.set(.offline("no route"))
      origin.release()
      _ = await first
      let answer = try await second
      try await other.close()

      #expect(answer.value == "one")
      #expect(answer.freshness == .staleOffline)
      #expect(origin.calls == 1)
    }
  }

  @Test func `an expired lease is taken over, and its late owner stores nothing`() async throws {
    try await TemporaryStore.run(configure: { $0.leaseDuration = .seconds(5) }) { temporary in
      // The late owner's clock stands still: its heartbeat never comes.
      let late = try TemporaryStoreOwner(on: temporary.path)
      let there = try late.store.collection("articles", of: String.self)
      let here = try temporary.store.collection("articles", of: String.self)
      let stubborn = StubbornSource()
      let began = ScriptedOrigin<String> { _ in await stubborn.fetch("late") }

      async let first = there.get("1", from: began)
      await began.calls(atLeast: 1)
      temporary.clock.advance(by: .seconds(5))
      let second = try await here.get("1") { _ in .value("new") }
      stubborn.answer()
      let answer = try await first
      try await late.store.close()

      #expect(second.freshness == .fetched)
      #expect(answer.value == "late")
      #expect(answer.storeFailure?.code == .superseded)
      #expect(try here.read("1").copy?.value == "new")
    }
  }

  @Test func `a late owner does not end the lease of its successor`() async throws {
    try await TemporaryStore.run(configure: { $0.leaseDuration = .seconds(5) }) { temporary in
      let late = try TemporaryStoreOwner(on: temporary.path)
      let there = try late.store.collection("articles", of: String.self)
      let here = try temporary.store.collection("articles", of: String.self)
      let stubborn = StubbornSource()
      let began = ScriptedOrigin<String> { _ in await stubborn.fetch("late") }
      let successor = ScriptedOrigin<String> { _ in .value("new") }
      successor.hold()

      async let first = there.get("1", from: began)
      await began.calls(atLeast: 1)
      temporary.clock.advance(by: .seconds(5))
      async let second = here.get("1", from: successor)
      await successor.calls(atLeast: 1)
      stubborn.answer()
      let answer = try await first
      let between = try here.explain("1")
      successor.release()
      let stored = try await second
      try await late.store.close()

      #expect(answer.value == "late" && answer.storeFailure?.code == .superseded)
      #expect(between.fetchedBy != nil && between.decision.outcome == .missing)
      #expect(stored.storeFailure == nil)
      #expect(try here.read("1").copy?.value == "new")
    }
  }

  /// A store on the same file with a clock of its own.
  struct TemporaryStoreOwner {
    let clock = ManualClock()
    let store: Store

    init(on path: String) throws {
      var configuration = Configuration(reachability: ScriptedReachability())
      configuration.clock = clock
      configuration.leaseDuration = .seconds(5)
      store = try Store(path: path, configuration: configuration)
    }
  }

  @Test func `a lease lasts to its last millisecond`() async throws {
    try await TemporaryStore.run(configure: { $0.leaseDuration = .seconds(5) }) { temporary in
      let late = try TemporaryStoreOwner(on: temporary.path)
      let there = try late.store.collection("articles", of: String.self)
      let here = try temporary.store.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in .value("one") }
      origin.hold()

      async let first = there.get("1", from: origin)
      await origin.calls(atLeast: 1)
      temporary.clock.advance(by: .milliseconds(4999))
      let before = try here.explain("1").fetchedBy
      temporary.clock.advance(by: .milliseconds(1))
      let after = try here.explain("1").fetchedBy
      origin.release()
      _ = try await first
      try await late.store.close()

      #expect(before != nil)
      #expect(after == nil)
    }
  }

  @Test func `a lease of an earlier boot blocks no other store`() async throws {
    try await TemporaryStore.run { temporary in
      let late = try TemporaryStoreOwner(on: temporary.path)
      let there = try late.store.collection("articles", of: String.self)
      let here = try temporary.store.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in .value("one") }
      origin.hold()

      async let first = there.get("1", from: origin)
      await origin.calls(atLeast: 1)
      temporary.clock.reboot()
      let holder = try here.explain("1").fetchedBy
      origin.release()
      _ = try await first
      try await late.store.close()

      #expect(holder == nil)
    }
  }

  @Test func `the lease of a long fetch is renewed`() async throws {
    try await TemporaryStore.run(configure: { $0.leaseDuration = .seconds(6) }) { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in .value("one") }
      let raw = try RawDatabase(temporary.path)
      origin.hold()

      async let fetched = articles.get("1", from: origin)
      await origin.calls(atLeast: 1)
      let first = try raw.integer("SELECT deadline FROM lease")
      for round in 1...4 {
        await temporary.clock.sleepers(atLeast: 2)
        temporary.clock.advance(by: .seconds(2))
        while try raw.integer("SELECT deadline FROM lease") != first + round * 2000 {
          await Task.yield()
        }
      }
      let holder = try articles.explain("1").fetchedBy
      origin.release()

      #expect(holder != nil)
      #expect(try await fetched.storeFailure == nil)
    }
  }

  @Test(arguments: [true, false]) func `a put or a removal during a fetch is not undone by it`(
    _ isPut: Bool
  ) async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in .value("late") }
      origin.hold()

      async let fetched = articles.get("1", from: origin)
      await origin.calls(atLeast: 1)
      if isPut { try await articles.put("mine", for: "1") } else { try await articles.remove("1") }
      origin.release()
      let answer = try await fetched

      #expect(answer.value == "late" && answer.storeFailure?.code == .superseded)
      #expect(try articles.read("1").copy?.value == (isPut ? "mine" : nil))
    }
  }

  @Test func `removing everything ends the leases of the collection alone`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let others = try temporary.store.collection("others", of: String.self)
      let origin = ScriptedOrigin<String> { _ in .value("late") }
      origin.hold()

      async let first = articles.get("1", from: origin)
      async let second = others.get("1", from: origin)
      await origin.calls(atLeast: 2)
      try await articles.removeAll()
      origin.release()
      let answers = try await [first, second]

      #expect(answers[0].storeFailure?.code == .superseded)
      #expect(answers[1].storeFailure == nil)
      #expect(try articles.state("1") == .missing)
      #expect(try others.state("1") == .fresh)
    }
  }

  @Test func `closing a store ends its fetches and gives their leases back`() async throws {
    try await TemporaryStore.run { temporary in
      let other = try temporary.another()
      let there = try other.collection("articles", of: String.self)
      let here = try temporary.store.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in .value("late") }
      origin.hold()

      async let first = there.failure("1", from: origin)
      await origin.calls(atLeast: 1)
      try await other.close()
      let failure = await first

      #expect(failure?.fetchFailure?.code == .cancelled)
      #expect(try here.explain("1").fetchedBy == nil)
    }
  }

  @Test func `a store that stops waiting for another's lease does not try to take it any more`()
    async throws
  {
    let log = EventLog()
    try await TemporaryStore.run(configure: { $0.reporter = log }) { temporary in
      let other = try temporary.another()
      let here = try temporary.store.collection("articles", of: String.self)
      let there = try other.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in .value("one") }
      origin.hold()
      async let first = here.get("1", from: origin)
      await origin.calls(atLeast: 1)
      let second = Task { await there.failure("1", from: origin) }
      while log.waits == 0 { await Task.yield() }

      second.cancel()
      #expect(await second.value?.code == .cancelled)
      // Ends the flight: while the other fetch runs, this returns only if the store has stopped waiting.
      try await other.close()
      #expect(log.waits < 10)
      origin.release()
      #expect(try await first.value == "one")
    }
  }

  @Test(arguments: [true, false])
  func `a store that waited for an owner that gave up fetches, whatever failed long ago`(
    heedsPauses: Bool
  ) async throws {
    let log = EventLog()
    try await TemporaryStore.run(configure: { configuration in
      configuration.reporter = log
      configuration.random = { 0.5 }
    }) { temporary in
      var policy = Policy()
      policy.retryPause = .seconds(100)
      policy.heedsPauses = heedsPauses
      let asked = policy
      let other = try temporary.another()
      let here = try temporary.store.collection("articles", of: String.self, policy: asked)
      let there = try other.collection("articles", of: String.self, policy: asked)
      let failing = ScriptedOrigin<String> { _ in throw OriginFailure() }
      _ = await here.failure("1", from: failing)
      temporary.clock.advance(by: .seconds(100))
      let held = ScriptedOrigin<String> { _ in .value("one") }
      held.hold()
      let first = Task { await there.failure("1", from: held) }
      await held.calls(atLeast: 1)
      let origin = ScriptedOrigin<String> { _ in .value("two") }
      async let second = here.get("1", from: origin)
      while log.waits == 0 { await Task.yield() }
      first.cancel()
      _ = await first.value
      held.release()

      #expect(try await second.value == "two")
      try await other.close()
    }
  }
}

extension EventLog {
  /// The number of times that a lease was found taken.
  fileprivate var waits: Int {
    events.count { event in
      if case .waitedForLease = event { true } else { false }
    }
  }
}
