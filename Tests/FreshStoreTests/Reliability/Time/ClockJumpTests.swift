import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

/// The wall clock is set, forward and back, while an operation is running.
@Suite struct ClockJumpTests {
  private static let jumps = [-86_400, -60, 60, 86_400]

  @Test(arguments: jumps) func `a value that is fetched meanwhile has its real age`(
    _ seconds: Int
  ) async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in
        .value("one", FetchDetails(expiry: .after(.seconds(100))))
      }
      origin.hold()

      async let fetched = articles.get("1", from: origin)
      await origin.calls(atLeast: 1)
      temporary.clock.stepWall(by: .seconds(seconds))
      origin.release()
      let answer = try await fetched
      temporary.clock.stepWall(by: .seconds(-seconds))
      temporary.clock.advance(by: .seconds(99))
      let before = try articles.read("1").decision
      temporary.clock.advance(by: .seconds(1))

      #expect(answer.age == .zero && answer.storeFailure == nil)
      #expect(before.outcome == .fresh && before.age == .seconds(99))
      #expect(try articles.state("1") == .stale)
    }
  }

  @Test(arguments: jumps) func `a lease keeps its duration, and is renewed`(
    _ seconds: Int
  ) async throws {
    try await TemporaryStore.run { temporary in
      let other = try temporary.another()
      let here = try temporary.store.collection("articles", of: String.self)
      let there = try other.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in .value("one") }
      origin.hold()

      async let first = here.get("1", from: origin)
      await origin.calls(atLeast: 1)
      temporary.clock.stepWall(by: .seconds(seconds))
      let holder = try there.explain("1").fetchedBy
      async let second = there.get("1", from: origin)
      origin.release()
      let answers = try await [first, second]
      try await other.close()

      #expect(holder != nil)
      #expect(answers.map(\.value) == ["one", "one"] && origin.calls == 1)
      #expect(answers.allSatisfy { $0.storeFailure == nil })
    }
  }

  @Test(arguments: jumps)
  func `a sweep marks records that have expired by their age, and no others`(
    _ seconds: Int
  ) async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: Int.self)
      for number in 0..<40 {
        try await articles.put(
          number, for: "\(number)",
          details: FetchDetails(expiry: .after(.seconds(number < 20 ? 10 : 1000))),
          durability: .normal)
      }
      temporary.clock.advance(by: .seconds(100))
      let clock = temporary.clock
      var options = SweepOptions()
      options.batchSize = 5
      options.progress = { if $0.examined == 5 { clock.stepWall(by: .seconds(seconds)) } }

      let result = try await temporary.store.sweep(options)
      let fresh = try (0..<40).filter { try articles.state("\($0)") == .fresh }

      // When the clock is set back, records due later by it are not looked at; a read decides for itself.
      #expect(result.marked <= 20)
      #expect(fresh == Array(20..<40))
      temporary.clock.stepWall(by: .seconds(-seconds))
      let rest = try await temporary.store.sweep()
      #expect(result.marked + rest.marked == 20)
    }
  }

  /// The policy of a copy that is served while requests to its source back off.
  private static let standingIn: Policy = {
    var policy = Policy()
    policy.graceOnError = .seconds(1_000_000)
    policy.retryPause = .seconds(40)
    return policy
  }()

  /// Each waits for 20 s; true once it does not wait any more.
  enum Waiting: CaseIterable {
    case copy, queue, write, list, breaker
  }

  private func waiting(
    _ waiting: Waiting, in temporary: TemporaryStore
  ) async throws -> () async throws -> Bool {
    let store = temporary.store
    var policy = Self.standingIn
    if waiting == .breaker { policy.origin = "source" }
    let articles = try store.collection("articles", of: String.self, policy: policy)
    let origin = ScriptedOrigin<String> { _ in throw OriginFailure() }
    try await articles.put("old", for: "1", details: FetchDetails(expiry: .immediately))
    switch waiting {
    case .copy:
      _ = try await articles.get("1", from: origin)
      return {
        let calls = origin.calls
        _ = try await articles.get("1", from: origin)
        return origin.calls > calls
      }
    case .queue:
      try await articles.markStale("1")
      let due = try await store.due(limit: 1)
      _ = await articles.refetch(due) { _ in throw OriginFailure() }
      return { try await !store.due(limit: 1).isEmpty }
    case .write:
      try await articles.write("new", for: "1")
      _ = try await articles.drain { _ in throw OriginFailure() }
      return { try await !store.dueWrites(limit: 1).isEmpty }
    case .list:
      await #expect(throws: GetError.self) {
        try await articles.follow("all") { _ in throw OriginFailure() }
      }
      return {
        try await store.keepTime()
        return try articles.listDue("all").map { $0 <= temporary.clock.reading().wall } ?? false
      }
    case .breaker:
      for _ in 1...5 {
        _ = await articles.failure("\(UInt64.random(in: 2 ... .max))", from: origin)
      }
      return {
        try await store.keepTime()
        return try articles.sourceState() == .trial
      }
    }
  }

  @Test(arguments: jumps + [-3600, 3600], Waiting.allCases)
  func `a pause keeps its length, whatever the wall clock shows meanwhile`(
    _ seconds: Int, _ kind: Waiting
  ) async throws {
    try await TemporaryStore.run(configure: {
      $0.random = { 0.5 }
      $0.breaker.minimumPause = .seconds(20)
    }) { temporary in
      let waitsNoMore = try await waiting(kind, in: temporary)

      temporary.clock.advance(by: .seconds(10))
      temporary.clock.stepWall(by: .seconds(seconds))
      #expect(try await !waitsNoMore())
      temporary.clock.advance(by: .seconds(9))
      #expect(try await !waitsNoMore())
      temporary.clock.advance(by: .seconds(1))
      #expect(try await waitsNoMore())
    }
  }

  @Test(arguments: [-86_400, -3600, 3600, 86_400], Waiting.allCases)
  func `a clock that is set forth and back changes nothing`(
    _ seconds: Int, _ kind: Waiting
  ) async throws {
    try await TemporaryStore.run(configure: {
      $0.random = { 0.5 }
      $0.breaker.minimumPause = .seconds(20)
    }) { temporary in
      let waitsNoMore = try await waiting(kind, in: temporary)
      for step in [seconds, -seconds] {
        temporary.clock.advance(by: .seconds(9))
        temporary.clock.stepWall(by: .seconds(step))
        #expect(try await !waitsNoMore())
      }
      temporary.clock.advance(by: .seconds(2))
      #expect(try await waitsNoMore())
    }
  }

  @Test(arguments: Waiting.allCases)
  func `a machine that boots with a slow clock prolongs no wait`(
    _ kind: Waiting
  ) async throws {
    try await TemporaryStore.run(configure: {
      $0.random = { 0.5 }
      $0.breaker.minimumPause = .seconds(20)
    }) { temporary in
      let waitsNoMore = try await waiting(kind, in: temporary)
      temporary.clock.reboot(after: .seconds(1))
      temporary.clock.stepWall(by: .seconds(-7200))
      #expect(try await !waitsNoMore())
      temporary.clock.advance(by: .seconds(21))
      #expect(try await waitsNoMore())
    }
  }

  @Test func `the age of a record includes the sleep of the machine`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      try await articles.put("one", for: "1", details: FetchDetails(expiry: .after(.seconds(100))))

      // The boot clock counts the sleep; the wall clock was not set when the machine woke.
      temporary.clock.advance(by: .seconds(8 * 3600))
      temporary.clock.stepWall(by: .seconds(-8 * 3600))
      let decision = try articles.read("1").decision

      #expect(decision.age == .seconds(8 * 3600) && decision.outcome == .stale)
    }
  }
}
