import FreshStore
import FreshStoreTesting
import FreshSync
import StoreSupport
import Strategies
import Testing

/// Sources that take many local writes in one request.
@Suite struct BatchedPushTests {
  private let asked = Asked()

  private func synchronizer(
    _ store: Store, _ collection: RecordCollection<[UInt8]>, batch: Int
  ) -> Synchronizer {
    var options = SyncOptions()
    (options.concurrency, options.largeBody) = (1, 1000)
    let synchronizer = Synchronizer(store, options: options)
    let asked = asked
    synchronizer.add(collection, batch: batch) { _ in
      [:]
    } pushAll: { writes in
      asked.note(writes.map(\.key))
      return Dictionary(uniqueKeysWithValues: writes.map { ($0.key, .accepted) })
    }
    return synchronizer
  }

  @Test(arguments: [
    (3, [["1", "2", "3"], ["4", "5", "6"], ["7"]]), (100, [["1", "2", "3", "4", "5", "6", "7"]]),
    (1, (1...7).map { ["\($0)"] }), (0, (1...7).map { ["\($0)"] }),
  ])
  func `writes go in requests of the batch's size, in order`(batch: Int, requests: [[String]])
    async throws
  {
    try await TemporaryStore.run { temporary in
      let bytes = try temporary.store.bytes("bytes")
      for number in 1...7 { try await bytes.write([1], for: "\(number)") }
      let report = try await synchronizer(temporary.store, bytes, batch: batch).drain()

      #expect(report.pushed == 7)
      #expect(asked.batches == requests)
      #expect(try temporary.store.outbox().isEmpty)
    }
  }

  @Test func `the writes of one key, and keys that are the same text, go one after the other`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let bytes = try temporary.store.bytes("bytes")
      for key in ["a", "\u{e9}", "e\u{301}"] { try await bytes.write([1], for: key) }
      try await bytes.write([2], for: "a", options: WriteOptions(coalesces: false))
      let report = try await synchronizer(temporary.store, bytes, batch: 9).drain()

      #expect(report.pushed == 4)
      #expect(asked.batches.map(\.count) == [2, 2] || asked.batches.map(\.count) == [2, 1, 1])
    }
  }

  /// Four writes wait, of which the third has every request fail that it is part of.
  private func spoiled(
    _ store: Store, _ bytes: RecordCollection<[UInt8]>, by failure: OriginFailure
  ) async throws -> Synchronizer {
    for number in 1...4 { try await bytes.write([1], for: "\(number)") }
    let asked = asked
    let synchronizer = Synchronizer(store)
    synchronizer.add(bytes, batch: 9) { _ in
      [:]
    } pushAll: { writes in
      asked.note(writes.map(\.key))
      guard !writes.contains(where: { $0.key == "3" }) else { throw failure }
      return Dictionary(uniqueKeysWithValues: writes.map { ($0.key, .accepted) })
    }
    return synchronizer
  }

  @Test func `a write that has failed goes by itself, so that it spoils no other request`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let bytes = try temporary.store.bytes("bytes")
      let synchronizer = try await spoiled(
        temporary.store, bytes, by: OriginFailure(blamesOrigin: false))
      _ = try await synchronizer.drain()
      temporary.clock.advance(by: .seconds(3600))
      _ = try await synchronizer.drain()

      #expect(asked.batches.first == ["1", "2", "3", "4"])
      #expect(asked.batches.dropFirst().allSatisfy { $0.count == 1 })
      #expect(try temporary.store.outbox().map(\.key) == ["3"])
    }
  }

  @Test(arguments: [
    OriginFailure(blamesOrigin: true), OriginFailure(blamesOrigin: false, retryAfter: .seconds(2)),
    OriginFailure(blamesOrigin: true, isUnreachable: true),
  ])
  func `writes whose request failed because of their source go together again`(
    _ failure: OriginFailure
  ) async throws {
    try await TemporaryStore.run { temporary in
      let bytes = try temporary.store.bytes("bytes")
      for number in 1...4 { try await bytes.write([1], for: "\(number)") }
      let asked = asked
      let synchronizer = Synchronizer(temporary.store)
      synchronizer.add(bytes, batch: 9) { _ in
        [:]
      } pushAll: { writes in
        asked.note(writes.map(\.key))
        guard asked.batches.count > 1 else { throw failure }
        return Dictionary(uniqueKeysWithValues: writes.map { ($0.key, .accepted) })
      }
      _ = try await synchronizer.drain()
      // They are due at one moment.
      #expect(Set(try temporary.store.outbox().map(\.nextAttempt)).count == 1)
      temporary.clock.advance(by: .seconds(3600))
      #expect(try await synchronizer.drain().pushed == 4)
      #expect(asked.batches == [["1", "2", "3", "4"], ["1", "2", "3", "4"]])
    }
  }

  @Test func `a write that breaks its source each time keeps no others from it`() async throws {
    try await TemporaryStore.run { temporary in
      let bytes = try temporary.store.bytes("bytes")
      let synchronizer = try await spoiled(
        temporary.store, bytes, by: OriginFailure(blamesOrigin: true))
      for _ in 1...4 {
        _ = try await synchronizer.drain()
        temporary.clock.advance(by: .seconds(3600))
      }
      #expect(asked.batches.prefix(3).allSatisfy { $0.count == 4 })
      #expect(asked.batches.dropFirst(3).allSatisfy { $0.count == 1 })
      #expect(try temporary.store.outbox().map(\.key) == ["3"])
    }
  }

  @Test func `a large body goes by itself`() async throws {
    try await TemporaryStore.run { temporary in
      let bytes = try temporary.store.bytes("bytes")
      for number in 1...2 {
        try await bytes.write([UInt8](repeating: 1, count: 1000), for: "large \(number)")
        try await bytes.write([1], for: "small \(number)")
      }
      _ = try await synchronizer(temporary.store, bytes, batch: 9).drain()

      #expect(asked.batches.sorted { $0.count > $1.count }.first == ["small 1", "small 2"])
      #expect(Set(asked.batches.filter { $0.count == 1 }) == [["large 1"], ["large 2"]])
    }
  }

  @Test func `a write that comes after another waits for the next request`() async throws {
    try await TemporaryStore.run { temporary in
      let bytes = try temporary.store.bytes("bytes")
      let report = try await bytes.write([1], for: "report")
      try await bytes.write([1], for: "photo", options: WriteOptions(after: report.id))
      _ = try await synchronizer(temporary.store, bytes, batch: 9).drain()
      #expect(asked.batches == [["report"], ["photo"]])
    }
  }
}
