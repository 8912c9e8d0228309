import FreshStoreTesting
import Rules
import StoreSupport
import Strategies
import Synchronization
import Testing

@testable import FreshStore

/// All values of a collection at once.
@Suite struct ValuesTests: ArticleSuite {
  @Test func `values come in order of their keys' bytes, each with its decision`() async throws {
    try await withArticles { _, articles in
      for key in ["b", "é", "a", "Z"] { try await articles.put("\(key)!", for: key) }
      try await articles.markStale("b")

      let values = try articles.values()

      #expect(values.map(\.key) == ["Z", "a", "b", "é"])
      #expect(values.map(\.value) == ["Z!", "a!", "b!", "é!"])
      #expect(values.map(\.decision.outcome) == [.fresh, .fresh, .stale, .fresh])
      #expect(values.allSatisfy { $0.waiting == nil && $0.failure == nil })
    }
  }

  @Test func `all records and all local writes come, or as many as are asked for`() async throws {
    try await withArticles { temporary, articles in
      let count = 2_001
      try await articles.write(
        Dictionary(uniqueKeysWithValues: (0..<count).map { ("\($0)", "x") }))
      let store = temporary.store

      #expect(try store.outbox().count == count)
      #expect(try store.list().count == count)
      #expect(try articles.values().count == count)
      for await state in articles.observeValues() {
        #expect(state.records.count == count)
        break
      }
      for limit in [0, 7, 1_000, 1_500] {
        #expect(try store.outbox(limit: limit).count == limit)
        #expect(try store.list(limit: limit).count == limit)
        #expect(try articles.values(limit: limit).count == limit)
      }
      let page = try store.outbox(limit: 1_500)
      #expect(try store.outbox(after: page.last?.id ?? 0).count == count - 1_500)
    }
  }

  @Test func `what does not exist is left out`() async throws {
    try await withArticles { _, articles in
      let origin = ScriptedOrigin<String> { _ in .gone }
      _ = await articles.failure("absent", from: origin)
      try await articles.put("one", for: "deleted")
      try await articles.writeDeletion(of: "deleted")
      try await articles.put("two", for: "there")

      #expect(try articles.values().map(\.key) == ["there"])
    }
  }

  @Test func `the first of several local writes comes along, and their number`() async throws {
    try await withArticles { _, articles in
      let first = try await articles.write("one", for: "1")
      try await articles.write("two", for: "1")
      try await articles.put("plain", for: "2")

      let values = try articles.values()

      #expect(values.map(\.value) == ["two", "plain"])
      #expect(values.map(\.waiting?.id) == [first.id, nil])
      #expect(values.map(\.waitingCount) == [2, 0])
      #expect(values.first?.decision.cause == .pendingWrite)
    }
  }

  @Test(
    arguments: [
      ("", nil, 10, ["a", "ab", "abc", "b"]), ("a", nil, 10, ["a", "ab", "abc"]),
      ("ab", nil, 10, ["ab", "abc"]), ("", "ab", 10, ["abc", "b"]), ("a", nil, 2, ["a", "ab"]),
      ("a", "ab", 2, ["abc"]), ("b", "a", 2, ["b"]), ("a", "b", 2, []), ("c", nil, 2, []),
      ("", nil, 0, []), ("", nil, -1, []),
    ] as [(String, String?, Int, [String])])
  func `a page holds the keys with a prefix after a key, up to a limit`(
    prefix: String, after: String?, limit: Int, keys: [String]
  ) async throws {
    try await withArticles { temporary, articles in
      try await temporary.store.collection("before", of: String.self).put("x", for: "a")
      try await temporary.store.collection("other", of: String.self).put("x", for: "a")
      for key in ["b", "abc", "a", "ab"] { try await articles.put("x", for: key) }

      #expect(try articles.values(prefix: prefix, after: after, limit: limit).map(\.key) == keys)
    }
  }

  @Test func `names that are one text and differ in bytes are two records`() async throws {
    try await withArticles { _, articles in
      try await articles.put("decomposed", for: "cafe\u{301}")
      try await articles.put("composed", for: "caf\u{e9}")

      let values = try articles.values()
      let again = try articles.states(
        articles.page(.prefix(""), nil, 10), SharedPolicy(articles.policy), after: values)

      #expect(values.map(\.value) == ["decomposed", "composed"])
      #expect(again.map(\.value) == ["decomposed", "composed"])
    }
  }

  @Test func `a value that breaks its rules leaves its record in place, with the reason`()
    async throws
  {
    try await withArticles { temporary, articles in
      try await articles.put("", for: "1")
      try await articles.put("two", for: "2")
      let strict = articles.admitting(.notBlank)

      let values = try strict.values()

      #expect(values.map(\.key) == ["1", "2"])
      #expect(values.map(\.value) == [nil, "two"])
      #expect(values.map(\.decision.outcome) == [.unusable, .fresh])
    }
  }

  @Test func `a list has its members, fetched or not, and no others`() async throws {
    try await withArticles { _, articles in
      try await articles.put("own", for: "own")
      _ = try await articles.follow("inbox") { _ in
        .full(
          ["a": .value("one"), "b": .named, "c": .value("three"), "d": .value("four")], cursor: nil)
      }
      try await articles.writeDeletion(of: "c")

      let members = try articles.values(of: "inbox")

      #expect(members.map(\.key) == ["a", "b", "d"])
      #expect(members.map(\.value) == ["one", nil, "four"])
      #expect(members.map(\.decision.outcome) == [.fresh, .missing, .fresh])
      #expect(try articles.values(of: "inbox", after: "a", limit: 1).map(\.key) == ["b"])
      #expect(try articles.values(of: "inbox", after: "a", limit: 2).map(\.key) == ["b", "d"])
      #expect(try articles.values(of: "never").isEmpty)
      #expect(await storeFailure { try articles.values(of: "") }?.code == .invalidKey)
    }
  }

  @Test func `a closed store has no values`() async throws {
    try await withArticles { temporary, articles in
      try await articles.put("one", for: "1")
      try await temporary.store.close()

      #expect(await storeFailure { try articles.values() }?.code == .closed)
    }
  }

  @Test func `values that were shown, or are in memory, are not decoded again`() async throws {
    let codec = CountingCodec()
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", codec: codec)
      for key in ["1", "2", "3"] { try await articles.put([1], for: key) }
      let page = articles.page(.prefix(""), nil, 10)
      let policy = SharedPolicy(articles.policy)
      let first = try articles.values()
      let afterFirst = codec.count
      let second = try articles.states(page, policy, after: first)
      let afterSecond = codec.count
      try await articles.put([2], for: "2")
      _ = try articles.read("2")
      let afterRead = codec.count
      let third = try articles.states(page, policy, after: second)

      #expect(afterFirst <= 3 && afterSecond == afterFirst && codec.count == afterRead)
      #expect(second.map(\.value) == [[1], [1], [1]])
      #expect(third.map(\.value) == [[1], [2], [1]])
    }
  }
}

/// Counts what it decodes.
private final class CountingCodec: Codec {
  let identifier = "counting"
  private let state = Mutex(0)

  var count: Int { state.withLock { $0 } }

  func encode(_ value: [UInt8]) -> [UInt8] { value }

  func decode(_ bytes: [UInt8]) -> [UInt8] {
    state.withLock { $0 += 1 }
    return bytes
  }
}
