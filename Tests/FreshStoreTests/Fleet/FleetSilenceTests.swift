import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// How long a host may be alone, across restarts.
@Suite struct FleetSilenceTests {
  private let origin = ScriptedOrigin<String> { _ in
    .value("one", FetchDetails(expiry: .after(.hours(24))))
  }

  /// Lets a host that may be alone for ten minutes have an article, and closes its store.
  private func withClosedHost(
    _ body: (TestHosts, TemporaryStore) async throws -> Void
  ) async throws {
    try await TestHosts.run(1, configure: { $0.fleet.longestAlone = .minutes(10) }) {
      (fleet) async throws in
      try await fleet.articles(0).get("1", from: origin)
      await fleet.tier.landings(atLeast: 1)
      try await fleet.hosts[0].store.close()
      try await body(fleet, fleet.hosts[0])
    }
  }

  @Test func `ends at the limit, also of a host that was alone before it was opened`() async throws
  {
    try await withClosedHost { (fleet, host) async throws in
      host.clock.advance(by: .minutes(4))
      fleet.cutOff()
      let back = try host.another()
      let articles = try back.collection("articles", of: String.self)
      await host.clock.sleepers(atLeast: 1)
      host.clock.advance(by: .minutes(5))
      await host.clock.sleepers(atLeast: 1)
      #expect(try articles.state("1") == .fresh)

      host.clock.advance(by: .minutes(1))
      await host.clock.sleepers(atLeast: 1)

      #expect(try articles.state("1") == .stale)
      try await back.close()
    }
  }

  @Test func `that was too long has a host doubt what it has from its first read on`() async throws
  {
    try await withClosedHost { (fleet, host) async throws in
      host.clock.advance(by: .minutes(11))
      fleet.tier.holdNews()

      let back = try host.another()
      let articles = try back.collection("articles", of: String.self)
      #expect(try articles.state("1") == .stale)

      // The fleet answers after all, and has marked nothing.
      fleet.tier.releaseNews()
      try await back.takeInFleetMarks()
      #expect(try articles.state("1") == .fresh)
      try await back.close()
    }
  }

  @Test(arguments: [-5, 300])
  func `is counted by the clock of the boot, whatever the wall clock shows`(step: Int) async throws
  {
    try await withClosedHost { (fleet, host) async throws in
      host.clock.advance(by: .minutes(4))
      host.clock.stepWall(by: .minutes(step))
      fleet.tier.holdNews()
      let soon = try host.another()
      #expect(try soon.collection("articles", of: String.self).state("1") == .fresh)
      try await soon.close()

      host.clock.advance(by: .minutes(7))

      let late = try host.another()
      #expect(try late.collection("articles", of: String.self).state("1") == .stale)
      try await late.close()
    }
  }

  @Test func `that was too long begins again with what became of it, also where the clock is set`()
    async throws
  {
    try await TestHosts.run(1) { (fleet) async throws in
      let (store, clock) = (fleet.hosts[0].store, fleet.hosts[0].clock)
      func suspect() throws -> Bool {
        try store.storage.suspectAll("it is silent", after: .minutes(10), now: store.now())
      }
      clock.advance(by: .minutes(9))
      #expect(try !suspect())
      clock.advance(by: .minutes(1))
      #expect(try suspect())
      clock.stepWall(by: .hours(1))
      #expect(try !suspect())
      clock.stepWall(by: .hours(-3))
      clock.advance(by: .minutes(9))
      #expect(try !suspect())
      clock.advance(by: .minutes(1))
      #expect(try suspect())
    }
  }

  @Test func `is counted from the last answer that an open store had, to the minute`() async throws
  {
    try await TestHosts.run(1) { (fleet) async throws in
      let (store, clock) = (fleet.hosts[0].store, fleet.hosts[0].clock)
      let member = try #require(store.fleet)
      clock.advance(by: .minutes(2))
      let moment = clock.reading().wall

      try await store.synchronize(with: member)
      #expect(try store.fleetPlace()?.lastWord == moment)

      clock.advance(by: .seconds(59))
      try await store.synchronize(with: member)
      #expect(try store.fleetPlace()?.lastWord == moment)
      clock.advance(by: .seconds(1))
      try await store.synchronize(with: member)
      #expect(try store.fleetPlace()?.lastWord == clock.reading().wall)
    }
  }
}
