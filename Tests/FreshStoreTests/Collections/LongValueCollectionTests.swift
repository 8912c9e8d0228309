import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// When the blocks go of values that no record has, and when they stay.
@Suite(.timeLimit(.minutes(2))) struct LongValueCollectionTests: LongValueSuite {
  private static func photo(_ seed: UInt8, blocks: Int) -> [UInt8] {
    photo(seed, bytes: blocks * block)
  }

  // MARK: Who reads them

  @Test func `a fetched value that nobody streams goes as soon as another takes its place`()
    async throws
  {
    try await withPhotos { temporary, photos, raw in
      // As every answer over HTTP it has metadata.
      let details = FetchDetails(metadata: "head")
      for seed in 1...3 {
        try await photos.put(
          Self.photo(UInt8(seed), blocks: 3), for: "1", details: details)
        #expect(try raw.integer(Self.blocks) == 3)
      }
      try await photos.remove("1")
      #expect(try raw.integer(Self.blocks) == 0)
    }
  }

  @Test func `a sweep or a prune frees at once what nobody streams`() async throws {
    try await withPhotos { temporary, photos, raw in
      for key in ["1", "2"] {
        try await photos.put(
          Self.photo(1, blocks: 20), for: key, details: FetchDetails(metadata: "head"))
      }
      try await photos.remove("1")
      #expect(try raw.integer(Self.blocks) > 20)
      _ = try await temporary.store.sweep()
      #expect(try raw.integer(Self.blocks) == 20)
      var options = PruneOptions()
      options.maximumBytes = 0
      _ = try await temporary.store.prune(options)
      #expect(try raw.integer(Self.blocks) == 0)
    }
  }

  @Test func `a plain value that becomes a gateway's copy leaves its readers time`() async throws {
    try await withPhotos { temporary, photos, raw in
      try await photos.put(
        Self.photo(1, blocks: 2), for: "1", details: FetchDetails(metadata: "head"))
      var changes = CopyChanges<[UInt8]>()
      changes.renewals = [
        (try #require(try photos.keptHead("1")), FetchDetails(metadata: "second"))
      ]
      let request = try await photos.request()
      #expect(
        try await photos.update(
          changes, answering: request, about: "1", at: temporary.clock.reading()))
      try await photos.remove("1")
      _ = try await temporary.store.sweep()
      #expect(try raw.integer(Self.blocks) == 2)
    }
  }

  @Test func `a plain value that was read block by block leaves its readers time`() async throws {
    try await withPhotos { temporary, photos, raw in
      try await photos.put(Self.photo(1, blocks: 2), for: "1")
      let reference = try #require(try photos.keptHead("1")?.blocks)
      #expect(try await temporary.store.block(0, of: reference) != nil)
      try await photos.remove("1")
      _ = try await temporary.store.sweep()
      #expect(try await temporary.store.block(1, of: reference) != nil)
      temporary.clock.advance(by: .seconds(600))
      _ = try await temporary.store.sweep()
      #expect(try raw.integer(Self.blocks) == 0)
    }
  }

  @Test func `whoever begins to read a plain value that is replaced meanwhile gets none of it`()
    async throws
  {
    try await withPhotos { temporary, photos, raw in
      try await photos.put(Self.photo(1, blocks: 2), for: "1")
      let reference = try #require(try photos.keptHead("1")?.blocks)
      // Another program is about to take it away.
      try raw.execute("BEGIN IMMEDIATE")
      async let first = temporary.store.block(0, of: reference)
      try raw.execute("DELETE FROM record; UPDATE content SET goes_at = 1; COMMIT")
      #expect(try await first == nil)
      _ = try await temporary.store.sweep()
      #expect(try raw.integer(Self.blocks) == 0)
    }
  }

  @Test func `a wrong note that nobody has a value keeps none from its readers`() async throws {
    try await withPhotos { temporary, photos, raw in
      try await photos.put(Self.photo(1, blocks: 2), for: "1")
      let reference = try #require(try photos.keptHead("1")?.blocks)
      try raw.execute("UPDATE content SET goes_at = 1")
      #expect(try await temporary.store.block(0, of: reference) != nil)
      _ = try await temporary.store.sweep()
      #expect(try await temporary.store.block(1, of: reference) != nil)
    }
  }

  // MARK: What the records say

  @Test(arguments: [
    "record = 65", "record = NULL", "goes_at = 1", "arrives_by = 1", "record = 65, goes_at = 1",
  ])
  func `one wrong number beside a value costs nothing, and a check finds it`(
    damage: String
  ) async throws {
    try await withPhotos { temporary, photos, raw in
      let photo = Self.photo(1, blocks: 8)
      try await photos.put(photo, for: "1")
      try raw.execute("UPDATE content SET \(damage)")
      #expect(
        try await temporary.store.check().problems == [
          "1 values in blocks are noted as another record's, or as nobody's, until the next sweep"
        ])
      _ = try await temporary.store.sweep()
      #expect(try photos.value("1") == photo)
      #expect(try raw.integer(Self.blocks) == 8)
      #expect(try await temporary.store.check().isSound)
      // The record finds again what it gives up.
      try await photos.remove("1")
      #expect(try raw.integer(Self.blocks) == 0)
    }
  }

  @Test(arguments: ["record = 65", "goes_at = 1"])
  func `a write that comes first removes nothing that a record has`(
    damage: String
  ) async throws {
    try await withPhotos { temporary, photos, _ in
      let photo = Self.photo(1, blocks: 2)
      try await photos.put(photo, for: "1")
      try RawDatabase(temporary.path).execute("UPDATE content SET \(damage)")
      try await photos.put(Self.photo(2, blocks: 2), for: "2")
      try await photos.remove("2")
      #expect(try photos.value("1") == photo)
      _ = try await temporary.store.sweep()
      #expect(try photos.value("1") == photo)
    }
  }

  @Test(arguments: ["record = 65", "record = NULL", "goes_at = 1"])
  func `a wrong number costs no value beneath a local write`(damage: String) async throws {
    try await withPhotos { temporary, photos, raw in
      let photo = Self.photo(1, blocks: 2)
      try await photos.put(photo, for: "1")
      let write = try await photos.write([2], for: "1")
      try raw.execute("UPDATE content SET \(damage)")
      _ = try await temporary.store.sweep()
      #expect(try raw.integer(Self.blocks) == 2)
      try await temporary.store.drop([write.id])
      #expect(try photos.value("1") == photo)
    }
  }

  // MARK: How long they are

  private static let wrongLengths = [
    "size = size + (1 << 40)", "size = 524288", "size = -size", "size = 9223372036854775807",
    "size_check = size_check - (1 << 40)", "size_check = 0",
  ]

  @Test(arguments: wrongLengths)
  func `a wrong length costs nothing, and goes with a sweep`(damage: String) async throws {
    try await withPhotos { temporary, photos, raw in
      let keys = ["1", "2", "3", "4", "5"]
      for key in keys { try await photos.put(Self.photo(1, blocks: 3), for: key) }
      let extent = try temporary.store.storage.extent("photos").bytes
      try raw.execute(
        "UPDATE content SET \(damage) WHERE record = (SELECT id FROM record WHERE key = '5')")
      #expect(try temporary.store.storage.extent("photos").bytes == extent)
      #expect(try temporary.store.list().map(\.size) == keys.map { _ in 3 * Self.block })
      #expect(try photos.keptHead("5")?.blocks?.size == Int64(3 * Self.block))
      #expect(
        try await temporary.store.check().problems == [
          "1 values in blocks are noted with a wrong length, until the next sweep"
        ])
      _ = try await temporary.store.sweep()
      #expect(try await temporary.store.check().isSound)
      #expect(
        try raw.integer(
          "SELECT count(*) FROM content WHERE size = \(3 * Self.block) AND size = ~size_check") == 5
      )
    }
  }

  @Test(arguments: wrongLengths)
  func `a prune by bytes removes no more because of a wrong length`(
    damage: String
  ) async throws {
    try await withPhotos { temporary, photos, raw in
      for key in ["1", "2", "3"] { try await photos.put(Self.photo(1, blocks: 3), for: key) }
      try raw.execute(
        "UPDATE content SET \(damage) WHERE record = (SELECT id FROM record WHERE key = '3')")
      var options = PruneOptions()
      options.maximumBytes = 100 << 20
      #expect(try await temporary.store.prune(options).removed == 0)
      #expect(try raw.integer(Self.blocks) == 9)
    }
  }

  @Test func `a wrong length and a wrong owner go with the same sweep`() async throws {
    try await withPhotos { temporary, photos, raw in
      try await photos.put(Self.photo(1, blocks: 2), for: "1")
      try raw.execute("UPDATE content SET record = 65, size = size + 1")
      _ = try await temporary.store.sweep()
      #expect(try await temporary.store.check().isSound)
    }
  }

  @Test(arguments: ["size = size", "size = size + (1 << 40)", "size_check = 0"])
  func `a value that a write has removed in part counts by what is left`(
    damage: String
  ) async throws {
    try await withPhotos { temporary, photos, raw in
      try await photos.keepCopy(Self.photo(1, blocks: 20), "1", temporary)
      try await photos.remove("1")
      try raw.execute("UPDATE content SET \(damage)")
      temporary.clock.advance(by: .seconds(600))
      try await photos.put(Self.photo(2, blocks: 3), for: "2")
      let left = try raw.integer(Self.blocks) - 3
      #expect(left > 0 && left < 20)
      #expect(try temporary.store.statistics().leftBytes == left * Self.block)
      // So another may arrive within that.
      let writer = ContentWriter(temporary.store, within: left * Self.block)
      #expect(try await writer.add(Self.photo(3, blocks: 2)) != nil)
      await writer.giveUp(isRead: false)
      _ = try await temporary.store.sweep()
      #expect(try raw.integer(Self.blocks) == 3)
    }
  }

  @Test(arguments: ["size = size", "size = size + (1 << 40)", "size_check = 0"])
  func `a value that a sweep has removed in part counts by what is left`(
    damage: String
  ) async throws {
    try await withPhotos { temporary, photos, raw in
      try await photos.keepCopy(Self.photo(1, blocks: 4), "1", temporary)
      try await photos.remove("1")
      try raw.execute("UPDATE content SET \(damage)")
      temporary.clock.advance(by: .seconds(600))
      let (storage, now) = (temporary.store.storage, temporary.clock.reading())
      let changed = try storage.changedContents(after: .min, now: now).changed
      for left in [3, 2] {
        _ = try storage.collect(changed[...], most: 9, within: .zero, now: now)
        #expect(try raw.integer(Self.blocks) == left)
        #expect(try temporary.store.statistics().leftBytes == left * Self.block)
      }
      _ = try await temporary.store.sweep()
      #expect(try raw.integer(Self.blocks) == 0)
    }
  }

  @Test func `a turn removes as many blocks as it may, however many values they are of`()
    async throws
  {
    try await withPhotos { temporary, photos, raw in
      for key in ["1", "2"] {
        try await photos.keepCopy(Self.photo(1, blocks: 4), key, temporary)
        try await photos.remove(key)
      }
      temporary.clock.advance(by: .seconds(600))
      let (storage, now) = (temporary.store.storage, temporary.clock.reading())
      var changed = try storage.changedContents(after: .min, now: now).changed[...]
      var left: [Int] = []
      while !changed.isEmpty, left.count < 9 {
        let turn = try storage.collect(changed, most: 3, within: .seconds(60), now: now)
        changed = changed.dropFirst(turn.work.changed)
        try left.append(raw.integer(Self.blocks))
      }
      // The last turn of a value finds that there is nothing left of it.
      #expect(left == [5, 3, 0, 0] && changed.isEmpty)
    }
  }

  // MARK: The clock

  @Test(arguments: [-86_400, -3600, 3600, 86_400])
  func `a step of the clock takes nothing from those who read`(_ step: Int) async throws {
    try await withPhotos { temporary, photos, _ in
      try await photos.keepCopy(Self.photo(1, blocks: 2), "1", temporary)
      let head = try #require(try photos.keptHead("1"))
      let reference = try #require(head.blocks)
      try await photos.remove("1")
      temporary.clock.stepWall(by: .seconds(step))
      try await photos.put(Self.photo(2, blocks: 2), for: "2")
      temporary.clock.advance(by: .seconds(599))
      _ = try await temporary.store.sweep()
      #expect(try await temporary.store.block(1, of: reference) != nil)
      temporary.clock.advance(by: .seconds(1))
      _ = try await temporary.store.sweep()
      #expect(try await temporary.store.block(0, of: reference) == nil)
      withExtendedLifetime(head) {}
    }
  }

  @Test(arguments: [-86_400, -3600, 3600, 86_400])
  func `a step of the clock gives up no value that arrives`(_ step: Int) async throws {
    try await withPhotos { temporary, photos, _ in
      let photo = Self.photo(1, blocks: 3)
      let writer = ContentWriter(temporary.store)
      #expect(try await writer.add(Array(photo[..<(2 * Self.block)])) != nil)
      temporary.clock.stepWall(by: .seconds(step))
      _ = try await temporary.store.sweep()
      #expect(try await writer.add(Array(photo[(2 * Self.block)...])) != nil)
      #expect(try await writer.finish()?.size == Int64(photo.count))
      await writer.giveUp()
    }
  }

  @Test func `a value may take any time to arrive, as long as some of it does`() async throws {
    try await withPhotos { temporary, photos, raw in
      let photo = Self.photo(1, blocks: 5)
      let writer = ContentWriter(temporary.store)
      for start in stride(from: 0, to: photo.count, by: Self.block) {
        #expect(try await writer.add(Array(photo[start..<(start + Self.block)])) != nil)
        temporary.clock.advance(by: .seconds(3599))
        _ = try await temporary.store.sweep()
      }
      #expect(try await writer.finish()?.size == Int64(photo.count))
      #expect(try raw.integer(Self.blocks) == 5)
      await writer.giveUp(isRead: false)
    }
  }

  // MARK: Room

  @Test func `a long value takes the room of what was left before it`() async throws {
    try await withPhotos { _, photos, raw in
      try await photos.put(Self.photo(1, blocks: 40), for: "1")
      let pages = try raw.integer("PRAGMA page_count")
      for seed in 2...4 {
        try await photos.remove("1")
        try await photos.put(Self.photo(UInt8(seed), blocks: 40), for: "1")
      }
      #expect(try raw.integer("PRAGMA page_count") <= pages + 16)
    }
  }

  @Test func `what belongs to nobody does not fill a store`() async throws {
    try await TemporaryStore.run(configure: { $0.maximumSize = 15 << 20 }) { temporary in
      let photos = try temporary.store.bytes("photos")
      for seed in 1...3 {
        try await photos.put(Self.photo(UInt8(seed), blocks: 40), for: "1")
        try await photos.remove("1")
      }
    }
  }

  @Test func `a sweep gives the room back of what it has removed`() async throws {
    try await withPhotos { temporary, photos, raw in
      try await photos.keepCopy(Self.photo(1, blocks: 20), "1", temporary)
      try await photos.remove("1")
      let pages = try raw.integer("PRAGMA page_count")
      _ = try await temporary.store.sweep()
      #expect(try raw.integer("PRAGMA page_count") >= pages)
      temporary.clock.advance(by: .seconds(600))
      _ = try await temporary.store.sweep()
      #expect(try raw.integer("PRAGMA page_count") < pages / 4)
      #expect(try raw.integer("PRAGMA freelist_count") == 0)
    }
  }

  @Test func `the statistics count what is left and what arrives`() async throws {
    try await withPhotos { temporary, photos, _ in
      try await photos.keepCopy(Self.photo(1, blocks: 2), "1", temporary)
      let writer = ContentWriter(temporary.store)
      #expect(try await writer.add(Self.photo(2, blocks: 2)) != nil)
      var statistics = try temporary.store.statistics()
      #expect(statistics.leftBytes == 0 && statistics.arrivingBytes == Self.block)
      try await photos.remove("1")
      await writer.giveUp(isRead: false)
      statistics = try temporary.store.statistics()
      #expect(statistics.leftBytes == 3 * Self.block && statistics.arrivingBytes == 0)
      temporary.clock.advance(by: .seconds(600))
      _ = try await temporary.store.sweep()
      #expect(try temporary.store.statistics().leftBytes == 0)
    }
  }
}
