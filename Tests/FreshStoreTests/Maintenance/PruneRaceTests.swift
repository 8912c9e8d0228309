import FreshStoreTesting
import StoreSupport
import Strategies
import Synchronization
import Testing

@testable import FreshStore

@Suite struct PruneRaceTests {
  @Test(arguments: ["written", "pinned", "pending", "untouched"])
  func `a record that changes between the look and its removal is left alone`(_ change: String)
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
  func `a removal of all records ends although another caller keeps writing, and loses nothing`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let bytes = try temporary.store.bytes("bytes")
      try await bytes.put(
        Dictionary(uniqueKeysWithValues: (0..<1200).map { ("old \($0)", [UInt8(1)]) }))
      let storage = temporary.store.storage
      let number = try storage.beginRemovingAll("bytes", now: temporary.clock.reading())
      var removed = try storage.removeAll("bytes", before: number, limit: 500)
      for turn in 0..<3 {
        try await bytes.put([2], for: "new \(turn)")
        removed += try storage.removeAll("bytes", before: number, limit: 500)
      }

      #expect(removed == 1200)
      #expect(try temporary.store.list().map(\.key) == ["new 0", "new 1", "new 2"])
    }
  }

  /// A store with ten records that a prune is to remove in turns of three.
  private func prune(
    byAge: Bool, _ progress: @escaping @Sendable (TemporaryStore, PruneResult) -> Void
  ) async throws -> PruneResult {
    try await TemporaryStore.run { temporary in
      let bytes = try temporary.store.bytes("bytes")
      try await bytes.put(
        Dictionary(uniqueKeysWithValues: (0..<10).map { ("\($0)", [UInt8(1)]) }))
      var options = PruneOptions()
      if byAge { options.olderThan = .zero } else { options.maximumCount = 0 }
      options.batchSize = 3
      options.holdTime = .seconds(60)
      options.progress = { progress(temporary, $0) }
      return try await temporary.store.prune(options)
    }
  }

  @Test(arguments: [false, true]) func `a prune removes its records in turns of the given size`(
    byAge: Bool
  )
    async throws
  {
    let seen = Mutex<[Int]>([])

    let result = try await prune(byAge: byAge) { _, result in
      seen.withLock { $0.append(result.removed) }
    }

    #expect(result.removed == 10)
    #expect(seen.withLock { $0 } == [3, 6, 9, 10])
  }

  @Test(arguments: [false, true]) func `a cancelled prune ends after the current turn`(byAge: Bool)
    async throws
  {
    let result = try await Task {
      try await prune(byAge: byAge) { _, _ in
        unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() }
      }
    }.value

    #expect(result.removed == 3)
  }

  @Test func `a record that changes between two turns and is still prunable is removed`()
    async throws
  {
    let result = try await prune(byAge: true) { temporary, result in
      guard result.removed == 3 else { return }
      #expect(throws: Never.self) {
        let storage = temporary.store.storage
        try storage.database.write(.markStale, .normal, touching: .init("bytes", [])) {
          (connection) throws(SQLiteError) in
          let mark = StoredRecord.Mark(
            at: temporary.clock.reading().wall, reason: "changed", epoch: 0)
          for number in 0..<10 {
            _ = try storage.markRow("bytes", "\(number)", mark, connection)
          }
        }
      }
    }

    #expect(result.removed == 10)
  }
}
