import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

/// Marks that were made while the tier was out of reach, and are sent to it later.
@Suite struct FleetKeptMarkTests {
  private let origin = ScriptedOrigin<String> { _ in
    .value("one", FetchDetails(expiry: .after(.hours(1)), tags: ["news"]))
  }

  private static func keeping(_ configuration: inout Configuration) {
    configuration.fleet.outOfReach = .keepMarks
  }

  @Test(arguments: FleetMarkTests.Form.allCases)
  func `has its maker ask the source, whatever the fleet has`(_ form: FleetMarkTests.Form)
    async throws
  {
    try await TestHosts.run(2, configure: Self.keeping) { (fleet) async throws in
      let there = try fleet.articles(1)
      try await fleet.articles(0).get("1", from: origin)
      await fleet.tier.landings(atLeast: 1)
      fleet.cutOff()
      try await form.mark(there)
      fleet.tier.refuseMarks { _ in SharedTierError(.slow, "it takes too long") }
      fleet.tier.inner.fail(with: nil)
      origin.answer { _ in .value("two") }

      #expect(try await there.get("1", from: origin).value == "two")
      #expect(origin.calls == 2)
    }
  }

  @Test(arguments: FleetMarkTests.Form.allCases)
  func `is not kept where a wipe has come while the fleet was asked`(_ form: FleetMarkTests.Form)
    async throws
  {
    try await TestHosts.run(1, configure: Self.keeping) { (fleet) async throws in
      let (here, store) = (try fleet.articles(0), fleet.hosts[0].store)
      fleet.cutOff()
      fleet.tier.beforeNextMark {
        do {
          _ = try await store.wipe()
        } catch {
          Issue.record(error)
        }
      }

      do {
        try await form.mark(here)
        Issue.record("it is kept")
      } catch let error as StoreError {
        #expect(error.code == .wiped)
      }

      let kept = try RawDatabase(store.path).integer("SELECT count(*) FROM fleet_mark")
      #expect(kept == 0)
    }
  }

  /// The tier refuses marks by the tag "bad".
  private func refuseBadOnes(_ fleet: TestHosts) {
    fleet.tier.refuseMarks { scopes in
      scopes.contains(.tag(Array("bad".utf8)))
        ? SharedTierError(.invalidArgument, "it is too long") : nil
    }
  }

  @Test func `is set aside when the tier refuses it, and holds up no other`() async throws {
    let log = EventLog()
    try await TestHosts.run(
      2,
      configure: { configuration in
        Self.keeping(&configuration)
        configuration.reporter = log
      }
    ) { (fleet) async throws in
      let (here, there) = (try fleet.articles(0), try fleet.articles(1))
      try await here.get("1", from: origin)
      await fleet.tier.landings(atLeast: 1)
      try await there.get("1", from: origin)
      fleet.cutOff()
      try await here.store.markStale(tag: "bad", reason: "by hand")
      try await here.markStale("1", reason: "by hand")
      refuseBadOnes(fleet)
      fleet.tier.inner.fail(with: nil)

      try await fleet.catchUp()

      #expect(try there.state("1") == .stale)
      let refused = try here.store.refusedFleetMarks()
      #expect(refused.map(\.scope) == [.tag(Array("bad".utf8))])
      #expect(refused.map(\.refusal) == ["it is too long"])
      #expect(log.events.contains { $0.name == "refused-fleet-mark" })
      #expect(try await here.store.dropRefusedFleetMarks(refused) == 1)
      #expect(try here.store.refusedFleetMarks().isEmpty)
    }
  }

  @Test(arguments: [SharedTierError.Code.noRights, .slow, .full, .readOnly, .other])
  func `that the tier does not take holds up no news`(_ code: SharedTierError.Code) async throws {
    try await TestHosts.run(1, configure: Self.keeping) { (fleet) async throws in
      let articles = try fleet.articles(0)
      for key in ["1", "2"] { try await articles.get(key, from: origin) }
      await fleet.tier.landings(atLeast: 2)
      fleet.cutOff()
      // Each goes in a call of its own.
      for reason in ["once", "twice", "again"] { try await articles.markStale("1", reason: reason) }
      fleet.tier.refuseMarks { _ in SharedTierError(code, "it takes no marks") }
      fleet.tier.inner.fail(with: nil)
      _ = try await fleet.tier.inner.mark(
        [.key(SharedKey("articles", "2"))], reason: "from elsewhere", since: nil)

      let failure = await storeFailure { try await articles.store.takeInFleetMarks() }

      #expect(failure?.sharedTierFailure?.code == code)
      #expect(try articles.state("2") == .stale)
    }
  }

  @Test func `that fails again and again holds up none that comes after it`() async throws {
    try await TestHosts.run(2, configure: Self.keeping) { (fleet) async throws in
      let (here, there) = (try fleet.articles(0), try fleet.articles(1))
      try await here.get("1", from: origin)
      await fleet.tier.landings(atLeast: 1)
      try await there.get("1", from: origin)
      fleet.cutOff()
      for reason in ["once", "twice", "again"] {
        try await here.store.markStale(tag: "bad", reason: reason)
      }
      try await here.markStale("1", reason: "by hand")
      fleet.tier.refuseMarks { scopes in
        scopes.contains(.tag(Array("bad".utf8))) ? SharedTierError(.other, "it breaks off") : nil
      }
      fleet.tier.inner.fail(with: nil)

      let failure = await storeFailure { try await here.store.takeInFleetMarks() }
      try await there.store.takeInFleetMarks()

      #expect(failure?.sharedTierFailure?.code == .other)
      #expect(try there.state("1") == .stale)
      #expect(try here.store.refusedFleetMarks().isEmpty)
    }
  }

  @Test func `is delivered after all on request`() async throws {
    try await TestHosts.run(1, configure: Self.keeping) { (fleet) async throws in
      let store = fleet.hosts[0].store
      let end = try await fleet.tier.inner.news(since: nil).position
      fleet.cutOff()
      try await store.markStale(tag: "bad")
      refuseBadOnes(fleet)
      fleet.tier.inner.fail(with: nil)
      try await store.takeInFleetMarks()
      fleet.tier.refuseMarks { _ in nil }

      #expect(try await store.retryRefusedFleetMarks() == 1)
      try await store.takeInFleetMarks()

      #expect(try store.refusedFleetMarks().isEmpty)
      guard case .marks(let marks, _, _) = try await fleet.tier.inner.news(since: end) else {
        Issue.record("the journal is another one")
        return
      }
      #expect(Set(marks.map(\.scope)) == [.tag(Array("bad".utf8))])
    }
  }

  @Test func `is not kept when the tier in reach refuses it`() async throws {
    try await TestHosts.run(1, configure: Self.keeping) { (fleet) async throws in
      refuseBadOnes(fleet)
      let store = fleet.hosts[0].store

      let failure = await storeFailure { try await store.markStale(tag: "bad") }

      #expect(failure?.sharedTierFailure?.code == .invalidArgument)
      let left = try RawDatabase(store.path).integer("SELECT count(*) FROM fleet_mark")
      #expect(left == 0)
    }
  }
}
