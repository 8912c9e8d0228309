import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@Suite struct InspectionTests {
  @Test func `a listing is ordered by collection and key, page by page`() async throws {
    try await TemporaryStore.run { temporary in
      let letters = try temporary.store.collection("letters", of: String.self)
      let numbers = try temporary.store.collection("numbers", of: String.self)
      for key in ["b", "a", "c"] { try await letters.put(key, for: key) }
      for key in ["10", "9", "1"] { try await numbers.put(key, for: key) }

      var pages: [[String]] = []
      var last: RecordSummary?
      repeat {
        let page = try temporary.store.list(after: last, limit: 4)
        pages.append(page.map { "\($0.collection)/\($0.key)" })
        last = page.last
      } while last != nil

      #expect(
        pages == [
          ["letters/a", "letters/b", "letters/c", "numbers/1"], ["numbers/10", "numbers/9"], [],
        ])
    }
  }

  @Test func `the names of the collections are in order, each once`() async throws {
    try await TemporaryStore.run { temporary in
      #expect(try temporary.store.collectionNames().isEmpty)
      for name in ["b", "a", "ä", "b"] {
        try await temporary.store.bytes(name).put([1], for: "k\(name)")
        try await temporary.store.bytes(name).put([1], for: "l")
      }
      #expect(try temporary.store.collectionNames() == ["a", "b", "ä"])
    }
  }

  @Test func `a listing can be limited to one collection, or to keys with a prefix`() async throws {
    try await TemporaryStore.run { temporary in
      let letters = try temporary.store.collection("letters", of: String.self)
      let numbers = try temporary.store.collection("numbers", of: String.self)
      for key in ["a/1", "a/2", "b/1"] { try await letters.put(key, for: key) }
      try await numbers.put("x", for: "a/9")
      let store = temporary.store

      #expect(try store.list(collection: "letters").map(\.key) == ["a/1", "a/2", "b/1"])
      #expect(try store.list(prefix: "a/").map(\.key) == ["a/1", "a/2", "a/9"])
      #expect(try store.list(collection: "letters", prefix: "b").map(\.key) == ["b/1"])
      #expect(try store.list(collection: "none").isEmpty && store.list(limit: -1).isEmpty)
    }
  }

  @Test func `a listing states the gate's decisions, without the network`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      try await articles.put("one", for: "fresh")
      try await articles.put("one", for: "stale", details: FetchDetails(expiry: .immediately))
      try await articles.put("one", for: "tagged", details: FetchDetails(tags: ["news"]))
      try await temporary.store.markStale(tag: "news")
      try await articles.setPinned(true, for: "fresh")
      temporary.reachability.set(.offline("no route"))

      let listed = try temporary.store.list()

      #expect(listed.map(\.decision.outcome) == [.fresh, .stale, .stale])
      #expect(listed.map(\.isPinned) == [true, false, false])
      #expect(listed.map(\.size) == [5, 5, 5])
    }
  }

  @Test func `statistics count the contents of the store`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in .gone }
      try await articles.put("one", for: "1", details: FetchDetails(expiry: .after(.seconds(10))))
      try await articles.put("one", for: "2")
      try await articles.put("one", for: "3", isPinned: true)
      _ = await articles.failure("4", from: origin)
      origin.answer { _ in throw OriginFailure() }
      _ = await articles.failure("5", from: origin)
      try await articles.markStale("2")
      temporary.clock.advance(by: .seconds(10))
      origin.hold()
      async let running = articles.failure("6", from: origin)
      await origin.calls(atLeast: 3)

      // A local write in flight to its source is no fetch.
      try RawDatabase(temporary.path).execute(
        """
        INSERT INTO lease (collection, key, owner, fence, boot, deadline)
        SELECT '', 'write', owner, fence, boot, deadline FROM lease
        """)
      let statistics = try temporary.store.statistics()
      #expect(try temporary.store.quickStatistics().work.fetches == 1)
      // A fetch of an earlier boot is over, however late its deadline.
      try RawDatabase(temporary.path).execute("UPDATE lease SET boot = boot + 1")
      let ofEarlierBoot = try temporary.store.statistics().leases
      origin.release()
      _ = await running

      let counts = try #require(statistics.collections.first)
      #expect(statistics.collections.map(\.name) == ["articles"])
      #expect(counts.records == 3 && counts.absent == 1 && counts.marked == 1)
      #expect(counts.expired == 1 && counts.failing == 1 && counts.pinned == 1)
      #expect(counts.bytes == 15)
      #expect(statistics.due == 1 && statistics.leases == 1 && statistics.failingOrigins == 0)
      #expect(ofEarlierBoot == 0)
      #expect(statistics.fileBytes > 0 && statistics.logBytes > 0)
    }
  }

  @Test func `health names the library and its defect`() async throws {
    try await TemporaryStore.run { temporary in
      let health = temporary.store.health
      let parts = health.sqliteVersion.split(separator: ".").compactMap { Int($0) }
      let number = parts.reduce(0) { $0 * 1000 + $1 }
      let isRepaired =
        number >= 3_051_003 || (3_044_006..<3_045_000).contains(number)
        || (3_050_007..<3_051_000).contains(number)

      #expect(health.hasWALResetBug == !isRepaired)
      #expect(health.movedAside.isEmpty && health.filesReplaced == 0)
    }
  }

  @Test func `reporters receive decisions, fetches, sweeps and prunes`() async throws {
    let log = EventLog()
    try await TemporaryStore.run(configure: { $0.reporter = log }) { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in throw OriginFailure() }
      _ = await articles.failure("1", from: origin)
      _ = try await temporary.store.sweep()
      var options = PruneOptions()
      options.maximumCount = 0
      _ = try await temporary.store.prune(options)

      let names = log.events.map { event in
        switch event {
        case .decided(let decision): "decided \(decision.outcome)"
        case .fetchBegan(_, let keys): "began \(keys)"
        case .fetchEnded(_, let keys, _, let failure): "ended \(keys) \(failure != nil)"
        case .notStored: "not stored"
        case .waitedForLease: "waited"
        case .swept(let result): "swept \(result.examined)"
        case .pruned(let result): "pruned \(result.removed)"
        case .pushed, .deferred, .parked, .rewritten, .discarded, .unrestored, .wentAlone,
          .tookFleetMarks, .refusedFleetMark, .foundInFleet:
          event.name
        }
      }
      #expect(
        names == [
          "decided missing", "began [\"1\"]", "ended [\"1\"] true", "swept 0", "pruned 1",
        ])
    }
  }

  @Test func `explain states the action of a get, in every row of the table`() async throws {
    try await TemporaryStore.run { temporary in
      var policy = Policy()
      policy.graceWhileRevalidating = .seconds(10)
      let articles = try temporary.store.collection("articles", of: String.self, policy: policy)
      try await articles.put("one", for: "1")
      var actions: [Explanation.Action] = []
      for seconds in [0, 299, 1, 10] {
        temporary.clock.advance(by: .seconds(seconds))
        actions.append(try articles.explain("1").action)
      }
      temporary.reachability.set(.offline("no route"))
      actions.append(try articles.explain("1").action)
      actions.append(try articles.explain("2").action)

      #expect(actions == [.serve, .serve, .serveAndRefresh, .serveAndRefresh, .serve, .fail])
    }
  }

  @Test func `the laws of storing hold`() async throws {
    let folder = try TemporaryFolder()
    let laws = StoreLaws {
      try Store(
        path: folder.file("store.db"), configuration: Configuration(reachability: .fixed(.online)))
    }
    #expect(try await laws.check().isEmpty)
  }

  @Test func `a check lists the damage and leaves the file in its place`() async throws {
    let temporary = try TemporaryStore()
    let bytes = try temporary.store.bytes("bytes")
    for number in 0..<200 {
      try await bytes.put([UInt8](repeating: 7, count: 900), for: "\(number)")
    }
    try await temporary.store.close()
    let rows = try RawDatabase(temporary.path).rows(
      "SELECT rootpage FROM sqlite_schema WHERE name = 'record'")
    let start = (try #require(Int(rows[0][0])) - 1) * 4096
    try FileChaos.fill(start..<start + 4096, ofFileAt: temporary.path, seed: 1)

    let store = try temporary.another()
    let check = try await store.check()

    #expect(!check.problems.isEmpty)
    #expect(store.health.movedAside.isEmpty)
    try await store.close()
  }
}
