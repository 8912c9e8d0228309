import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// Long values that are written bit by bit while they arrive.
@Suite(.timeLimit(.minutes(2))) struct ArrivingValueTests: LongValueSuite {
  @Test(arguments: [1 << 10, block, block + 1, 3 * block])
  func `a value that arrives bit by bit is a record's once all of it is here`(
    parts: Int
  ) async throws {
    try await withPhotos { temporary, photos, raw in
      let photo = Self.photo(1, bytes: 3 * Self.block)
      let request = try await photos.request()
      let reference = try #require(try await write(photo, by: parts, temporary.store))
      #expect(reference.size == Int64(photo.count))
      #expect(try photos.kept("1") == nil)
      let now = temporary.clock.reading()
      #expect(
        try await photos.update(changes(reference), answering: request, about: "1", at: now))
      #expect(try photos.value("1") == photo)
      #expect(try photos.keptHead("1")?.blocks == reference)
      try await collect(temporary)
      #expect(try raw.integer(Self.blocks) == 3)
      // It is the same as one that was put as a whole.
      try await photos.put(photo, for: "2")
      #expect(try photos.keptHead("2")?.blocks?.checksum == reference.checksum)
    }
  }

  @Test(arguments: ["size = size + (1 << 40)", "size = 9223372036854775807", "size_check = 0"])
  func `a wrong length keeps no value from arriving`(damage: String) async throws {
    try await withPhotos { temporary, photos, raw in
      let photo = Self.photo(1, bytes: 3 * Self.block + 5)
      let request = try await photos.request()
      let writer = ContentWriter(temporary.store)
      #expect(try await writer.add(Array(photo[..<(2 * Self.block)])) != nil)
      try raw.execute("UPDATE content SET \(damage)")
      #expect(try await writer.add(Array(photo[(2 * Self.block)...])) != nil)
      let reference = try #require(try await writer.finish())
      try raw.execute("UPDATE content SET \(damage)")
      let now = temporary.clock.reading()
      #expect(
        try await photos.update(changes(reference), answering: request, about: "1", at: now))
      #expect(try photos.value("1") == photo)
      _ = try await temporary.store.sweep()
      #expect(try await temporary.store.check().isSound)
    }
  }

  @Test func `a short value is left to its record`() async throws {
    try await withPhotos { (temporary, _, raw) async throws in
      #expect(try await write(Self.photo(1, bytes: Self.block), by: 1000, temporary.store) == nil)
      #expect(try raw.integer(Self.blocks) == 0)
    }
  }

  @Test func `new details leave the value where it lies`() async throws {
    try await withPhotos { temporary, photos, raw in
      let photo = Self.photo(1, bytes: 2 * Self.block)
      let reference = try #require(try await write(photo, by: photo.count, temporary.store))
      let now = temporary.clock.reading()
      try await photos.update(
        changes(reference), answering: photos.request(), about: "1", at: now)
      var renewal = CopyChanges<[UInt8]>()
      renewal.renewals = [
        (try #require(try photos.keptHead("1")), FetchDetails(metadata: "second"))
      ]
      try await photos.update(renewal, answering: photos.request(), about: "1", at: now)
      #expect(try photos.keptHead("1")?.metadata == "second")
      #expect(try photos.keptHead("1")?.blocks == reference)
      #expect(try photos.value("1") == photo)
      #expect(try raw.integer(Self.blocks) == 2)
    }
  }

  @Test func `a value belongs to one record, and once`() async throws {
    try await withPhotos { temporary, photos, _ in
      let photo = Self.photo(1, bytes: 2 * Self.block)
      let reference = try #require(try await write(photo, by: photo.count, temporary.store))
      let now = temporary.clock.reading()
      try await photos.update(
        changes(reference), answering: photos.request(), about: "1", at: now)
      try await photos.put([2], for: "1")
      temporary.clock.advance(by: .seconds(1))
      try await photos.update(
        changes(reference), answering: photos.request(), about: "1", at: temporary.clock.reading())
      #expect(try photos.value("1") == [2])
    }
  }

  @Test(arguments: [(true, 600), (false, 1)])
  func `what was given up is collected ten minutes later, or once it is let go, and never stored`(
    isHeld: Bool, seconds: Int
  ) async throws {
    try await withPhotos { temporary, photos, raw in
      var writer: ContentWriter? = ContentWriter(temporary.store)
      #expect(try await writer?.add(Self.photo(1, bytes: 3 * Self.block)) != nil)
      let reference = try #require(try await writer?.finish())
      await writer?.giveUp()
      if !isHeld { writer = nil }
      let now = temporary.clock.reading()
      try await photos.update(
        changes(reference), answering: photos.request(), about: "1", at: now)
      #expect(try photos.kept("1") == nil)
      temporary.clock.advance(by: .seconds(seconds) - .milliseconds(1))
      _ = try await temporary.store.sweep()
      #expect(try raw.integer(Self.blocks) == 3)
      temporary.clock.advance(by: .milliseconds(1))
      _ = try await temporary.store.sweep()
      #expect(try raw.integer(Self.blocks) == 0)
      withExtendedLifetime(writer) {}
    }
  }

  @Test func `what was read when it was given up can be given up again, once it is not`()
    async throws
  {
    try await withPhotos { temporary, _, raw in
      let writer = ContentWriter(temporary.store)
      #expect(try await writer.add(Self.photo(1, bytes: 3 * Self.block)) != nil)
      await writer.giveUp()
      _ = try await temporary.store.sweep()
      #expect(try raw.integer(Self.blocks) == 2)
      await writer.giveUp(isRead: false)
      _ = try await temporary.store.sweep()
      #expect(try raw.integer(Self.blocks) == 0)
    }
  }

  @Test func `nothing more arrives while there is too much that no record has`() async throws {
    try await withPhotos { (temporary, _, _) async throws in
      let (store, photo) = (temporary.store, Self.photo(1, bytes: 3 * Self.block))
      let first = ContentWriter(store)
      #expect(try await first.add(photo) == Int64(2 * Self.block))
      #expect(try await ContentWriter(store, within: 2 * Self.block - 1).add(photo) == nil)
      await first.giveUp(isRead: false)
      let next = ContentWriter(store, within: 2 * Self.block - 1)
      #expect(try await next.add(photo) == Int64(2 * Self.block))
      await next.giveUp()
    }
  }

  @Test func `what never comes to its end is collected by its age`() async throws {
    try await withPhotos { temporary, _, raw in
      let writer = ContentWriter(temporary.store)
      #expect(try await writer.add(Self.photo(1, bytes: 2 * Self.block)) != nil)
      temporary.clock.advance(by: .seconds(3599))
      try await collect(temporary)
      // It was found to be late, and has its readers' time; nothing more of it is taken.
      #expect(try raw.integer(Self.blocks) == 1)
      #expect(try await writer.add([1]) == nil)
      try await collect(temporary)
      #expect(try raw.integer(Self.blocks) == 0)
    }
  }

  @Test func `a clock that is set back collects nothing too early, and keeps nothing for ever`()
    async throws
  {
    try await withPhotos { temporary, photos, raw in
      try await photos.keepCopy(Self.photo(1, bytes: 2 * Self.block), "1", temporary)
      try await photos.remove("1")
      _ = try await temporary.store.sweep()
      temporary.clock.stepWall(by: .seconds(-86_400))
      _ = try await temporary.store.sweep()
      #expect(try raw.integer(Self.blocks) == 2)
      try await collect(temporary)
      #expect(try raw.integer(Self.blocks) == 0)
    }
  }
}
