import FreshStore
import FreshStoreTesting
import Strategies
import Testing

@testable import FreshSync

/// The standings of a synchronizer's sources.
@Suite struct StandingsTests {
  @Test func `only sources with work waiting or under way are remembered when there are many`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let member = SyncedCollection(
        name: "numbers", asking: .bySource { _ in .offlineFirst }, batch: 1,
        sourceState: { _ in .open }, refetch: { _, _ in JobEnd() }, push: nil)
      let members = [ExactName("numbers"): member]
      let now = temporary.clock.now()
      var standings = Standings(at: now)
      try standings.update(members, settling: .zero, at: now)
      let accounts = (0...Standings.mostSources).map {
        Ledger.Account(collection: "numbers", origin: "https://\($0)")
      }
      for account in accounts { _ = try standings.meet(account, account.origin) }

      try standings.update(
        members, waiting: [accounts[1]], inUse: [accounts[2]], settling: .zero, at: now)

      #expect(standings.count == 2)
      #expect(standings.of(accounts[1]) == .open && standings.of(accounts[2]) == .open)
    }
  }
}
