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
      var removed = 0

      _ = try await bytes.get("key") { _ in
        try await temporary.store.markStale(tag: "tag")
        _ = try await temporary.store.prune(toPrune)
        return .value([2], FetchDetails(expiry: .never))
      }
      removed = try await temporary.store.prune(toPrune).removed

      #expect(removed == 1)
    }
  }
}
