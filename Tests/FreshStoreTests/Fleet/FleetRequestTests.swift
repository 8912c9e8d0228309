import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// The fleet's reply to a request that a caller makes by itself.
@Suite struct FleetRequestTests {
  private let origin = ScriptedOrigin<String> { _ in
    .value("one", FetchDetails(expiry: .after(.hours(1))))
  }

  /// True where a request by itself leads to the source, which is not asked.
  private func asksSource(_ articles: RecordCollection<String>) async throws -> Bool {
    let request = try #require(try await articles.request(exclusively: "1"))
    let word = await articles.joinFleet(
      request, about: "1", asksAlways: false, atMost: .minutes(10), accepting: { _ in true })
    guard case .asking(let open) = word else { return false }
    await articles.end(open)
    return true
  }

  @Test func `is what another host has`() async throws {
    try await TestHosts.run(2) { (fleet) async throws in
      try await fleet.articles(0).get("1", from: origin)
      await fleet.tier.landings(atLeast: 1)

      let there = try fleet.articles(1)
      #expect(try await !asksSource(there))
      #expect(try there.value("1") == "one")
    }
  }

  @Test func `leaves no lease behind where a local write stands against it`() async throws {
    try await TestHosts.run(2) { (fleet) async throws in
      try await fleet.articles(0).get("1", from: origin)
      await fleet.tier.landings(atLeast: 1)
      let there = try fleet.articles(1)
      try await there.write("mine", for: "1")
      _ = try await asksSource(there)
      let next = try #require(try await there.request(exclusively: "1"))
      await there.end(next)
    }
  }

  @Test func `is nothing that is older than what this host has of the source`() async throws {
    try await TestHosts.run(2) { (fleet) async throws in
      let there = try fleet.articles(1)
      try await fleet.articles(0).get("1", from: origin)
      await fleet.tier.landings(atLeast: 1)
      fleet.advance(by: .minutes(10))
      fleet.cutOff()
      origin.answer { _ in .value("two", FetchDetails(expiry: .after(.minutes(5)))) }
      try await there.get("1", from: origin)
      fleet.tier.inner.fail(with: nil)
      fleet.advance(by: .minutes(6))

      #expect(try await asksSource(there))
      #expect(try there.read("1").copy?.value == "two")
    }
  }

  /// Has values stay with the hosts that have them.
  private func landNoValues(in fleet: TestHosts) {
    fleet.tier.changeLanded { record in
      var record = record
      record.value = nil
      return record
    }
  }

  @Test func `has nobody wait whose value stays with the host that has it`() async throws {
    try await TestHosts.run(3) { (fleet) async throws in
      landNoValues(in: fleet)
      try await fleet.articles(0).get("1", from: origin)
      await fleet.tier.landings(atLeast: 1)
      let asked = fleet.tier.claims.count

      let there = try fleet.articles(1)
      let open = try #require(try await there.request(exclusively: "1"))
      let word = await there.joinFleet(
        open, about: "1", asksAlways: false, atMost: .minutes(10), accepting: { _ in true })
      // While that one is open.
      #expect(try await asksSource(fleet.articles(2)))

      guard case .asking(let last) = word else {
        Issue.record("the value has come from nowhere")
        return
      }
      await there.end(last)
      #expect(fleet.tier.claims.count == asked + 2)
    }
  }

  @Test func `waits for one host, and for none that has waited beside it`() async throws {
    try await TestHosts.run(1) { (fleet) async throws in
      let tier = fleet.tier.inner
      let claim = SharedClaim(SharedKey("articles", "1"))
      let other = try await tier.claim([claim], owner: "other", for: .minutes(10), since: nil)
      guard case .granted(let lease) = other.value[claim.key] else {
        Issue.record("somebody else has the lease")
        return
      }
      fleet.tier.afterNextClaim {
        do {
          try await tier.release([lease], pausing: nil)
          _ = try await tier.claim([claim], owner: "a third", for: .minutes(10), since: nil)
        } catch {
          Issue.record("\(error)")
        }
      }
      #expect(try await asksSource(fleet.articles(0)))
    }
  }

  @Test func `hands on nothing that was put in the place of its answer`() async throws {
    try await TestHosts.run(2) { (fleet) async throws in
      let here = try fleet.articles(0)
      let request = try #require(try await here.request(exclusively: "1"))
      let word = await here.joinFleet(
        request, about: "1", asksAlways: false, atMost: .minutes(10), accepting: { _ in true })
      guard case .asking(let open) = word else {
        Issue.record("there is something in the fleet")
        return
      }
      try await here.put("mine", for: "1")
      let answer = Storage.CopyUpdate.Known(key: "1", variant: nil, metadata: "its head")
      here.handOn(open, storing: [answer])
      let there = try fleet.articles(1)
      #expect(try await asksSource(there))
      #expect(try there.value("1") == nil)
    }
  }

  @Test func `is nothing in the place of what an answer has removed meanwhile`() async throws {
    try await TestHosts.run(2) { (fleet) async throws in
      try await fleet.articles(0).get("1", from: origin)
      await fleet.tier.landings(atLeast: 1)
      let there = try fleet.articles(1)
      #expect(try await !asksSource(there))
      var changes = CopyChanges<String>()
      changes.removals = [try #require(try there.kept("1"))]
      let removal = changes
      fleet.tier.afterNextClaim {
        do {
          let request = try await there.request()
          try await there.update(
            removal, answering: request, about: "1", at: there.store.now())
        } catch {
          Issue.record("\(error)")
        }
      }
      #expect(try await asksSource(there))
      #expect(try there.value("1") == nil)
    }
  }

  @Test func `keeps a long value where it lies that the fleet has no other of`() async throws {
    let long = String(repeating: "one ", count: 100_000)
    origin.answer { _ in .value(long, FetchDetails(expiry: .after(.hours(1)))) }
    try await TestHosts.run(2) { (fleet) async throws in
      let there = try fleet.articles(1)
      fleet.cutOff()
      try await there.get("1", from: origin)
      fleet.tier.inner.fail(with: nil)
      fleet.advance(by: .minutes(10))
      let before = try #require(try there.keptHead("1"))
      landNoValues(in: fleet)
      try await fleet.articles(0).get("1", from: origin)
      await fleet.tier.landings(atLeast: 1)

      #expect(try await !asksSource(there))
      let after = try #require(try there.keptHead("1"))
      #expect(after.age < before.age)
      #expect(after.blocks?.id == before.blocks?.id)
      #expect(try there.value("1") == long)
    }
  }
}
