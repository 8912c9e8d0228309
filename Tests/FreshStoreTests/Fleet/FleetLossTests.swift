import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

/// Marks that a host cannot know, and what the fleet had before.
@Suite struct FleetLossTests {
  private let origin = ScriptedOrigin<String> { _ in
    .value("one", FetchDetails(expiry: .after(.hours(1))))
  }

  @Test func `what was found is looked for again where the marks are not known`() async throws {
    try await TestHosts.run(2) { (fleet) async throws in
      try await fleet.articles(0).get("1", from: origin)
      await fleet.tier.landings(atLeast: 1)
      try await fleet.catchUp()
      fleet.tier.holdNews()
      origin.answer { _ in .value("two") }
      let inner = fleet.tier.inner
      fleet.tier.afterNextClaim(rereadsNews: true) {
        do {
          let marked = try await inner.mark(
            [.key(SharedKey("articles", "1"))], reason: "from elsewhere", since: nil)
          inner.trim(before: marked.value.upperBound)
        } catch {
          Issue.record(error)
        }
      }

      #expect(try await fleet.articles(1).get("1", from: origin).value == "two")
      #expect(origin.calls == 2)
    }
  }

  @Test func `after a restore one host marks the fleet's records for all`() async throws {
    try await TestHosts.run(3) { (fleet) async throws in
      let here = try fleet.articles(0)
      try await here.get("1", from: origin)
      await fleet.tier.landings(atLeast: 1)
      try await fleet.hosts[2].store.close()
      fleet.advance(by: .minutes(1))
      let inner = fleet.tier.inner
      let (older, end) = (inner.snapshot, try await inner.news(since: nil).position)
      try await here.markStale("1")
      try await fleet.hosts[1].store.takeInFleetMarks()
      fleet.advance(by: .minutes(1))

      inner.restore(older)
      for host in fleet.hosts[..<2] {
        fleet.advance(by: .minutes(1))
        try await host.store.takeInFleetMarks()
      }

      guard case .marks(let marks, _, _) = try await inner.news(since: end) else {
        Issue.record("the journal is another one")
        return
      }
      #expect(marks.map(\.scope) == [.all])
      origin.answer { _ in .value("two") }
      let back = try fleet.hosts[2].another()
      let there = try back.collection("articles", of: String.self)
      #expect(try await there.get("1", from: origin).value == "two")
      try await back.close()
    }
  }

  @Test func `a host that was told of a loss tells the fleet once it is in reach`() async throws {
    try await TestHosts.run(1) { (fleet) async throws in
      let store = fleet.hosts[0].store
      let inner = fleet.tier.inner
      fleet.advance(by: .minutes(1))
      let (older, end) = (inner.snapshot, try await inner.news(since: nil).position)
      try await fleet.articles(0).markStale("1")
      fleet.advance(by: .minutes(1))
      inner.restore(older)
      fleet.advance(by: .minutes(1))
      // The loss comes with an answer after which the tier is gone.
      fleet.tier.holdNews()
      fleet.tier.afterNextClaim {
        inner.fail(with: SharedTierError(.unreachable, "there is no way to it"))
      }
      try await fleet.articles(0).get("2", from: origin)
      fleet.tier.releaseNews()
      inner.fail(with: nil)
      try await store.takeInFleetMarks()

      guard case .marks(let marks, _, _) = try await inner.news(since: end) else {
        Issue.record("the journal is another one")
        return
      }
      #expect(marks.map(\.scope) == [.all])
    }
  }
}
