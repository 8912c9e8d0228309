import Foundation
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// Local writes of large values, which the disk holds once.
@Suite struct LargeWriteTests {
  private static let size = StoredRecord.largeValue

  private static func photo(_ seed: UInt8, bytes: Int = size) -> [UInt8] {
    [UInt8](repeating: seed, count: bytes)
  }

  private func withPhotos(
    _ body: (TemporaryStore, RecordCollection<[UInt8]>) async throws -> Void
  ) async throws {
    try await TemporaryStore.run { temporary in
      try await body(temporary, temporary.store.bytes("photos"))
    }
  }

  @Test(arguments: [size - 1, size])
  func `a large value stands in the outbox alone, and is read like any other`(bytes: Int)
    async throws
  {
    try await withPhotos { temporary, photos in
      try await photos.write(Self.photo(7, bytes: bytes), for: "1")

      let raw = try RawDatabase(temporary.path)
      let inRecord = try raw.integer("SELECT coalesce(length(value), 0) FROM record")
      #expect(inRecord == (bytes < Self.size ? bytes : 0))
      #expect(try photos.value("1") == Self.photo(7, bytes: bytes))
      #expect(try photos.read(["1"])["1"]?.copy?.value == Self.photo(7, bytes: bytes))
      #expect(try temporary.store.list().map(\.size) == [bytes])
      #expect(try await temporary.store.check().damagedRecords.isEmpty)
    }
  }

  @Test(arguments: [size - 1, size])
  func `a value that waits counts as its size, wherever it stands`(bytes: Int) async throws {
    try await withPhotos { temporary, photos in
      try await photos.write(Self.photo(7, bytes: bytes), for: "1")

      #expect(try temporary.store.statistics().collections.map(\.bytes) == [bytes])
      let extent = try temporary.store.storage.extent("photos")
      #expect(extent.count == 1 && (bytes..<bytes + 1000).contains(extent.bytes))
    }
  }

  @Test func `another process reads it, and one that opens the file anew`() async throws {
    try await withPhotos { temporary, photos in
      try await photos.write(Self.photo(7), for: "1")
      try await temporary.store.close()

      let other = try Store(path: temporary.path)
      #expect(try other.bytes("photos").value("1") == Self.photo(7))
      try await other.close()
    }
  }

  @Test func `the record takes the value when the source has accepted it`() async throws {
    try await withPhotos { temporary, photos in
      try await photos.write(Self.photo(7), for: "1")
      try await photos.drain { write in
        #expect(write.value == Self.photo(7))
        return .accepted
      }
      #expect(try photos.value("1") == Self.photo(7))
      #expect(
        try RawDatabase(temporary.path).integer("SELECT length(value) FROM record") == Self.size)
    }
  }

  @Test(arguments: [
    (false, [UInt8]([1, 2])), (false, photo(8)), (true, [1, 2]), (true, photo(8)),
  ])
  func `a later write is shown, and what it replaced when it is dropped`(
    coalesces: Bool, later: [UInt8]
  ) async throws {
    try await withPhotos { temporary, photos in
      try await photos.put([9], for: "1")
      try await photos.write(Self.photo(7), for: "1")
      let last = try await photos.write(
        later, for: "1", options: WriteOptions(coalesces: coalesces))
      #expect(try photos.value("1") == later)

      try await temporary.store.drop([last.id])
      #expect(try photos.value("1") == (coalesces ? [9] : Self.photo(7)))
      #expect(try await temporary.store.check().damagedRecords.isEmpty)
    }
  }

  @Test func `its record keeps the data of the fetch under later writes`() async throws {
    try await withPhotos { temporary, photos in
      _ = try await photos.get("1") { _ in .value([1], FetchDetails(contentType: "image/jpeg")) }
      try await photos.write(Self.photo(7), for: "1")
      try await photos.write(Self.photo(8), for: "1")
      #expect(try photos.read("1").copy?.contentType == "image/jpeg")
      #expect(try photos.value("1") == Self.photo(8))
    }
  }

  @Test func `a corrected large value is shown`() async throws {
    try await withPhotos { temporary, photos in
      let entry = try await photos.write(Self.photo(7), for: "1")
      try await photos.drain { _ in .refused("no") }
      try await photos.correct(entry, to: Self.photo(8))
      #expect(try photos.value("1") == Self.photo(8))
    }
  }

  @Test func `a large value that changed on the disk is never shown`() async throws {
    try await withPhotos { temporary, photos in
      try await photos.write(Self.photo(7), for: "1")
      try RawDatabase(temporary.path).execute("UPDATE outbox SET payload = zeroblob(70000)")
      #expect(try photos.value("1") == nil)
      let entries = try temporary.store.outbox()
      #expect(entries.map(\.state) == [.parked])
      try await temporary.store.drop(entries.map(\.id))
    }
  }

  @Test func `many large writes one after the other take their size on the disk once`()
    async throws
  {
    try await withPhotos { temporary, photos in
      let (count, bytes) = (40, 2_000_000)
      for number in 0..<count {
        try await photos.write(Self.photo(UInt8(number), bytes: bytes), for: "\(number)")
      }
      let database = try #require(FoundFile(temporary.path)?.size)
      let log = try #require(FoundFile(temporary.path + "-wal")?.size)
      // The writer of a log of 8,000 pages moves it before it gets longer.
      #expect(database < count * bytes * 11 / 10 && log < 40 << 20)
    }
  }
}
