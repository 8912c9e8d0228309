import FreshStoreTesting
import StoreSupport
import Testing

@testable import FreshStore

/// Successive reads share a snapshot, without a visible effect.
@Suite struct SharedSnapshotTests {
  /// A store that keeps nothing in memory, whose reads share a snapshot.
  private func run(
    _ body: (TemporaryStore, RecordCollection<[UInt8]>) async throws -> Void
  ) async throws {
    try await TemporaryStore.run(configure: { $0.memory = .none }) { temporary in
      let values = try temporary.store.bytes("values")
      try await values.put([0], for: "a")
      // The first read opens the connection, and some more come before a snapshot is kept.
      for _ in 0..<20 { _ = try values.read("a") }
      try await body(temporary, values)
    }
  }

  @Test func `another store's commit between two reads is visible to the second`() async throws {
    try await run { temporary, values in
      let others = try temporary.another().bytes("values")
      for number in 1...30 {
        try await others.put([UInt8(number)], for: "a")
        for _ in 0..<number {
          let copy = try values.read("a").copy
          #expect(copy?.value == [UInt8(number)])
        }
      }
      try await others.store.close()
    }
  }

  @Test func `the store's own commit between two reads is visible to the second`() async throws {
    try await run { _, values in
      for number in 1...30 {
        try await values.put([UInt8(number)], for: "a")
        for _ in 0..<number {
          let copy = try values.read("a").copy
          #expect(copy?.value == [UInt8(number)])
        }
      }
    }
  }

  @Test(arguments: ["prefix", "collection", "tag"])
  func `an invalidation is seen by reads before and after the first snapshot`(
    scope: String
  ) async throws {
    try await run { temporary, values in
      try await values.put([1], for: "a", details: FetchDetails(tags: ["red"]))
      for _ in 0..<20 { _ = try values.read("a") }
      let other = try temporary.another()
      let others = try other.bytes("values")
      switch scope {
      case "prefix": try await others.markStale(prefix: "a")
      case "collection": try await others.markAllStale()
      default: try await other.markStale(tag: "red")
      }
      for _ in 0..<30 {
        let reading = try values.read("a")
        #expect(reading.decision.outcome == .stale)
      }
      try await other.close()
    }
  }

  @Test func `a checkpoint that empties the log does not wait for an idle snapshot`() async throws {
    try await run { temporary, _ in
      let raw = try RawDatabase(temporary.path)
      try raw.execute("PRAGMA busy_timeout=5000")
      let outcome = try raw.rows("PRAGMA wal_checkpoint(TRUNCATE)")
      #expect(outcome.first?.first == "0")
    }
  }

  @Test func `concurrent reads between commits by another store are never stale`() async throws {
    try await run { temporary, values in
      let others = try temporary.another().bytes("values")
      for number in 1...50 {
        try await others.put([UInt8(number)], for: "a")
        await withTaskGroup(of: Bool.self) { group in
          for _ in 0..<8 {
            group.addTask {
              (0..<12).allSatisfy { _ in
                // A failed read counts as a wrong one.
                (try? values.read("a"))?.copy?.value == [UInt8(number)]
              }
            }
          }
          for await isRight in group { #expect(isRight) }
        }
      }
      try await others.store.close()
    }
  }
}
