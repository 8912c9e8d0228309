import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

/// A stale verdict is written down as a mark, off the reader's path.
@Suite struct SoftMarkTests {
  private static let countMarked = "SELECT count(*) FROM record WHERE stale_at IS NOT NULL"

  @Test func `a verdict is written down a second later`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      try await articles.put("one", for: "1")
      temporary.clock.advance(by: .seconds(300))
      let raw = try RawDatabase(temporary.path)

      _ = try articles.read("1")
      await temporary.clock.sleepers(atLeast: 1)
      let before = try raw.integer(Self.countMarked)
      temporary.clock.advance(by: .seconds(1))
      while try raw.integer(Self.countMarked) == 0 { await Task.yield() }

      #expect(before == 0)
      #expect(try articles.read("1").decision.decidedBy == "invalidation")
    }
  }

  @Test func `the refetch queue sees verdicts that wait to be written`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      try await articles.put("one", for: "1")
      temporary.clock.advance(by: .seconds(300))
      let before = try await temporary.store.due(limit: 10)

      _ = try articles.read("1")
      let due = try await temporary.store.due(limit: 10)

      #expect(before.isEmpty)
      #expect(due.map(\.key) == ["1"])
      #expect(due.first?.deadline == temporary.clock.reading().wall)
    }
  }

  @Test func `a record written since its verdict stays unmarked`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      try await articles.put("one", for: "1")
      temporary.clock.advance(by: .seconds(300))

      _ = try articles.read("1")
      try await articles.put("two", for: "1")
      let due = try await temporary.store.due(limit: 10)

      #expect(due.isEmpty)
      #expect(try articles.state("1") == .fresh)
    }
  }

  @Test func `the replacement of a removed record stays unmarked`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      try await articles.put("one", for: "1")
      temporary.clock.advance(by: .seconds(300))

      _ = try articles.read("1")
      try await articles.remove("1")
      try await articles.put("two", for: "2")
      let due = try await temporary.store.due(limit: 10)

      #expect(due.isEmpty)
      #expect(try articles.state("2") == .fresh)
    }
  }

  @Test func `closing writes down the waiting verdicts`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      try await articles.put("one", for: "1")
      temporary.clock.advance(by: .seconds(300))
      _ = try articles.read("1")

      try await temporary.store.close()

      #expect(try RawDatabase(temporary.path).integer(Self.countMarked) == 1)
    }
  }

  @Test func `a full buffer is written at once`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: Int.self)
      let keys = (0..<300).map { "\($0)" }
      try await articles.put(Dictionary(uniqueKeysWithValues: keys.map { ($0, 1) }))
      temporary.clock.advance(by: .seconds(300))
      let raw = try RawDatabase(temporary.path)

      _ = try articles.read(keys)
      while try raw.integer(Self.countMarked) < 256 { await Task.yield() }

      #expect(try raw.integer(Self.countMarked) >= 256)
    }
  }

  @Test func `a stale copy served while offline is not marked`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      try await articles.put("one", for: "1")
      temporary.clock.advance(by: .seconds(300))
      temporary.reachability.set(.offline("no route"))

      _ = try articles.read("1")

      #expect(try await temporary.store.due(limit: 10).isEmpty)
    }
  }

  @Test func `a record whose last fetch failed is due when its pause is over`() async throws {
    try await TemporaryStore.run(configure: { $0.random = { 0.5 } }) { temporary in
      var policy = Policy()
      policy.retryPause = .seconds(20)
      let articles = try temporary.store.collection("articles", of: String.self, policy: policy)
      let origin = ScriptedOrigin<String> { _ in throw OriginFailure() }
      try await articles.put("one", for: "1")
      temporary.clock.advance(by: .seconds(300))

      _ = await articles.failure("1", from: origin)
      let during = try await temporary.store.due(limit: 10)
      temporary.clock.advance(by: .seconds(10))
      let after = try await temporary.store.due(limit: 10)

      #expect(during.isEmpty)
      #expect(after.map(\.key) == ["1"] && after.first?.failures == 1)
    }
  }
}
