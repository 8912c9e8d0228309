import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// Pauses of origins that a host takes over from its fleet.
@Suite struct FleetPauseTests {
  @Test func `a pause that could not be stored is taken over by a later look`() async throws {
    try await TestHosts.run(1, configure: { $0.busyTimeout = .milliseconds(20) }) {
      (fleet) async throws in
      let store = fleet.hosts[0].store
      let member = try #require(store.fleet)
      var breaker = BreakerPolicy(
        threshold: 5, minimumPause: .seconds(1), maximumPause: .seconds(10))
      breaker.longestNamedPause = .seconds(10)
      let origin = OriginGuard(origin: "https://api.example", policy: breaker)
      try await fleet.tier.pause(origin.name, SharedPause(.hours(24), reason: "503"))

      let other = try RawDatabase(fleet.hosts[0].path)
      try other.execute("BEGIN IMMEDIATE")
      await store.takePause(of: origin, in: member)
      try other.execute("COMMIT")
      let failed = try store.storage.breakerState(of: origin, now: store.now())
      fleet.advance(by: .seconds(2))
      let until = store.now().wall.advanced(by: .seconds(10))
      await store.takePause(of: origin, in: member)
      let taken = try store.storage.breakerState(of: origin, now: store.now())
      fleet.advance(by: .seconds(10))
      await store.takePause(of: origin, in: member)
      let over = try store.storage.breakerState(of: origin, now: store.now())

      #expect(failed == .closed)
      #expect(taken == .open(until: until))
      #expect(over == .trial)
    }
  }
}
