import Foundation
import FreshStoreTesting
import Rules
import StoreSupport
import Strategies
import Synchronization
import Testing

@testable import FreshStore

@Suite struct MemoryTierTests: MemorySuite {
  @Test func `a record that was read is in memory, and no other`() async throws {
    try await run { _, values in
      #expect(memory(values, "a") == .current)
      #expect(memory(values, "c") == .nothing)
      let reading = try values.read("a")
      #expect(reading.copy?.value == [1])
      #expect(reading.decision.outcome == .fresh)
    }
  }

  @Test func `a record in memory that is past its hard end has no copy`() async throws {
    try await TemporaryStore.run { temporary in
      var policy = Policy()
      policy.hardEnd = .seconds(60)
      let values = try temporary.store.bytes("values", policy: policy)
      try await values.put([1], for: "a")
      #expect(try values.read("a").copy?.value == [1])

      temporary.clock.advance(by: .seconds(60))
      let reading = try values.read("a")
      #expect(reading.copy == nil)
      guard case .unusable = reading else {
        Issue.record("\(reading)")
        return
      }
    }
  }

  @Test func `a read from memory makes the same decision as a read from the file`() async throws {
    try await run(configure: { $0.memory = .none }) { temporary, values in
      let other = try temporary.another()
      var configuration = temporary.store.configuration
      configuration.memory = .standard
      let warm = try Store(path: temporary.path, configuration: configuration)
      let residents = try warm.bytes("values")
      for seconds in [0, 299, 1, 400] {
        temporary.clock.advance(by: .seconds(seconds))
        for _ in 0..<2 {
          let (one, two) = (try residents.read("a"), try values.read("a"))
          #expect("\(one)" == "\(two)")
          #expect(one.copy?.validators == two.copy?.validators)
          #expect(one.decision.lastUpdate == two.decision.lastUpdate)
          #expect(one.decision.age == two.decision.age)
          #expect(one.decision.staleSince == two.decision.staleSince)
        }
      }
      try await warm.close()
      try await other.close()
    }
  }

  @Test(arguments: ["key", "prefix", "collection", "tag"])
  func `a mark is seen by the next read`(scope: String) async throws {
    try await run { temporary, values in
      try await values.put([1], for: "a", details: FetchDetails(tags: ["red"]))
      _ = try values.read("a")
      #expect(memory(values, "a") == .current)
      switch scope {
      case "key": try await values.markStale("a")
      case "prefix": try await values.markStale(prefix: "a")
      case "collection": try await values.markAllStale()
      default: try await temporary.store.markStale(tag: "red")
      }
      let reading = try values.read("a")
      #expect(reading.decision.outcome == .stale)
      // A marked record is read from the file.
      #expect(memory(values, "a") != .current)
    }
  }

  @Test func `a record in memory grows old`() async throws {
    try await run { temporary, values in
      temporary.clock.advance(by: .seconds(301))
      #expect(memory(values, "a") == .current)
      let reading = try values.read("a")
      #expect(reading.decision.outcome == .stale)
    }
  }

  @Test func `a removed record is removed from memory`() async throws {
    try await run { _, values in
      try await values.remove("a")
      let reading = try values.read("a")
      #expect(reading.decision.outcome == .missing)
    }
  }

  @Test func `an absence is kept in memory`() async throws {
    try await run { _, values in
      // An absence is an error to a caller that asks for the value.
      _ = try? await values.get("none") { _ in .gone(FetchDetails()) }
      let first = try values.read("none")
      #expect(first.decision.outcome == .absent)
      #expect(memory(values, "none") == .current)
      let second = try values.read("none")
      #expect("\(second)" == "\(first)")
    }
  }

  private final class Counter: Sendable {
    private let count = Atomic(0)
    var value: Int { count.load(ordering: .relaxed) }
    func increment() { count.wrappingAdd(1, ordering: .relaxed) }
  }

  /// Counts the decoded values.
  private struct CountingCodec: Codec {
    let identifier = "counted"
    let decoded: Counter

    func encode(_ value: [UInt8]) -> [UInt8] { value }
    func decode(_ bytes: [UInt8]) -> [UInt8] {
      decoded.increment()
      return bytes
    }
  }

  @Test func `an unchanged row is not decoded again`() async throws {
    try await TemporaryStore.run { temporary in
      let codec = CountingCodec(decoded: Counter())
      let values = try temporary.store.collection("values", codec: codec)
      try await values.put(["a": [1], "b": [2]])
      let others = try temporary.another().collection("values", codec: codec)
      for turn in 1...5 {
        try await others.put([UInt8(turn)], for: "b")
        let (a, b) = (try values.read("a"), try values.read("b"))
        #expect(a.copy?.value == [1])
        #expect(b.copy?.value == [UInt8(turn)])
      }
      #expect(codec.decoded.value == 6)
      try await others.store.close()
    }
  }

  @Test func `a get answers from memory as from the file`() async throws {
    try await TemporaryStore.run(configure: { $0.memory = .none }) { temporary in
      let cold = try temporary.store.bytes("values")
      var details = FetchDetails(validators: Validators(entityTag: "\"1\""))
      details.source = "https://example.org/a"
      try await cold.put([1], for: "a", details: details)
      var configuration = temporary.store.configuration
      configuration.memory = .standard
      let warm = try Store(path: temporary.path, configuration: configuration).bytes("values")
      for state in [Reachability.online, .offline("cut")] {
        temporary.reachability.set(state)
        for _ in 0..<2 {
          let one = try await warm.get("a") { _ in .value([9]) }
          let other = try await cold.get("a") { _ in .value([9]) }
          #expect("\(one)" == "\(other)")
        }
        temporary.clock.advance(by: .seconds(301))
      }
      #expect(memory(warm, "a") == .current)
      try await warm.store.close()
    }
  }

  @Test func `without room nothing is kept`() async throws {
    try await run(configure: { $0.memory = .none }) { _, values in
      #expect(memory(values, "a") == .nothing)
      let reading = try values.read("a")
      #expect(reading.copy?.value == [1])
    }
  }

  @Test func `memory keeps no more than fits`() async throws {
    let limits = MemoryLimits(records: 160, bytes: 1 << 20)
    try await TemporaryStore.run(configure: { $0.memory = limits }) { temporary in
      let values = try temporary.store.bytes("values")
      let keys = (0..<1000).map { "\($0)" }
      try await values.put(Dictionary(uniqueKeysWithValues: keys.map { ($0, [UInt8(1)]) }))
      for key in keys { _ = try values.read(key) }
      let kept = keys.filter { memory(values, $0) == .current }
      #expect(kept.count > 100 && kept.count <= 160)
    }
  }

  @Test func `equal texts with different bytes are two records`() async throws {
    try await TemporaryStore.run { temporary in
      let values = try temporary.store.bytes("values")
      let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}")
      try await values.put([1], for: composed)
      try await values.put([2], for: decomposed)
      for _ in 0..<2 {
        let (one, two) = (try values.read(composed), try values.read(decomposed))
        #expect(one.copy?.value == [1])
        #expect(two.copy?.value == [2])
      }
      #expect(memory(values, composed) == .current)
      #expect(memory(values, decomposed) == .current)
    }
  }

  @Test func `collections with different types do not share values in memory`() async throws {
    try await TemporaryStore.run { temporary in
      let numbers = try temporary.store.collection("shared", of: Int.self)
      let optional = try temporary.store.collection("shared", of: Double.self)
      try await numbers.put(7, for: "a")
      for _ in 0..<2 {
        let (one, two) = (try numbers.read("a"), try optional.read("a"))
        #expect(one.copy?.value == 7)
        #expect(two.copy?.value == 7.0)
      }
    }
  }

  @Test func `another version of the content is not served from memory`() async throws {
    try await run { temporary, values in
      let newer = try temporary.store.bytes("values", contentVersion: 2)
      let reading = try newer.read("a")
      #expect(reading.decision.outcome == .unusable)
      let old = try values.read("a")
      #expect(old.decision.outcome == .fresh)
    }
  }

  @Test func `rules and variants apply to values in memory`() async throws {
    try await TemporaryStore.run { temporary in
      let isAllowed = Atomic(true)
      let values = try temporary.store.bytes(
        "values", admitting: Rule(code: "allowed") { _ in isAllowed.load(ordering: .relaxed) })
      try await values.put([1], for: "a")
      let first = try values.read("a")
      #expect(first.decision.outcome == .fresh)
      isAllowed.store(false, ordering: .relaxed)
      let refused = try values.read("a")
      #expect(refused.decision.outcome == .unusable)
      isAllowed.store(true, ordering: .relaxed)
      var policy = Policy()
      policy.acceptsVariant = { _ in false }
      let other = try values.read("a", policy: policy)
      #expect(other.decision.cause == .otherVariant)
    }
  }

  @Test func `a closed store serves nothing from memory`() async throws {
    try await run { temporary, values in
      try await temporary.store.close()
      #expect(throws: StoreError.self) { try values.read("a") }
      #expect(memory(values, "a") == .nothing)
    }
  }

  @Test func `a file that replaces the open one is read`() async throws {
    try await run { temporary, values in
      try FileManager.default.removeItem(atPath: temporary.path)
      try temporary.store.storage.database.followFile()
      #expect(memory(values, "a") == .nothing)
      let reading = try values.read("a")
      #expect(reading.decision.outcome == .missing)
    }
  }

  @Test func `the value alone of a record that states its hard end is no older than that`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let values = try temporary.store.bytes("values")
      try await values.put(
        [1], for: "a", details: FetchDetails(expiry: .after(.seconds(100)), hardEnd: .seconds(50)))
      #expect(try values.read("a").copy?.value == [1])
      #expect(try values.servableValue("a") == [1])

      temporary.clock.advance(by: .seconds(50))
      #expect(try values.servableValue("a") == nil)
    }
  }

  @Test(arguments: [(seconds: 5, isServed: true), (seconds: 6, isServed: false)])
  func `the value alone of a record from the future is served within the allowed skew`(
    _ ahead: (seconds: Int, isServed: Bool)
  ) async throws {
    try await TemporaryStore.run { temporary in
      let values = try temporary.store.bytes("values")
      let moment = temporary.clock.reading().wall.advanced(by: .seconds(ahead.seconds))
      try await values.put(
        [1], for: "a", details: FetchDetails(lastUpdate: moment, expiry: .after(.seconds(100))))
      let reading = try values.read("a")

      #expect(reading.decision.isServable == ahead.isServed)
      #expect(reading.decision.age == .zero)
      #expect(try values.servableValue("a") == (ahead.isServed ? [1] : nil))
    }
  }

  @Test func `the value alone is returned exactly when a read is servable and has one`()
    async throws
  {
    try await run { temporary, values in
      for seconds in [0, 200, 99, 1, 500] {
        temporary.clock.advance(by: .seconds(seconds))
        for state in [Reachability.online, .offline("cut")] {
          temporary.reachability.set(state)
          for key in ["a", "b", "none"] {
            let (reading, value) = (try values.read(key), try values.servableValue(key))
            #expect(value == (reading.decision.isServable ? reading.copy?.value : nil))
          }
        }
      }
      // After the mark it is not servable online.
      temporary.reachability.set(.online)
      try await values.markStale("b")
      let marked = try values.servableValue("b")
      #expect(marked == nil)
    }
  }
}
