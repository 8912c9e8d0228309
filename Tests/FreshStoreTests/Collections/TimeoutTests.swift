import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@Suite(.timeLimit(.minutes(2))) struct TimeoutTests {
  @Test func `past the soft timeout the stale copy is served while the fetch continues`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      var policy = Policy()
      policy.softTimeout = .seconds(1)
      let articles = try temporary.store.collection("articles", of: String.self, policy: policy)
      let origin = ScriptedOrigin<String> { _ in .value("two") }
      try await articles.put("one", for: "1")
      temporary.clock.advance(by: .seconds(300))
      origin.hold()

      async let served = articles.get("1", from: origin)
      await origin.calls(atLeast: 1)
      // The hard timeout, the lease's heartbeat, the stale copy's mark and the soft timeout.
      await temporary.clock.sleepers(atLeast: 4)
      temporary.clock.advance(by: .seconds(1))
      let answer = try await served
      let changes = articles.changes(of: "1")
      origin.release()
      for await change in changes where change.kind == .stored { break }

      #expect(answer.value == "one" && answer.freshness == .staleAfterTimeout)
      #expect(try articles.read("1").copy?.value == "two")
    }
  }

  @Test func `without a copy the soft timeout has no effect`() async throws {
    try await TemporaryStore.run { temporary in
      var policy = Policy()
      policy.softTimeout = .seconds(1)
      let articles = try temporary.store.collection("articles", of: String.self, policy: policy)
      let origin = ScriptedOrigin<String> { _ in .value("two") }
      origin.hold()

      async let fetched = articles.get("1", from: origin)
      await origin.calls(atLeast: 1)
      await temporary.clock.sleepers(atLeast: 2)
      temporary.clock.advance(by: .seconds(1))
      origin.release()

      #expect(try await fetched.value == "two")
    }
  }

  @Test func `a copy that must be revalidated is not served past the soft timeout`() async throws {
    try await TemporaryStore.run { temporary in
      var policy = Policy.strict
      policy.softTimeout = .seconds(1)
      let articles = try temporary.store.collection("articles", of: String.self, policy: policy)
      let origin = ScriptedOrigin<String> { _ in .value("two") }
      try await articles.put("one", for: "1")
      temporary.clock.advance(by: .seconds(300))
      origin.hold()

      async let fetched = articles.get("1", from: origin)
      await origin.calls(atLeast: 1)
      await temporary.clock.sleepers(atLeast: 3)
      temporary.clock.advance(by: .seconds(1))
      origin.release()

      #expect(try await fetched.value == "two")
    }
  }

  @Test func `the hard timeout ends a fetch and frees its key`() async throws {
    try await TemporaryStore.run { temporary in
      var policy = Policy()
      policy.hardTimeout = .seconds(2)
      let articles = try temporary.store.collection("articles", of: String.self, policy: policy)
      let origin = ScriptedOrigin<String> { _ in .value("one") }
      origin.hold()

      async let first = articles.failure("1", from: origin)
      await origin.calls(atLeast: 1)
      await temporary.clock.sleepers(atLeast: 2)
      temporary.clock.advance(by: .seconds(2))
      let failure = await first
      origin.release()
      temporary.clock.advance(by: .seconds(1))
      let second = try await articles.get("1", from: origin)

      #expect(failure?.fetchFailure?.code == .timedOut(after: .seconds(2)))
      #expect(second.value == "one")
      #expect(origin.calls == 2)
    }
  }

  @Test func `a fetch that ignores its cancellation holds its key no longer than the deadline`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      var policy = Policy()
      policy.hardTimeout = .seconds(2)
      let articles = try temporary.store.collection("articles", of: String.self, policy: policy)
      let stubborn = StubbornSource()
      let origin = ScriptedOrigin<String> { _ in await stubborn.fetch("late") }

      async let first = articles.failure("1", from: origin)
      await origin.calls(atLeast: 1)
      await temporary.clock.sleepers(atLeast: 2)
      temporary.clock.advance(by: .seconds(2))
      let failure = await first
      origin.answer { _ in .value("new") }
      temporary.clock.advance(by: .seconds(1))
      let second = try await articles.get("1", from: origin)
      stubborn.answer()

      #expect(failure?.code == .fetchFailed)
      #expect(second.value == "new")
      #expect(try articles.read("1").copy?.value == "new")
    }
  }

  @Test(arguments: [
    Policy().hardTimeout(.seconds(1)),
    Policy().hardTimeout(.seconds(9)).waitingTimeout(.seconds(1)),
  ])
  func `a caller that joins a fetch waits no longer than its own limit`(impatient: Policy)
    async throws
  {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection(
        "articles", of: String.self, policy: Policy().hardTimeout(.seconds(5)))
      let origin = ScriptedOrigin<String> { _ in .value("one") }
      origin.hold()

      async let first = articles.get("1", from: origin)
      await origin.calls(atLeast: 1)
      await temporary.clock.sleepers(atLeast: 2)
      async let second = articles.failure("1", impatient, from: origin)
      await temporary.clock.sleepers(atLeast: 3)
      temporary.clock.advance(by: .seconds(1))

      #expect(await second?.fetchFailure?.code == .timedOut(after: .seconds(1)))
      origin.release()
      #expect(try await first.value == "one")
      #expect(origin.calls == 1)
    }
  }

  @Test func `a patient caller is not failed by the limit of the one whose fetch it joins`()
    async throws
  {
    let log = EventLog()
    try await TemporaryStore.run(configure: { $0.reporter = log }) { temporary in
      let articles = try temporary.store.collection(
        "articles", of: String.self, policy: Policy().hardTimeout(.seconds(1)))
      let origin = ScriptedOrigin<String> { _ in .value("one") }
      origin.hold()

      async let first = articles.failure("1", from: origin)
      await origin.calls(atLeast: 1)
      await temporary.clock.sleepers(atLeast: 2)
      let patient = Policy().hardTimeout(.seconds(5)).waitingTimeout(.seconds(4))
      async let second = articles.get("1", patient, from: origin)
      // It has judged the record, and joins.
      while log.events.count(where: { if case .decided = $0 { true } else { false } }) < 2 {
        await Task.yield()
      }
      for _ in 0..<1000 { await Task.yield() }
      temporary.clock.advance(by: .seconds(1))

      #expect(await first?.fetchFailure?.code == .timedOut(after: .seconds(1)))
      // It asks again, whatever the pause after the failure of the other.
      await origin.calls(atLeast: 2)
      origin.release()
      #expect(try await second.value == "one")
    }
  }
}
