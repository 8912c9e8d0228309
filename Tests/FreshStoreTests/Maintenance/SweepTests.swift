import FreshStoreTesting
import StoreSupport
import Strategies
import Synchronization
import Testing

@testable import FreshStore

@Suite struct SweepTests {
  private static let countMarked = "SELECT count(*) FROM record WHERE stale_at IS NOT NULL"

  /// Stores `count` records that expire one second after the other, the first after one second.
  private func fill(
    _ articles: RecordCollection<Int>, _ count: Int, expiry: Expiry? = nil
  ) async throws {
    for number in 1...count {
      try await articles.put(
        number, for: "\(number)",
        details: FetchDetails(expiry: expiry ?? .after(.seconds(number))),
        durability: .normal)
    }
  }

  @Test func `exactly the expired records are marked`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: Int.self)
      try await fill(articles, 20)
      for (key, expiry) in ["never": Expiry.never, "unstated": .unstated, "now": .immediately] {
        try await articles.put(0, for: key, details: FetchDetails(expiry: expiry))
      }
      temporary.clock.advance(by: .seconds(7))

      let result = try await temporary.store.sweep()
      let marked = try RawDatabase(temporary.path).rows(
        "SELECT key FROM record WHERE stale_at IS NOT NULL")

      #expect(result.marked == 8 && result.examined == 8 && result.isComplete)
      #expect(Set(marked.joined()) == ["1", "2", "3", "4", "5", "6", "7", "now"])
    }
  }

  @Test func `a second sweep has nothing to examine`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: Int.self)
      try await fill(articles, 10)
      try await articles.markStale(prefix: "1")
      temporary.clock.advance(by: .seconds(5))

      let first = try await temporary.store.sweep()
      let second = try await temporary.store.sweep()

      #expect(first.marked == 6)
      #expect(second == SweepResult())
    }
  }

  @Test func `a dry run counts the same and writes nothing`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: Int.self)
      try await fill(articles, 10)
      try await articles.put(0, for: "covered", details: FetchDetails(tags: ["news"]))
      try await temporary.store.markStale(tag: "news")
      temporary.clock.advance(by: .seconds(5))
      var options = SweepOptions()
      options.isDryRun = true

      let dry = try await temporary.store.sweep(options)
      let marks = try RawDatabase(temporary.path).integer(Self.countMarked)
      let real = try await temporary.store.sweep()

      #expect(dry.isDryRun && marks == 0)
      #expect(dry.marked == 6 && real.marked == 6)
      #expect(dry.examined == real.examined)
    }
  }

  @Test(arguments: [1, 3, 4, 5, 100]) func `a limit marks that many, oldest deadline first`(
    _ limit: Int
  ) async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: Int.self)
      try await fill(articles, 8)
      temporary.clock.advance(by: .seconds(5))
      var options = SweepOptions()
      options.limit = limit
      options.batchSize = 2

      let result = try await temporary.store.sweep(options)
      let marked = try RawDatabase(temporary.path).rows(
        "SELECT key FROM record WHERE stale_at IS NOT NULL ORDER BY id"
      ).joined()

      #expect(result.marked == min(limit, 5))
      #expect(result.isComplete == (limit >= 5))
      #expect(Array(marked) == (1...min(limit, 5)).map { "\($0)" })
    }
  }

  @Test func `a sweep works in batches and reports its progress`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: Int.self)
      try await articles.put(
        Dictionary(uniqueKeysWithValues: (0..<10).map { ("\($0)", $0) }),
        details: FetchDetails(expiry: .immediately))
      let seen = Mutex<[Int]>([])
      var options = SweepOptions()
      options.batchSize = 4
      options.holdTime = .seconds(60)
      options.progress = { result in seen.withLock { $0.append(result.marked) } }

      let result = try await temporary.store.sweep(options)

      #expect(result.batches == 3 && result.marked == 10)
      #expect(seen.withLock { $0 } == [4, 8, 10])
    }
  }

  @Test func `a cancelled sweep ends between two batches, and keeps its results`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: Int.self)
      try await articles.put(
        Dictionary(uniqueKeysWithValues: (0..<10).map { ("\($0)", $0) }),
        details: FetchDetails(expiry: .immediately))
      var options = SweepOptions()
      options.batchSize = 4
      options.progress = { _ in unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() } }
      let given = options

      let result = try await Task { try await temporary.store.sweep(given) }.value

      #expect(result.marked == 4 && !result.isComplete)
      #expect(try RawDatabase(temporary.path).integer(Self.countMarked) == 4)
    }
  }

  @Test func `records with a pending write are never swept`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: Int.self)
      try await fill(articles, 2)
      try await articles.write(7, for: "1")
      try await articles.markAllStale()
      temporary.clock.advance(by: .seconds(2))

      let result = try await temporary.store.sweep()

      #expect(result.marked == 1)
    }
  }

  @Test func `a sweep turns marks by tag, prefix and collection into marks of records`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: Int.self)
      let others = try temporary.store.collection("others", of: Int.self)
      try await articles.put(1, for: "a/1", details: FetchDetails(expiry: .never))
      try await articles.put(
        2, for: "b", details: FetchDetails(expiry: .never, tags: ["news"]))
      try await others.put(3, for: "c", details: FetchDetails(expiry: .never))
      try await articles.markStale(prefix: "a/", reason: "by prefix")
      try await temporary.store.markStale(tag: "news", reason: "by tag")
      try await others.markAllStale(reason: "by collection")
      let raw = try RawDatabase(temporary.path)

      let result = try await temporary.store.sweep()
      let due = try await temporary.store.due(limit: 10)

      #expect(result.marked == 3)
      #expect(try raw.integer("SELECT count(*) FROM invalidation") == 0)
      #expect(Set(due.map(\.key)) == ["a/1", "b", "c"])
      #expect(try articles.read("a/1").decision.mark == "by prefix")
      #expect(try articles.read("b").decision.mark == "by tag")
      #expect(try others.read("c").decision.mark == "by collection")
    }
  }

  @Test
  func `a sweep over many distinct marks costs few transactions, and each record its newest mark`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let store = temporary.store
      let articles = try store.collection("articles", of: Int.self)
      for key in 0..<20 {
        let details = FetchDetails(expiry: .never, tags: ["even\(key % 2)", "t\(key)"])
        try await articles.put(key, for: "\(key)", details: details)
      }
      for number in 0..<300 { try await store.markStale(tag: "t\(number)", reason: "\(number)") }
      for _ in 0..<2 { try await store.markStale(tag: "even0", reason: "even") }
      let before = try #require(store.storage.database.memory.header?.changes)

      let result = try await store.sweep()

      let after = try #require(store.storage.database.memory.header?.changes)
      #expect(after - before < 40)
      #expect(result.marked == 20 && result.isComplete)
      #expect(try RawDatabase(temporary.path).integer("SELECT count(*) FROM invalidation") == 0)
      for key in 0..<20 {
        #expect(
          try articles.read("\(key)").decision.mark == (key % 2 == 0 ? "even" : "\(key)"))
      }
    }
  }

  @Test func `while an older fetch runs its invalidation is not forgotten`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: Int.self)
      let origin = ScriptedOrigin<Int> { _ in .value(2) }
      origin.hold()

      async let fetched = articles.get("1", from: origin)
      await origin.calls(atLeast: 1)
      try await articles.markAllStale()
      _ = try await temporary.store.sweep()
      origin.release()
      _ = try await fetched
      let state = try articles.state("1")
      _ = try await temporary.store.sweep()

      #expect(state == .stale)
      #expect(try articles.read("1").decision.mark == "marked by collection")
      #expect(
        try RawDatabase(temporary.path).integer("SELECT count(*) FROM invalidation") == 0)
    }
  }

  @Test(arguments: [false, true])
  func `a dead owner keeps no invalidation, and stores nothing when it wakes up`(
    isOfAnotherBoot: Bool
  ) async throws {
    try await TemporaryStore.run { temporary in
      let clock = ManualClock()
      var configuration = Configuration(reachability: ScriptedReachability())
      configuration.clock = clock
      let late = try Store(path: temporary.path, configuration: configuration)
      let there = try late.bytes("bytes")
      let here = try temporary.store.bytes("bytes")
      let origin = ScriptedOrigin<[UInt8]> { _ in .value([1]) }
      origin.hold()
      async let answer = there.get("key", from: origin)
      await origin.calls(atLeast: 1)
      try await here.markAllStale()
      if isOfAnotherBoot {
        temporary.clock.reboot()
      } else {
        temporary.clock.advance(by: temporary.store.configuration.leaseDuration)
      }

      _ = try await temporary.store.sweep()
      origin.release()
      let failure = try await answer.storeFailure
      try await late.close()

      #expect(
        try RawDatabase(temporary.path).integer("SELECT count(*) FROM invalidation") == 0)
      #expect(failure?.code == .superseded)
      #expect(try here.read("key").copy == nil)
    }
  }

  @Test(arguments: ["flags = flags | 8", "checksum = checksum + 1"])
  func `a record written after its judgement is left alone`(_ change: String) async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.db")
    var configuration = Configuration(reachability: ScriptedReachability())
    // Asked between the look and the mark, as another process would write there.
    configuration.chain = [
      .asking { _, _ in
        do {
          try RawDatabase(path).execute("UPDATE record SET \(change) WHERE key = '2'")
        } catch {
          Issue.record(error)
        }
        return .invalid(.custom("changed"))
      }
    ]
    let store = try Store(path: path, configuration: configuration)
    try await fill(try store.collection("articles", of: Int.self), 3, expiry: .immediately)

    let result = try await store.sweep()

    #expect(result.examined == 3 && result.marked == 2)
    try await store.close()
  }

  @Test func `no transaction exceeds its time by more than one record`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: Int.self)
      try await fill(articles, 20)
      temporary.clock.advance(by: .seconds(20))
      var options = SweepOptions()
      options.holdTime = .nanoseconds(1)

      let result = try await temporary.store.sweep(options)

      #expect(result.marked == 20 && result.batches == 20)
      #expect(result.longestHold > .zero)
    }
  }

  @Test func `a sweep whose time is over ends after the current batch`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: Int.self)
      try await fill(articles, 20)
      temporary.clock.advance(by: .seconds(20))
      var options = SweepOptions()
      options.timeLimit = .nanoseconds(1)

      let result = try await temporary.store.sweep(options)

      #expect(!result.isComplete && result.marked < 20)
      #expect(try await temporary.store.sweep().isComplete)
      #expect(try RawDatabase(temporary.path).integer(Self.countMarked) == 20)
    }
  }

  @Test func `records with one deadline are processed batch by batch`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: Int.self)
      try await articles.put(
        Dictionary(uniqueKeysWithValues: (0..<10).map { ("\($0)", $0) }),
        details: FetchDetails(expiry: .immediately))
      var options = SweepOptions()
      options.batchSize = 3
      options.isDryRun = true

      let dry = try await temporary.store.sweep(options)

      #expect(dry.examined == 10 && dry.marked == 10)
      #expect(try await temporary.store.countExpired() == 10)
      #expect(try await temporary.store.countExpired(limit: 4) == 4)
    }
  }

  @Test func `a sweep copies the log into the file as it proceeds`() async throws {
    try await TemporaryStore.run { temporary in
      let values = try temporary.store.bytes("values")
      let value = [UInt8](repeating: 1, count: 6000)
      try await values.put(
        Dictionary(uniqueKeysWithValues: (0..<1000).map { ("\($0)", value) }),
        details: FetchDetails(expiry: .immediately))

      let result = try await temporary.store.sweep()
      let log = try temporary.store.statistics().logBytes

      // Every mark writes two pages, so all of them would have left 8 MB; a log that was started
      // anew is cut to 4 MiB.
      #expect(result.marked == 1000)
      #expect(log <= 4 << 20)
    }
  }

  @Test func `records with a stepped wall clock are examined, and the chain decides`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: Int.self)
      try await articles.put(1, for: "1")
      temporary.clock.stepWall(by: .seconds(86_400))

      let result = try await temporary.store.sweep()

      #expect(result.examined == 1 && result.marked == 0)
    }
  }

  @Test
  func `an explicit mark outlives a reader's verdict that arrives while the mark is written`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: Int.self)
      try await articles.put(1, for: "1", details: FetchDetails(expiry: .never, tags: ["news"]))
      try await temporary.store.markStale(tag: "news")
      let storage = temporary.store.storage
      let invalidations = try storage.invalidations()
      let batch = try storage.covered(by: invalidations[...], after: .init(), limit: 10)
      let other = try temporary.another()
      _ = try other.collection("articles", of: Int.self).read("1")
      try await other.close()
      #expect(try storage.record("articles", "1")?.mark?.epoch == 0)

      _ = try storage.mark(
        batch.candidates[...], within: .seconds(1), now: temporary.clock.reading())
      #expect(try storage.record("articles", "1")?.mark?.epoch == invalidations.first?.number)
    }
  }

  /// The effect of a put on the place used by a sweep, and the effect of the sweep.
}
