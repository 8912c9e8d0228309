import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// Long values that a source is known to hold beneath local writes.
@Suite(.timeLimit(.minutes(2))) struct LongBaseTests {
  private static let size = 2 * ContentReference.blockSize

  private static func photo(_ seed: UInt8) -> [UInt8] {
    let pattern = (0..<65_521).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ Int(seed)) }
    var photo: [UInt8] = []
    while photo.count < size { photo += pattern.prefix(size - photo.count) }
    return photo
  }

  private func withPhotos(
    reporter: (any Reporter)? = nil,
    _ body: (TemporaryStore, RecordCollection<[UInt8]>, RawDatabase) async throws -> Void
  ) async throws {
    try await TemporaryStore.run(configure: { configuration in
      if let reporter { configuration.reporter = reporter }
    }) { temporary in
      let photos = try temporary.store.bytes("photos")
      try await body(temporary, photos, RawDatabase(temporary.path))
    }
  }

  private static let blocks = "SELECT count(*) FROM content_block"
  private static let zeroedBlock =
    "UPDATE content_block SET bytes = zeroblob(length(bytes)) WHERE place & 1 = 1"

  // MARK: Reading

  /// A base that was read with this block would count as damaged, and neither tell its media type nor take a mark.
  @Test func `a local write and a mark read no block`() async throws {
    // Not checked at its end, as it is damaged.
    let temporary = try TemporaryStore()
    let photos = try temporary.store.bytes("photos")
    try await photos.put(
      Self.photo(1), for: "1", details: FetchDetails(contentType: "image/x-test"))
    let raw = try RawDatabase(temporary.path)
    try raw.execute(Self.zeroedBlock)

    for value: UInt8 in [1, 2] { try await photos.write([value], for: "1") }
    #expect(
      try raw.rows("SELECT content_type FROM outbox").map { $0[0] } == [
        "image/x-test", "image/x-test",
      ])
    try await photos.markStale("1")
    #expect(try raw.integer("SELECT count(*) FROM base WHERE stale_at IS NOT NULL") == 1)
    #expect(try raw.integer("SELECT count(*) FROM base WHERE content IS NOT NULL") == 1)
    try await temporary.store.close()
  }

  @Test func `a push has the value that its write is based on`() async throws {
    try await withPhotos { temporary, photos, _ in
      try await photos.put(Self.photo(1), for: "1")
      try await photos.write([1], for: "1")
      let sent = Sent<[UInt8]>()
      try await photos.drain { write in
        sent.add(write)
        return .accepted
      }
      #expect(sent.all.map(\.base) == [Self.photo(1)])
      #expect(try photos.value("1") == [1])
    }
  }

  // MARK: Keeping

  @Test func `a long value that is accepted beneath another write lies in blocks`() async throws {
    try await withPhotos { temporary, photos, raw in
      try await photos.write(Self.photo(1), for: "1")
      let last = try await photos.write(Self.photo(2), for: "1")
      try await photos.drain { _ in .accepted }
      #expect(
        try raw.integer("SELECT count(*) FROM base WHERE content IS NOT NULL AND value IS NULL")
          == 1)
      _ = try await temporary.store.sweep()
      #expect(try raw.integer(Self.blocks) == 2)
      try await temporary.store.drop([last.id])
      #expect(try photos.value("1") == Self.photo(1))
      _ = try await temporary.store.sweep()
      #expect(try raw.integer(Self.blocks) == 2)
      #expect(try photos.value("1") == Self.photo(1))
    }
  }

  @Test(arguments: [([1], 0), (photo(2), 2)] as [([UInt8], Int)])
  func `a value that is replaced beneath a write leaves no block behind`(
    accepted: [UInt8], blocks: Int
  ) async throws {
    try await withPhotos { temporary, photos, raw in
      try await photos.put(Self.photo(1), for: "1")
      try await photos.write(accepted, for: "1")
      let last = try await photos.write([2], for: "1")
      try await photos.drain { _ in .accepted }
      #expect(try raw.integer(Self.blocks) == blocks)
      try await photos.drain { _ in .refused("it may not be") }
      try await temporary.store.drop([last.id])
      #expect(try photos.value("1") == accepted)
      #expect(try raw.integer(Self.blocks) == blocks)
      #expect(try raw.integer("SELECT count(*) FROM content") == blocks / 2)
    }
  }

  @Test func `a value that is restored stays where it lies`() async throws {
    try await withPhotos { temporary, photos, raw in
      try await photos.put(Self.photo(1), for: "1")
      let before = try raw.integer("SELECT content FROM record")
      let write = try await photos.write([1], for: "1")
      try await temporary.store.drop([write.id])
      #expect(try raw.integer("SELECT content FROM record") == before)
      #expect(try raw.integer("SELECT count(*) FROM content WHERE goes_at IS NULL") == 1)
      #expect(try photos.value("1") == Self.photo(1))
    }
  }

  @Test func `a value is salvaged with the write above it`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.db")
    let configuration = Configuration(reachability: .fixed(.online))
    let damaged = try Store(path: path, configuration: configuration)
    try await damaged.bytes("photos").put(Self.photo(1), for: "1")
    let write = try await damaged.bytes("photos").write([1], for: "1")
    try await damaged.close()
    let raw = try RawDatabase(path)
    let page = try raw.integer("SELECT rootpage FROM sqlite_schema WHERE name = 'record'") - 1
    try FileChaos.fill(page * 4096..<(page + 1) * 4096, ofFileAt: path, seed: 1)

    let store = try Store(path: path, configuration: configuration)
    let photos = try store.bytes("photos")
    _ = await storeFailure { try photos.read("1") }
    #expect(store.health.salvagedWrites == 1)
    _ = try await store.sweep()
    try await store.drop([write.id])
    #expect(try photos.value("1") == Self.photo(1))
    _ = try await store.sweep()
    #expect(try photos.value("1") == Self.photo(1))
    #expect(try await store.check().isSound)
    try await store.close()
  }

  // MARK: Damage

  private static let damages: [([UInt8], String)] = [
    ([1], "UPDATE base SET value = x'00'"),
    (photo(1), "UPDATE base SET epoch = epoch + 1"),
    (photo(1), zeroedBlock),
    (photo(1), "DELETE FROM content_block WHERE place & 1 = 1"),
  ]

  @Test(arguments: damages)
  func `the check names the record whose state below a local write is damaged`(
    value: [UInt8], sql: String
  ) async throws {
    let temporary = try TemporaryStore()
    let photos = try temporary.store.bytes("photos")
    for key in ["1", "2"] { try await photos.put([7], for: key) }
    try await photos.put(value, for: "1")
    try await photos.write([2], for: "1")
    #expect(try await temporary.store.check().isSound)
    try RawDatabase(temporary.path).execute(sql)

    let damaged = try await temporary.store.check().damagedRecords
    #expect(damaged.map(\.collection) == ["photos"] && damaged.map(\.key) == ["1"])
    #expect(
      damaged.allSatisfy {
        $0.problem.hasPrefix("the known state of its source below a local write: its ")
      })
    try await temporary.store.close()
  }

  @Test(arguments: damages)
  func `a drop says that the state below is damaged, and the record waits to be fetched`(
    value: [UInt8], sql: String
  ) async throws {
    let log = EventLog()
    try await withPhotos(reporter: log) { temporary, photos, raw in
      try await photos.put(value, for: "1")
      let write = try await photos.write([2], for: "1")
      try raw.execute(sql)

      let (dropped, unrestored) = try await temporary.store.dropNamingUnrestored([write.id])
      #expect(dropped.map(\.id) == [write.id])
      #expect(unrestored == [RecordID("photos", "1")])
      let told = log.events.filter { $0.name == "unrestored" }.map(\.figures)
      #expect(told == [["collection": "photos", "key": "1"]])
      #expect(try photos.value("1") == nil)
      #expect(try raw.integer("SELECT count(*) FROM record WHERE queue_at IS NOT NULL") == 1)
      #expect(try raw.integer(Self.blocks) == 0)
      // The next answer of the source mends it.
      let answer = try await photos.get("1") { _ in .value([3]) }
      #expect(answer.value == [3])
    }
  }

  @Test func `only the states that records return to are read for a drop`() async throws {
    let temporary = try TemporaryStore()
    let (storage, photos) = (temporary.store.storage, try temporary.store.bytes("photos"))
    var writes: [OutboxEntry.ID] = []
    for key in ["1", "2"] {
      try await photos.put(Self.photo(1), for: key)
      for value: UInt8 in [1, 2] { writes.append(try await photos.write([value], for: key).id) }
    }
    try RawDatabase(temporary.path).execute(Self.zeroedBlock)
    func verified(_ numbers: [Int]) throws -> [Bool] {
      try storage.verifiedValues(beneath: numbers.map { writes[$0] }).areWhole.values.sorted {
        $1 && !$0
      }
    }
    for number in writes.indices { #expect(try verified([number]).isEmpty) }
    #expect(try verified([0, 2]).isEmpty)
    #expect(try verified([3, 2, 0]) == [false])
    #expect(try verified([0, 1, 2, 3]) == [false, false])
    try await temporary.store.close()
  }

  @Test func `a write that was dropped meanwhile leaves a state to verify`() async throws {
    let temporary = try TemporaryStore()
    let (storage, photos) = (temporary.store.storage, try temporary.store.bytes("photos"))
    try await photos.put(Self.photo(1), for: "1")
    let first = try await photos.write([1], for: "1").id
    let second = try await photos.write([2], for: "1").id
    try RawDatabase(temporary.path).execute(Self.zeroedBlock)

    // A drop of the first write has verified this value before a drop of the second one was done.
    let early = try storage.verifiedValues(beneath: [first])
    _ = try await temporary.store.drop([second])
    let now = temporary.store.now()
    #expect(try storage.drop([first], verified: early, now: now) == nil)
    #expect(try photos.value("1") == [1])

    let (_, unrestored) = try await temporary.store.dropNamingUnrestored([first])
    #expect(unrestored == [RecordID("photos", "1")])
    #expect(try photos.value("1") == nil)
    try await temporary.store.close()
  }

  @Test func `a drop of another write says nothing of it`() async throws {
    let temporary = try TemporaryStore()
    let photos = try temporary.store.bytes("photos")
    try await photos.put(Self.photo(1), for: "1")
    let first = try await photos.write([1], for: "1")
    try await photos.write([2], for: "1")
    try RawDatabase(temporary.path).execute(Self.zeroedBlock)
    #expect(try await temporary.store.dropNamingUnrestored([first.id]).unrestored.isEmpty)
    #expect(try photos.value("1") == [2])
    try await temporary.store.close()
  }
}
