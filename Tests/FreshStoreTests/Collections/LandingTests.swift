import FreshStoreTesting
import Rules
import StoreSupport
import Strategies
import Testing

@testable import FreshStore
@testable import FreshStoreTools

/// The answer of a source is as old as its question, whichever operation stores it.
@Suite(.timeLimit(.minutes(1))) struct LandingTests {
  private typealias Articles = RecordCollection<String>

  /// The ways to mark the record `1`, whose tag is `news`.
  enum Mark: CaseIterable {
    case key, prefix, tag, collection

    func callAsFunction(_ articles: RecordCollection<String>) async throws {
      switch self {
      case .key: try await articles.markStale("1")
      case .prefix: try await articles.markStale(prefix: "1")
      case .tag: try await articles.store.markStale(tag: "news")
      case .collection: try await articles.markAllStale()
      }
    }
  }

  private static let tagged = FetchDetails(tags: ["news"])

  private func withArticles(
    _ policy: Policy = .cacheFirst,
    configure: @escaping @Sendable (inout Configuration) -> Void = { _ in },
    _ body: (TemporaryStore, RecordCollection<String>) async throws -> Void
  ) async throws {
    try await TemporaryStore.run(configure: configure) { temporary in
      try await body(
        temporary, temporary.store.collection("articles", of: String.self, policy: policy))
    }
  }

  /// A sweep up to the moment at which it forgets, and the rest of it.
  private func sweepInTwo(
    _ store: Store, _ between: () async throws -> Void
  ) async throws {
    let invalidations = try store.storage.invalidations()
    let batch = try store.storage.covered(by: invalidations[...], after: .init(), limit: 1000)
    _ = try store.storage.mark(batch.candidates[...], within: .seconds(1), now: store.now())
    try await between()
    _ = try store.storage.forget(invalidations[...], within: .seconds(1), now: store.now())
  }

  // MARK: Sweeps

  @Test(arguments: Mark.allCases)
  func `a fetch that lands during a sweep keeps the mark that came while it was under route`(
    _ mark: Mark
  ) async throws {
    try await withArticles { temporary, articles in
      let origin = ScriptedOrigin<String> { _ in .value("old", Self.tagged) }
      origin.hold()
      let getting = Task { try await articles.get("1", from: origin) }
      await origin.calls(atLeast: 1)
      try await mark(articles)

      try await sweepInTwo(temporary.store) {
        origin.release()
        _ = try await getting.value
      }

      #expect(try articles.state("1") == .stale)
      #expect(try temporary.store.storage.invalidations().isEmpty)
    }
  }

  @Test(arguments: Mark.allCases)
  func `a push that is accepted during a sweep keeps the mark that came while it was under route`(
    _ mark: Mark
  ) async throws {
    try await withArticles { temporary, articles in
      try await articles.put("old", for: "1", details: Self.tagged)
      try await articles.write("mine", for: "1")
      let (sent, answers) = (Signal(), Signal())
      let pushing = Task {
        try await articles.drain { _ in
          sent.fire()
          await answers.fired()
          return .accepted
        }
      }
      await sent.fired()
      try await mark(articles)

      try await sweepInTwo(temporary.store) {
        answers.fire()
        _ = try await pushing.value
      }

      #expect(try articles.state("1") == .stale)
    }
  }

  @Test(arguments: Mark.allCases)
  func `a list that lands during a sweep keeps the mark that came while it was under route`(
    _ mark: Mark
  ) async throws {
    try await withArticles { temporary, articles in
      let (sent, answers) = (Signal(), Signal())
      let following = Task {
        try await articles.follow("all") { _ in
          sent.fire()
          await answers.fired()
          return .full(["1": .value("old", Self.tagged)], cursor: "1")
        }
      }
      await sent.fired()
      try await mark(articles)

      try await sweepInTwo(temporary.store) {
        answers.fire()
        _ = try await following.value
      }

      #expect(try articles.state("1") == .stale)
    }
  }

  @Test func `a local write that is cancelled out during a sweep keeps the mark`() async throws {
    try await withArticles { temporary, articles in
      let gone = FetchDetails(expiry: .never, tags: Self.tagged.tags)
      await #expect(throws: GetError.self) { try await articles.get("1") { _ in .gone(gone) } }
      let coalescing = WriteOptions(coalesces: true)
      try await articles.write("mine", for: "1", as: .create, options: coalescing)
      try await temporary.store.markStale(tag: "news")

      try await sweepInTwo(temporary.store) {
        let entry = try await articles.writeDeletion(of: "1", options: coalescing)
        #expect(entry == nil)
      }

      #expect(try articles.state("1") == .missing)
    }
  }

  // MARK: Joining

  @Test(arguments: Mark.allCases)
  func `another store's mark is seen by a get that joins the first fetch of a key`(
    _ mark: Mark
  ) async throws {
    let log = EventLog()
    try await withArticles(configure: { $0.reporter = log }) { temporary, here in
      let other = try temporary.another()
      let there = try other.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in .value("old", Self.tagged) }
      origin.hold()
      let first = Task { try await here.get("1", from: origin) }
      await origin.calls(atLeast: 1)
      try await mark(there)
      let decisions = log.decisions
      let second = Task { try await here.get("1") { _ in .value("new", Self.tagged) } }
      while log.decisions == decisions { await Task.yield() }

      origin.release()

      #expect(try await first.value.value == "old")
      #expect(try await second.value.value == "new")
      #expect(try here.state("1") == .fresh)
      try await other.close()
    }
  }

  @Test(arguments: [true, false])
  func `a get that begins after another store's removal does not receive an older fetch's value`(
    _ isOfAll: Bool
  ) async throws {
    let log = EventLog()
    try await withArticles(configure: { $0.reporter = log }) { temporary, here in
      let other = try temporary.another()
      let there = try other.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in .value("old") }
      origin.hold()
      let first = Task { try await here.get("1", from: origin) }
      await origin.calls(atLeast: 1)
      if isOfAll { try await there.removeAll() } else { try await there.remove("1") }
      let decisions = log.decisions
      let second = Task { try await here.get("1") { _ in .value("new") } }
      while log.decisions == decisions { await Task.yield() }

      origin.release()

      #expect(try await first.value.value == "old")
      #expect(try await second.value.value == "new")
      try await other.close()
    }
  }

  @Test(arguments: Mark.allCases)
  func `a mark after a get has joined a fetch does not hide an earlier mark from the get`(
    _ mark: Mark
  ) async throws {
    let log = EventLog()
    try await withArticles(configure: { $0.reporter = log }) { temporary, here in
      let other = try temporary.another()
      let there = try other.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in .value("old", Self.tagged) }
      origin.hold()
      let first = Task { try await here.get("1", from: origin) }
      await origin.calls(atLeast: 1)
      try await mark(there)
      let decisions = log.decisions
      let second = Task { try await here.get("1") { _ in .value("new", Self.tagged) } }
      while log.decisions == decisions { await Task.yield() }
      // By now it has joined, or does so before anything else it waits for.
      for _ in 0..<100 { await Task.yield() }
      try await mark(there)

      origin.release()

      #expect(try await first.value.value == "old")
      #expect(try await second.value.value == "new")
      try await other.close()
    }
  }

  @Test func `a get that joins a fetch of another variant fetches its own`() async throws {
    func asking(_ language: String) -> Policy {
      var policy = Policy.cacheFirst
      policy.acceptsVariant = { $0 == language }
      return policy
    }
    let log = EventLog()
    try await withArticles(configure: { $0.reporter = log }) { _, articles in
      let origin = ScriptedOrigin<String> { _ in .value("Guten Tag", FetchDetails(variant: "de")) }
      origin.hold()
      let first = Task { try await articles.get("1", asking("de"), from: origin) }
      await origin.calls(atLeast: 1)
      let decisions = log.decisions
      let second = Task {
        try await articles.get("1", policy: asking("fr")) { _ in
          .value("Bonjour", FetchDetails(variant: "fr"))
        }
      }
      while log.decisions == decisions { await Task.yield() }

      origin.release()

      let answers = (try await first.value.value, try await second.value.value)
      #expect(answers == ("Guten Tag", "Bonjour"))
    }
  }

  // MARK: Unstorable answers

  @Test func `an absence is not stored where the source forbids it`() async throws {
    try await withArticles { _, articles in
      let origin = ScriptedOrigin<String> { _ in .gone(FetchDetails(isStorable: false)) }

      #expect(await articles.failure("1", from: origin)?.code == .absent)
      #expect(await articles.failure("1", from: origin)?.code == .absent)

      #expect(origin.calls == 2)
    }
  }

  @Test func `a damaged copy stays damaged when an answer may not be stored`() async throws {
    try await withArticles { temporary, articles in
      try await articles.put("good", for: "1", details: FetchDetails(expiry: .immediately))
      try RawDatabase(temporary.path).execute("UPDATE record SET last_update = last_update + 1")
      let origin = ScriptedOrigin<String> { _ in .value("new", FetchDetails(isStorable: false)) }

      try await articles.get("1", from: origin)

      #expect(try articles.state("1") == .unusable)
      #expect(try await temporary.store.check().damagedRecords.count == 1)
      try await articles.remove("1")
    }
  }

  // MARK: Imports

  @Test func `a fetch does not confirm a copy that was imported meanwhile`() async throws {
    try await withArticles { temporary, articles in
      let elsewhere = try TemporaryStore()
      elsewhere.clock.advance(by: .seconds(5))
      let far = try elsewhere.store.collection("articles", of: String.self)
      try await far.put(
        "B", for: "1", details: FetchDetails(validators: Validators(entityTag: "\"b\"")))
      let export = try await elsewhere.store.exported()
      try await elsewhere.store.close()
      try await articles.put(
        "A", for: "1",
        details: FetchDetails(
          expiry: .immediately, validators: Validators(entityTag: "\"a\"")))
      temporary.clock.advance(by: .seconds(60))
      let origin = ScriptedOrigin<String> { _ in .notModified }
      origin.hold()
      let getting = Task { try await articles.get("1", from: origin) }
      await origin.calls(atLeast: 1)
      #expect(try await temporary.store.take(export).imported == 1)
      origin.release()

      #expect(try await getting.value.value == "A")

      #expect(try articles.value("1") == "B")
      #expect(try articles.state("1") == .stale)
      #expect(try articles.explain("1").validators.entityTag == "\"b\"")
      #expect(try await temporary.store.due(limit: 9).map(\.key) == ["1"])
    }
  }

  @Test(arguments: Mark.allCases, [false, true])
  func `an import of a copy from before a mark does not end it`(
    _ mark: Mark, _ isSwept: Bool
  ) async throws {
    try await withArticles { temporary, articles in
      let elsewhere = try TemporaryStore()
      elsewhere.clock.advance(by: .seconds(5))
      try await elsewhere.store.collection("articles", of: String.self)
        .put("newer", for: "1", details: Self.tagged)
      let export = try await elsewhere.store.exported()
      try await elsewhere.store.close()
      try await articles.put("ours", for: "1", details: Self.tagged)
      temporary.clock.advance(by: .seconds(10))
      try await mark(articles)
      if isSwept { _ = try await temporary.store.sweep() }

      #expect(try await temporary.store.take(export).imported == 1)
      _ = try await temporary.store.sweep()

      #expect(try articles.value("1") == "newer")
      #expect(try articles.state("1") == .stale)
    }
  }

  @Test func `an import under route keeps the invalidations made since it began`() async throws {
    try await withArticles { temporary, articles in
      try await articles.put("first", for: "0")
      try await articles.put("second", for: "1", details: Self.tagged)
      let export = try await temporary.store.exported()
      try await articles.remove(["0", "1"])
      var options = ImportOptions()
      options.holdTime = .milliseconds(1)
      var importing = temporary.store.importer(options)
      let half = export.count - 40
      try await importing.take(export[..<half])
      let now = temporary.store.now()
      _ = try temporary.store.storage.importRecords(
        [], as: importing.question, replaces: false, within: .seconds(1), now: now)
      temporary.clock.advance(by: .seconds(1))
      try await temporary.store.markStale(tag: "news")
      _ = try await temporary.store.sweep()

      try await importing.take(export[half...])
      _ = try await importing.finish()

      #expect(try articles.state("1") == .stale)
      _ = try await temporary.store.sweep()
      #expect(try temporary.store.storage.invalidations().isEmpty)
    }
  }
}
