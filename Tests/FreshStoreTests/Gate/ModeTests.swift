import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

/// The table of the modes, cell by cell, and the presets.
@Suite struct ModeTests {
  /// The kinds of copy, one a row.
  enum Kept: CaseIterable { case fresh, stale, staleToRevalidate, missing, written }
  /// The states of the source, one a column.
  enum Source: CaseIterable { case up, failing, pausing, offline }

  struct Cell: Sendable, CustomTestStringConvertible {
    var way: String
    var kept: Kept
    var source: Source
    var expected: String

    var testDescription: String { "\(way), \(kept), source \(source): \(expected)" }

    var policy: Policy {
      let policy = Policy(graceOnError: .hours(1)).retryPause(.minutes(10))
      return switch way {
      case "cacheFirst", "refresh": policy
      case "sourceFirst": policy.mode(.sourceFirst)
      case "sourceOnly", "refreshOnly": policy.mode(.sourceOnly)
      case "cacheOnly": policy.mode(.cacheOnly(allowsStale: false))
      case "cacheOnlyStale", "refreshCache": policy.mode(.cacheOnly(allowsStale: true))
      default: policy.mode(.bypass)
      }
    }
  }

  /// The result of each way to get: `asked` where the source is, then the value with its freshness or
  /// the error, then what failed beside it. The copy is "one", the source's value "two".
  static let table: [(way: String, rows: [[String]])] = [
    (
      "cacheFirst",
      [
        ["one fresh", "one fresh", "one fresh", "one fresh"],
        [
          "asked: two fetched", "asked: one stale-on-error, failed",
          "one stale-on-error, pausing", "one stale-offline",
        ],
        ["asked: two fetched", "asked: fetchFailed", "fetchFailed", "offline"],
        ["asked: two fetched", "asked: fetchFailed", "fetchFailed", "offline"],
        ["one fresh", "one fresh", "one fresh", "one fresh"],
      ]
    ),
    (
      "sourceFirst",
      [
        [
          "asked: two fetched", "asked: one fresh, failed", "one fresh, pausing",
          "one fresh, offline",
        ],
        [
          "asked: two fetched", "asked: one stale-on-error, failed",
          "one stale-on-error, pausing", "one stale-offline, offline",
        ],
        ["asked: two fetched", "asked: fetchFailed", "fetchFailed", "offline"],
        ["asked: two fetched", "asked: fetchFailed", "fetchFailed", "offline"],
        ["one fresh", "one fresh", "one fresh", "one fresh"],
      ]
    ),
    (
      "sourceOnly",
      Array(
        repeating: ["asked: two fetched", "asked: fetchFailed", "fetchFailed", "offline"], count: 4)
        + askingAlone.suffix(1)
    ),
    (
      "cacheOnly",
      [
        ["one fresh", "one fresh", "one fresh", "one fresh"],
        ["stale", "stale", "stale", "one stale-offline"],
        ["stale", "stale", "stale", "stale"],
        ["missing", "missing", "missing", "missing"],
        ["one fresh", "one fresh", "one fresh", "one fresh"],
      ]
    ),
    (
      "cacheOnlyStale",
      [
        ["one fresh", "one fresh", "one fresh", "one fresh"],
        ["one stale", "one stale", "one stale", "one stale-offline"],
        ["stale", "stale", "stale", "stale"],
        ["missing", "missing", "missing", "missing"],
        ["one fresh", "one fresh", "one fresh", "one fresh"],
      ]
    ),
    (
      "bypass",
      Array(
        repeating: ["asked: two fetched", "asked: fetchFailed", "asked: two fetched", "offline"],
        count: 5)
    ),
    ("refresh", asking),
    ("refreshCache", asking),
    (
      "refreshOnly",
      askingAlone
    ),
  ]

  /// A refresh by hand: as `sourceFirst`, and no pause keeps it from asking.
  static let asking = [
    ["asked: two fetched", "asked: one fresh, failed", "asked: two fetched", "one fresh, offline"],
    [
      "asked: two fetched", "asked: one stale-on-error, failed", "asked: two fetched",
      "one stale-offline, offline",
    ],
    ["asked: two fetched", "asked: fetchFailed", "asked: two fetched", "offline"],
    ["asked: two fetched", "asked: fetchFailed", "asked: two fetched", "offline"],
    ["one fresh", "one fresh", "one fresh", "one fresh"],
  ]

  /// The source alone: no copy answers, and a local write stays as it was written.
  static let askingAlone =
    Array(
      repeating: ["asked: two fetched", "asked: fetchFailed", "asked: two fetched", "offline"],
      count: 4) + [
      [
        "asked: two fetched, pendingWrite", "asked: fetchFailed",
        "asked: two fetched, pendingWrite", "offline",
      ]
    ]

  static let cells: [Cell] = table.flatMap { way, rows in
    zip(Kept.allCases, rows).flatMap { kept, row in
      zip(Source.allCases, row).map { Cell(way: way, kept: kept, source: $0, expected: $1) }
    }
  }

  @Test(arguments: cells) func `each mode asks and answers as its table says`(
    _ cell: Cell
  ) async throws {
    try await TemporaryStore.run(configure: { $0.random = { 0.5 } }) { temporary in
      let articles = try temporary.store.collection(
        "articles", of: String.self, policy: cell.policy)
      let origin = ScriptedOrigin<String> { _ in throw OriginFailure() }
      try await keep(cell.kept, articles, temporary)
      if cell.source == .pausing {
        _ = await articles.failure("1", cell.policy.mode(.sourceOnly), from: origin)
      }
      if cell.source != .failing { origin.answer { _ in .value("two") } }
      if cell.source == .offline { temporary.reachability.set(.offline("no route")) }
      let before = origin.calls

      let outcome = await self.outcome(cell, articles, origin)

      #expect((origin.calls > before ? "asked: " : "") + outcome == cell.expected)
      let isStored = try articles.read("1").copy?.value == "two"
      let isKept = cell.kept == .written || cell.way == "bypass"
      #expect(isStored == (outcome == "two fetched" && !isKept))
    }
  }

  private func keep(
    _ kept: Kept, _ articles: RecordCollection<String>, _ temporary: TemporaryStore
  ) async throws {
    switch kept {
    case .missing: return
    case .written: try await articles.write("one", for: "1")
    case .staleToRevalidate:
      try await articles.put("one", for: "1", details: FetchDetails(mustRevalidate: true))
    case .fresh, .stale: try await articles.put("one", for: "1")
    }
    if kept != .fresh { temporary.clock.advance(by: .minutes(5)) }
  }

  private func outcome(
    _ cell: Cell, _ articles: RecordCollection<String>, _ origin: ScriptedOrigin<String>
  ) async -> String {
    do throws(GetError) {
      let answer =
        cell.way.hasPrefix("refresh")
        ? try await articles.refresh("1") { try await origin.fetch($0) }
        : try await articles.get("1") { try await origin.fetch($0) }
      var words = "\(answer.value) \(answer.freshness.rawValue)"
      switch answer.fetchFailure?.code {
      case nil: break
      case .pausing: words += ", pausing"
      case .offline: words += ", offline"
      default: words += ", failed"
      }
      if let failure = answer.storeFailure { words += ", \(failure.code)" }
      return words
    } catch {
      return "\(error.code)"
    }
  }

  /// Each preset's answer from a stale copy where the source is up, fails, and is out of reach.
  @Test(
    arguments: [
      (Policy.cacheFirst, ["two fetched", "fetchFailed", "one stale-offline"]),
      (
        .offlineFirst,
        ["one stale-while-revalidating", "one stale-while-revalidating", "one stale-offline"]
      ),
      (.sourceFirst, ["two fetched", "one stale-on-error, failed", "one stale-offline, offline"]),
      (.sourceOnly, ["two fetched", "fetchFailed", "offline"]),
      (.cacheOnly, ["stale", "stale", "one stale-offline"]),
      (.strict, ["two fetched", "fetchFailed", "offline"]),
    ], [Source.up, .failing, .offline])
  func `a stale copy under each preset`(
    _ given: (policy: Policy, expected: [String]), _ source: Source
  ) async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection(
        "articles", of: String.self, policy: given.policy)
      let origin = ScriptedOrigin<String> { _ in
        if source == .failing { throw OriginFailure() }
        return .value("two")
      }
      try await articles.put("one", for: "1")
      temporary.clock.advance(by: .minutes(5))
      if source == .offline { temporary.reachability.set(.offline("no route")) }

      let cell = Cell(way: "", kept: .stale, source: source, expected: "")
      let outcome = await self.outcome(cell, articles, origin)

      let index = try #require([Source.up, .failing, .offline].firstIndex(of: source))
      #expect(outcome == given.expected[index])
    }
  }

  @Test func `a get without a source answers from the copy alone, for one key and for many`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      try await articles.put("one", for: "1")

      #expect(try articles.get("1").value == "one")
      #expect(#expect(throws: GetError.self) { try articles.get("2") }?.code == .missing)
      let many = articles.get(["1", "2"])
      #expect(try many["1"]?.get().freshness == .fresh)
      #expect(#expect(throws: GetError.self) { try many["2"]?.get() }?.code == .missing)

      temporary.clock.advance(by: .minutes(5))
      #expect(#expect(throws: GetError.self) { try articles.get("1") }?.code == .stale)
      let permissive = Policy(mode: .cacheOnly(allowsStale: true))
      #expect(try articles.get("1", policy: permissive).freshness == .stale)
    }
  }

  @Test func `a get of the source alone takes no copy that it had seen`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in .value("two") }
      try await articles.put("one", for: "1")
      temporary.clock.advance(by: .minutes(5))
      origin.hold()
      let first = Task { try await articles.get("1", from: origin) }
      await origin.calls(atLeast: 1)
      let second = Task { try await articles.get("1", .sourceOnly, from: origin) }
      origin.release()

      #expect(try await first.value.value == "two")
      #expect(try await second.value.value == "two")
    }
  }

  @Test func `refreshes of many keys share one fetch and ask for fresh copies, too`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let asked = Asked()
      try await articles.put(["1": "one", "2": "one"])

      let results = await articles.refresh(["1", "2"]) { missing in
        asked.note(missing.map(\.key).sorted())
        return Dictionary(uniqueKeysWithValues: missing.map { ($0.key, .value("two")) })
      }

      #expect(asked.batches == [["1", "2"]])
      #expect(try results["1"]?.get().value == "two")
      #expect(try results["2"]?.get().freshness == .fetched)
    }
  }

  @Test func `bypass neither reads the store nor writes it`() async throws {
    try await TemporaryStore.run { temporary in
      let policy = Policy(mode: .bypass)
      let articles = try temporary.store.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in .value("two") }
      try await articles.put("one", for: "1")

      let answer = try await articles.get("1", policy, from: origin)

      #expect(answer.value == "two" && answer.freshness == .fetched)
      #expect(origin.requests.first?.value == nil)
      #expect(try articles.read("1").copy?.value == "one")
    }
  }

  @Test func `a cancelled caller of a bypass receives the cancellation`() async throws {
    try await TemporaryStore.run { temporary in
      let policy = Policy(mode: .bypass)
      let articles = try temporary.store.collection("articles", of: String.self, policy: policy)
      let origin = ScriptedOrigin<String> { _ in .value("two") }
      origin.hold()

      let task = Task { await articles.failure("1", from: origin) }
      await origin.calls(atLeast: 1)
      task.cancel()

      #expect(await task.value?.code == .cancelled)
    }
  }
}
