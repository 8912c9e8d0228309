import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@Suite struct PruneTests {
  /// Stores the keys `0` to `9`, one a second, with as many hundred bytes as the key says.
  private func fill(_ temporary: TemporaryStore) async throws -> RecordCollection<[UInt8]> {
    let bytes = try temporary.store.bytes("bytes")
    for number in 0..<10 {
      try await bytes.put(Array(repeating: 1, count: number * 100), for: "\(number)")
      temporary.clock.advance(by: .seconds(1))
    }
    return bytes
  }

  @Test(.timeLimit(.minutes(1)))
  func `a reader of an older state does not hold up a prune, and therefore no writer`()
    async throws
  {
    try await TemporaryStore.run(configure: { $0.busyTimeout = .seconds(600) }) { temporary in
      let bytes = try await fill(temporary)
      let reader = try RawDatabase(temporary.path)
      try reader.execute("BEGIN; SELECT count(*) FROM record")
      try await bytes.put([1], for: "10")
      var options = PruneOptions()
      options.maximumCount = 5

      #expect(try await temporary.store.prune(options).removed == 6)
      try reader.execute("ROLLBACK")
    }
  }

  /// The size of all records, as a limit counts it.
  private func size(_ store: Store) async throws -> Int {
    var options = PruneOptions()
    options.maximumBytes = 0
    options.isDryRun = true
    return try await store.prune(options).bytes
  }

  @Test func `a limit holds for the file, even for records without values`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let bytes = try temporary.store.bytes("bytes", policy: .cacheFirst)
      var policy = Policy()
      policy.negativeExpiry = .never
      let keys = (0..<2000).map { String(repeating: "k", count: 1000) + "\($0)" }
      _ = await bytes.get(keys, policy: policy) { missing in
        Dictionary(uniqueKeysWithValues: missing.map { ($0.key, .gone(FetchDetails())) })
      }
      let before = try temporary.store.statistics().fileBytes
      let counted = try await size(temporary.store)
      var options = PruneOptions()
      options.maximumBytes = 1 << 20

      _ = try await temporary.store.prune(options)

      let after = try temporary.store.statistics().fileBytes
      #expect(
        before > 4 << 20 && counted > before * 3 / 4 && counted < before * 5 / 4,
        "\(before) \(counted)")
      #expect(after < 3 << 19)
    }
  }

  private func keys(_ store: Store) throws -> String {
    try store.list().map(\.key).joined()
  }

  @Test(arguments: [(11, "0123456789"), (6, "56789"), (5, "6789"), (1, ""), (0, "")])
  func `by age`(_ seconds: Int, _ left: String) async throws {
    try await TemporaryStore.run { temporary in
      _ = try await fill(temporary)
      var options = PruneOptions()
      options.olderThan = .seconds(seconds)

      let result = try await temporary.store.prune(options)

      #expect(try keys(temporary.store) == left)
      #expect(result.removed == 10 - left.count)
    }
  }

  @Test(arguments: [(61, 1), (60, 0)])
  func `a key that was never fetched with success is as old as its last failure`(
    _ seconds: Int, _ left: Int
  ) async throws {
    try await TemporaryStore.run(configure: { $0.random = { 0 } }) { temporary in
      let bytes = try temporary.store.bytes("bytes")
      _ = try? await bytes.get("key") { _ in throw OriginFailure() }  // It has to fail.
      temporary.clock.advance(by: .seconds(60))
      var options = PruneOptions()
      options.olderThan = .seconds(seconds)

      _ = try await temporary.store.prune(options)

      #expect(try bytes.explain("key").decision.failures == left)
    }
  }

  @Test(arguments: [(10, "0123456789"), (3, "789"), (0, "")])
  func `by count, the oldest first`(_ count: Int, _ left: String) async throws {
    try await TemporaryStore.run { temporary in
      _ = try await fill(temporary)
      var options = PruneOptions()
      options.maximumCount = count
      options.batchSize = 2

      _ = try await temporary.store.prune(options)

      #expect(try keys(temporary.store) == left)
    }
  }

  @Test(arguments: ["0123456789", "789", "9", ""], [0, 1])
  func `by bytes, the oldest first`(_ fitting: String, _ bytesShort: Int) async throws {
    try await TemporaryStore.run { temporary in
      _ = try await fill(temporary)
      let whole = try await size(temporary.store)
      var others = PruneOptions()
      others.maximumCount = fitting.count
      others.isDryRun = true
      var options = PruneOptions()
      let fit = whole - (try await temporary.store.prune(others).bytes)
      options.maximumBytes = max(0, fit - bytesShort)
      let left = String(bytesShort == 0 ? fitting : String(fitting.dropFirst()))

      let result = try await temporary.store.prune(options)

      #expect(try keys(temporary.store) == left)
      #expect(try await whole - result.bytes == size(temporary.store))
    }
  }

  /// Every combination of limits: a dry run counts the records that the real one then removes.
  static let mixtures: [(age: Int?, count: Int?, bytes: Int?)] = [
    (6, nil, nil), (nil, 3, nil), (nil, nil, 2500), (6, 3, nil), (3, 6, nil), (6, nil, 2500),
    (3, nil, 3000), (nil, 6, 2500), (nil, 3, 3000), (8, 6, 2500), (8, 6, 1000),
  ]

  @Test(arguments: mixtures) func `a dry run counts the records that the real one then removes`(
    _ mixture: (age: Int?, count: Int?, bytes: Int?)
  ) async throws {
    try await TemporaryStore.run { temporary in
      let bytes = try await fill(temporary)
      for key in ["1", "6"] { _ = try bytes.read(key) }
      try await bytes.setPinned(true, for: "3")
      var options = PruneOptions()
      options.olderThan = mixture.age.map { .seconds($0) }
      options.maximumCount = mixture.count
      options.maximumBytes = mixture.bytes
      options.isDryRun = true

      let dry = try await temporary.store.prune(options)
      let untouched = try keys(temporary.store)
      options.isDryRun = false
      let real = try await temporary.store.prune(options)

      #expect(untouched == "0123456789")
      #expect(dry.isDryRun && dry.fileBytes == 0)
      #expect(dry.removed == real.removed && dry.bytes == real.bytes)
      #expect(real.removed > 0)
    }
  }

  /// Leaves so many records.
  private func leave(_ count: Int, in store: Store) async throws {
    var options = PruneOptions()
    options.maximumCount = count
    _ = try await store.prune(options)
  }

  @Test func `what was read since it was stored goes last, the oldest first`() async throws {
    try await TemporaryStore.run { temporary in
      let bytes = try await fill(temporary)
      for key in ["4", "0"] { _ = try bytes.read(key) }

      try await leave(6, in: temporary.store)
      #expect(try keys(temporary.store) == "046789")
      // Nothing else is left then.
      try await leave(1, in: temporary.store)
      #expect(try keys(temporary.store) == "4")
    }
  }

  @Test func `by bytes, what was read since it was stored goes last`() async throws {
    try await TemporaryStore.run { temporary in
      let bytes = try await fill(temporary)
      for key in ["0", "1", "8"] { _ = try bytes.read(key) }
      var options = PruneOptions()
      options.maximumBytes = try await size(temporary.store) - 1

      _ = try await temporary.store.prune(options)

      #expect(try keys(temporary.store) == "013456789")
    }
  }

  @Test func `what was read and then written again is as any other`() async throws {
    try await TemporaryStore.run { temporary in
      let bytes = try await fill(temporary)
      for key in ["0", "1"] { _ = try bytes.read(key) }
      try await bytes.put([1], for: "0")
      for key in ["2", "3"] {
        temporary.clock.advance(by: .seconds(1))
        try await bytes.put([1], for: key)
      }

      try await leave(3, in: temporary.store)

      #expect(try keys(temporary.store) == "123")
    }
  }

  @Test(arguments: [false, true])
  func `a use ages with what is removed, so that nothing stays for ever`(isReadAgain: Bool)
    async throws
  {
    try await TemporaryStore.run { temporary in
      let bytes = try await fill(temporary)
      _ = try bytes.read("0")
      try await leave(5, in: temporary.store)
      #expect(try keys(temporary.store) == "06789")
      for (added, left) in [
        ("abcde", "0bcde"), ("fghij", isReadAgain ? "0ghij" : "fghij"),
      ] {
        for key in added {
          try await bytes.put([1], for: "\(key)")
          temporary.clock.advance(by: .seconds(1))
        }
        try await leave(5, in: temporary.store)
        #expect(try keys(temporary.store) == left)
        if isReadAgain { _ = try bytes.read("0") }
      }
    }
  }

  @Test func `a marked record that is read is in use, too, although memory does not have it`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let bytes = try await fill(temporary)
      for key in ["0", "1"] { try await bytes.markStale(key) }
      _ = try bytes.read("1")

      try await leave(5, in: temporary.store)

      #expect(try keys(temporary.store) == "16789")
    }
  }

  @Test func `another store on the file, which has read nothing, goes by age`() async throws {
    try await TemporaryStore.run { temporary in
      let bytes = try await fill(temporary)
      _ = try bytes.read("0")
      let other = try temporary.another()

      try await leave(5, in: other)

      #expect(try keys(temporary.store) == "56789")
      try await other.close()
    }
  }

  @Test func `a pinned record is not pruned until it is unpinned`() async throws {
    try await TemporaryStore.run { temporary in
      let bytes = try await fill(temporary)
      try await bytes.setPinned(true, for: "2")
      try await bytes.put([1], for: "pinned", isPinned: true)
      var options = PruneOptions()
      options.maximumCount = 0

      _ = try await temporary.store.prune(options)
      let kept = try keys(temporary.store)
      try await bytes.setPinned(false, for: "2")
      _ = try await temporary.store.prune(options)

      #expect(kept == "2pinned")
      #expect(try keys(temporary.store) == "pinned")
    }
  }

  @Test func `a record with a pending write is never pruned`() async throws {
    try await TemporaryStore.run { temporary in
      let bytes = try await fill(temporary)
      try await bytes.write([7], for: "4")
      var options = PruneOptions()
      options.maximumCount = 0

      _ = try await temporary.store.prune(options)

      #expect(try keys(temporary.store) == "4")
    }
  }

  @Test func `a prune of one collection leaves the others`() async throws {
    try await TemporaryStore.run { temporary in
      _ = try await fill(temporary)
      try await temporary.store.bytes("others").put([1], for: "x")
      var options = PruneOptions()
      options.collection = "bytes"
      options.maximumCount = 0

      _ = try await temporary.store.prune(options)

      #expect(try keys(temporary.store) == "x")
    }
  }

  @Test func `the file becomes smaller`() async throws {
    try await TemporaryStore.run { temporary in
      let bytes = try temporary.store.bytes("bytes")
      for number in 0..<20 {
        try await bytes.put(Array(repeating: 1, count: 100_000), for: "\(number)")
      }
      let before = try temporary.store.statistics().fileBytes
      var options = PruneOptions()
      options.maximumCount = 2

      let result = try await temporary.store.prune(options)
      let after = try temporary.store.statistics()

      #expect(result.fileBytes > 1_500_000)
      #expect(after.fileBytes == before - result.fileBytes)
      #expect(after.logBytes == 0)
    }
  }

  @Test func `a removed record leaves no tags behind`() async throws {
    try await TemporaryStore.run { temporary in
      let bytes = try temporary.store.bytes("bytes")
      try await bytes.put([1], for: "1", details: FetchDetails(tags: ["a", "b"]))
      try await bytes.put([1], for: "2", details: FetchDetails(tags: ["a"]))
      var options = PruneOptions()
      options.maximumCount = 0

      _ = try await temporary.store.prune(options)

      #expect(try RawDatabase(temporary.path).integer("SELECT count(*) FROM record_tag") == 0)
    }
  }

  @Test func `empty and invalid limits are refused`() async throws {
    try await TemporaryStore.run { temporary in
      var negative = PruneOptions()
      negative.maximumCount = -1
      var backwards = PruneOptions()
      backwards.olderThan = .seconds(-1)
      var idle = PruneOptions()
      idle.maximumCount = 1
      idle.batchSize = 0
      for options in [PruneOptions(), negative, backwards, idle] {
        let failure = await storeFailure { try await temporary.store.prune(options) }
        guard case .invalidArgument = failure?.code else {
          Issue.record("\(options): \(String(describing: failure))")
          continue
        }
      }
    }
  }

  @Test func `invalidations of keys removed during a fetch are pruned once the fetch has ended`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let bytes = try temporary.store.bytes("bytes")
      let origin = ScriptedOrigin<[UInt8]> { _ in .value([1]) }
      origin.hold()
      let fetch = Task { try await bytes.get("other", from: origin) }
      await origin.calls(atLeast: 1)
      for key in 0..<5 {
        try await bytes.put([1], for: "\(key)")
        try await bytes.remove("\(key)")
      }
      let raw = try RawDatabase(temporary.path)
      func noted() throws -> Int { try raw.integer("SELECT count(*) FROM invalidation") }
      var options = PruneOptions()
      options.olderThan = .zero
      _ = try await temporary.store.prune(options)
      #expect(try noted() == 5)
      origin.release()
      _ = try await fetch.value

      _ = try await temporary.store.prune(options)

      #expect(try noted() == 0)
    }
  }
}
