import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@Suite struct MarkTests {
  enum Scope: String, Sendable, CaseIterable { case key, keys, tag, prefix, collection }

  /// Makes a mark that covers the key `a/1` and its tag `news`.
  private func mark(
    _ scope: Scope, _ articles: RecordCollection<String>, reason: String = "edited"
  ) async throws {
    switch scope {
    case .key: try await articles.markStale("a/1", reason: reason)
    case .keys: try await articles.markStale(["a/1", "nobody"], reason: reason)
    case .tag: try await articles.store.markStale(tag: "news", reason: reason)
    case .prefix: try await articles.markStale(prefix: "a/", reason: reason)
    case .collection: try await articles.markAllStale(reason: reason)
    }
  }

  @Test(arguments: Scope.allCases) func `a mark makes its records stale, and states the reason`(
    _ scope: Scope
  ) async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      try await articles.put("one", for: "a/1", details: FetchDetails(tags: ["news"]))

      try await mark(scope, articles)
      let decision = try articles.read("a/1").decision

      #expect(decision.outcome == .stale && decision.decidedBy == "invalidation")
      #expect(decision.cause == .chain(.marked("edited")))
      #expect(decision.mark == "edited")
    }
  }

  @Test func `a mark of many keys says how many of them there are`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let keys = (1...1_500).map { "\($0)" }
      try await articles.put(Dictionary(uniqueKeysWithValues: keys.map { ($0, "x") }))
      #expect(try await articles.markStale(keys + ["nobody", "1"]) == 1_500)
      #expect(try articles.values().count { $0.decision.outcome == .stale } == 1_500)
      #expect(try await articles.markStale([String]()) == 0)
      await #expect(throws: StoreError.self) { try await articles.markStale(["1", ""]) }
    }
  }

  @Test(arguments: Scope.allCases) func `records that a mark does not cover stay fresh`(
    _ scope: Scope
  ) async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let others = try temporary.store.collection("others", of: String.self)
      try await articles.put("one", for: "a/1", details: FetchDetails(tags: ["news"]))
      try await articles.put("two", for: "b", details: FetchDetails(tags: ["old news"]))
      try await others.put("three", for: "a/1")

      try await mark(scope, articles)

      #expect(try articles.state("b") == (scope == .collection ? .stale : .fresh))
      #expect(try others.state("a/1") == .fresh)
    }
  }

  @Test(arguments: Scope.allCases) func `another store sees a mark at its next read`(
    _ scope: Scope
  ) async throws {
    try await TemporaryStore.run { temporary in
      let other = try temporary.another()
      let here = try temporary.store.collection("articles", of: String.self)
      let there = try other.collection("articles", of: String.self)
      try await here.put("one", for: "a/1", details: FetchDetails(tags: ["news"]))
      let before = try there.state("a/1")

      try await mark(scope, here)
      let after = try there.state("a/1")
      try await other.close()

      #expect(before == .fresh && after == .stale)
    }
  }

  @Test(arguments: Scope.allCases) func `a value put after a mark is fresh`(
    _ scope: Scope
  ) async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      try await articles.put("one", for: "a/1", details: FetchDetails(tags: ["news"]))

      try await mark(scope, articles)
      try await articles.put("two", for: "a/1")

      #expect(try articles.state("a/1") == .fresh)
    }
  }

  @Test(arguments: Scope.allCases) func `a mark outlives the store`(_ scope: Scope) async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      try await articles.put("one", for: "a/1", details: FetchDetails(tags: ["news"]))
      try await mark(scope, articles)
      try await temporary.store.close()

      let again = try temporary.another()
      let state = try again.collection("articles", of: String.self).state("a/1")
      try await again.close()

      #expect(state == .stale)
    }
  }

  @Test(arguments: Scope.allCases) func `a record marked while its fetch ran stays stale`(
    _ scope: Scope
  ) async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in .value("two", FetchDetails(tags: ["news"])) }
      origin.hold()

      async let fetched = articles.get("a/1", from: origin)
      await origin.calls(atLeast: 1)
      try await mark(scope, articles)
      origin.release()
      let answer = try await fetched

      #expect(answer.value == "two" && answer.storeFailure == nil)
      #expect(try articles.state("a/1") == .stale)
      #expect(try articles.read("a/1").copy?.value == "two")
    }
  }

  @Test(arguments: Scope.allCases) func `a fetch that began after a mark clears it`(
    _ scope: Scope
  ) async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in .notModified }
      try await articles.put("one", for: "a/1", details: FetchDetails(tags: ["news"]))

      try await mark(scope, articles)
      try await articles.get("a/1", from: origin)

      #expect(try articles.state("a/1") == .fresh)
    }
  }

  @Test(arguments: Scope.allCases)
  func `a caller that knows of a newer mark does not join an older fetch`(_ scope: Scope)
    async throws
  {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { previous in .value("after \(previous.value ?? "-")") }
      try await articles.put("one", for: "a/1", details: FetchDetails(tags: ["news"]))
      temporary.clock.advance(by: .seconds(300))
      origin.hold()

      async let older = articles.get("a/1", from: origin)
      await origin.calls(atLeast: 1)
      try await mark(scope, articles)
      async let newer = articles.get("a/1", from: origin)
      origin.release()

      #expect(try await older.value == "after one")
      #expect(try await newer.value == "after after one")
      #expect(try articles.state("a/1") == .fresh)
      #expect(origin.calls == 2)
    }
  }

  @Test(arguments: [Scope.tag, .prefix, .collection])
  func `a mark writes one row, however many records it covers`(_ scope: Scope) async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let values = Dictionary(uniqueKeysWithValues: (0..<500).map { ("a/\($0)", "one") })
      try await articles.put(values, details: FetchDetails(tags: ["news"]))
      let raw = try RawDatabase(temporary.path)

      try await mark(scope, articles)
      try await mark(scope, articles)

      #expect(try raw.integer("SELECT count(*) FROM invalidation") == 1)
      #expect(try raw.integer("SELECT count(*) FROM record WHERE stale_at IS NOT NULL") == 0)
      #expect(try articles.read((0..<500).map { "a/\($0)" }).values.allSatisfy { !$0.isFresh })
    }
  }

  @Test func `a mark by key reports whether it covered a record`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      try await articles.put("one", for: "1")

      #expect(try await articles.markStale("1"))
      #expect(try await !articles.markStale("2"))
    }
  }

  @Test func `a marked record is served while offline like any other`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in .value("two") }
      try await articles.put("one", for: "1")
      try await articles.markStale("1")
      temporary.reachability.set(.offline("no route"))

      #expect(try await articles.get("1", from: origin).freshness == .staleOffline)
    }
  }

  @Test(arguments: [
    ("é", "é1", true), ("e", "é1", false), ("a\0", "a\0b", true), ("a_", "ab", false),
  ])
  func `a prefix is compared by its bytes`(
    _ prefix: String, _ key: String, _ isCovered: Bool
  ) async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      try await articles.put("one", for: key)

      try await articles.markStale(prefix: prefix)

      #expect(try articles.state(key) == (isCovered ? .stale : .fresh))
    }
  }

  @Test func `new tags replace the old ones, and a put without tags keeps them`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      try await articles.put("one", for: "1", details: FetchDetails(tags: ["a", "b"]))
      try await articles.put("two", for: "1", details: FetchDetails())
      let kept = try articles.explain("1").tags
      try await articles.put("three", for: "1", details: FetchDetails(tags: ["c"]))
      let replaced = try articles.explain("1").tags
      try await articles.put("four", for: "1", details: FetchDetails(tags: []))

      #expect(kept == ["a", "b"] && replaced == ["c"])
      #expect(try articles.explain("1").tags.isEmpty)
    }
  }

  @Test func `an empty tag and an empty prefix are refused`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)

      let tag = await storeFailure { try await temporary.store.markStale(tag: "") }
      let prefix = await storeFailure { try await articles.markStale(prefix: "") }

      #expect(tag?.code == .invalidArgument("a tag must not be empty"))
      #expect(prefix?.code == .invalidKey)
    }
  }
}

extension Reading {
  fileprivate var isFresh: Bool { if case .fresh = self { true } else { false } }
}
