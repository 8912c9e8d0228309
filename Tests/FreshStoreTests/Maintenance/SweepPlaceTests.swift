import FreshStoreTesting
import StoreSupport
import Strategies
import Synchronization
import Testing

@testable import FreshStore

/// The places of records in the index used by a sweep: a put may leave a place that is too early.
@Suite struct SweepPlaceTests {
  @Test func `a sweep finds its records through the index of places`() async throws {
    try await TemporaryStore.run { temporary in
      let plan = try RawDatabase(temporary.path).rows(
        """
        EXPLAIN QUERY PLAN SELECT id FROM record r
        WHERE r.sweep_at > 1 AND r.sweep_at <= 2 ORDER BY r.sweep_at, r.id LIMIT 3
        """
      ).joined().joined(separator: " ")

      #expect(plan.contains("record_sweep"))
      #expect(!plan.contains("TEMP B-TREE"))
    }
  }

  @Test(
    arguments: [
      // A later deadline: the place stays, and is found to be too early.
      (10, .after(.seconds(100)), 10, 101, 101),
      // An earlier one.
      (100, .after(.seconds(10)), 11, nil, 11),
      // None.
      (10, .never, 10, nil, nil),
      // At once.
      (10, .immediately, 1, nil, 1),
    ] as [(Int, Expiry, Int, Int?, Int?)])
  func `a sweep finds a record that was put again when it expires, and not before`(
    first: Int, second: Expiry, place: Int, early: Int?, markedAt: Int?
  ) async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: Int.self)
      let raw = try RawDatabase(temporary.path)
      let start = temporary.clock.reading().wall.millisecondsSinceEpoch
      func kept() throws -> Int? {
        try raw.rows("SELECT (sweep_at - \(start)) / 1000 FROM record WHERE sweep_at IS NOT NULL")
          .first.flatMap { Int($0[0]) }
      }
      try await articles.put(
        1, for: "1", details: FetchDetails(expiry: .after(.seconds(first))))
      temporary.clock.advance(by: .seconds(1))
      try await articles.put(2, for: "1", details: FetchDetails(expiry: second))
      #expect(try kept() == place)

      temporary.clock.advance(by: .seconds(Double(first - 1)))
      let sweep = try await temporary.store.sweep()
      if markedAt.map({ $0 <= first }) == true {
        #expect(sweep.marked == 1)
        #expect(try kept() == nil)
        try await articles.put(3, for: "1", details: FetchDetails(expiry: .after(.seconds(5))))
        #expect(try kept() == first + 5)
        return
      }
      #expect(sweep.marked == 0 && sweep.examined == 0)
      #expect(try kept() == early)
      temporary.clock.advance(by: .seconds(1000))
      #expect(try await temporary.store.sweep().marked == (markedAt == nil ? 0 : 1))
    }
  }

  @Test(arguments: [Expiry.never, .after(.seconds(100))])
  func `a put over a record that waits for a refetch ends the wait`(_ expiry: Expiry)
    async throws
  {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: Int.self)
      try await articles.put(1, for: "1", details: FetchDetails(expiry: .immediately))
      #expect(try await temporary.store.sweep().marked == 1)
      #expect(try temporary.store.statistics().due == 1)

      try await articles.put(2, for: "1", details: FetchDetails(expiry: expiry))

      #expect(try temporary.store.statistics().due == 0)
      #expect(try articles.state("1") == .fresh)
    }
  }

  @Test(arguments: [false, true])
  func `a limit applies to the marked records, and not to the examined ones`(
    isDryRun: Bool
  ) async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: Int.self)
      let values = Dictionary(uniqueKeysWithValues: (0..<10).map { ("\($0)", $0) })
      try await articles.put(values, details: FetchDetails(expiry: .after(.seconds(1))))
      try await articles.put(values, details: FetchDetails(expiry: .after(.seconds(100))))
      temporary.clock.advance(by: .seconds(10))
      try await articles.put(
        ["a": 1, "b": 2, "c": 3], details: FetchDetails(expiry: .immediately))
      let reports = Mutex(0)
      var options = SweepOptions()
      options.limit = 2
      options.batchSize = 5
      options.holdTime = .seconds(60)
      options.isDryRun = isDryRun
      options.progress = { _ in reports.withLock { $0 += 1 } }

      let result = try await temporary.store.sweep(options)

      #expect(result.marked == 2 && result.examined == 2 && !result.isComplete)
      #expect(reports.withLock { $0 } == 3)
    }
  }

  @Test(arguments: ["collection", "prefix"], [false, true])
  func `a sweep finds covered records by their keys`(scope: String, isDryRun: Bool) async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: Int.self)
      let others = try temporary.store.collection("others", of: Int.self)
      let keys = ["a", "a/", "a/1", "a/2", "a/\u{10FFFF}", "a0", "A/1", "b"]
      try await articles.put(Dictionary(uniqueKeysWithValues: keys.map { ($0, 1) }))
      try await others.put(["a/1": 1])
      if scope == "prefix" {
        try await articles.markStale(prefix: "a/")
      } else {
        try await temporary.store.markStale(collection: "articles")
      }
      var options = SweepOptions()
      options.batchSize = 2
      options.isDryRun = isDryRun

      let result = try await temporary.store.sweep(options)

      let marked = try RawDatabase(temporary.path).rows(
        "SELECT key FROM record WHERE stale_at IS NOT NULL ORDER BY key")
      let expected = scope == "prefix" ? ["a/", "a/1", "a/2", "a/\u{10FFFF}"] : keys
      #expect(result.marked == expected.count && result.isComplete)
      guard !isDryRun else { return }
      #expect(
        marked.joined().elementsEqual(
          expected.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }))
      #expect(try RawDatabase(temporary.path).integer("SELECT count(*) FROM invalidation") == 0)
    }
  }
}
