import FreshStore
import FreshStoreTesting
import Rules
import StoreSupport
import Strategies
import Testing

/// A value that one host has fetched is a hit for the other hosts.
@Suite(.timeLimit(.minutes(2))) struct FleetGetTests {
  private let origin = ScriptedOrigin<String> { _ in .value("one") }

  @Test func `one fetch serves five hosts and all of their tasks`() async throws {
    try await TestHosts.run(5) { (fleet) async throws in
      origin.hold()
      let gets = try (0..<100).map { try fleet.articles($0 % 5) }
      let values = try await withThrowingTaskGroup(of: String.self) { group in
        for articles in gets {
          group.addTask { [origin] in try await articles.get("1", from: origin).value }
        }
        await origin.calls(atLeast: 1)
        origin.release()
        return try await group.reduce(into: [String]()) { $0.append($1) }
      }
      #expect(values == Array(repeating: "one", count: 100))
      #expect(origin.calls == 1)
    }
  }

  @Test func `a value of another host has its age and its expiry, whatever the clocks show`()
    async throws
  {
    try await TestHosts.run(2) { (fleet) async throws in
      origin.answer { _ in .value("one", FetchDetails(expiry: .after(.minutes(10)))) }
      try await fleet.articles(0).get("1", from: origin)
      await fleet.tier.landings(atLeast: 1)
      fleet.advance(by: .minutes(4))
      let there = try fleet.articles(1)

      let answer = try await there.get("1", from: origin)

      #expect(answer.value == "one" && answer.freshness == .fresh)
      #expect(answer.age == .minutes(4) && answer.expiry == .after(.minutes(10)))
      #expect(try there.state("1") == .fresh)
      fleet.advance(by: .minutes(6))
      #expect(try there.state("1") == .stale)
      #expect(origin.calls == 1)
    }
  }

  @Test func `a landing that arrives late makes a record no younger`() async throws {
    try await TestHosts.run(2) { (fleet) async throws in
      origin.answer { _ in .value("one", FetchDetails(expiry: .after(.minutes(10)))) }
      let tierClock = fleet.tierClock
      // The record is in flight while four minutes pass.
      fleet.tier.changeLanded { record in
        tierClock.advance(by: .minutes(4))
        return record
      }
      try await fleet.articles(0).get("1", from: origin)
      await fleet.tier.landings(atLeast: 1)

      let answer = try await fleet.articles(1).get("1", from: origin)

      #expect(answer.value == "one" && answer.age == .minutes(4))
    }
  }

  @Test func `the time that a fetch takes makes a record no older`() async throws {
    try await TestHosts.run(2) { (fleet) async throws in
      origin.answer { [fleet] _ in
        fleet.advance(by: .seconds(1))
        return .value("one", FetchDetails(expiry: .after(.minutes(10))))
      }
      var policy = Policy.cacheFirst
      policy.ageBase = .response
      try await fleet.articles(0, policy).get("1", from: origin)
      await fleet.tier.landings(atLeast: 1)

      let answer = try await fleet.articles(1).get("1", from: origin)

      #expect(answer.value == "one" && answer.age == .zero)
    }
  }

  @Test func `a local hit asks nobody`() async throws {
    try await TestHosts.run(1) { (fleet) async throws in
      let articles = try fleet.articles(0)
      try await articles.get("1", from: origin)
      for _ in 1...5 { try await articles.get("1", from: origin) }
      #expect(fleet.tier.claims.count == 1)
    }
  }

  @Test func `details come along, and serve the next conditional request`() async throws {
    try await TestHosts.run(2) { (fleet) async throws in
      let validators = Validators(entityTag: "\"1\"", lastModified: nil)
      let details = FetchDetails(
        expiry: .after(.minutes(1)), validators: validators, tags: ["news"], source: "the wire",
        metadata: "kept")
      origin.answer { _ in .value("one", details) }
      try await fleet.articles(0).get("1", from: origin)
      await fleet.tier.landings(atLeast: 1)
      let there = try fleet.articles(1)
      #expect(try await there.get("1", from: origin).source == "the wire")
      #expect(try there.explain("1").tags == ["news"])
      fleet.advance(by: .minutes(2))

      origin.answer { _ in .notModified }
      let answer = try await there.get("1", from: origin)

      #expect(answer.freshness == .revalidated && answer.value == "one")
      #expect(origin.requests.last?.validators == validators)
      #expect(origin.requests.last?.metadata == "kept")
    }
  }

  @Test func `a confirmed copy is news for the fleet, too`() async throws {
    try await TestHosts.run(2) { (fleet) async throws in
      try await fleet.articles(0).get("1", from: origin)
      await fleet.tier.landings(atLeast: 1)
      fleet.advance(by: .minutes(6))
      origin.answer { _ in .notModified }
      try await fleet.articles(0).get("1", from: origin)
      await fleet.tier.landings(atLeast: 2)

      let answer = try await fleet.articles(1).get("1", from: origin)

      #expect(answer.value == "one" && answer.age == .zero)
      #expect(origin.calls == 2)
    }
  }

  @Test func `that an object does not exist is known to all`() async throws {
    try await TestHosts.run(2) { (fleet) async throws in
      origin.answer { _ in .gone }
      #expect(try await fleet.articles(0).failure("1", from: origin)?.code == .absent)
      await fleet.tier.landings(atLeast: 1)

      #expect(try await fleet.articles(1).failure("1", from: origin)?.code == .absent)
      #expect(try fleet.articles(1).state("1") == .absent)
      #expect(origin.calls == 1)
    }
  }

  @Test func `a batch is one question, and fetches what the fleet lacks`() async throws {
    try await TestHosts.run(2) { (fleet) async throws in
      try await fleet.articles(0).get("1", from: origin)
      await fleet.tier.landings(atLeast: 1)
      let before = fleet.tier.claims.count
      let asked = Asked()

      let results = try await fleet.articles(1).get(["1", "2", "3"]) { missing in
        asked.note(missing.map(\.key).sorted())
        var fetched: [String: Fetched<String>] = [:]
        for one in missing { fetched[one.key] = .value("fetched") }
        return fetched
      }

      #expect(try results["1"]?.get().value == "one")
      #expect(try results["2"]?.get().value == "fetched")
      #expect(asked.batches == [["2", "3"]])
      #expect(fleet.tier.claims.count == before + 1)
    }
  }

  @Test func `a manual refresh asks the source, and the others get its result`() async throws {
    try await TestHosts.run(2) { (fleet) async throws in
      let (here, there) = (try fleet.articles(0), try fleet.articles(1))
      try await here.get("1", from: origin)
      await fleet.tier.landings(atLeast: 1)
      try await there.get("1", from: origin)
      origin.answer { _ in .value("two") }

      let answer = try await here.refresh("1") { [origin] in try await origin.fetch($0) }

      #expect(answer.value == "two" && origin.calls == 2)
      await fleet.tier.landings(atLeast: 2)
      try await there.remove("1")
      #expect(try await there.get("1", from: origin).value == "two")
      #expect(origin.calls == 2)
    }
  }

  @Test func `a failed fetch pauses the key for all but those who ask by hand`() async throws {
    try await TestHosts.run(2, configure: { $0.random = { 0.5 } }) { (fleet) async throws in
      let policy = Policy().retryPause(.minutes(10))
      origin.answer { _ in throw OriginFailure() }
      _ = try await fleet.articles(0, policy).failure("1", from: origin)
      let there = try fleet.articles(1, policy)
      await fleet.tier.releases(atLeast: 1)

      let failure = await there.failure("1", from: origin)

      guard case .pausing = failure?.fetchFailure?.code else {
        Issue.record("\(String(describing: failure))")
        return
      }
      #expect(origin.calls == 1)
      origin.answer { _ in .value("one") }
      let refreshed = try await there.refresh("1") { [origin] in try await origin.fetch($0) }
      #expect(refreshed.value == "one")
    }
  }

  /// How a caller ends pauses.
  enum EndOfPauses: CaseIterable {
    case ofKey, ofOrigin, ofAll
  }

  @Test(arguments: EndOfPauses.allCases)
  func `a pause that a caller ends is over in the fleet, whoever has made it`(_ end: EndOfPauses)
    async throws
  {
    try await TestHosts.run(1) { (fleet) async throws in
      var policy = Policy().retryPause(.minutes(10))
      policy.origin = "https://api.example"
      let (articles, tier) = (try fleet.articles(0, policy), fleet.tier.inner)
      let key = SharedKey("articles", "1")
      if end != .ofOrigin {
        let claimed = try await tier.claim(
          [SharedClaim(key)], owner: "another host", for: .seconds(9), since: nil)
        guard case .granted(let lease) = claimed.value[key] else {
          Issue.record("not granted")
          return
        }
        try await tier.release([lease], pausing: SharedPause(.minutes(5), reason: "503"))
      }
      if end != .ofKey {
        try await tier.pause("https://api.example:443", SharedPause(.minutes(5), reason: "503"))
      }

      switch end {
      case .ofKey: _ = try await articles.endPause("1")
      case .ofOrigin: try await articles.store.endPause(origin: "https://api.example")
      case .ofAll: try await articles.store.endPauses()
      }

      #expect(try await articles.get("1", from: origin).value == "one")
    }
  }

  @Test func `a refresh is not answered by what another host asked for before it`() async throws {
    try await TestHosts.run(2) { (fleet) async throws in
      let (there, here) = (try fleet.articles(0), try fleet.articles(1))
      origin.hold()
      async let first = there.get("1", from: origin)
      await origin.calls(atLeast: 1)
      let own = ScriptedOrigin<String> { _ in .value("new") }
      async let second = here.refresh("1") { try await own.fetch($0) }
      // The first refresh has asked the fleet, and waits for the other host.
      await fleet.tier.questions(atLeast: 2)
      fleet.advance(by: .seconds(2))
      async let third = here.refresh("1") { try await own.fetch($0) }
      for _ in 0..<1000 { await Task.yield() }
      origin.release()

      #expect(try await first.value == "one")
      #expect(["one", "new"].contains(try await second.value))
      #expect(try await third.value == "new")
    }
  }

  @Test func `a host keeps its lease while a rule judges what another host has fetched`()
    async throws
  {
    try await TestHosts.run(2) { (fleet) async throws in
      let there = try fleet.articles(0)
      try await there.get("1", from: origin)
      let server = ScriptedOrigin<String> { previous in .value(previous.key) }
      server.hold()
      let rule = AsyncRule<String>(code: "refused") { value in
        do {
          _ = try await server.fetch(Previous(key: value))
          return true
        } catch {
          return false
        }
      }
      let here = try fleet.articles(1).admitting(awaiting: rule)
      async let got = here.get("1", from: origin)
      await server.calls(atLeast: 1)
      let host = fleet.hosts[1]
      for _ in 0..<4 {
        // The limit of the rule, and the renewal.
        await host.clock.sleepers(atLeast: 2)
        host.clock.advance(by: .seconds(2))
      }
      await host.clock.sleepers(atLeast: 2)
      let other = try host.another()
      let claim = try await other.collection("articles", of: String.self)
        .request(exclusively: "1")
      #expect(claim == nil)
      try await other.close()
      server.release()

      #expect(try await got.value == "one")
      #expect(origin.calls == 1)
    }
  }

  @Test func `a look from before the end of a pause, whose answer comes after it, takes none over`()
    async throws
  {
    try await TestHosts.run(1) { (fleet) async throws in
      var policy = Policy().retryPause(.minutes(10))
      policy.origin = "https://api.example"
      let (articles, tier) = (try fleet.articles(0, policy), fleet.tier)
      try await tier.pause("https://api.example:443", SharedPause(.minutes(5), reason: "503"))
      let (ending, answering) = (Latch(isOpen: false), Latch(isOpen: false))
      @Sendable func wait(at latch: Latch) async {
        do {
          try await latch.pass()
        } catch {
          Issue.record(error)
        }
      }
      tier.beforeEndOfPauses { await wait(at: ending) }
      tier.afterNextLookAtPauses { await wait(at: answering) }

      async let count = articles.store.endPauses()
      while ending.waiting == 0 { await Task.yield() }
      async let answer = articles.get("1", from: origin)
      while answering.waiting == 0 { await Task.yield() }
      ending.open()
      _ = try await count
      answering.open()

      #expect(try await answer.value == "one")
    }
  }

  @Test func `a pause that a caller ends takes no lease from who is fetching`() async throws {
    try await TestHosts.run(2) { (fleet) async throws in
      let (here, there) = (try fleet.articles(0), try fleet.articles(1))
      origin.hold()
      async let first = here.get("1", from: origin)
      await origin.calls(atLeast: 1)

      _ = try await there.endPause("1")
      try await there.store.endPauses()
      async let second = there.get("1", from: origin)
      await fleet.tier.questions(atLeast: 2)

      origin.release()
      #expect(try await first.value == "one")
      #expect(try await second.value == "one")
      #expect(origin.calls == 1)
    }
  }

  @Test func `who waits for another host does so no longer than the policy allows`() async throws {
    try await TestHosts.run(2) { (fleet) async throws in
      origin.hold()
      let first = Task { [origin] in try await fleet.articles(0).get("1", from: origin).value }
      await origin.calls(atLeast: 1)
      var policy = Policy()
      policy.waitingTimeout = .seconds(1)
      let there = try fleet.articles(1, policy)
      let second = Task { [origin] in await there.failure("1", from: origin) }
      await fleet.tier.questions(atLeast: 2)

      fleet.hosts[1].clock.advance(by: .seconds(2))

      let failure = await second.value
      guard case .timedOut = failure?.fetchFailure?.code else {
        Issue.record("\(String(describing: failure))")
        return
      }
      origin.release()
      #expect(try await first.value == "one")
      #expect(origin.calls == 1)
    }
  }

  @Test func `an origin whose breaker is open on one host is left alone by all`() async throws {
    try await TestHosts.run(2) { (fleet) async throws in
      var policy = Policy().retryPause(.zero)
      policy.origin = "https://api.example"
      origin.answer { _ in throw OriginFailure() }
      let (here, there) = (try fleet.articles(0, policy), try fleet.articles(1, policy))
      for key in 1...5 { _ = await here.failure("\(key)", from: origin) }
      let calls = origin.calls
      while try await fleet.tier.pauses(of: ["https://api.example:443"]).isEmpty {
        await Task.yield()
      }
      fleet.advance(by: .seconds(2))

      let failure = await there.failure("new", from: origin)

      guard case .originIsDown = failure?.fetchFailure?.code else {
        Issue.record("\(String(describing: failure))")
        return
      }
      #expect(origin.calls == calls)
      origin.answer { _ in .value("one") }
      let refreshed = try await here.refresh("1") { [origin] in try await origin.fetch($0) }
      #expect(refreshed.value == "one")
      while try await !fleet.tier.pauses(of: ["https://api.example:443"]).isEmpty {
        await Task.yield()
      }
    }
  }

  /// A policy of an origin whose pauses are heeded for 10 s at most, however long they are.
  private static var heedingTenSeconds: Policy {
    var breaker = BreakerPolicy(
      threshold: 5, minimumPause: .seconds(1), maximumPause: .seconds(10))
    breaker.longestNamedPause = .seconds(10)
    var policy = Policy().retryPause(.zero)
    policy.origin = "https://api.example"
    policy.breaker = breaker
    return policy
  }

  @Test func `a host that heeds pauses up to a limit takes over as much, and once`()
    async throws
  {
    try await TestHosts.run(1) { (fleet) async throws in
      origin.answer { _ in .value("one") }
      try await fleet.tier.pause(
        "https://api.example:443", SharedPause(.hours(24), reason: "503"))
      let articles = try fleet.articles(0, Self.heedingTenSeconds)
      let until = fleet.hosts[0].clock.reading().wall.advanced(by: .seconds(10))

      let first = await articles.failure("1", from: origin)
      fleet.advance(by: .seconds(9))
      let second = await articles.failure("2", from: origin)
      #expect(first?.fetchFailure?.code == .originIsDown(until: until))
      #expect(second?.fetchFailure?.code == .originIsDown(until: until))
      #expect(origin.calls == 0)
      fleet.advance(by: .seconds(1))
      #expect(try await articles.get("3", from: origin).value == "one")
      // An answer ends it for all.
      while try await !fleet.tier.pauses(of: ["https://api.example:443"]).isEmpty {
        await Task.yield()
      }
    }
  }

  @Test func `a pause that is made after a longer one was ended elsewhere is taken over`()
    async throws
  {
    try await TestHosts.run(1) { (fleet) async throws in
      try await fleet.tier.pause(
        "https://api.example:443", SharedPause(.hours(24), reason: "503"))
      let articles = try fleet.articles(0, Self.heedingTenSeconds)
      _ = await articles.failure("1", from: origin)

      try await fleet.tier.pause("https://api.example:443", nil)
      fleet.advance(by: .seconds(10))
      try await fleet.tier.pause(
        "https://api.example:443", SharedPause(.seconds(8), reason: "503"))
      let until = fleet.hosts[0].clock.reading().wall.advanced(by: .seconds(8))
      let failure = await articles.failure("2", from: origin)

      #expect(failure?.fetchFailure?.code == .originIsDown(until: until))
      #expect(origin.calls == 0)
    }
  }

  @Test func `an origin that fails one host's writes is left alone by writes and lists of all`()
    async throws
  {
    try await TestHosts.run(2) { (fleet) async throws in
      var policy = Policy().retryPause(.zero)
      policy.origin = "https://api.example"
      let (here, there) = (try fleet.articles(0, policy), try fleet.articles(1, policy))
      for key in 1...5 { try await here.write("mine", for: "\(key)") }
      try await there.write("mine", for: "6")
      _ = try await here.drain { _ in throw OriginFailure() }
      while try await fleet.tier.pauses(of: ["https://api.example:443"]).isEmpty {
        await Task.yield()
      }
      fleet.advance(by: .seconds(2))

      _ = try await there.drain { _ in
        Issue.record("it is sent a local write")
        return .accepted
      }
      await #expect(throws: GetError.self) {
        _ = try await there.follow("all") { _ in
          Issue.record("it is asked for a list")
          return .full([:], cursor: "1")
        }
      }

      #expect(try there.store.outbox().count == 1)
    }
  }

  @Test func `that nothing answers one host pauses nobody else`() async throws {
    try await TestHosts.run(2) { (fleet) async throws in
      let policy = Policy().retryPause(.minutes(10))
      origin.answer { _ in throw OriginFailure(isUnreachable: true) }
      _ = try await fleet.articles(0, policy).failure("1", from: origin)
      await fleet.tier.releases(atLeast: 1)
      origin.answer { _ in .value("one") }

      #expect(try await fleet.articles(1, policy).get("1", from: origin).value == "one")
    }
  }

  @Test func `what a queue hands out on two hosts is fetched once`() async throws {
    try await TestHosts.run(2) { (fleet) async throws in
      let (here, there) = (try fleet.articles(0), try fleet.articles(1))
      for articles in [here, there] { try await articles.get("1", from: origin) }
      fleet.advance(by: .minutes(6))
      origin.answer { _ in .value("two") }
      for (number, articles) in [here, there].enumerated() {
        _ = try await articles.store.sweep()
        let due = try await articles.store.due(limit: 10)
        let results = await articles.refetch(due) { [origin] previous in
          var fetched: [String: Fetched<String>] = [:]
          for one in previous { fetched[one.key] = try await origin.fetch(one) }
          return fetched
        }
        #expect(try results["1"]?.get().value == "two")
        if number == 0 { await fleet.tier.landings(atLeast: 2) }
      }
      #expect(origin.calls == 2)
      #expect(try await there.store.due(limit: 10).isEmpty)
    }
  }
}
