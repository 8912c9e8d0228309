import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// The records that a host of a fleet prunes.
@Suite struct FleetPruneTests {
  private let origin = ScriptedOrigin<String> { _ in
    .value("one", FetchDetails(expiry: .after(.hours(1))))
  }

  @Test func `no mark that this host alone has goes with its record`() async throws {
    try await TestHosts.run(2) { (fleet) async throws in
      let (here, there) = (try fleet.articles(0), try fleet.articles(1))
      for (number, key) in ["1", "2", "3"].enumerated() {
        try await there.get(key, from: origin)
        await fleet.tier.landings(atLeast: number + 1)
        try await here.get(key, from: origin)
      }
      try await there.markStale("2")
      try await here.store.takeInFleetMarks()
      // A program beside, which knows no fleet.
      _ = try here.store.storage.mark(
        .key("articles", "1"), reason: "by hand", now: here.store.now())
      var options = PruneOptions()
      options.maximumCount = 0

      #expect(try await here.store.prune(options).removed == 2)

      origin.answer { _ in .value("two") }
      #expect(try await here.get("1", from: origin).value == "two")
      #expect(try await here.get("2", from: origin).value == "two")
      #expect(try await here.get("3", from: origin).value == "one")
      #expect(try await here.store.prune(options).removed == 3)
    }
  }
}
