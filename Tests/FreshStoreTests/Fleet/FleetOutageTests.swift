import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

/// A host whose fleet does not answer goes on alone, and says so.
@Suite struct FleetOutageTests {
  private let origin = ScriptedOrigin<String> { _ in .value("one") }

  @Test(arguments: [SharedTierError.Code.unreachable, .slow, .readOnly, .full, .noSchema])
  func `a host fetches by itself, and the answer says why`(_ code: SharedTierError.Code)
    async throws
  {
    try await TestHosts.run(2) { (fleet) async throws in
      fleet.tier.inner.fail(with: SharedTierError(code, "it does not work"))

      let answers = [
        try await fleet.articles(0).get("1", from: origin),
        try await fleet.articles(1).get("1", from: origin),
      ]

      #expect(answers.map(\.value) == ["one", "one"])
      #expect(answers.map(\.sharedTierFailure?.code) == [code, code])
      #expect(origin.calls == 2)
      let again = try await fleet.articles(0).get("1", from: origin)
      #expect(again.freshness == .fresh && again.sharedTierFailure == nil)
    }
  }

  @Test func `a get says in advance that it would go alone`() async throws {
    try await TestHosts.run(1) { (fleet) async throws in
      #expect(try fleet.articles(0).explain("1").sharedTierFailure == nil)
      fleet.cutOff()
      #expect(try fleet.articles(0).explain("1").sharedTierFailure?.code == .unreachable)
    }
  }

  @Test func `the event says it, too`() async throws {
    let log = EventLog()
    try await TestHosts.run(1, configure: { $0.reporter = log }) { (fleet) async throws in
      fleet.cutOff()
      try await fleet.articles(0).get("1", from: origin)
      #expect(log.events.contains { $0.name == "went-alone" })
    }
  }

  @Test func `a fleet that is back is asked again, and its marks come first`() async throws {
    try await TestHosts.run(2) { (fleet) async throws in
      let (here, there) = (try fleet.articles(0), try fleet.articles(1))
      try await here.get("1", from: origin)
      await fleet.tier.landings(atLeast: 1)
      try await there.get("1", from: origin)
      fleet.cutOff()
      try await there.get("2", from: origin)
      fleet.tier.inner.fail(with: nil)
      try await here.markStale("1")

      let answer = try await there.get("3", from: origin)

      #expect(answer.sharedTierFailure == nil)
      #expect(try there.state("1") == .stale)
    }
  }

  @Test func `a mark is refused while nobody would hear of it`() async throws {
    try await TestHosts.run(1) { (fleet) async throws in
      let articles = try fleet.articles(0)
      try await articles.get("1", from: origin)
      fleet.cutOff()

      let failure = await storeFailure { try await articles.markStale("1") }

      #expect(failure?.sharedTierFailure?.code == .unreachable)
      #expect(try articles.state("1") == .fresh)
    }
  }

  @Test func `a mark may be kept, survives a restart, and is delivered`() async throws {
    try await TestHosts.run(2, configure: { $0.fleet.outOfReach = .keepMarks }) {
      (fleet) async throws in
      let (here, there) = (try fleet.articles(0), try fleet.articles(1))
      try await here.get("1", from: origin)
      await fleet.tier.landings(atLeast: 1)
      try await there.get("1", from: origin)
      fleet.cutOff()
      try await here.markStale("1", reason: "by hand")
      #expect(try here.state("1") == .stale)
      #expect(try there.state("1") == .fresh)
      try await fleet.hosts[0].store.close()
      fleet.tier.inner.fail(with: nil)

      let back = try fleet.hosts[0].another()
      try await back.takeInFleetMarks()
      try await fleet.hosts[1].store.takeInFleetMarks()

      #expect(try there.state("1") == .stale)
      try await back.close()
      let left = try RawDatabase(fleet.hosts[0].path).integer("SELECT count(*) FROM fleet_mark")
      #expect(left == 0)
    }
  }

  @Test func `a wipe keeps marks that wait to be delivered only if it is asked to`() async throws {
    try await TestHosts.run(1, configure: { $0.fleet.outOfReach = .keepMarks }) {
      (fleet) async throws in
      let store = fleet.hosts[0].store
      fleet.cutOff()
      try await fleet.articles(0).markStale("1")

      #expect(
        await storeFailure { try await store.wipe(droppingUnsent: false) }?.code == .pendingWrite)
      try await store.wipe()

      let left = try RawDatabase(fleet.hosts[0].path).integer("SELECT count(*) FROM fleet_mark")
      #expect(left == 0)
    }
  }

  @Test func `an owner that is late overwrites nobody, and its copy is looked after`() async throws
  {
    try await TestHosts.run(2) { (fleet) async throws in
      let (here, there) = (try fleet.articles(0), try fleet.articles(1))
      let slow = ScriptedOrigin<String> { _ in .value("old") }
      slow.hold()
      async let late = here.get("1", from: slow)
      await slow.calls(atLeast: 1)
      // Only by the clock of the tier: the owner stands still.
      fleet.tierClock.advance(by: .minutes(1))
      origin.answer { _ in .value("new") }
      #expect(try await there.get("1", from: origin).value == "new")
      await fleet.tier.landings(atLeast: 1)
      slow.release()
      let answer = try await late
      #expect(answer.value == "old")
      await fleet.tier.landings(atLeast: 2)

      #expect(fleet.tier.landed.last?.isEmpty == true)
      while try here.state("1") == .fresh { await Task.yield() }
      #expect(try await here.get("1", from: slow).value == "new")
      #expect(slow.calls == 1 && origin.calls == 1)
    }
  }

  @Test func `a host that may not be alone for long takes its copies as stale`() async throws {
    try await TestHosts.run(1, configure: { $0.fleet.longestAlone = .minutes(10) }) {
      (fleet) async throws in
      let (articles, clock) = (try fleet.articles(0), fleet.hosts[0].clock)
      let day = FetchDetails(expiry: .after(.hours(24)))
      origin.answer { _ in .value("one", day) }
      try await articles.get("1", from: origin)
      await clock.sleepers(atLeast: 1)
      clock.advance(by: .minutes(5))
      await clock.sleepers(atLeast: 1)
      #expect(try articles.state("1") == .fresh)

      fleet.cutOff()
      for _ in 1...2 {
        #expect(try articles.state("1") == .fresh)
        clock.advance(by: .minutes(5))
        await clock.sleepers(atLeast: 1)
      }

      #expect(try articles.state("1") == .stale)
      try await articles.get("1", from: origin)
      #expect(try articles.state("1") == .fresh)
    }
  }

  @Test func `a host that hears of its fleet is not alone, however long nothing is asked`()
    async throws
  {
    try await TestHosts.run(1, configure: { $0.fleet.longestAlone = .minutes(10) }) {
      (fleet) async throws in
      let (articles, clock) = (try fleet.articles(0), fleet.hosts[0].clock)
      origin.answer { _ in .value("one", FetchDetails(expiry: .after(.hours(24)))) }
      try await articles.get("1", from: origin)
      for _ in 1...6 {
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .minutes(5))
      }
      await clock.sleepers(atLeast: 1)
      #expect(try articles.state("1") == .fresh)
    }
  }

  @Test func `programs that ask once hand on how long the fleet has been silent`() async throws {
    try await TestHosts.run(1, configure: { $0.fleet.longestAlone = .minutes(10) }) {
      (fleet) async throws in
      let host = fleet.hosts[0]
      origin.answer { _ in .value("one", FetchDetails(expiry: .after(.hours(24)))) }
      try await fleet.articles(0).get("1", from: origin)
      await fleet.tier.landings(atLeast: 1)
      try await host.store.close()
      /// The state that a program finds when it asks the fleet once and then reads.
      func state() async throws -> Decision.Outcome {
        let program = try host.another()
        do throws(StoreError) {
          try await program.takeInFleetMarks()
        } catch {
          #expect(error.sharedTierFailure != nil)
        }
        let state = try program.collection("articles", of: String.self).state("1")
        try await program.close()
        return state
      }
      for _ in 1...3 {
        host.clock.advance(by: .minutes(9))
        #expect(try await state() == .fresh)
      }

      fleet.cutOff()
      host.clock.advance(by: .minutes(9))
      #expect(try await state() == .fresh)
      host.clock.advance(by: .minutes(2))
      #expect(try await state() == .stale)
    }
  }

  @Test func `a cancelled get leaves no lease behind`() async throws {
    try await TestHosts.run(2) { (fleet) async throws in
      origin.hold()
      let waiting = Task { [origin] in try await fleet.articles(0).get("1", from: origin) }
      await origin.calls(atLeast: 1)
      waiting.cancel()
      _ = await waiting.result
      await fleet.tier.releases(atLeast: 1)
      origin.release()

      #expect(try await fleet.articles(1).get("1", from: origin).value == "one")
    }
  }
}
