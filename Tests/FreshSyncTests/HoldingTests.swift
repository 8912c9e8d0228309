import FreshStore
import FreshStoreTesting
import FreshSync
import StoreSupport
import Strategies
import Testing

/// A synchronizer and an origin at which nobody is signed in.
@Suite(.timeLimit(.minutes(2))) struct HoldingTests {
  private static let origin: Origin = "https://example.org:443"

  private struct SignedOff: FetchErrorTraits {
    let blamesOrigin = false
    let retryAfter: Duration? = nil
    let wasAnswered = false
    let needsSignIn = true
  }

  @Test func `a held origin is not asked, is shown, and is asked at once when it is released`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(
        temporary, stale: 2, policy: .offlineFirst.origin(Self.origin))
      try await shelf.store.hold(Self.origin, because: "nobody is signed in")

      try await shelf.running {
        let status = await shelf.status {
          $0.origins[Self.origin.name]?.heldBecause == "nobody is signed in"
        }
        #expect(status.inFlight == 0)
        await shelf.idle()
        #expect(shelf.asked.isEmpty)

        try await shelf.store.endPause(origin: Self.origin)
        _ = await shelf.status { $0.report.fetched == 2 }
      }
      #expect(shelf.asked.sorted() == ["1", "2"])
    }
  }

  @Test(arguments: [true, false])
  func `to try again releases no held origin, and forgets its failures`(
    isNamed: Bool
  ) async throws {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(
        temporary, stale: 1, policy: .offlineFirst.origin(Self.origin))
      shelf.origin.answer { _ in throw OriginFailure() }
      _ = try await shelf.synchronizer.drain()
      try await shelf.store.hold(Self.origin, because: "nobody is signed in")
      shelf.origin.answer { _ in .value(1) }

      try await shelf.running {
        try await shelf.synchronizer.tryNow(origin: isNamed ? Self.origin : nil)
        await shelf.synchronizer.settled()
        #expect(shelf.asked.count == 1)
        #expect(try shelf.store.holds() == [Self.origin: "nobody is signed in"])

        try await shelf.store.endPause(origin: Self.origin)
        try await shelf.synchronizer.tryNow()
        await shelf.synchronizer.settled()
        #expect(shelf.asked.count == 2)
      }
    }
  }

  @Test func `a fetch that finds nobody signed in leaves the rest in the queue, without a failure`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      var options = SyncOptions()
      options.concurrency = 1
      let shelf = try await Shelf(
        temporary, stale: 3, policy: .offlineFirst.origin(Self.origin), options: options)
      shelf.origin.answer { _ in throw SignedOff() }

      let report = try await shelf.synchronizer.drain()

      #expect(shelf.asked.count == 1)
      #expect(report.failed == 0 && report.deferred == 3)
      #expect(try shelf.store.backlog().due == 3)
    }
  }
}
