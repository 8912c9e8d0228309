import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// A host that meets another fleet than the one that it knows: another database, or one that was set up anew.
@Suite struct FleetMoveTests {
  private let origin = ScriptedOrigin<String> { _ in
    .value("one", FetchDetails(expiry: .after(.hours(1))))
  }

  /// The number of the newest mark of the fleet: 1 stands at its beginning.
  private func newestMark(of fleet: TestHosts) async throws -> Int64 {
    try await fleet.tier.inner.news(since: nil).position.number
  }

  @Test func `takes all that it has as stale, and tells of no loss`() async throws {
    try await TestHosts.run(2) { (fleet) async throws in
      let (here, there) = (try fleet.articles(0), try fleet.articles(1))
      try await here.get("1", from: origin)
      await fleet.tier.landings(atLeast: 1)
      try await there.get("1", from: origin)
      try await here.markStale("2")
      try await fleet.catchUp()

      fleet.tier.inner.restartEmpty()
      try await fleet.catchUp()

      #expect(try here.state("1") == .stale && there.state("1") == .stale)
      #expect(try await newestMark(of: fleet) == 1)
    }
  }

  @Test func `is told of the marks that were kept for its place before it was set up anew`()
    async throws
  {
    try await TestHosts.run(2, configure: { $0.fleet.outOfReach = .keepMarks }) {
      (fleet) async throws in
      let (here, there) = (try fleet.articles(0), try fleet.articles(1))
      fleet.tier.inner.restartEmpty()
      try await there.store.takeInFleetMarks()
      try await there.get("1", from: origin)
      // A host that has not met it.
      _ = try here.store.storage.markAndKeep(
        .key("articles", "1"), reason: "by hand", for: "here", now: here.store.now())

      try await fleet.catchUp()

      #expect(try there.state("1") == .stale)
      #expect(try here.store.refusedFleetMarks().isEmpty)
    }
  }

  @Test func `is told of local writes that its source has accepted, wherever it is`() async throws {
    try await TestHosts.run(2, configure: { $0.fleet.outOfReach = .keepMarks }) {
      (fleet) async throws in
      let (here, there) = (try fleet.articles(0), try fleet.articles(1))
      try await here.write("mine", for: "1")
      fleet.cutOff()
      try await here.drain { _ in .accepted }
      fleet.tier.holdNews()
      fleet.tier.move(to: "elsewhere")
      fleet.tier.inner.restartEmpty()
      fleet.tier.inner.fail(with: nil)
      fleet.tier.releaseNews()
      try await there.store.takeInFleetMarks()
      try await there.get("1", from: origin)

      try await fleet.catchUp()

      #expect(try here.store.refusedFleetMarks().isEmpty)
      #expect(try await newestMark(of: fleet) == 2)
    }
  }

  @Test func `sets the marks aside that were kept for the former one`() async throws {
    let log = EventLog()
    try await TestHosts.run(
      1,
      configure: { configuration in
        configuration.fleet.outOfReach = .keepMarks
        configuration.reporter = log
      }
    ) { (fleet) async throws in
      let host = fleet.hosts[0]
      fleet.cutOff()
      try await host.store.markStale(tag: "news", reason: "by hand")
      try await host.store.close()
      fleet.tier.move(to: "elsewhere")
      fleet.tier.inner.restartEmpty()
      fleet.tier.inner.fail(with: nil)

      let store = try host.another()
      try await store.takeInFleetMarks()

      #expect(try await newestMark(of: fleet) == 1)
      let refused = try store.refusedFleetMarks()
      #expect(refused.map(\.scope) == [.tag(Array("news".utf8))])
      #expect(refused.map(\.refusal) == ["it was made for another fleet"])
      #expect(log.events.contains { $0.name == "refused-fleet-mark" })
      #expect(try await store.retryRefusedFleetMarks() == 1)
      try await store.takeInFleetMarks()
      try await store.close()
      #expect(try await newestMark(of: fleet) >= 2)
    }
  }

  @Test func `delivers what was kept before it has met any`() async throws {
    try await TemporaryStore.run { temporary in
      let storage = temporary.store.storage
      let now = temporary.store.now()
      _ = try storage.markAndKeep(.tag("news"), reason: "by hand", now: now)

      let first = SharedPosition(number: 1, token: 1, generation: 7)
      _ = try storage.meet(
        Storage.FleetUpdate(.suspect(.new, position: first), since: nil), now: now)

      #expect(try storage.marksForFleet(10, after: 0).count == 1)
      #expect(try storage.fleetState()?.position == first)
    }
  }

  /// The news that a tier may give of a place in another fleet's journal.
  static let news: [SharedNews] = [
    .suspect(.historyLost, position: SharedPosition(number: 3, token: 9, generation: 2)),
    .suspect(.new, position: SharedPosition(number: 3, token: 9, generation: 2)),
    .marks([], position: SharedPosition(number: 1, token: 1, generation: 2), isMore: false),
  ]

  @Test(arguments: news)
  func `is taken for a new one, whatever the tier says`(_ news: SharedNews) async throws {
    try await TemporaryStore.run { temporary in
      let store = temporary.store
      let first = SharedPosition(number: 1, token: 1, generation: 1)
      let begins = Storage.FleetUpdate(.suspect(.new, position: first), since: nil)
      _ = try store.storage.meet(begins, now: store.now())
      let articles = try store.collection("articles", of: String.self)
      try await articles.put("one", for: "1")

      let result = try store.storage.meet(
        Storage.FleetUpdate(news, since: first), now: store.now())

      #expect(result.applied.fit == .current)
      #expect(try articles.state("1") == .stale)
      #expect(try store.storage.fleetState()?.position == news.position)
      #expect(try store.storage.marksForFleet(10, after: 0).isEmpty)
    }
  }

  @Test func `asks again where another process has met it meanwhile`() async throws {
    try await TemporaryStore.run { temporary in
      let store = temporary.store
      let (former, present) = (
        SharedPosition(number: 3, token: 3, generation: 1),
        SharedPosition(number: 9, token: 9, generation: 2)
      )
      for (position, since) in [(former, nil), (present, former)]
        as [(SharedPosition, SharedPosition?)]
      {
        _ = try store.storage.meet(
          Storage.FleetUpdate(.suspect(.new, position: position), since: since), now: store.now())
      }

      // It was asked in the former fleet.
      let late = SharedNews.marks(
        [], position: SharedPosition(number: 4, token: 4, generation: 1), isMore: false)
      let result = try store.storage.meet(
        Storage.FleetUpdate(late, since: former), now: store.now())

      #expect(result.applied.fit == .apart && !result.isUpToDate)
      #expect(try store.storage.fleetState()?.position == present)
    }
  }
}
