import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// Kept marks while several deliver them.
@Suite struct FleetDeliveryTests {
  /// Lets a host have a mark to deliver; what follows the tier hears nothing, and delivers nothing.
  private func withKeptMark(
    _ body: (TestHosts, Store, FleetMember) async throws -> Void
  ) async throws {
    try await TestHosts.run(1, configure: { $0.fleet.outOfReach = .keepMarks }) {
      (fleet) async throws in
      let store = fleet.hosts[0].store
      fleet.tier.holdNews()
      await fleet.tier.newsAreHeld()
      fleet.cutOff()
      try await store.markStale(tag: "first", reason: "by hand")
      fleet.tier.inner.fail(with: nil)
      try await body(fleet, store, try #require(store.fleet))
    }
  }

  /// Holds the answer to the next mark back.
  private func holdNextAnswer(_ fleet: TestHosts) -> Latch {
    let latch = Latch(isOpen: false)
    fleet.tier.afterNextMark {
      do {
        try await latch.pass()
      } catch {
        Issue.record(error)
      }
    }
    return latch
  }

  private func kept(_ store: Store) throws -> [SharedMark.Scope] {
    try store.storage.marksForFleet(10, after: 0).map { SharedMark.Scope($0.scope) }
  }

  @Test func `of many marks of one tag the last one is kept, and of each scope one`() async throws {
    try await withKeptMark { (fleet, store, member) async throws in
      fleet.cutOff()
      for number in 0..<30 {
        for tag in ["first", "second"] { try await store.markStale(tag: tag, reason: "\(number)") }
      }
      try await store.markStale(collection: "first")
      let marks = try store.storage.marksForFleet(100, after: 0)
      #expect(marks.map(\.reason) == ["29", "29", "marked by collection"])
      fleet.tier.inner.fail(with: nil)
      _ = await store.deliverMarks(to: member)
      #expect(try kept(store).isEmpty)
    }
  }

  @Test func `looks for pauses are forgotten after a second or two`() {
    var configuration = Configuration(reachability: .fixed(.online))
    configuration.sharedTier = InMemorySharedTier { .zero }
    let clock = ManualClock()
    let member = FleetMember(configuration)
    for number in 0..<3000 {
      clock.advance(by: .milliseconds(10))
      #expect(member?.mayAskForPause(of: "\(number)", at: clock.reading()) == true)
      #expect(member?.mayAskForPause(of: "\(number)", at: clock.reading()) == false)
      clock.advance(by: .milliseconds(number % 2))
    }
    #expect(member?.looksKept ?? .max <= 201)
  }

  @Test func `a late answer to another process forgets no later mark`() async throws {
    try await withKeptMark { (fleet, store, member) async throws in
      let other = try fleet.hosts[0].another()
      let otherMember = try #require(other.fleet)
      let answer = holdNextAnswer(fleet)
      async let late = store.deliverMarks(to: member)
      await fleet.tier.marks(atLeast: 1)
      _ = await other.deliverMarks(to: otherMember)
      #expect(try kept(other).isEmpty)

      _ = try other.storage.markAndKeep(.tag("second"), reason: "by hand", now: other.now())
      // The file is further than the answer by now, and asks what has come since.
      fleet.tier.releaseNews()
      answer.open()

      #expect(await late.failure == nil)
      // It has found the second one still kept, and delivered that as well.
      await fleet.tier.marks(atLeast: 3)
      #expect(try kept(store).isEmpty)
      try await other.close()
    }
  }

  @Test func `a mark that waits longer than hosts may count on is told of with its reason`()
    async throws
  {
    try await withKeptMark { (fleet, store, member) async throws in
      fleet.cutOff()
      #expect(try store.fleetStanding()?.overdue == nil)
      fleet.hosts[0].clock.advance(by: FleetStanding.longestDelivery)
      _ = await store.deliverMarks(to: member)
      let overdue = try #require(try store.fleetStanding()?.overdue)
      #expect(overdue.marks == 1)
      #expect(overdue.wait == FleetStanding.longestDelivery)
      #expect(overdue.reason != nil)
      fleet.tier.inner.fail(with: nil)
      _ = await store.deliverMarks(to: member)
      #expect(try store.fleetStanding()?.overdue == nil)
    }
  }

  @Test func `a late refusal by another process sets no later mark aside`() async throws {
    try await withKeptMark { (_, store, _) async throws in
      let first = try #require(try store.storage.marksForFleet(10, after: 0).first)
      try store.storage.forget([first])
      _ = try store.storage.markAndKeep(.tag("second"), reason: "by hand", now: store.now())

      #expect(try !store.storage.setAside(first, because: "it is too long"))

      #expect(try kept(store) == [.tag(Array("second".utf8))])
    }
  }

  @Test func `an answer after a wipe forgets no mark from after it`() async throws {
    try await withKeptMark { (fleet, store, member) async throws in
      let answer = holdNextAnswer(fleet)
      async let late = store.deliverMarks(to: member)
      await fleet.tier.marks(atLeast: 1)
      try await store.wipe()
      _ = try store.storage.markAndKeep(.tag("second"), reason: "by hand", now: store.now())
      let scopes = try kept(store)
      #expect(scopes == [.tag(Array("second".utf8))])
      fleet.tier.refuseMarks { _ in SharedTierError(.slow, "it takes too long") }
      answer.open()

      _ = await late

      #expect(try kept(store) == scopes)
    }
  }

  @Test func `a mark from a damaged file keeps its number, and later ones have higher ones`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let storage = temporary.store.storage
      let salvaged = Storage.MarkForFleet(id: 7, scope: .tag("first"), reason: "by hand")
      try storage.database.write(.open) { (connection) throws(SQLiteError) in
        try Storage.keepForFleet(salvaged, connection)
      }

      _ = try storage.markAndKeep(.tag("second"), reason: "by hand", now: temporary.store.now())

      #expect(try storage.marksForFleet(10, after: 0).map(\.id) == [7, 8])
    }
  }

  @Test func `one process sends each mark once`() async throws {
    try await withKeptMark { (fleet, store, member) async throws in
      let answer = holdNextAnswer(fleet)
      async let first = store.deliverMarks(to: member)
      await fleet.tier.marks(atLeast: 1)
      async let second = store.deliverMarks(to: member)
      answer.open()

      let deliveries = await [first, second]

      #expect(deliveries.map(\.hasDelivered) == [true, false])
      #expect(try kept(store).isEmpty)
      #expect(try await fleet.tier.inner.news(since: nil).position.number == 2)
    }
  }
}
