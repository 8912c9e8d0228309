import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// A write for which there is no room within `maximumSize`.
@Suite struct EvictionTests {
  private static let limit = 2 << 20

  /// A store that holds something put, something pinned, and as many fetched copies as fit into it.
  private func withFullStore(
    size: Int, evicts: Bool = true,
    _ body: (Store, RecordCollection<[UInt8]>) async throws -> Void
  ) async throws {
    try await TemporaryStore.run(configure: { configuration in
      configuration.maximumSize = Self.limit
      configuration.evictsWhenFull = evicts
    }) { temporary in
      let bytes = try temporary.store.bytes("bytes")
      try await bytes.put([1], for: "put")
      let origin = ScriptedOrigin<[UInt8]> { previous in
        .value(Array(repeating: 7, count: previous.key == "pinned" ? 1 : size))
      }
      _ = try await bytes.get("pinned", from: origin)
      #expect(try await bytes.setPinned(true, for: "pinned"))
      for number in 0..<3 * Self.limit / size {
        let answer = try await bytes.get("\(number)", from: origin)
        if !evicts, answer.storeFailure != nil { break }
        #expect(answer.storeFailure == nil)
      }
      try await body(temporary.store, bytes)
      #expect(try bytes.value("put") == [1] && bytes.value("pinned") == [7])
    }
  }

  /// Long values lie in blocks.
  @Test(arguments: [40_000, 400_000])
  func `a local write takes the place of copies that can be fetched again, the oldest first`(
    size: Int
  ) async throws {
    try await withFullStore(size: size) { store, bytes in
      let last = 3 * Self.limit / size - 1
      #expect(try bytes.value("0") == nil && bytes.value("\(last)") != nil)
      let before = try store.list().count
      let large = [UInt8](repeating: 8, count: 700_000)
      try await bytes.write(large, for: "mine")
      #expect(try bytes.value("mine") == large)
      #expect(try store.list().count <= before)
    }
  }

  @Test func `a write that can never find room removes nothing`() async throws {
    try await withFullStore(size: 40_000) { store, bytes in
      let before = try store.list().map(\.key)
      await #expect(throws: StoreError.self) {
        try await bytes.write(Array(repeating: 8, count: 3 * Self.limit), for: "mine")
      }
      #expect(try store.list().map(\.key) == before)
    }
  }

  @Test func `a write that finds no room keeps the copy that it is made from`() async throws {
    try await withFullStore(size: 40_000) { store, bytes in
      let oldest = try #require(
        try store.list().map(\.key).compactMap { Int($0) }.min().map { "\($0)" })
      let entry = try #require(
        try await bytes.update(oldest) { $0 = $0.map { _ in Array(repeating: 9, count: 300_000) } })
      #expect(entry.kind == .replace)
      try await store.drop([entry.id])
      #expect(try bytes.value(oldest)?.count == 40_000)
    }
  }

  @Test func `a store that does not evict refuses the write`() async throws {
    try await withFullStore(size: 40_000, evicts: false) { _, bytes in
      do throws(StoreError) {
        try await bytes.write(Array(repeating: 8, count: 700_000), for: "mine")
        Issue.record("there was room")
      } catch {
        #expect(error.code == .full)
      }
    }
  }
}
