import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

/// The assertions of Harmony's own tests about its cache repository and its stores, in the terms of a
/// collection: its main source is the fetch, its cache the store.
@Suite struct HarmonyFactTests {
  private static func policy(_ mode: Policy.Mode) -> Policy {
    var policy = Policy()
    policy.mode = mode
    return policy
  }

  private func run(
    _ body: (TemporaryStore, RecordCollection<String>, ScriptedOrigin<String>) async throws -> Void
  ) async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      try await body(temporary, articles, ScriptedOrigin { _ in .value("main") })
    }
  }

  @Test func `H-01: main only, and main has nothing: not found, the cache is left alone`()
    async throws
  {
    try await run { _, articles, origin in
      origin.answer { _ in .gone }
      try await articles.put("cached", for: "1")

      let failure = await articles.failure("1", Self.policy(.bypass), from: origin)
      let left = try articles.read("1").copy?.value

      #expect(failure?.code == .absent && failure?.decision == nil)
      #expect(left == "cached" && origin.calls == 1)
    }
  }

  @Test func `H-02: main only, and main has a value`() async throws {
    try await run { _, articles, origin in
      let answer = try await articles.get("1", Self.policy(.bypass), from: origin)
      let left = try articles.state("1")

      #expect(answer.value == "main" && origin.calls == 1 && left == .missing)
    }
  }

  @Test func `H-03: cache only, and the cache is empty: not found, main is not asked`() async throws
  {
    try await run { _, articles, origin in
      let failure = await articles.failure("1", .cacheOnly, from: origin)

      #expect(failure?.code == .missing && origin.calls == 0)
    }
  }

  @Test func `H-04: cache only, and the cache has a valid value`() async throws {
    try await run { _, articles, origin in
      try await articles.put("cached", for: "1")

      let answer = try await articles.get("1", .cacheOnly, from: origin)

      #expect(answer.value == "cached" && origin.calls == 0)
    }
  }

  @Test func `H-09: a put value is returned under its key`() async throws {
    try await run { _, articles, _ in
      try await articles.put("one", for: "1")
      let value = try articles.read("1").copy?.value
      #expect(value == "one")
    }
  }

  @Test func `H-10, H-25, H-26: many put values are returned, in the requested order`()
    async throws
  {
    try await run { _, articles, _ in
      let keys = ["c", "a", "b"]
      try await articles.put(["a": "1", "b": "2", "c": "3"])
      let readings = try articles.read(keys)
      #expect(keys.map { readings[$0]?.copy?.value } == ["3", "1", "2"])
    }
  }

  @Test func `H-11, H-27: a deleted value is not found`() async throws {
    try await run { _, articles, origin in
      try await articles.put("one", for: "1")
      try await articles.remove("1")
      let failure = await articles.failure("1", .cacheOnly, from: origin)
      #expect(failure?.code == .missing)
    }
  }

  @Test func `H-12, H-30: a key that was never put is not found`() async throws {
    try await run { _, articles, origin in
      let failure = await articles.failure("1", .cacheOnly, from: origin)
      #expect(failure?.code == .missing)
    }
  }

  @Test func `H-13, H-30: of many keys that were never put none is found`() async throws {
    try await run { _, articles, _ in
      let results = await articles.get(["1", "2"], policy: .cacheOnly) { _ in [:] }
      #expect(results.count == 2)
      for result in results.values {
        guard case .failure(let failure) = result else {
          Issue.record("found")
          continue
        }
        #expect(failure.code == .missing)
      }
    }
  }

  @Test func `H-19: a put replaces a value that was put among many`() async throws {
    try await run { _, articles, _ in
      try await articles.put(["1": "old", "2": "old"])
      try await articles.put("new", for: "1")
      let values = try articles.read(["1", "2"]).mapValues { $0.copy?.value }
      #expect(values == ["1": "new", "2": "old"])
    }
  }

  @Test func `H-28: deleting all leaves nothing of the collection, and the others whole`()
    async throws
  {
    try await run { temporary, articles, _ in
      try await articles.put(Dictionary(uniqueKeysWithValues: (0..<1200).map { ("\($0)", "x") }))
      try await temporary.store.bytes("others").put([1], for: "1")

      let removed = try await articles.removeAll()
      let left = try temporary.store.list().map(\.collection)

      #expect(removed == 1200 && left == ["others"])
    }
  }

  @Test func `H-106: main, then cache: main's value is in the cache`() async throws {
    try await run { _, articles, origin in
      try await articles.put("cached", for: "1")

      let answer = try await articles.get("1", .sourceFirst, from: origin)
      let left = try articles.read("1").copy?.value

      #expect(answer.value == "main" && left == "main")
    }
  }

  @Test func `H-107: cache only, and the value is not valid: an error that says so`() async throws {
    try await run { temporary, articles, origin in
      try await articles.put("cached", for: "1")
      temporary.clock.advance(by: .seconds(300))

      let failure = await articles.failure("1", .cacheOnly, from: origin)

      #expect(failure?.code == .stale && failure?.decision?.outcome == .stale)
      #expect(origin.calls == 0)
    }
  }

  @Test func `H-108: without validation the invalid value is served`()
    async throws
  {
    try await run { temporary, articles, origin in
      try await articles.put("cached", for: "1")
      temporary.clock.advance(by: .seconds(300))

      let policy = Self.policy(.cacheOnly(allowsStale: true))
      let answer = try await articles.get("1", policy, from: origin)

      #expect(answer.value == "cached" && answer.freshness == .stale)
    }
  }

  @Test(arguments: [true, false])
  func `H-S06: a fallback after a failed main finds the cache's stale value`(
    _ accepts: Bool
  ) async throws {
    try await run { temporary, articles, origin in
      origin.answer { _ in throw OriginFailure() }
      try await articles.put("cached", for: "1")
      temporary.clock.advance(by: .seconds(300))
      var policy = Policy()
      policy.fallback = { _, _ in accepts }

      let failure = await articles.failure("1", policy, from: origin)

      #expect(failure?.code == (accepts ? nil : .fetchFailed))
    }
  }
}
