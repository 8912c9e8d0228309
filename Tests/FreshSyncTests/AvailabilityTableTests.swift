import FreshStore
import FreshStoreTesting
import Strategies
import Testing

@testable import FreshSync

/// The availabilities of a synchronizer's sources.
@Suite struct AvailabilityTableTests {
  @Test func `only sources with work waiting or under route are remembered when there are many`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let member = SyncedCollection(
        name: "numbers", policies: .bySource { _ in .offlineFirst }, batch: 1,
        sourceState: { _ in .open }, refetch: { _, _ in JobEnd() }, push: nil)
      let members = [ExactName("numbers"): member]
      let now = temporary.clock.reading()
      var availabilities = AvailabilityTable(at: now)
      try availabilities.update(members, settlement: .done, at: now)
      let accounts = (0...AvailabilityTable.mostSources).map {
        RunProgress.Account(collection: "numbers", origin: "https://\($0)")
      }
      for account in accounts { _ = try availabilities.add(account, account.origin) }

      try availabilities.update(
        members, waiting: [accounts[1]], inUse: [accounts[2]], settlement: .done, at: now)

      #expect(availabilities.count == 2)
      #expect(availabilities.of(accounts[1]) == .open && availabilities.of(accounts[2]) == .open)
    }
  }
}
