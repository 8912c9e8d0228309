import Foundation
import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@Suite struct ReadOnlyTests {
  /// A file with records that are fresh, stale and marked, and a store that may only read it.
  private func run(
    _ body: (Store, RecordCollection<String>) async throws -> Void
  ) async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      try await articles.put("one", for: "fresh", details: FetchDetails(expiry: .never))
      try await articles.put("one", for: "stale", details: FetchDetails(expiry: .immediately))
      try await articles.put("one", for: "marked")
      try await articles.markStale("marked")
      var configuration = Configuration(reachability: temporary.reachability)
      configuration.clock = temporary.clock
      configuration.access = .readOnly
      let reader = try Store(path: temporary.path, configuration: configuration)
      try await body(reader, try reader.collection("articles", of: String.self))
      try await reader.close()
    }
  }

  @Test func `reads, listings and checks work`() async throws {
    try await run { store, articles in
      let states = try (articles.state("fresh"), articles.state("stale"), articles.state("none"))
      let listed = try store.list().map(\.key)
      let check = try await store.check()

      #expect(states == (.fresh, .stale, .missing))
      #expect(listed == ["fresh", "marked", "stale"])
      #expect(check.isSound)
    }
  }

  @Test(arguments: ["stale", "none"])
  func `a get still delivers its fetched value, and reports that it was not stored`(
    _ key: String
  ) async throws {
    try await run { _, articles in
      let origin = ScriptedOrigin<String> { _ in .value("two") }

      let answer = try await articles.get(key, from: origin)
      let left = try articles.read(key).copy?.value

      #expect(answer.value == "two" && answer.freshness == .fetched)
      #expect(answer.storeFailure?.code == .readOnly)
      #expect(left == (key == "stale" ? "one" : nil))
    }
  }

  @Test func `an origin that keeps failing is left alone, although that cannot be stored`()
    async throws
  {
    try await run { store, articles in
      let policy = Policy.cacheFirst.origin("https://example.org")
      let origin = ScriptedOrigin<String> { _ in throw OriginFailure() }
      for number in 0..<100 { _ = await articles.failure("\(number)", policy, from: origin) }
      #expect(origin.calls == 5)

      let clock = try #require(store.configuration.clock as? ManualClock)
      clock.advance(by: .seconds(20))
      for number in 0..<10 { _ = await articles.failure("\(number)", policy, from: origin) }
      #expect(origin.calls == 6)
      clock.advance(by: .minutes(5))
      origin.answer { _ in .value("two") }
      for number in 0..<3 {
        #expect(try await articles.get("\(number)", policy, from: origin).value == "two")
      }
    }
  }

  @Test func `a copy is confirmed by its source, although the confirmation cannot be stored`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let writer = try temporary.store.collection("articles", of: String.self)
      let validators = Validators(entityTag: #""one""#)
      try await writer.put(
        "one", for: "1", details: FetchDetails(expiry: .immediately, validators: validators))
      var configuration = Configuration(reachability: temporary.reachability)
      configuration.access = .readOnly
      let reader = try Store(path: temporary.path, configuration: configuration)
      let origin = ScriptedOrigin<String> { _ in .notModified }

      let answer = try await reader.collection("articles", of: String.self).get("1", from: origin)
      try await reader.close()

      #expect(origin.requests.map(\.validators) == [validators])
      #expect(answer.value == "one")
      #expect(answer.storeFailure?.code == .readOnly)
    }
  }

  @Test func `every other operation that writes fails`() async throws {
    try await run { store, articles in
      let codes = [
        await storeFailure { try await articles.put("two", for: "fresh") }?.code,
        await storeFailure { try await articles.remove("fresh") }?.code,
        await storeFailure { try await articles.markStale("fresh") }?.code,
        await storeFailure { try await store.sweep() }?.code,
        await storeFailure { try await store.due(limit: 1) }?.code,
      ]

      #expect(codes == Array(repeating: .readOnly, count: codes.count))
    }
  }

  @Test func `it reads the commits of another store`() async throws {
    try await TemporaryStore.run { temporary in
      let writer = try temporary.store.collection("articles", of: String.self)
      var configuration = Configuration(reachability: temporary.reachability)
      configuration.access = .readOnly
      configuration.clock = temporary.clock
      let reader = try Store(path: temporary.path, configuration: configuration)
      let articles = try reader.collection("articles", of: String.self)
      let before = try articles.state("1")
      try await writer.put("one", for: "1")

      #expect(before == .missing)
      #expect(try articles.read("1").copy?.value == "one")
      try await reader.close()
    }
  }

  @Test func `a local write is refused, and leaves no file`() async throws {
    try await run { store, articles in
      let failure = await storeFailure { try await articles.write("two", for: "1") }
      let other = await storeFailure { try await articles.writeDeletion(of: "1") }

      #expect(failure?.code == .readOnly && other?.code == .readOnly)
      #expect(!FileManager.default.fileExists(atPath: store.path + "-outbox"))
    }
  }
}
