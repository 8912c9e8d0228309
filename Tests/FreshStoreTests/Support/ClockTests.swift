import FreshStoreTesting
import StoreSupport
import Strategies
import Synchronization
import Testing

@testable import FreshStore

@Suite struct ClockTests {
  @Test(arguments: [-86_400, -10, 10, 86_400])
  func `within one boot a step of the wall clock changes no age`(_ step: Int) async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      try await articles.put("one", for: "1")
      temporary.clock.advance(by: .seconds(100))

      temporary.clock.stepWall(by: .seconds(step))
      let after = try articles.read("1").decision
      temporary.clock.advance(by: .seconds(199))
      let before = try articles.state("1")
      temporary.clock.advance(by: .seconds(1))

      #expect(after.age == .seconds(100) && after.outcome == .fresh)
      #expect(before == .fresh)
      #expect(try articles.state("1") == .stale)
    }
  }

  @Test(arguments: [false, true])
  func `a record marked before the clock was set back is due at once`(
    isSwept: Bool
  ) async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      try await articles.put("one", for: "1")
      try await articles.markAllStale()
      temporary.clock.stepWall(by: .seconds(-200_000))
      if isSwept { _ = try await temporary.store.sweep() }
      if !isSwept {
        // A fetch whose question precedes the mark lands under the mark.
        _ = try await articles.refresh("1") { _ in
          try await articles.markAllStale()
          temporary.clock.stepWall(by: .seconds(-200_000))
          return .value("two")
        }
      }

      #expect(try articles.state("1") == .stale)
      #expect(try temporary.store.backlog().due == 1)
    }
  }

  @Test(arguments: [0, -1, -3_000_000_000, -3_000_000_000_000])
  func `a sleep of no time, or of less, ends at once`(seconds: Int64) async throws {
    try await SystemClock().sleep(for: .seconds(seconds))
  }

  @Test(arguments: [(100, Decision.Outcome.fresh), (300, .stale)])
  func `across a reboot the wall clock counts`(
    _ seconds: Int, _ outcome: Decision.Outcome
  ) async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      try await articles.put("one", for: "1")

      temporary.clock.reboot(after: .seconds(seconds))
      let decision = try articles.read("1").decision

      #expect(decision.age == .seconds(seconds) && decision.outcome == outcome)
    }
  }

  @Test func `across a reboot a wall clock that was set back is noticed by the skew`() async throws
  {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      try await articles.put("one", for: "1")

      temporary.clock.reboot(after: .seconds(-6))
      let decision = try articles.read("1").decision

      #expect(decision.outcome == .stale)
      #expect(
        decision.cause == .chain(.lastUpdateInFuture(by: .seconds(6), allowed: .seconds(5))))
      #expect(decision.age == .zero)
    }
  }

  @Test(arguments: [(5000, Decision.Outcome.fresh), (5001, .stale)])
  func `a last update in the future is accepted within the skew`(
    _ lead: Int, _ outcome: Decision.Outcome
  ) async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let future = temporary.clock.reading().wall.advanced(by: .milliseconds(lead))
      try await articles.put("one", for: "1", details: FetchDetails(lastUpdate: future))

      #expect(try articles.state("1") == outcome)
    }
  }

  @Test func `a store may allow more skew`() async throws {
    try await TemporaryStore.run(configure: { $0.allowedSkew = .seconds(60) }) { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let future = temporary.clock.reading().wall.advanced(by: .seconds(60))
      try await articles.put("one", for: "1", details: FetchDetails(lastUpdate: future))

      #expect(try articles.state("1") == .fresh)
    }
  }

  @Test func `a future beyond the skew is past any hard end`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let future = temporary.clock.reading().wall.advanced(by: .seconds(6))
      try await articles.put(
        "one", for: "1", details: FetchDetails(lastUpdate: future, hardEnd: .seconds(3600)))

      #expect(try articles.state("1") == .unusable)
    }
  }

  @Test(arguments: [Int64.min, -1, 0, Int64.max])
  func `an absurd last update is judged like any other`(_ milliseconds: Int64) async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let stamp = Timestamp(millisecondsSinceEpoch: milliseconds)
      try await articles.put("one", for: "1", details: FetchDetails(lastUpdate: stamp))

      #expect(try articles.state("1") == .stale)
      #expect(try await temporary.store.sweep().isComplete)
      temporary.clock.reboot(after: .seconds(1))
      #expect(try articles.state("1") == .stale)
    }
  }

  @Test func `two stores with other wall clocks in one boot agree on an age`() async throws {
    try await TemporaryStore.run { temporary in
      let here = try temporary.store.collection("articles", of: String.self)
      try await here.put("one", for: "1")
      let ahead = ManualClock(wall: temporary.clock.reading().wall.advanced(by: .seconds(7200)))
      var configuration = Configuration(reachability: temporary.reachability)
      configuration.clock = ahead
      let other = try Store(path: temporary.path, configuration: configuration)
      let there = try other.collection("articles", of: String.self)

      let age = try there.read("1").decision.age
      try await other.close()

      #expect(age == .zero)
    }
  }

  @Test func `the system's clocks agree with themselves`() {
    let first = SystemClock().reading()
    let second = SystemClock().reading()

    #expect(first.boot == second.boot)
    #expect(second.sinceBoot >= first.sinceBoot)
    #expect(first.wall.millisecondsSinceEpoch > 1_700_000_000_000)
  }

  @Test func `moments move once when a clock is set while two processes read it`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let clock = EventfulClock(temporary.clock)
      var configuration = Configuration(reachability: temporary.reachability)
      configuration.clock = clock
      let store = try Store(path: temporary.path, configuration: configuration)
      let (here, there) = (store.storage.database, temporary.store.storage.database)
      let articles = try store.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in throw OriginFailure(retryAfter: .seconds(3000)) }
      _ = await articles.failure("1", from: origin)
      let raw = try RawDatabase(temporary.path)
      let before = try raw.integer("SELECT next_attempt FROM failure")
      temporary.clock.advance(by: .seconds(61))
      clock.afterNextReading {
        temporary.clock.stepWall(by: .seconds(3600))
        do { try there.keepTime(.observe) } catch { Issue.record(error) }
      }
      try here.keepTime(.observe)
      temporary.clock.advance(by: .seconds(61))
      try here.keepTime(.observe)
      try there.keepTime(.observe)

      #expect(try raw.integer("SELECT next_attempt FROM failure") == before + 3_600_000)
      try await store.close()
    }
  }
}

/// A clock whose readings trigger an action.
private final class EventfulClock: StoreClock {
  private let clock: ManualClock
  private let event = Mutex<(@Sendable () -> Void)?>(nil)

  init(_ clock: ManualClock) {
    self.clock = clock
  }

  func afterNextReading(_ body: @escaping @Sendable () -> Void) {
    event.withLock { $0 = body }
  }

  func reading() -> ClockReading {
    let now = clock.reading()
    let event = event.withLock { event in
      defer { event = nil }
      return event
    }
    event?()
    return now
  }

  func sleep(for duration: Duration) async throws { try await clock.sleep(for: duration) }
}
