import Foundation
import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

/// Numbers that a caller gives: each has its range, and one outside it is refused with words.
@Suite struct NumberRangeTests {
  /// The ends of what the type can hold, and what lies just outside the range.
  static let beyond: [Duration] = [
    Duration(attoseconds: .max), .seconds(Int64.max), .unlimited + .nanoseconds(1),
    .nanoseconds(-1), .seconds(Int64.min), Duration(attoseconds: .min),
  ]

  typealias Settings = @Sendable (inout Configuration) -> Void

  static let durations: [(String, Settings)] = beyond.flatMap { bad -> [(String, Settings)] in
    [
      ("busyTimeout", { $0.busyTimeout = bad }), ("leaseDuration", { $0.leaseDuration = bad }),
      ("allowedSkew", { $0.allowedSkew = bad }),
      ("fleet.longestAlone", { $0.fleet.longestAlone = bad }),
      ("minimumPause", { $0.breaker.minimumPause = bad }),
      ("maximumPause", { $0.breaker.maximumPause = bad }),
    ]
  }

  static let numbers: [(String, Settings)] = [
    ("leaseDuration", { $0.leaseDuration = .zero }),
    ("maximumReaders", { $0.maximumReaders = 5_000_000_000 }),
    ("maximumReaders", { $0.maximumReaders = 0 }),
    ("maximumReaders", { $0.maximumReaders = .min }),
    ("memory.records", { $0.memory.records = -1 }), ("memory.bytes", { $0.memory.bytes = .min }),
    ("maximumSize", { $0.maximumSize = -1 }),
    ("maximumValueSize", { $0.maximumValueSize = .min }),
    ("threshold", { $0.breaker.threshold = .min }), ("threshold", { $0.breaker.threshold = 0 }),
  ]

  @Test func `a store with a number outside its range is refused, and its file is not made`() throws
  {
    let folder = try TemporaryFolder()
    let path = folder.file("store.db")
    for (name, change) in Self.durations + Self.numbers {
      var configuration = Configuration(reachability: .fixed(.online))
      change(&configuration)
      let error = #expect(throws: StoreError.self) {
        try Store(path: path, configuration: configuration)
      }
      #expect(error.map(words)?.hasPrefix("\(name) is ") == true)
    }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  typealias Change = @Sendable (inout Policy) -> Void

  static let spans: [(String, Change)] = beyond.flatMap { bad -> [(String, Change)] in
    [
      ("graceWhileRevalidating", { $0.graceWhileRevalidating = bad }),
      ("graceOnError", { $0.graceOnError = bad }), ("maximumAge", { $0.maximumAge = bad }),
      ("graceWhileOriginIsDown", { $0.graceWhileOriginIsDown = bad }),
      ("hardEnd", { $0.hardEnd = bad }), ("softTimeout", { $0.softTimeout = bad }),
      ("hardTimeout", { $0.hardTimeout = bad }), ("waitingTimeout", { $0.waitingTimeout = bad }),
      ("retryPause", { $0.retryPause = bad }),
      ("maximumRetryPause", { $0.maximumRetryPause = bad }),
    ]
  }

  static let others: [(String, Change)] = [
    ("expiry", { $0.expiry = .after(Duration(attoseconds: .max)) }),
    ("expiry", { $0.expiry = .after(Duration(attoseconds: .min)) }),
    ("negativeExpiry", { $0.negativeExpiry = .after(Duration(attoseconds: .max)) }),
    ("negativeExpiry", { $0.negativeExpiry = .after(Duration(attoseconds: .min)) }),
    ("jitter", { $0.jitter = .nan }), ("jitter", { $0.jitter = -0.1 }),
    ("jitter", { $0.jitter = 1.1 }),
    ("afterFraction", { $0.eagerRefresh = .afterFraction(.nan) }),
    ("afterFraction", { $0.eagerRefresh = .afterFraction(1.1) }),
    ("beta", { $0.eagerRefresh = .probabilistic(beta: .nan) }),
    ("beta", { $0.eagerRefresh = .probabilistic(beta: -1) }),
    ("beta", { $0.eagerRefresh = .probabilistic(beta: .infinity) }),
  ]

  @Test
  func `a policy with a number outside its range is refused, for a collection and for a call`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let store = temporary.store
      let articles = try store.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in .value("one") }
      for (name, change) in Self.spans + Self.others {
        var policy = Policy()
        change(&policy)
        let bad = policy
        var own = articles
        own.policy = bad
        let refusals = [
          await storeFailure { try store.collection("others", of: String.self, policy: bad) },
          await articles.failure("1", bad, from: origin)?.storeFailure,
          await own.failure("1", from: origin)?.storeFailure,
          await storeFailure { try articles.explain("1", policy: bad) },
        ]
        #expect(refusals.allSatisfy { $0.map(words)?.hasPrefix("a policy's \(name) is ") == true })
        _ = try own.read("1")
        _ = try own.values()
      }
      #expect(origin.calls == 0)
    }
  }

  @Test func `a sweep and a prune with a number outside its range are refused`() async throws {
    try await TemporaryStore.run { temporary in
      let store = temporary.store
      for bad in Self.beyond + [.zero] {
        var options = SweepOptions()
        options.timeLimit = bad
        #expect(await failure(sweep: options, store) == "a sweep's timeLimit is ")
        guard bad != .zero else { continue }
        options = SweepOptions()
        options.wait = bad
        #expect(await failure(sweep: options, store) == "a sweep's wait is ")
        var age = PruneOptions()
        age.olderThan = bad
        #expect(await failure(prune: age, store) == "a prune's olderThan is ")
      }
      for bad in [Int.min, -1, 0] {
        var options = SweepOptions()
        options.limit = bad
        #expect(await failure(sweep: options, store) == "a sweep's limit is ")
        guard bad < 0 else { continue }
        var count = PruneOptions()
        count.maximumCount = bad
        #expect(await failure(prune: count, store) == "a prune's maximumCount is ")
        var bytes = PruneOptions()
        bytes.maximumBytes = bad
        #expect(await failure(prune: bytes, store) == "a prune's maximumBytes is ")
      }
      var all = PruneOptions()
      (all.olderThan, all.maximumCount, all.maximumBytes) = (.unlimited, .max, .max)
      let pruned = try await store.prune(all)
      #expect(pruned.removed == 0)
    }
  }

  @Test(arguments: [Int.min, -1, 0, .max]) func `pages and buffers of any length are taken`(
    _ limit: Int
  ) async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      try await articles.put("one", for: "1")
      try await articles.write("two", for: "2")
      let isEmpty = limit <= 0
      #expect(try temporary.store.list(limit: limit).isEmpty == isEmpty)
      #expect(try temporary.store.outbox(limit: limit).isEmpty == isEmpty)
      #expect(try articles.values(limit: limit).isEmpty == isEmpty)
      _ = temporary.store.changes(buffering: limit)
    }
  }

  @Test func `minutes, hours and days end where durations end`() {
    for make in [Duration.minutes, Duration.hours, Duration.days] {
      #expect(make(.max) == .seconds(Int64.max))
      #expect(make(.min) == .seconds(Int64.min))
      #expect(make(-2) < .zero)
    }
    #expect(Duration.days(2) == .seconds(172_800))
  }

  // MARK: Inside

  private func words(_ error: StoreError) -> String {
    if case .invalidArgument(let words) = error.code { words } else { "" }
  }

  private func failure(sweep options: SweepOptions, _ store: Store) async -> String? {
    beginning(await storeFailure { try await store.sweep(options) })
  }

  private func failure(prune options: PruneOptions, _ store: Store) async -> String? {
    beginning(await storeFailure { try await store.prune(options) })
  }

  private func beginning(_ error: StoreError?) -> String? {
    error.map { String(words($0).prefix { !$0.isNumber && $0 != "-" }) }
  }
}
