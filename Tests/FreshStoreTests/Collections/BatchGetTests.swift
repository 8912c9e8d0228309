import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Synchronization
import Testing

@Suite struct BatchGetTests {
  /// The requests, batch by batch.
  final class Asked: Sendable {
    private let batches = Mutex<[[String]]>([])
    var all: [[String]] { batches.withLock { $0 } }
    func note(_ previous: [Previous<String>]) {
      batches.withLock { $0.append(previous.map(\.key).sorted()) }
    }
  }

  @Test func `only keys without a fresh copy are fetched, in one call`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let asked = Asked()
      try await articles.put(["a": "kept", "b": "kept"])

      let results = await articles.get(["a", "b", "c", "d", "c"]) { missing in
        asked.note(missing)
        return Dictionary(uniqueKeysWithValues: missing.map { ($0.key, .value("new")) })
      }

      #expect(asked.all == [["c", "d"]])
      #expect(
        try results.mapValues { try $0.get().value }
          == ["a": "kept", "b": "kept", "c": "new", "d": "new"])
    }
  }

  @Test func `a key missing from the answer has failed, the others have not`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)

      let results = await articles.get(["a", "b"]) { _ in ["a": .value("new")] }

      #expect(try results["a"]?.get().value == "new")
      guard case .failure(let failure) = results["b"] else {
        Issue.record("b has a value")
        return
      }
      #expect(failure.fetchFailure?.code == .notAnswered)
    }
  }

  @Test func `a fetch that throws fails every key of its batch`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      try await articles.put("kept", for: "a")

      let results = await articles.get(["a", "b", "c"]) { _ in throw OriginFailure() }

      #expect(try results["a"]?.get().value == "kept")
      for key in ["b", "c"] {
        guard case .failure(let failure) = results[key] else {
          Issue.record("\(key) has a value")
          continue
        }
        #expect(failure.fetchFailure?.underlying is OriginFailure)
      }
    }
  }

  @Test func `a get waits for a key that is already being fetched`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let origin = ScriptedOrigin<String> { _ in .value("single") }
      let asked = Asked()
      origin.hold()

      async let single = articles.get("a", from: origin)
      await origin.calls(atLeast: 1)
      async let batch = articles.get(["a", "b"]) { missing in
        asked.note(missing)
        origin.release()
        return Dictionary(uniqueKeysWithValues: missing.map { ($0.key, .value("batch")) })
      }
      let results = await batch

      #expect(try await single.value == "single")
      #expect(try results["a"]?.get().value == "single")
      #expect(try results["b"]?.get().value == "batch")
      #expect(asked.all == [["b"]])
    }
  }

  @Test func `a bad key fails alone`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)

      let results = await articles.get(["", "a"]) { missing in
        Dictionary(uniqueKeysWithValues: missing.map { ($0.key, .value("new")) })
      }

      #expect(try results["a"]?.get().value == "new")
      guard case .failure(let failure) = results[""] else {
        Issue.record("the empty key has a value")
        return
      }
      #expect(failure.code == .store && failure.storeFailure?.code == .invalidKey)
    }
  }

  @Test(arguments: [0, 1, 2, 16, 17, 256, 257, 700])
  func `a read of any number of keys answers all of them`(_ count: Int) async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: Int.self)
      let keys = (0..<count).map { "key \($0)" }
      try await articles.put(
        Dictionary(uniqueKeysWithValues: keys.indices.map { (keys[$0], $0) }))

      let readings = try articles.read(keys)

      #expect(keys.indices.allSatisfy { readings[keys[$0]]?.copy?.value == $0 })
      #expect(readings.count == count)
    }
  }
}
