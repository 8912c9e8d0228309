import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

/// A local write of one host that the source has accepted: the others hold what it held before.
@Suite struct FleetPushTests {
  private let origin = ScriptedOrigin<String> { _ in
    .value("one", FetchDetails(expiry: .after(.hours(1))))
  }

  /// Lets two hosts have the same article.
  private func withCopies(
    _ body: (TestHosts, RecordCollection<String>, RecordCollection<String>) async throws -> Void
  ) async throws {
    try await TestHosts.run(2) { (fleet) async throws in
      let (here, there) = (try fleet.articles(0), try fleet.articles(1))
      try await here.get("1", from: origin)
      await fleet.tier.landings(atLeast: 1)
      try await there.get("1", from: origin)
      try await body(fleet, here, there)
    }
  }

  /// The same, of which one has changed it.
  private func withArticles(
    _ body: (TestHosts, RecordCollection<String>, RecordCollection<String>) async throws -> Void
  ) async throws {
    try await withCopies { (fleet, here, there) async throws in
      try await here.write("mine", for: "1")
      try await body(fleet, here, there)
    }
  }

  @Test func `is fetched by the others once they hear of it`() async throws {
    try await withArticles { (fleet, here, there) async throws in
      try await here.drain { _ in .accepted }
      origin.answer { _ in .value("mine") }

      try await fleet.catchUp()

      #expect(try there.state("1") == .stale)
      #expect(try await there.get("1", from: origin).value == "mine")
      #expect(try here.value("1") == "mine")
    }
  }

  @Test func `is told later where the shared tier is out of reach`() async throws {
    try await withArticles { (fleet, here, there) async throws in
      fleet.cutOff()
      try await here.drain { _ in .accepted }
      #expect(try here.value("1") == "mine")
      fleet.tier.inner.fail(with: nil)

      try await fleet.catchUp()

      #expect(try there.state("1") == .stale)
    }
  }

  @Test func `is told once, however often the same record was written meanwhile`() async throws {
    try await withArticles { (fleet, here, _) async throws in
      fleet.cutOff()
      for value in ["mine", "mine, too", "and this"] {
        try await here.write(value, for: "1")
        try await here.drain { _ in .accepted }
      }

      let kept = try RawDatabase(here.store.path).integer("SELECT count(*) FROM fleet_mark")
      #expect(kept == 1)
    }
  }

  @Test(arguments: [true, false])
  func `is told as a write where it is a deletion`(isInReach: Bool) async throws {
    try await withCopies { (fleet, here, there) async throws in
      origin.answer { _ in .gone }
      if !isInReach { fleet.cutOff() }

      let untold = try await here.deleteThrough("1") {}

      #expect(untold == nil)
      fleet.tier.inner.fail(with: nil)
      #expect(await here.failure("1", from: origin)?.code == .absent)
      try await fleet.catchUp()
      #expect(try there.state("1") == .stale)
    }
  }

  @Test(arguments: [WriteOrder.sourceFirst, .cacheFirst, .bypass], [true, false])
  func `is told as a write where it goes through to the source`(
    order: WriteOrder, isInReach: Bool
  ) async throws {
    try await withCopies { (fleet, here, there) async throws in
      origin.answer { _ in .value("mine") }
      if !isInReach { fleet.cutOff() }

      let written = try await here.writeThrough("mine", for: "1", order: order) { $0 }

      #expect(written.storeFailure == nil)
      fleet.tier.inner.fail(with: nil)
      try await fleet.catchUp()
      #expect(try there.state("1") == .stale)
      #expect(try await there.get("1", from: origin).value == "mine")
    }
  }

  @Test func `is told where its answer was lost and it is dropped`() async throws {
    try await withArticles { (fleet, here, there) async throws in
      try await here.drain { _ in throw OriginFailure() }

      try await here.store.drop(try here.store.outbox().map(\.id))

      try await fleet.catchUp()
      #expect(try there.state("1") == .stale)
    }
  }

  @Test func `is told where its answer was lost and it gives way to what the source holds`()
    async throws
  {
    try await withArticles { (fleet, here, there) async throws in
      try await here.drain { _ in throw OriginFailure() }
      fleet.advance(by: .minutes(10))

      // Its own value would be the answer that was lost.
      try await here.drain(conflicts: .serverWins) { _ in .conflict(.value("theirs")) }

      try await fleet.catchUp()
      #expect(try here.store.outbox().isEmpty)
      #expect(try there.state("1") == .stale)
    }
  }

  @Test func `is told where its answer was lost and another write takes its place`() async throws {
    try await withArticles { (fleet, here, there) async throws in
      try await here.drain { _ in throw OriginFailure() }
      fleet.advance(by: .minutes(10))

      // The write that takes its place does not arrive.
      try await here.drain(conflicts: .merge { _ in .merged("both") }) { write in
        if write.value == "both" { throw OriginFailure() }
        return .conflict(.value("theirs"))
      }

      try await fleet.catchUp()
      #expect(try there.state("1") == .stale)
    }
  }

  @Test func `is not told where it was never sent and is dropped`() async throws {
    try await withArticles { (fleet, here, _) async throws in
      fleet.cutOff()

      try await here.store.drop(try here.store.outbox().map(\.id))

      let kept = try RawDatabase(here.store.path).integer("SELECT count(*) FROM fleet_mark")
      #expect(kept == 0)
    }
  }

  /// How a process that takes no part in the fleet sends a value.
  enum Way: CaseIterable {
    case push, writeThrough, deleteThrough

    func send(_ articles: RecordCollection<String>) async throws {
      // Nothing is sent past it.
      if self != .push {
        let store = articles.store
        try await store.drop(try store.outbox().map(\.id))
      }
      switch self {
      case .push: _ = try await articles.drain { _ in .accepted }
      case .writeThrough:
        let written = try await articles.writeThrough("mine", for: "1", order: .bypass) { $0 }
        #expect(written.storeFailure == nil)
      case .deleteThrough:
        let untold = try await articles.deleteThrough("1", order: .bypass) {}
        #expect(untold == nil)
      }
    }
  }

  /// Another process on a host's file, without the fleet.
  private func storeAlone(on host: TemporaryStore) throws -> Store {
    var configuration = Configuration(reachability: ScriptedReachability())
    configuration.clock = host.clock
    return try Store(path: host.path, configuration: configuration)
  }

  @Test(arguments: Way.allCases)
  func `is told later where the process that sends it takes no part in the fleet`(_ way: Way)
    async throws
  {
    try await withArticles { (fleet, _, there) async throws in
      let alone = try storeAlone(on: fleet.hosts[0])
      try await way.send(try alone.collection("articles", of: String.self))
      try await alone.close()

      try await fleet.catchUp()

      #expect(try there.state("1") == .stale)
    }
  }

  @Test(arguments: Way.allCases) func `is no mark on a host that has met no fleet`(_ way: Way)
    async throws
  {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      try await articles.write("mine", for: "1")

      try await way.send(articles)

      let kept = try RawDatabase(temporary.path).integer("SELECT count(*) FROM fleet_mark")
      #expect(kept == 0)
    }
  }

  @Test func `is not told where it is for this host's file alone, or its source refuses it`()
    async throws
  {
    try await TestHosts.run(1) { (fleet) async throws in
      let here = try fleet.articles(0)
      fleet.cutOff()

      _ = try await here.writeThrough("mine", for: "1", order: .cacheOnly) { $0 }
      for order in [WriteOrder.sourceFirst, .cacheFirst, .bypass] {
        await #expect(throws: WriteError.self) {
          _ = try await here.writeThrough("mine", for: "1", order: order) { _ in
            throw OriginFailure()
          }
        }
      }

      let kept = try RawDatabase(here.store.path).integer("SELECT count(*) FROM fleet_mark")
      #expect(kept == 0)
    }
  }

  @Test func `leaves no mark of what went through before a wipe`() async throws {
    try await TestHosts.run(1) { (fleet) async throws in
      let here = try fleet.articles(0)
      fleet.cutOff()

      let untold = try await here.deleteThrough("1") { _ = try await here.store.wipe() }
      let written = try await here.writeThrough("mine", for: "2", order: .bypass) { value in
        _ = try await here.store.wipe()
        return value
      }

      #expect(untold?.code == .wiped && written.storeFailure?.code == .wiped)
      let kept = try RawDatabase(here.store.path).integer("SELECT count(*) FROM fleet_mark")
      #expect(kept == 0)
    }
  }

  @Test func `is not told before the source has accepted it`() async throws {
    try await withArticles { (fleet, here, there) async throws in
      try await here.drain { _ in throw OriginFailure() }

      try await fleet.catchUp()

      #expect(try there.state("1") == .fresh)
    }
  }
}
