import Dispatch
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// Values that are longer than a block lie in blocks beside their records.
@Suite(.timeLimit(.minutes(2))) struct LongValueTests: LongValueSuite {
  @Test(arguments: [
    (block, 0), (block + 1, 2), (3 * block, 3), (3 * block + 5, 4),
  ])
  func `a value is read as it was put, wherever it lies`(bytes: Int, blocks: Int) async throws {
    try await withPhotos { temporary, photos, raw in
      let photo = Self.photo(1, bytes: bytes)
      try await photos.put(photo, for: "1")
      #expect(try raw.integer(Self.blocks) == blocks)
      #expect(try raw.integer("SELECT value IS NULL FROM record") == (blocks > 0 ? 1 : 0))
      #expect(try photos.value("1") == photo)
      #expect(try photos.read(["1", "2"])["1"]?.copy?.value == photo)
      #expect(try temporary.store.list().map(\.size) == [bytes])
      #expect(try temporary.store.statistics().collections.map(\.bytes) == [bytes])
      let extent = try temporary.store.storage.extent("photos")
      #expect(extent.count == 1 && extent.bytes >= bytes)
      let other = try temporary.another()
      #expect(try other.bytes("photos").value("1") == photo)
      try await other.close()
    }
  }

  @Test func `a value takes the room of the one that it replaces`() async throws {
    try await withPhotos { temporary, photos, raw in
      for seed in 1...3 {
        try await photos.put(Self.photo(UInt8(seed), bytes: 2 * Self.block), for: "1")
        #expect(try raw.integer(Self.blocks) == 2)
        #expect(try raw.integer("SELECT count(*) FROM content") == 1)
      }
      #expect(try photos.value("1") == Self.photo(3, bytes: 2 * Self.block))
    }
  }

  @Test(arguments: ["put", "remove"])
  func `a short value, or none, leaves no block behind`(how: String) async throws {
    try await withPhotos { temporary, photos, raw in
      try await photos.put(Self.photo(1, bytes: 2 * Self.block), for: "1")
      if how == "put" { try await photos.put([1], for: "1") } else { try await photos.remove("1") }
      #expect(try raw.integer(Self.blocks) == 0)
    }
  }

  @Test func `values that arrive one after the other keep no more than is still read`()
    async throws
  {
    try await withPhotos { temporary, photos, raw in
      for seed in 1...6 {
        let photo = Self.photo(UInt8(seed), bytes: 3 * Self.block)
        let request = try await photos.request()
        let reference = try #require(try await write(photo, by: photo.count, temporary.store))
        try await photos.update(
          changes(reference), answering: request, about: "1", at: temporary.clock.reading())
        // Nothing sweeps.
        #expect(try raw.integer(Self.blocks) <= 9)
        temporary.clock.advance(by: .seconds(301))
      }
      #expect(try photos.value("1") == Self.photo(6, bytes: 3 * Self.block))
    }
  }

  @Test(arguments: [true, false], [true, false])
  func `what no record has any more is read for some minutes, and then collected`(
    isReplaced: Bool, isReadElsewhere: Bool
  ) async throws {
    try await withPhotos { temporary, photos, raw in
      let photo = Self.photo(1, bytes: 2 * Self.block + 1)
      try await photos.keepCopy(photo, "1", temporary)
      let other = try temporary.another()
      let head = try #require(
        try isReadElsewhere ? other.bytes("photos").keptHead("1") : photos.keptHead("1"))
      let reference = try #require(head.blocks)
      #expect(reference.size == Int64(photo.count))
      if isReplaced { try await photos.put([1], for: "1") } else { try await photos.remove("1") }
      _ = try await temporary.store.sweep()
      temporary.clock.advance(by: .seconds(599))
      _ = try await temporary.store.sweep()
      for number in 0..<3 {
        let start = number * Self.block
        let block = try await temporary.store.block(number, of: reference)
        #expect(block == Array(photo[start..<min(start + Self.block, photo.count)]))
      }
      temporary.clock.advance(by: .seconds(1))
      _ = try await temporary.store.sweep()
      #expect(try await temporary.store.block(0, of: reference) == nil)
      #expect(try raw.integer(Self.blocks) == 0)
      withExtendedLifetime(head) {}
      try await other.close()
    }
  }

  @Test(arguments: ["never", "before", "elsewhere, before"])
  func `what no record has any more, and nobody reads, is collected a second later`(
    read: String
  ) async throws {
    try await withPhotos { temporary, photos, raw in
      try await photos.keepCopy(Self.photo(1, bytes: 2 * Self.block), "1", temporary)
      let other = try temporary.another()
      if read != "never" {
        let reader = read == "before" ? photos : try other.bytes("photos")
        #expect(try reader.keptHead("1")?.blocks != nil)
      }
      try await photos.remove("1")
      temporary.clock.advance(by: .milliseconds(999))
      _ = try await temporary.store.sweep()
      #expect(try raw.integer(Self.blocks) == 2)
      temporary.clock.advance(by: .milliseconds(1))
      _ = try await temporary.store.sweep()
      #expect(try raw.integer(Self.blocks) == 0)
      try await other.close()
    }
  }

  @Test func `what nobody reads makes room for what arrives, and what is read does not`()
    async throws
  {
    try await withPhotos { temporary, photos, raw in
      for key in ["1", "2"] {
        try await photos.keepCopy(Self.photo(1, bytes: 4 * Self.block), key, temporary)
      }
      let head = try #require(try photos.keptHead("1"))
      for key in ["1", "2"] { try await photos.remove(key) }
      let limit = 5 * Self.block
      func adds() async throws -> Bool {
        let writer = ContentWriter(temporary.store, within: limit)
        let isAdded = try await writer.add(Self.photo(2, bytes: Self.block + 1)) != nil
        await writer.giveUp(isRead: false)
        return isAdded
      }
      #expect(try await !adds())
      temporary.clock.advance(by: .seconds(1))
      #expect(try await adds())
      let reference = try #require(head.blocks)
      for number in 0..<4 {
        #expect(try await temporary.store.block(number, of: reference) != nil)
      }
    }
  }

  @Test func `what is removed in part goes on, also where somebody begins to read it`() async throws
  {
    try await withPhotos { temporary, photos, raw in
      try await photos.keepCopy(Self.photo(1, bytes: 10 * Self.block), "1", temporary)
      let id = try #require(try photos.keptHead("1")?.blocks?.id)
      try await photos.remove("1")
      temporary.clock.advance(by: .seconds(1))
      let writer = ContentWriter(temporary.store)
      #expect(try await writer.add(Self.photo(2, bytes: Self.block + 1)) != nil)
      #expect(try raw.integer(Self.blocks) == 3)
      let reading = temporary.store.reading(id)
      #expect(try await writer.add(Self.photo(2, bytes: Self.block)) != nil)
      #expect(try raw.integer(Self.blocks) == 2)
      withExtendedLifetime(reading) {}
      await writer.giveUp(isRead: false)
    }
  }

  @Test func `a prune collects, too`() async throws {
    try await withPhotos { temporary, photos, raw in
      try await photos.put(Self.photo(1, bytes: 2 * Self.block), for: "1")
      var options = PruneOptions()
      options.maximumBytes = 0
      #expect(try await temporary.store.prune(options).removed == 1)
      #expect(try raw.integer(Self.blocks) == 0)
    }
  }

  @Test(arguments: ["whole", "by blocks", "never"])
  func `a long value that was read since it was stored is pruned last`(read: String) async throws {
    try await withPhotos { temporary, photos, _ in
      for key in ["1", "2", "3"] {
        try await photos.put(Self.photo(1, bytes: 2 * Self.block), for: key)
        temporary.clock.advance(by: .seconds(1))
      }
      switch read {
      case "whole": _ = try photos.value("1")
      case "by blocks":
        temporary.store.noteUse(of: try #require(try photos.keptHead("1")?.blocks))
      default: break
      }
      var options = PruneOptions()
      options.maximumCount = 2
      #expect(try await temporary.store.prune(options).removed == 1)
      #expect(
        try temporary.store.list().map(\.key) == (read == "never" ? ["2", "3"] : ["1", "3"]))
    }
  }

  @Test func `a local write leaves the source's value alone, which comes back`() async throws {
    try await withPhotos { temporary, photos, raw in
      let photo = Self.photo(1, bytes: 2 * Self.block)
      try await photos.put(photo, for: "1")
      let write = try await photos.write(Self.photo(2, bytes: 2 * Self.block), for: "1")
      try await collect(temporary)
      #expect(try photos.value("1") == Self.photo(2, bytes: 2 * Self.block))
      try await temporary.store.drop([write.id])
      try await collect(temporary)
      #expect(try photos.value("1") == photo)
      #expect(try raw.integer(Self.blocks) == 2)
    }
  }

  @Test func `the record takes a long value that the source has accepted`() async throws {
    try await withPhotos { temporary, photos, raw in
      let photo = Self.photo(1, bytes: 2 * Self.block)
      try await photos.write(photo, for: "1")
      #expect(try raw.integer(Self.blocks) == 0)
      try await photos.drain { _ in .accepted }
      #expect(try raw.integer(Self.blocks) == 2)
      #expect(try photos.value("1") == photo)
    }
  }

  @Test func `a value that has not changed stays where it is`() async throws {
    try await withPhotos { temporary, photos, raw in
      let photo = Self.photo(1, bytes: 2 * Self.block)
      try await photos.put(
        photo, for: "1",
        details: FetchDetails(
          expiry: .immediately, validators: Validators(entityTag: "\"1\"", lastModified: nil)))
      let before = try #require(try photos.keptHead("1")?.blocks)
      let answer = try await photos.get("1") { _ in
        .notModified(FetchDetails(expiry: .after(.seconds(60))))
      }
      #expect(answer.value == photo)
      #expect(try photos.keptHead("1")?.blocks?.id == before.id)
      #expect(try raw.integer(Self.blocks) == 2)
    }
  }

  @Test func `no block is read under the write lock when a lease is taken`() async throws {
    try await withPhotos { temporary, photos, _ in
      let photo = Self.photo(1, bytes: 2 * Self.block)
      try await photos.put(photo, for: "1")
      let storage = temporary.store.storage
      let answers = try storage.claim(
        "photos", ["1"], owner: temporary.store.owner, for: .seconds(60),
        now: temporary.clock.reading())
      let content = try #require(answers["1"]?.record?.content)
      #expect(content.value == nil && content.blocks?.size == Int64(photo.count))
      // The lease holder reads the value.
      #expect(try storage.joined(answers, of: "photos")["1"]?.record?.content.value == photo)
      guard case .granted(let lease)? = answers["1"]?.claim else {
        Issue.record("no lease")
        return
      }
      try storage.release([lease])
    }
  }

  @Test func `no write waits for a value that is read once a lease is taken`() async throws {
    try await TemporaryStore.run(configure: { $0.maximumReaders = 1 }) { temporary in
      let (store, photos) = (temporary.store, try temporary.store.bytes("photos"))
      let raw = try RawDatabase(temporary.path)
      try await photos.put(Self.photo(1, bytes: 2 * Self.block), for: "1")
      // The only reader is held meanwhile.
      let (begun, gate) = (AsyncStream<Void>.makeStream(), DispatchSemaphore(value: 0))
      let reading = Task(executorPreference: OwnThread()) {
        try store.storage.database.read(.read) { _ in
          begun.continuation.yield()
          gate.wait()
        }
      }
      for await _ in begun.stream { break }
      let runner = FlightRunner(
        collection: photos, policy: Policy(), fetch: { _ in [:] },
        flight: Flight<[UInt8]>(isBackground: false, by: Policy()), copies: [:], begun: nil
      )
      let flight = Task { await runner.run(["1"]) }
      while try raw.integer("SELECT count(*) FROM lease") == 0 { await Task.yield() }
      try await store.queue.run { () throws(StoreError) in }
      gate.signal()
      try await reading.value
      await flight.value
      #expect(try raw.integer("SELECT count(*) FROM lease") == 0)
      #expect(try photos.value("1") == Self.photo(1, bytes: 2 * Self.block))
    }
  }

  @Test(arguments: [
    "UPDATE content_block SET bytes = zeroblob(length(bytes)) WHERE place & 1 = 1",
    "DELETE FROM content_block WHERE place & 1 = 1",
    "DELETE FROM content_block WHERE place & 1048575 = 2",
    "UPDATE content_block SET place = place + 7 WHERE place & 1048575 = 2",
  ])
  func `a value without all of its blocks is not served, and the check names it`(
    damage: String
  ) async throws {
    // Not checked at its end, as it is damaged.
    let temporary = try TemporaryStore()
    let photos = try temporary.store.bytes("photos")
    try await photos.put(Self.photo(1, bytes: 3 * Self.block), for: "1")
    try RawDatabase(temporary.path).execute(damage)
    #expect(try photos.value("1") == nil)
    let check = try await temporary.store.check()
    #expect(check.damagedRecords.map(\.key) == ["1"])
    // The next put mends it.
    try await photos.put([1], for: "1")
    #expect(try photos.value("1") == [1])
    try await temporary.store.close()
  }

  @Test func `the check names blocks that belong to no value`() async throws {
    let temporary = try TemporaryStore()
    let photos = try temporary.store.bytes("photos")
    // It leaves its blocks to those who read them.
    try await photos.keepCopy(Self.photo(1, bytes: 2 * Self.block), "1", temporary)
    try await photos.remove("1")
    try RawDatabase(temporary.path).execute("DELETE FROM content")
    let check = try await temporary.store.check()
    #expect(check.problems == ["2 blocks of values belong to none"])
    try await temporary.store.close()
  }

  @Test func `a wipe leaves no block`() async throws {
    try await withPhotos { temporary, photos, raw in
      try await photos.put(Self.photo(1, bytes: 2 * Self.block), for: "1")
      let writer = ContentWriter(temporary.store)
      #expect(try await writer.add(Self.photo(2, bytes: 2 * Self.block)) == Int64(Self.block))
      _ = try await temporary.store.wipe()
      #expect(try raw.integer(Self.blocks) == 0)
      // A value that is still being written is not kept.
      #expect(try await writer.add(Self.photo(2, bytes: 2 * Self.block)) == nil)
      #expect(try await writer.finish() == nil)
    }
  }

  @Test func `an answer from before a wipe writes nothing after it`() async throws {
    try await withPhotos { temporary, photos, raw in
      let request = try await photos.request()
      let writer = ContentWriter(temporary.store, for: request)
      _ = try await temporary.store.wipe()
      #expect(try await writer.add(Self.photo(1, bytes: 2 * Self.block)) == nil)
      #expect(try await writer.finish() == nil)
      #expect(try raw.integer("SELECT count(*) FROM content") == 0)
      #expect(try raw.integer(Self.blocks) == 0)
      await photos.end(request)
      let later = try await photos.request()
      let next = ContentWriter(temporary.store, for: later)
      #expect(try await next.add(Self.photo(1, bytes: 2 * Self.block)) == Int64(Self.block))
      await next.giveUp()
      await photos.end(later)
    }
  }
}
