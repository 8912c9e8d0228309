import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// A host in reach that has heard of marks which are not in its file.
@Suite(.timeLimit(.minutes(1))) struct FleetUnappliedTests {
  private let origin = ScriptedOrigin<String> { _ in
    .value("one", FetchDetails(expiry: .after(.hours(1))))
  }

  /// Lets a host that follows nothing have two articles, also in memory.
  ///
  /// - Parameter wait: How long it waits for the lock of its file.
  private func withCurrentHost(
    waiting wait: Duration = .milliseconds(10),
    _ body: (TestHosts, RecordCollection<String>, FleetMember) async throws -> Void
  ) async throws {
    try await TestHosts.run(1, configure: { $0.busyTimeout = wait }) {
      (fleet) async throws in
      let articles = try fleet.articles(0)
      for key in ["1", "2"] { try await articles.get(key, from: origin) }
      await fleet.tier.landings(atLeast: 2)
      try await articles.store.takeInFleetMarks()
      for key in ["1", "2"] { #expect(try articles.value(key) == "one") }
      fleet.tier.holdNews()
      try await body(fleet, articles, try #require(articles.store.fleet))
    }
  }

  /// A question, and the news in the answer of the tier to it.
  private func ask(
    _ store: Store, _ member: FleetMember
  ) async throws -> (question: FleetQuestion, meeting: Storage.FleetUpdate) {
    let question = try await store.question(to: member)
    let answer = try await store.ask(member, for: .claim) { (tier) async throws(SharedTierError) in
      try await tier.claim([], owner: "a host", for: .seconds(1), since: question.position)
    }
    return (question, Storage.FleetUpdate(answer.news, since: question.position))
  }

  /// Takes in what the tier answers to a question.
  private func hear(_ store: Store, _ member: FleetMember) async throws {
    let (question, meeting) = try await ask(store, member)
    _ = try await store.meet(meeting, question)
  }

  private func mark(_ keys: [String], _ fleet: TestHosts) async throws {
    let scopes = keys.map { SharedMark.Scope.key(SharedKey("articles", $0)) }
    _ = try await fleet.tier.inner.mark(scopes, reason: "from elsewhere", since: nil)
  }

  @Test func `calls nothing fresh while its file cannot be written`() async throws {
    try await withCurrentHost { (fleet, articles, member) async throws in
      let raw = try RawDatabase(fleet.hosts[0].path)
      try raw.execute("BEGIN IMMEDIATE")
      try await mark(["1"], fleet)

      let failure = await storeFailure { try await hear(articles.store, member) }

      #expect(failure != nil)
      #expect(try articles.state("1") == .stale)
      #expect(try articles.servableValue("1") == nil)
      try raw.execute("COMMIT")
      fleet.tier.releaseNews()
      try await articles.store.takeInFleetMarks()
      #expect(try articles.explain("1").decision.cause.code == "marked")
      #expect(try articles.state("2") == .fresh)
    }
  }

  @Test func `calls nothing fresh while it waits for the lock of its file`() async throws {
    try await withCurrentHost(waiting: .seconds(30)) { (fleet, articles, member) async throws in
      let raw = try RawDatabase(fleet.hosts[0].path)
      try raw.execute("BEGIN IMMEDIATE")
      try await mark(["1"], fleet)
      let (question, news) = try await ask(articles.store, member)
      let clock = fleet.hosts[0].clock
      let sleepers = clock.sleepers
      async let meeting = articles.store.meet(news, question)
      // By then it still waits: else it would fail.
      await clock.sleepers(atLeast: sleepers + 1)
      #expect(try articles.state("1") == .fresh)
      clock.advance(by: .milliseconds(500))
      while try articles.state("1") != .stale { await Task.yield() }
      #expect(try articles.servableValue("1") == nil)
      try raw.execute("COMMIT")
      _ = try await meeting
      fleet.tier.releaseNews()
      try await articles.store.takeInFleetMarks()
      #expect(try articles.explain("1").decision.cause.code == "marked")
      #expect(try articles.state("2") == .fresh)
    }
  }

  @Test func `has nothing to doubt where it has heard of no mark`() async throws {
    try await withCurrentHost { (fleet, articles, member) async throws in
      let raw = try RawDatabase(fleet.hosts[0].path)
      try raw.execute("BEGIN IMMEDIATE")

      try await hear(articles.store, member)

      #expect(try articles.state("1") == .fresh)
      try raw.execute("COMMIT")
    }
  }

  @Test func `calls nothing fresh before the last of more marks than one answer holds`()
    async throws
  {
    try await withCurrentHost { (fleet, articles, member) async throws in
      fleet.tier.inner.limitNews(to: 2)
      try await mark(["8", "9", "1"], fleet)

      try await hear(articles.store, member)

      #expect(try articles.state("1") == .stale && articles.state("2") == .stale)
      fleet.tier.releaseNews()
      try await articles.store.takeInFleetMarks()
      #expect(try articles.state("1") == .stale && articles.state("2") == .fresh)
    }
  }

  @Test(arguments: [true, false])
  func `calls nothing fresh either once the tier is out of reach`(isLocked: Bool) async throws {
    try await withCurrentHost { (fleet, articles, member) async throws in
      let raw = try RawDatabase(fleet.hosts[0].path)
      if isLocked {
        try raw.execute("BEGIN IMMEDIATE")
        try await mark(["1"], fleet)
      } else {
        fleet.tier.inner.limitNews(to: 2)
        try await mark(["8", "9", "1"], fleet)
      }
      _ = await storeFailure { try await hear(articles.store, member) }
      fleet.cutOff()

      let failure = await storeFailure { try await hear(articles.store, member) }

      #expect(failure?.sharedTierFailure?.code == .unreachable)
      #expect(try articles.state("1") == .stale)
      #expect(try articles.servableValue("1") == nil)
      if isLocked { try raw.execute("COMMIT") }
      // A copy that the host fetches by itself is newer than the news that it has heard.
      try await articles.get("2", from: origin)
      #expect(try articles.state("2") == .fresh)
      fleet.tier.inner.fail(with: nil)
      fleet.tier.releaseNews()
      try await articles.store.takeInFleetMarks()
      #expect(try articles.explain("1").decision.cause.code == "marked")
      #expect(try articles.state("2") == .fresh)
      #expect(member.behind == nil)
    }
  }

  @Test func `doubts what has come while it was alone, too, once the tier is in reach again`()
    async throws
  {
    try await withCurrentHost { (fleet, articles, member) async throws in
      fleet.tier.inner.limitNews(to: 2)
      try await mark(["8", "9", "1"], fleet)
      let (question, meeting) = try await ask(articles.store, member)
      fleet.cutOff()
      _ = try await articles.store.meet(meeting, question)
      // No call finds out that the tier is out of reach.
      try await articles.put("two", for: "2", details: FetchDetails(expiry: .after(.hours(1))))
      #expect(try articles.state("1") == .stale && articles.state("2") == .fresh)

      fleet.tier.inner.fail(with: nil)
      try await mark(["2"], fleet)
      try await articles.store.hearWithoutNews(member)

      #expect(try articles.state("2") == .stale)
      fleet.tier.releaseNews()
      try await articles.store.takeInFleetMarks()
      #expect(try articles.explain("2").decision.cause.code == "marked")
      #expect(member.behind == nil)
    }
  }

  @Test func `doubts nothing alone once it has applied what it has heard`() async throws {
    try await withCurrentHost { (fleet, articles, member) async throws in
      fleet.tier.inner.limitNews(to: 2)
      try await mark(["8", "9", "1"], fleet)
      try await hear(articles.store, member)
      let (question, meeting) = try await ask(articles.store, member)
      fleet.cutOff()
      _ = await storeFailure { try await hear(articles.store, member) }
      #expect(try articles.state("2") == .stale)

      _ = try await articles.store.meet(meeting, question)

      #expect(try articles.state("1") == .stale)
      #expect(try articles.state("2") == .fresh)
    }
  }

  @Test func `is not current by the answer to an earlier question`() async throws {
    try await withCurrentHost { (fleet, articles, member) async throws in
      let early = try await articles.store.question(to: member)
      fleet.tier.inner.limitNews(to: 1)
      try await mark(["8", "1"], fleet)
      try await hear(articles.store, member)

      member.noteEnd(of: early)
      #expect(try articles.state("1") == .stale)

      try await hear(articles.store, member)
      #expect(try articles.state("2") == .fresh)
    }
  }
}
