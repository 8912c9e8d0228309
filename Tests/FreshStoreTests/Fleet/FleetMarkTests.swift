import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

/// A record that one host marks is stale on all hosts.
@Suite struct FleetMarkTests {
  private let origin = ScriptedOrigin<String> { _ in
    .value("one", FetchDetails(expiry: .after(.hours(1)), tags: ["news"]))
  }

  /// A form of mark that covers the article 1.
  enum Form: String, CaseIterable, Sendable {
    case key
    case keys
    case tag
    case prefix
    case collection

    func mark(_ articles: RecordCollection<String>) async throws {
      switch self {
      case .key: try await articles.markStale("1")
      case .keys: try await articles.markStale(["1"])
      case .tag: try await articles.store.markStale(tag: "news")
      case .prefix: try await articles.markStale(prefix: "1")
      case .collection: try await articles.markAllStale()
      }
    }
  }

  /// Lets every host have the article 1.
  private func fill(_ fleet: TestHosts) async throws -> [RecordCollection<String>] {
    let all = try fleet.hosts.indices.map { try fleet.articles($0) }
    try await all[0].get("1", from: origin)
    await fleet.tier.landings(atLeast: 1)
    for articles in all.dropFirst() { try await articles.get("1", from: origin) }
    #expect(origin.calls == 1)
    return all
  }

  @Test(arguments: Form.allCases)
  func `a mark is stale at once here, and on the others once they hear of it`(_ form: Form)
    async throws
  {
    try await TestHosts.run(3) { (fleet) async throws in
      let all = try await fill(fleet)

      try await form.mark(all[0])

      #expect(try all[0].state("1") == .stale)
      try await fleet.catchUp()
      for articles in all { #expect(try articles.state("1") == .stale) }
      #expect(try all[2].explain("1").decision.cause.code == "marked")
    }
  }

  @Test(arguments: Form.allCases)
  func `marked copies are fetched once for all hosts`(_ form: Form) async throws {
    try await TestHosts.run(3) { (fleet) async throws in
      let all = try await fill(fleet)
      try await form.mark(all[0])
      try await fleet.catchUp()
      origin.answer { _ in .value("two", FetchDetails(tags: ["news"])) }

      #expect(try await all[1].get("1", from: origin).value == "two")
      await fleet.tier.landings(atLeast: 2)
      for articles in all { #expect(try await articles.get("1", from: origin).value == "two") }

      #expect(origin.calls == 2)
    }
  }

  @Test(arguments: Form.allCases)
  func `a mark that comes while a value is fetched covers it everywhere`(_ form: Form) async throws
  {
    try await TestHosts.run(3) { (fleet) async throws in
      let all = try fleet.hosts.indices.map { try fleet.articles($0) }
      origin.answer { _ in
        try await form.mark(all[1])
        return .value("old", FetchDetails(tags: ["news"]))
      }
      try await all[0].get("1", from: origin)
      await fleet.tier.landings(atLeast: 1)
      try await fleet.catchUp()
      #expect(try all[0].state("1") == .stale)
      origin.answer { _ in .value("new", FetchDetails(tags: ["news"])) }

      #expect(try await all[2].get("1", from: origin).value == "new")
      await fleet.tier.landings(atLeast: 2)
      #expect(try await all[0].get("1", from: origin).value == "new")
      #expect(origin.calls == 2)
    }
  }

  @Test func `a finding that a mark overtakes on its way is not served`() async throws {
    try await TestHosts.run(2) { (fleet) async throws in
      let (here, there) = (try fleet.articles(0), try fleet.articles(1))
      try await here.get("1", from: origin)
      await fleet.tier.landings(atLeast: 1)
      origin.answer { _ in .value("two") }
      let process = try fleet.hosts[1].another()
      fleet.tier.afterNextClaim {
        do {
          try await here.markStale("1")
          try await process.takeInFleetMarks()
        } catch {
          Issue.record(error)
        }
      }

      #expect(try await there.get("1", from: origin).value == "two")
      try await process.close()
    }
  }

  @Test func `a question brings the marks that its host has missed`() async throws {
    try await TestHosts.run(2) { (fleet) async throws in
      let all = try await fill(fleet)
      let other = SharedMark.Scope.key(SharedKey("articles", "1"))
      _ = try await fleet.tier.inner.mark([other], reason: "from elsewhere", since: nil)

      try await all[1].get("2", from: origin)

      #expect(try all[1].state("1") == .stale)
    }
  }

  @Test func `a host that was away applies what it has missed, in order and once`() async throws {
    try await TestHosts.run(2) { (fleet) async throws in
      let all = try await fill(fleet)
      try await fleet.hosts[1].store.close()
      for form in Form.allCases { try await form.mark(all[0]) }

      let back = try fleet.hosts[1].another()
      let process = try fleet.hosts[1].another()
      try await back.takeInFleetMarks()
      let there = try back.collection("articles", of: String.self)
      #expect(try there.state("1") == .stale)
      try await there.get("1", from: origin)
      try await process.takeInFleetMarks()
      try await back.takeInFleetMarks()

      #expect(try there.state("1") == .fresh)
      try await process.close()
      try await back.close()
    }
  }

  @Test func `an open store hears of marks by itself`() async throws {
    try await TestHosts.run(2) { (fleet) async throws in
      let all = try await fill(fleet)
      let changes = all[1].changes(of: "1")

      try await all[0].markStale("1")

      for await change in changes where change.kind == .marked { break }
      #expect(try all[1].state("1") == .stale)
    }
  }

  /// Ways in which a host's place in the journal is lost.
  enum Loss: CaseIterable, Sendable {
    case trimmed
    case restored
    case empty
  }

  @Test(arguments: Loss.allCases)
  func `a host that cannot know the marks takes all that it has as stale`(_ loss: Loss) async throws
  {
    try await TestHosts.run(2) { (fleet) async throws in
      let all = try await fill(fleet)
      let older = fleet.tier.inner.snapshot
      try await all[0].markStale("2")
      try await fleet.hosts[0].store.takeInFleetMarks()
      switch loss {
      case .trimmed:
        try await fleet.hosts[1].store.close()
        for key in 3...5 { try await all[0].markStale("\(key)") }
        fleet.tier.inner.trim(before: 5)
      case .restored:
        try await fleet.catchUp()
        fleet.tier.inner.restore(older)
      case .empty:
        try await fleet.catchUp()
        fleet.tier.inner.restore(InMemorySharedTier(now: { .zero }).snapshot)
      }

      let back = try fleet.hosts[1].another()
      try await back.takeInFleetMarks()

      let there = try back.collection("articles", of: String.self)
      #expect(try there.state("1") == .stale)
      origin.answer { _ in .value("two") }
      try await there.get("1", from: origin)
      #expect(try there.state("1") == .fresh)
      try await back.close()
    }
  }

  @Test func `what this host alone has marked is fetched, whatever the fleet has`() async throws {
    try await TestHosts.run(2) { (fleet) async throws in
      let all = try await fill(fleet)
      var configuration = Configuration(reachability: fleet.hosts[1].reachability)
      configuration.clock = fleet.hosts[1].clock
      let alone = try Store(path: fleet.hosts[1].path, configuration: configuration)
      try await alone.collection("articles", of: String.self).markStale("1")
      try await alone.close()
      // A mark of the fleet does not hide it.
      try await all[0].markStale("1")
      try await all[0].get("1", from: origin)
      await fleet.tier.landings(atLeast: 2)
      try await fleet.catchUp()
      origin.answer { _ in .value("two") }

      #expect(try await all[1].get("1", from: origin).value == "two")
      #expect(origin.calls == 3)
    }
  }

  @Test func `a sweep turns what the fleet has marked into work`() async throws {
    try await TestHosts.run(2) { (fleet) async throws in
      let all = try await fill(fleet)
      try await all[0].markAllStale()
      try await fleet.catchUp()

      #expect(try await fleet.hosts[1].store.sweep().marked == 1)
      #expect(try await fleet.hosts[1].store.due(limit: 5).map(\.key) == ["1"])
    }
  }
}
