import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@Suite struct SingleFlightTests {
  @Test func `ten thousand tasks that get one key share one fetch`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in .value("one") }
      origin.hold()

      let values = await withTaskGroup(of: String?.self) { group in
        for _ in 0..<10_000 {
          group.addTask {
            do {
              return try await articles.get("1", from: origin).value
            } catch {
              return nil
            }
          }
        }
        await origin.calls(atLeast: 1)
        origin.release()
        return await group.reduce(into: Set<String?>()) { $0.insert($1) }
      }

      #expect(values == ["one"])
      #expect(origin.calls == 1)
    }
  }

  @Test func `a get after another process stored the record does not wait for a fetch`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let other = try temporary.another()
      let origin = ScriptedOrigin<String> { _ in .value("fetched") }
      origin.hold()
      let first = Task { try await articles.get("1", from: origin) }
      await origin.calls(atLeast: 1)

      try await other.collection("articles", of: String.self).put("put", for: "1")
      let answer = try await articles.get("1", from: origin)

      #expect(answer.value == "put")
      #expect(answer.freshness == .fresh)
      origin.release()
      _ = try await first.value
      #expect(origin.calls == 1)
      try await other.close()
    }
  }

  @Test func `a mark in one collection does not affect a fetch of the same key in another`()
    async throws
  {
    let log = EventLog()
    try await TemporaryStore.run(configure: { $0.reporter = log }) { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let notes = try temporary.store.collection("notes", of: String.self)
      try await notes.put("note", for: "1")
      let origin = ScriptedOrigin<String> { _ in .value("one") }
      origin.hold()
      let first = Task { try await articles.get("1", from: origin) }
      await origin.calls(atLeast: 1)

      try await notes.markStale("1")
      let second = Task { try await articles.get("1", from: origin) }
      while log.decisions < 2 { await Task.yield() }
      origin.release()

      let answers = [try await first.value, try await second.value]
      #expect(answers.map(\.value) == ["one", "one"])
      #expect(!answers[0].needsRefresh)
      #expect(origin.calls == 1)
      // A caller that cannot join has to wait for the lease of the other.
      #expect(!log.events.contains { $0.name == "waited-for-lease" })
    }
  }

  @Test func `a get that joins the fetch of a missing record answers and reports like the first`()
    async throws
  {
    let log = EventLog()
    try await TemporaryStore.run(configure: { $0.reporter = log }) { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in .value("one") }
      origin.hold()
      let callers = (0..<5).map { _ in Task { try await articles.get("1", from: origin) } }
      await origin.calls(atLeast: 1)
      while log.decisions < 5 { await Task.yield() }
      origin.release()
      for caller in callers {
        let answer = try await caller.value
        #expect(answer.value == "one")
        #expect(answer.freshness == .fetched)
        #expect(answer.decision?.outcome == .missing)
      }
      #expect(origin.calls == 1)
    }
  }

  /// Under this policy each waiter of a fetch sleeps once on the store's clock, beside the fetch's
  /// own deadline, its heartbeat and the stale copy's mark: so a test can tell when all have come.
  private static var countable: Policy {
    var policy = Policy()
    policy.softTimeout = .seconds(20)
    return policy
  }

  @Test func `one cancelled waiter of two leaves the fetch to the other`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection(
        "articles", of: String.self, policy: Self.countable)
      let origin = ScriptedOrigin<String> { _ in .value("two") }
      try await articles.put("one", for: "1")
      temporary.clock.advance(by: .seconds(300))
      origin.hold()

      let leaving = Task { await articles.failure("1", from: origin) }
      // The fetch's deadline, its heartbeat, the mark that waits to be written, the waiter.
      await temporary.clock.sleepers(atLeast: 4)
      let staying = Task { try await articles.get("1", from: origin) }
      await temporary.clock.sleepers(atLeast: 5)
      leaving.cancel()
      let failure = await leaving.value
      origin.release()
      let answer = try await staying.value

      #expect(failure?.code == .cancelled)
      #expect(answer.value == "two")
      #expect(origin.calls == 1)
    }
  }

  @Test func `the last cancelled waiter ends the fetch and gives the lease back`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let other = try temporary.another()
      let elsewhere = try other.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in .value("one") }
      origin.hold()

      let task = Task { await articles.failure("1", from: origin) }
      await origin.calls(atLeast: 1)
      task.cancel()
      let failure = await task.value
      let answer = try await elsewhere.get("1") { _ in .value("two") }
      try await other.close()

      #expect(failure?.code == .cancelled)
      #expect(answer.value == "two" && answer.freshness == .fetched)
      #expect(try articles.explain("1").decision.failures == 0)
    }
  }

  @Test func `a caller after an abandoned fetch starts a new one`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let stubborn = StubbornSource()
      let origin = ScriptedOrigin<String> { _ in await stubborn.fetch("late") }

      let task = Task { await articles.failure("1", from: origin) }
      await origin.calls(atLeast: 1)
      task.cancel()
      _ = await task.value
      origin.answer { _ in .value("new") }
      let answer = try await articles.get("1", from: origin)
      stubborn.answer()

      #expect(answer.value == "new")
      #expect(origin.calls == 2)
    }
  }

  @Test func `a background refresh continues when a waiter that joined it leaves`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      var policy = Policy.offlineFirst
      policy.softTimeout = .seconds(20)
      let articles = try temporary.store.collection("articles", of: String.self, policy: policy)
      let origin = ScriptedOrigin<String> { _ in .value("two") }
      try await articles.put("one", for: "1")
      temporary.clock.advance(by: .seconds(300))
      origin.hold()

      let changes = articles.changes(of: "1")
      let served = try await articles.get("1", from: origin)
      // The fetch's deadline, its heartbeat, and the mark that waits to be written.
      await temporary.clock.sleepers(atLeast: 3)
      let waiting = Task { try await articles.renew("1") { try await origin.fetch($0) } }
      await temporary.clock.sleepers(atLeast: 4)
      waiting.cancel()
      _ = await waiting.result
      origin.release()
      for await change in changes where change.kind == .stored { break }

      #expect(served.value == "one")
      #expect(try articles.read("1").copy?.value == "two")
      #expect(origin.calls == 1)
    }
  }

  @Test func `the failure of one fetch reaches every waiter`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection(
        "articles", of: String.self, policy: Self.countable)
      let origin = ScriptedOrigin<String> { _ in throw OriginFailure() }
      try await articles.put("one", for: "1")
      temporary.clock.advance(by: .seconds(300))
      origin.hold()

      let failures = await withTaskGroup(of: GetError?.self) { group in
        for _ in 0..<100 { group.addTask { await articles.failure("1", from: origin) } }
        await temporary.clock.sleepers(atLeast: 103)
        origin.release()
        return await group.reduce(into: []) { $0.append($1) }
      }

      #expect(failures.count == 100)
      #expect(failures.allSatisfy { $0?.fetchFailure?.underlying is OriginFailure })
      #expect(origin.calls == 1)
    }
  }

  @Test func `a caller that was cancelled before its get receives no value`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in .value("one") }
      let latch = Latch(isOpen: false)
      origin.hold()
      let task = Task {
        await #expect(throws: CancellationError.self) { try await latch.pass() }
        return await articles.failure("1", from: origin)
      }

      task.cancel()

      #expect(await task.value?.code == .cancelled)
    }
  }

  @Test func `keys that differ only in their Unicode form are two keys with two fetches`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { previous in .value("\(previous.key.utf8.count)") }
      origin.hold()

      async let composed = articles.get("\u{e9}", from: origin)
      await origin.calls(atLeast: 1)
      async let decomposed = articles.get("e\u{301}", from: origin)
      await origin.calls(atLeast: 2)
      origin.release()

      #expect(try await composed.value == "2")
      #expect(try await decomposed.value == "3")
    }
  }
}
