import FreshStoreTesting
import Strategies
import Testing

@testable import FreshStore

@Suite struct PruneRaceTests {
  @Test(arguments: ["written", "pinned", "pending", "untouched"])
  func `what changes between the look and the removal is left alone`(_ change: String)
    async throws
  {
    try await TemporaryStore.run { temporary in
      let bytes = try temporary.store.bytes("bytes")
      try await bytes.put([1, 2], for: "key")
      let storage = temporary.store.storage
      let found = try storage.prunable(Storage.PruneBatch())
      switch change {
      case "written": try await bytes.put([3], for: "key")
      case "pinned": try await bytes.setPinned(true, for: "key")
      case "pending": try await bytes.write([3], for: "key")
      default: break
      }

      let turn = try storage.prune(found[...], of: nil, within: .seconds(60))

      #expect(turn.work.done == 1)
      #expect(turn.work.changed == (change == "untouched" ? 1 : 0))
      #expect(turn.work.bytes == (change == "untouched" ? found.first?.bytes : 0))
    }
  }

  @Test func `a record that is being fetched stays, so that a mark of its tags covers the answer`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let bytes = try temporary.store.bytes("bytes")
      for key in ["other", "key"] {
        try await bytes.put(
          [1], for: key, details: FetchDetails(expiry: .immediately, tags: ["tag"]))
      }
      var options = PruneOptions()
      options.maximumCount = 0
      let toPrune = options

      _ = try await bytes.get("key") { _ in
        try await temporary.store.markStale(tag: "tag")
        _ = try await temporary.store.prune(toPrune)
        return .value([2], FetchDetails(expiry: .never))
      }

      #expect(try bytes.state("key") == .stale)
      #expect(try await temporary.store.prune(toPrune).removed == 1)
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `who goes on writing keeps a removal of all from no end, and loses nothing`() async throws {
    try await TemporaryStore.run { temporary in
      let bytes = try temporary.store.bytes("bytes")
      try await bytes.put(
        Dictionary(uniqueKeysWithValues: (0..<1200).map { ("old \($0)", [UInt8(1)]) }))
      let storage = temporary.store.storage
      let number = try storage.beginRemovingAll("bytes", now: temporary.clock.now())
      var removed = try storage.removeAll("bytes", before: number, limit: 500)
      for turn in 0..<3 {
        try await bytes.put([2], for: "new \(turn)")
        removed += try storage.removeAll("bytes", before: number, limit: 500)
      }

      #expect(removed == 1200)
      #expect(try temporary.store.list().map(\.key) == ["new 0", "new 1", "new 2"])
    }
  }
}
