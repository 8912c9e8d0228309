import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// Pauses that are ended by hand.
@Suite struct EndedPauseTests: GuardedSuite {
  @Test func `all pauses can be ended manually`() async throws {
    try await withOpenBreaker(OriginFailure(retryAfter: .seconds(600), isUnreachable: true)) {
      temporary, articles, origin in
      await #expect(throws: GetError.self) {
        try await articles.follow("all") { _ in throw Self.broken }
      }
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

  /// Asks the source of a store; `nil` where that gives no answer.
  private func ask(
    _ articles: RecordCollection<String>, by policy: Policy = Self.guarded, _ answer: Int?
  ) async -> Result<Int, FetchFailure> {
    await articles.asking(by: policy, canWait: true, blaming: { (_: Int) in nil }) {
      () async throws -> Int in
      guard let answer else { throw OriginFailure(isUnreachable: true) }
      return answer
    }
  }

  private func isPause(_ result: Result<Int, FetchFailure>) -> Bool {
    guard case .failure(let failure) = result, case .pausing = failure.code else { return false }
    return true
  }

  @Test(arguments: [true, false])
  func `a suspicion ends where another store ends the pauses, or has had an answer, unobserved`(
    isByHand: Bool
  ) async throws {
    try await withStore { temporary, articles in
      _ = await ask(articles, nil)
      let paused = await ask(articles, 200)
      let other = try temporary.another()
      if isByHand {
        try await other.endPause(origin: Self.origin)
      } else {
        let elsewhere = try other.collection("articles", of: String.self)
        _ = await ask(elsewhere, 200)
      }
      let asked = await ask(articles, 200)
      try await other.close()

      #expect(isPause(paused))
      #expect(try asked.get() == 200)
    }
  }

  @Test func `a suspicion ends with the pauses also where others have failed in the file`()
    async throws
  {
    try await withStore { temporary, articles in
      let other = try temporary.another()
      let elsewhere = try other.collection("articles", of: String.self)
      _ = await ask(elsewhere, nil)
      let uncounted: Result<Int, FetchFailure> = await articles.asking(
        by: Self.guarded, canWait: true, blaming: { (_: Int) in nil },
        counting: { _, _ in false }
      ) { throw OriginFailure(isUnreachable: true) }
      let paused = await ask(articles, 200)
      try await other.endPause(origin: Self.origin)
      let asked = await ask(articles, 200)
      try await other.close()

      #expect(throws: FetchFailure.self) { try uncounted.get() }
      #expect(isPause(paused))
      #expect(try asked.get() == 200)
    }
  }

  @Test func `who counts failures is told which is the first that the file has`() async throws {
    try await withStore { temporary, articles in
      var told: [Bool] = []
      for number in 1...3 {
        if number == 3 { try await temporary.store.endPause(origin: Self.origin) }
        let asked: Result<Int, FetchFailure> = await articles.asking(
          by: Self.guarded, canWait: false, blaming: { (_: Int) in nil },
          counting: { _, isFirst in
            told.append(isFirst)
            return true
          }
        ) { throw OriginFailure() }
        #expect(throws: FetchFailure.self) { try asked.get() }
      }
      #expect(told == [true, false, true])
    }
  }

  @Test func `of failures that come at the same time one is the first`() async throws {
    try await withStore { _, articles in
      let firsts = await withTaskGroup(of: Bool.self) { group -> Int in
        for _ in 1...40 {
          group.addTask {
            var isFirstOfAll = false
            let _: Result<Int, FetchFailure> = await articles.asking(
              by: Self.guarded, canWait: false, blaming: { (_: Int) in nil },
              counting: { _, isFirst in
                isFirstOfAll = isFirst
                return isFirst
              }
            ) { throw OriginFailure() }
            return isFirstOfAll
          }
        }
        var count = 0
        for await isFirst in group where isFirst { count += 1 }
        return count
      }
      #expect(firsts == 1)
    }
  }

  @Test func `a suspicion pauses no longer than the breaker of its policy says`() async throws {
    try await withStore { (temporary, articles) async throws in
      var policy = Self.guarded
      policy.breaker = BreakerPolicy(
        threshold: 5, minimumPause: .milliseconds(100), maximumPause: .milliseconds(100))
      _ = await ask(articles, by: policy, nil)
      temporary.clock.advance(by: .milliseconds(99))
      let early = await ask(articles, by: policy, 200)
      temporary.clock.advance(by: .milliseconds(1))
      let late = await ask(articles, by: policy, 200)

      #expect(isPause(early))
      #expect(try late.get() == 200)
    }
  }

  @Test func `a breaker that never opens leaves no source alone after one failure either`()
    async throws
  {
    try await withStore { (_, articles) async throws in
      var policy = Self.guarded
      policy.breaker = BreakerPolicy(threshold: .max)
      _ = await ask(articles, by: policy, nil)
      let asked = await ask(articles, by: policy, 200)
      #expect(try asked.get() == 200)
    }
  }

  @Test func `work that a dead process had leaves what others know of their routes`() async throws {
    try await withStore { temporary, articles in
      let silent = ScriptedOrigin<String> { _ in throw OriginFailure(isUnreachable: true) }
      _ = await articles.failure("1", from: silent)
      let changes = temporary.store.changes()
      let (dead, other) = (try temporary.another(), try temporary.another())
      try await dead.collection("notes", of: String.self).write("mine", for: "1")
      let held = try await dead.dueWrites(limit: 1)
      dead.storage.ownerLock.release()

      try await other.reclaim()

      // The first of this kind: nothing else has ended.
      let told = await changes.first { $0.kind == .resumed }
      #expect(held.count == 1 && told?.ended == nil)
      #expect(articles.reachability().code == "suspected")
      #expect(try temporary.store.outbox().map(\.state) == [.waiting])
      for store in [dead, other] { try await store.close() }
    }
  }

  @Test func `ending the pause of one origin leaves what others know of the routes to another`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let store = temporary.store
      let names = ["a", "b"]
      let silent = ScriptedOrigin<String> { _ in throw OriginFailure(isUnreachable: true) }
      let collections = try names.map { (name) throws(StoreError) in
        try store.collection(name, of: String.self, policy: .offlineFirst.origin(Origin(name)))
      }
      for articles in collections { _ = await articles.failure("1", from: silent) }
      let changes = store.changes()
      let other = try temporary.another()

      try await other.endPause(origin: Origin("a"))

      let told = await changes.first { $0.kind == .resumed }
      #expect(told?.ended == .origin(Origin("a")))
      #expect(collections.map { $0.reachability().code } == ["online", "suspected"])
      try await other.close()
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
