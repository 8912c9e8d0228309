import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

/// A host that looks at the fleet and does not ask the source.
@Suite struct FleetLookTests {
  private let origin = ScriptedOrigin<String> { _ in .value("one") }

  /// An explanation on the second host, which looks at the fleet for it.
  private func explained(_ fleet: TestHosts, _ key: String = "1") async throws -> FleetExplanation {
    let shared = SharedKey("articles", key)
    let answer = try await fleet.tier.inner.claim(
      [SharedClaim(shared, takesLease: false)], owner: "", for: .zero,
      since: try fleet.hosts[1].store.fleetPlace()?.position)
    let hearing = FleetHearing(news: answer.news, result: answer.value[shared])
    return try fleet.articles(1).explain(key, hearing: hearing)
  }

  @Test func `an explanation says that a get would take what another host has brought`()
    async throws
  {
    try await TestHosts.run(2) { (fleet) async throws in
      try await fleet.articles(0).get("1", from: origin)
      await fleet.tier.landings(atLeast: 1)
      let there = try fleet.articles(1)

      let found = try await explained(fleet)
      #expect(found.owner == "host 0")
      #expect(found.explanation.decision.outcome == .missing)
      #expect(try await explained(fleet, "2").owner == nil)

      try await there.get("1", from: origin)
      #expect(origin.calls == 1)
    }
  }

  @Test func `an explanation heeds a mark that is still to be taken in`() async throws {
    try await TestHosts.run(2) { (fleet) async throws in
      for host in 0...1 { try await fleet.articles(host).get("1", from: origin) }
      fleet.tier.holdNews()
      _ = try await fleet.tier.inner.mark(
        [.key(SharedKey("articles", "1"))], reason: "a new edition", since: nil)
      let there = try fleet.articles(1)

      #expect(try there.explain("1").action == .serve)
      let marked = try await explained(fleet)

      #expect(marked.explanation.action == .fetch)
      #expect(marked.explanation.decision.mark == "a new edition")
      #expect(marked.owner == nil)
      #expect(try there.state("1") == .fresh)
    }
  }

  @Test func `an explanation knows the pause after another host's failure, and its lease`()
    async throws
  {
    try await TestHosts.run(2) { (fleet) async throws in
      let (inner, shared) = (fleet.tier.inner, SharedKey("articles", "1"))
      let claimed = try await inner.claim(
        [SharedClaim(shared)], owner: "host 0", for: .minutes(1), since: nil)
      guard case .granted(let lease) = claimed.value[shared] else {
        Issue.record("not granted")
        return
      }
      let held = try await explained(fleet).explanation
      #expect(held.action == .fetch)
      #expect(held.fetchedBy == "host 0")

      try await inner.release([lease], pausing: SharedPause(.minutes(5), reason: "no answer"))

      let paused = try await explained(fleet).explanation
      #expect(paused.action == .fail)
      #expect(paused.refusal?.message.contains("no answer") == true)
    }
  }

  @Test func `what the fleet has is taken over without its lease`() async throws {
    try await TestHosts.run(2) { (fleet) async throws in
      try await fleet.articles(0).get("1", from: origin)
      await fleet.tier.landings(atLeast: 1)
      let there = try fleet.articles(1)

      for key in ["1", "2"] { try await there.takeFromFleet(key) }

      #expect(try there.get("1").value == "one")
      #expect(throws: GetError.self) { try there.get("2") }
      let looked = fleet.tier.claims.suffix(2).flatMap(\.self)
      #expect(looked.allSatisfy { !$0.takesLease })
      #expect(try !there.isBeingFetched("2"))
    }
  }

  @Test func `a record with a tag that no mark could name stays with its host`() async throws {
    try await TestHosts.run(2) { (fleet) async throws in
      let tag = String(repeating: "t", count: 1025)
      origin.answer { _ in .value("one", FetchDetails(tags: [tag])) }
      for host in 0...1 { try await fleet.articles(host).get("1", from: origin) }
      #expect(origin.calls == 2)
    }
  }
}
