import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// Values that lie in blocks, and stores that have some.
protocol LongValueSuite {}

extension LongValueSuite {
  static var block: Int { ContentReference.blockSize }

  static func photo(_ seed: UInt8, bytes: Int) -> [UInt8] {
    let pattern = (0..<65_521).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ Int(seed)) }
    var photo: [UInt8] = []
    while photo.count < bytes { photo += pattern.prefix(bytes - photo.count) }
    return photo
  }

  func withPhotos(
    _ body: (TemporaryStore, RecordCollection<[UInt8]>, RawDatabase) async throws -> Void
  ) async throws {
    try await TemporaryStore.run { temporary in
      let photos = try temporary.store.bytes("photos")
      try await body(temporary, photos, RawDatabase(temporary.path))
    }
  }

  /// Counts the blocks in the file.
  static var blocks: String { "SELECT count(*) FROM content_block" }

  /// Sweeps twice, so that what nobody has any more has gone in between.
  func collect(_ temporary: TemporaryStore) async throws {
    _ = try await temporary.store.sweep()
    temporary.clock.advance(by: .seconds(600))
    _ = try await temporary.store.sweep()
  }

  /// Writes a value bit by bit.
  func write(
    _ value: [UInt8], by parts: Int, _ store: Store
  ) async throws -> ContentReference? {
    let writer = ContentWriter(store)
    for start in stride(from: 0, to: value.count, by: parts) {
      #expect(try await writer.add(Array(value[start..<min(start + parts, value.count)])) != nil)
    }
    return try await writer.finish()
  }

  func changes(
    _ reference: ContentReference, metadata: String = "first"
  ) -> CopyChanges<[UInt8]> {
    var changes = CopyChanges<[UInt8]>()
    changes.additions = [
      .init(
        "1", .blocks(reference),
        FetchDetails(expiry: .after(.seconds(60)), metadata: metadata))
    ]
    return changes
  }
}

extension RecordCollection<[UInt8]> {
  /// Stores a value as a gateway does, whose clients may be reading it.
  func keepCopy(_ value: [UInt8], _ key: String, _ temporary: TemporaryStore) async throws {
    var changes = CopyChanges<[UInt8]>()
    changes.additions = [
      .init(key, value, FetchDetails(expiry: .after(.seconds(60)), metadata: "head"))
    ]
    let request = try await self.request()
    let now = temporary.clock.reading()
    #expect(try await update(changes, answering: request, about: key, at: now))
  }
}
