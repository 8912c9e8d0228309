import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// A host that is back in reach, and has marks to take in.
@Suite struct FleetReturnTests {
  private let origin = ScriptedOrigin<String> { _ in
    .value("one", FetchDetails(expiry: .after(.hours(1))))
  }

  /// Lets two hosts have the same articles; the second one then is out of reach, and has its first answer after that
  /// before the marks that it has missed.
  private func withHostBehind(
    _ body: (TestHosts, RecordCollection<String>) async throws -> Void
  ) async throws {
    try await TestHosts.run(2) { (fleet) async throws in
      let (here, there) = (try fleet.articles(0), try fleet.articles(1))
      for (number, key) in ["1", "2"].enumerated() {
        try await here.get(key, from: origin)
        await fleet.tier.landings(atLeast: number + 1)
        try await there.get(key, from: origin)
      }
      fleet.cutOff()
      try await there.get("alone", from: origin)
      #expect(try there.state("1") == .fresh)
      fleet.tier.holdNews()
      fleet.tier.inner.fail(with: nil)
      _ = try await fleet.tier.inner.mark(
        [.key(SharedKey("articles", "1"))], reason: "from elsewhere", since: nil)
      let member = try #require(there.store.fleet)
      try await there.store.hearWithoutNews(member)
      try await body(fleet, there)
    }
  }

  @Test func `calls no copy fresh before they are applied`() async throws {
    try await withHostBehind { (fleet, there) async throws in
      #expect(try there.state("1") == .stale)
      #expect(try there.servableValue("1") == nil)
      #expect(try there.explain("1").decision.cause.code == "marked")

      fleet.tier.releaseNews()
      try await there.store.takeInFleetMarks()

      #expect(try there.state("1") == .stale)
      #expect(try there.state("2") == .fresh)
      #expect(try there.state("alone") == .fresh)
    }
  }

  @Test func `calls no copy fresh either after an outage that no call has met`() async throws {
    try await TestHosts.run(2) { (fleet) async throws in
      let there = try fleet.articles(1)
      try await fleet.articles(0).get("1", from: origin)
      await fleet.tier.landings(atLeast: 1)
      try await there.get("1", from: origin)
      fleet.tier.holdNews()
      fleet.cutOff()
      fleet.tier.inner.fail(with: nil)
      _ = try await fleet.tier.inner.mark(
        [.key(SharedKey("articles", "1"))], reason: "from elsewhere", since: nil)
      #expect(try there.state("1") == .fresh)
      let member = try #require(there.store.fleet)

      try await there.store.hearWithoutNews(member)

      #expect(try there.state("1") == .stale)
      fleet.tier.releaseNews()
      try await there.store.takeInFleetMarks()
      #expect(try there.explain("1").decision.cause.code == "marked")
      #expect(member.behind == nil)
    }
  }

  @Test func `serves meanwhile what the fleet finds, and asks no source for it`() async throws {
    try await withHostBehind { (fleet, there) async throws in
      let calls = origin.calls

      #expect(try await there.get("2", from: origin).value == "one")

      #expect(origin.calls == calls)
      // The answer has brought the marks.
      #expect(try there.state("1") == .stale)
      #expect(try there.state("alone") == .fresh)
    }
  }

  @Test func `serves a copy as ever while its source is provably out of reach`() async throws {
    try await withHostBehind { (fleet, there) async throws in
      fleet.hosts[1].reachability.set(.offline("no route"))
      #expect(try there.state("2") == .offline)
    }
  }

  @Test func `does not have a get wait for all of a journal that does not end`() async throws {
    try await TestHosts.run(1) { (fleet) async throws in
      let (articles, inner) = (try fleet.articles(0), fleet.tier.inner)
      inner.limitNews(to: 2)
      let others = [SharedMark.Scope](repeating: .key(SharedKey("others", "1")), count: 3)
      let more: @Sendable () async throws(SharedTierError) -> Void = {
        () async throws(SharedTierError) in
        _ = try await inner.mark(others, reason: "again and again", since: nil)
      }
      fleet.tier.beforeNews(more)
      try await more()

      let answer = try await articles.get("1", from: origin)

      #expect(answer.value == "one" && answer.freshness == .fetched)
      #expect(answer.sharedTierFailure == nil)
      fleet.tier.beforeNews(nil)
      // A call of the store's own may be in flight, and make more marks.
      while try articles.state("1") != .fresh { try await articles.store.takeInFleetMarks() }
    }
  }

  @Test func `has a mark made here at once although others come before it`() async throws {
    try await TestHosts.run(1) { (fleet) async throws in
      let (articles, inner) = (try fleet.articles(0), fleet.tier.inner)
      try await articles.get("1", from: origin)
      inner.limitNews(to: 1)
      let others = [SharedMark.Scope](repeating: .key(SharedKey("others", "1")), count: 3)
      let more: @Sendable () async throws(SharedTierError) -> Void = {
        () async throws(SharedTierError) in
        _ = try await inner.mark(others, reason: "again and again", since: nil)
      }
      fleet.tier.beforeNews(more)
      try await more()

      try await articles.markStale("1")

      #expect(try articles.state("1") == .stale)
      fleet.tier.beforeNews(nil)
    }
  }

  @Test func `has a mark made here at once although its file is further in a lost journal`()
    async throws
  {
    try await TestHosts.run(1) { (fleet) async throws in
      let (articles, store) = (try fleet.articles(0), fleet.hosts[0].store)
      try await articles.get("1", from: origin)
      await fleet.tier.landings(atLeast: 1)
      let known = try #require(try store.storage.fleetState()?.position)
      let lost = (1...3).map { number in
        let position = SharedPosition(
          number: known.number + Int64(number), token: -Int64(number),
          generation: known.generation)
        return SharedMark(
          position: position, scope: .key(SharedKey("others", "1")), reason: "by another process")
      }
      fleet.tier.holdNews()
      fleet.tier.afterNextMark {
        do {
          let news = SharedNews.marks(lost, position: lost[2].position, isMore: false)
          _ = try store.storage.meet(Storage.FleetUpdate(news, since: known), now: store.now())
        } catch {
          Issue.record(error)
        }
        fleet.tier.releaseNews()
      }

      try await articles.markStale("1")

      #expect(try articles.state("1") == .stale)
    }
  }

  @Test func `takes nothing from the fleet in place of what a list has brought meanwhile`()
    async throws
  {
    try await TestHosts.run(2) { (fleet) async throws in
      let there = try fleet.articles(1)
      try await fleet.articles(0).get("1", from: origin)
      await fleet.tier.landings(atLeast: 1)
      origin.answer { _ in .value("two") }
      fleet.tier.afterNextClaim {
        do {
          _ = try await there.follow("all") { _ in .full(["1": .value("two")], cursor: "1") }
        } catch {
          Issue.record(error)
        }
      }

      #expect(try await there.get("1", from: origin).value == "two")
      #expect(try there.value("1") == "two")
    }
  }

  @Test func `takes nothing from the fleet that is older than its own copy`() async throws {
    try await TestHosts.run(2) { (fleet) async throws in
      let there = try fleet.articles(1)
      try await fleet.articles(0).get("1", from: origin)
      await fleet.tier.landings(atLeast: 1)
      fleet.advance(by: .minutes(10))
      fleet.cutOff()
      origin.answer { _ in .value("two", FetchDetails(expiry: .after(.minutes(5)))) }
      try await there.get("1", from: origin)
      fleet.tier.inner.fail(with: nil)
      fleet.advance(by: .minutes(6))
      origin.answer { _ in .value("three") }

      #expect(try await there.get("1", from: origin).value == "three")
    }
  }

  @Test func `keeps the fleet's lease although its file cannot be written`() async throws {
    try await TestHosts.run(1, configure: { $0.busyTimeout = .milliseconds(10) }) {
      (fleet) async throws in
      let (articles, clock) = (try fleet.articles(0), fleet.hosts[0].clock)
      let slow = ScriptedOrigin<String> { _ in .value("one") }
      slow.hold()
      async let answer = articles.get("1", from: slow)
      await slow.calls(atLeast: 1)
      // The limit of the fetch, and the two leases.
      await clock.sleepers(atLeast: 3)
      let raw = try RawDatabase(fleet.hosts[0].path)
      try raw.execute("BEGIN IMMEDIATE")

      clock.advance(by: .seconds(2))
      await fleet.tier.extensions(atLeast: 1)

      try raw.execute("COMMIT")
      slow.release()
      #expect(try await answer.value == "one")
    }
  }
}
