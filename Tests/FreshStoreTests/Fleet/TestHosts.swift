import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// The hosts of one fleet, each with a file and a clock of its own; the clocks are an hour apart.
struct TestHosts: Sendable {
  let tier: HookedTier
  let tierClock: ManualClock
  let hosts: [TemporaryStore]

  private init(_ count: Int, _ configure: @escaping @Sendable (inout Configuration) -> Void) throws
  {
    let tierClock = ManualClock(wall: Timestamp(millisecondsSinceEpoch: 0))
    let tier = HookedTier(InMemorySharedTier(now: { tierClock.now.elapsed }))
    (self.tier, self.tierClock) = (tier, tierClock)
    hosts = try (0..<count).map { number in
      let clock = ManualClock()
      clock.stepWall(by: .hours(number))
      return try TemporaryStore(clock: clock) { configuration in
        configuration.sharedTier = tier
        configuration.fleet.host = "host \(number)"
        configure(&configuration)
      }
    }
  }

  /// Runs a test with hosts that have met the fleet, and checks their files after it.
  static func run(
    _ count: Int, configure: @escaping @Sendable (inout Configuration) -> Void = { _ in },
    _ body: (TestHosts) async throws -> Void
  ) async throws {
    let fleet = try TestHosts(count, configure)
    for host in fleet.hosts { try await host.store.takeInFleetMarks() }
    try await body(fleet)
    fleet.tier.inner.fail(with: nil)
    fleet.tier.beforeNews(nil)
    fleet.tier.releaseNews()
    for host in fleet.hosts {
      try await host.store.close()
      let again = try host.another()
      let check = try await again.check()
      try await again.close()
      #expect(check.isSound)
    }
  }

  /// The collection of the tests on one host.
  func articles(_ host: Int, _ policy: Policy = .cacheFirst) throws -> RecordCollection<String> {
    try hosts[host].store.collection("articles", of: String.self, policy: policy)
  }

  /// Lets time pass everywhere.
  func advance(by duration: Duration) {
    tierClock.advance(by: duration)
    for host in hosts { host.clock.advance(by: duration) }
  }

  /// Takes in the marks on every host.
  func catchUp() async throws {
    for host in hosts { try await host.store.takeInFleetMarks() }
  }

  /// Puts the tier out of reach.
  func cutOff() { tier.inner.fail(with: SharedTierError(.unreachable, "there is no way to it")) }
}

extension Store {
  /// Hears of the fleet by a call whose answer holds no marks.
  func hearWithoutNews(_ member: FleetMember) async throws(StoreError) {
    _ = try await ask(member, for: .claim, bringsNews: false) {
      (tier) async throws(SharedTierError) in
      try await tier.pauses(of: [])
    }
  }
}
