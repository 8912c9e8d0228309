import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@Suite struct BadKeyTests {
  @Test(arguments: ["", String(repeating: "k", count: 1025), String(repeating: "é", count: 513)])
  func `an empty or too long key is refused everywhere`(_ key: String) async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in .value("one") }

      let codes = [
        await storeFailure { try articles.read(key) }?.code,
        await storeFailure { try articles.read(["fine", key]) }?.code,
        await storeFailure { try await articles.put("one", for: key) }?.code,
        await storeFailure { try await articles.remove(key) }?.code,
        await storeFailure { try await articles.markStale(key) }?.code,
        await storeFailure { try await articles.setPinned(true, for: key) }?.code,
        await storeFailure { try articles.explain(key) }?.code,
        await articles.failure(key, from: origin)?.storeFailure?.code,
      ]

      #expect(codes.allSatisfy { $0 == .invalidKey })
      #expect(origin.calls == 0)
    }
  }

  @Test(arguments: [
    "k", String(repeating: "k", count: 1024), String(repeating: "é", count: 512), "\0", "a\0b",
    "\u{e9}", "e\u{301}", "💾", " ", "%_'\";--", "\u{feff}", "\r\n", "\u{10ffff}",
  ]) func `every other key can be read back`(_ key: String) async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      try await articles.put("one", for: key)

      #expect(try articles.read(key).copy?.value == "one")
      let listed = try temporary.store.list().map { Array($0.key.utf8) }
      #expect(listed == [Array(key.utf8)])
      #expect(try await articles.remove(key))
      #expect(try articles.state(key) == .missing)
    }
  }

  @Test(arguments: [
    ("a", "a\0b"), ("a\0", "a\0\0"), ("\u{e9}", "e\u{301}"), ("k", "K"), ("a", "a "),
  ])
  func `keys that only look alike are two keys`(_ first: String, _ second: String) async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      try await articles.put("one", for: first)
      try await articles.put("two", for: second)
      try await articles.markStale(second)

      #expect(try articles.read(first).copy?.value == "one")
      #expect(try articles.state(first) == .fresh && articles.state(second) == .stale)
      try await articles.remove(first)
      #expect(try articles.read(second).copy?.value == "two")
    }
  }

  @Test func `a batch cannot contain one text in two Unicode forms`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)

      let failure = await storeFailure { try articles.read(["\u{e9}", "e\u{301}"]) }
      let results = await articles.get(["\u{e9}", "e\u{301}", "a"]) { missing in
        Dictionary(uniqueKeysWithValues: missing.map { ($0.key, .value("one")) })
      }

      guard case .invalidArgument = failure?.code, case .failure = results["\u{e9}"] else {
        Issue.record("\(String(describing: failure)), \(results)")
        return
      }
      #expect(try results["a"]?.get().value == "one")
    }
  }

  @Test(arguments: ["", String(repeating: "c", count: 256)])
  func `an empty or too long collection name is refused`(_ name: String) async throws {
    try await TemporaryStore.run { temporary in
      let failure = await storeFailure { try temporary.store.bytes(name) }
      #expect(failure?.code == .invalidCollection)
    }
  }

  @Test(arguments: ["c", String(repeating: "c", count: 255), "a\0b", "\u{e9}", "e\u{301}", "'"])
  func `every other name keeps its records to itself`(_ name: String) async throws {
    try await TemporaryStore.run { temporary in
      try await temporary.store.bytes(name).put([1], for: "k")
      try await temporary.store.bytes("x").put([2], for: "k")
      try await temporary.store.markStale(collection: "x")

      #expect(try temporary.store.bytes(name).read("k").copy?.value == [1])
      #expect(try temporary.store.bytes(name).state("k") == .fresh)
    }
  }

  @Test func `a value that is too large is refused, and the older record stays`() async throws {
    try await TemporaryStore.run(configure: { $0.maximumValueSize = 10 }) { temporary in
      let bytes = try temporary.store.bytes("bytes")
      try await bytes.put(Array(repeating: 1, count: 10), for: "k")

      let failure = await storeFailure {
        try await bytes.put(Array(repeating: 2, count: 11), for: "k")
      }

      #expect(failure?.code == .valueTooLarge(bytes: 11, limit: 10))
      #expect(try bytes.read("k").copy?.value == Array(repeating: 1, count: 10))
    }
  }

  @Test func `a put of many values stores all or none`() async throws {
    try await TemporaryStore.run(configure: { $0.maximumValueSize = 10 }) { temporary in
      let bytes = try temporary.store.bytes("bytes")

      let failure = await storeFailure {
        try await bytes.put(["a": [1], "b": Array(repeating: 2, count: 11), "c": [3]])
      }

      #expect(failure?.code == .valueTooLarge(bytes: 11, limit: 10))
      #expect(try temporary.store.list().isEmpty)
    }
  }

  @Test(arguments: [0, 1, 4096, 1_000_000]) func `a value of any size can be read back`(
    _ count: Int
  ) async throws {
    try await TemporaryStore.run { temporary in
      let bytes = try temporary.store.bytes("bytes")
      let value = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      try await bytes.put(value, for: "k")

      #expect(try bytes.read("k").copy?.value == value)
    }
  }
}
