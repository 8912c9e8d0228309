import Foundation
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore
@testable import FreshStoreTools

/// Copies and recoveries of values that lie in blocks.
@Suite(.timeLimit(.minutes(2))) struct LongValueCopyTests {
  private static let size = 2 * ContentReference.blockSize + 7

  private static func photo(_ seed: UInt8) -> [UInt8] {
    let pattern = (0..<65_521).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ Int(seed)) }
    var photo: [UInt8] = []
    while photo.count < size { photo += pattern.prefix(size - photo.count) }
    return photo
  }

  private let folder: TemporaryFolder
  private var path: String { folder.file("store.db") }

  init() throws { folder = try TemporaryFolder() }

  private func open(_ path: String) throws -> Store {
    try Store(path: path, configuration: Configuration(reachability: .fixed(.online)))
  }

  /// Recovers what is left of a store that was changed on the disk.
  private func recovered(
    changing sql: String, _ fill: (RecordCollection<[UInt8]>) async throws -> Void
  ) async throws -> Store {
    let store = try open(path)
    try await fill(store.bytes("photos"))
    try await store.close()
    try RawDatabase(path).execute(sql)
    var options = RecoveryOptions()
    options.acceptsLostWrites = true
    _ = try await Store.recover(path, to: folder.file("new.db"), options: options)
    return try open(folder.file("new.db"))
  }

  @Test func `an export has the whole value, and an import puts it into blocks again`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let photos = try temporary.store.bytes("photos")
      try await photos.put(Self.photo(1), for: "1")
      try await photos.write(Self.photo(2), for: "1")
      try await photos.put(Self.photo(3), for: "2")
      let lines = try await temporary.store.exported()
      let other = try open(path)
      _ = try await other.take(lines)
      #expect(try other.bytes("photos").value("1") == Self.photo(1))
      #expect(try other.bytes("photos").value("2") == Self.photo(3))
      #expect(try RawDatabase(path).integer("SELECT count(*) FROM content_block") == 6)
      #expect(try await other.check().isSound)
      try await other.close()
    }
  }

  @Test func `a part of an export ends with the values beneath local writes, too`() async throws {
    try await TemporaryStore.run { temporary in
      let photos = try temporary.store.bytes("photos")
      for number in 1...8 {
        try await photos.put(Self.photo(1), for: "\(number)")
        try await photos.writeDeletion(of: "\(number)")
      }
      var parts: [Int] = []
      for try await part in temporary.store.exporting() { parts.append(part.records) }
      // Two of them are more than a mebibyte.
      #expect(parts.allSatisfy { $0 <= 2 })
      #expect(parts.reduce(0, +) == 8)
    }
  }

  @Test func `a backup is whole`() async throws {
    let store = try open(path)
    try await store.bytes("photos").put(Self.photo(1), for: "1")
    _ = try await store.backup(to: folder.file("copy.db"))
    try await store.close()
    let copy = try open(folder.file("copy.db"))
    #expect(try copy.bytes("photos").value("1") == Self.photo(1))
    #expect(try await copy.check().isSound)
    try await copy.close()
  }

  @Test func `a recovery takes values whose blocks are all there, and no others`() async throws {
    let store = try await recovered(
      changing: """
        DELETE FROM content_block WHERE place = (
          SELECT (content << 20) + 1 FROM record WHERE key = 'short');
        UPDATE content_block SET bytes = zeroblob(7) WHERE place = (
          SELECT (content << 20) + 2 FROM record WHERE key = 'changed');
        DELETE FROM content
        """
    ) { photos in
      try await photos.put(Self.photo(1), for: "whole")
      try await photos.put(Self.photo(2), for: "short")
      try await photos.put(Self.photo(3), for: "changed")
      // Nobody has its blocks any more.
      try await photos.put(Self.photo(4), for: "removed")
      try await photos.remove("removed")
    }
    #expect(try store.list().map(\.key) == ["whole"])
    #expect(try store.bytes("photos").value("whole") == Self.photo(1))
    #expect(try RawDatabase(store.path).integer("SELECT count(*) FROM content_block") == 3)
    #expect(try await store.check().isSound)
    try await store.close()
  }

  @Test(arguments: [true, false])
  func `a recovery keeps the source's value beneath a local write`(isLost: Bool) async throws {
    let store = try await recovered(
      changing: isLost ? "UPDATE outbox SET payload = x'00'" : "SELECT 1"
    ) { photos in
      try await photos.put(Self.photo(1), for: "1")
      try await photos.write(Self.photo(2), for: "1")
    }
    let photos = try store.bytes("photos")
    if !isLost {
      #expect(try photos.value("1") == Self.photo(2))
      try await store.drop(store.outbox().map(\.id))
    }
    #expect(try photos.read("1").copy?.value == Self.photo(1))
    #expect(try await store.check().isSound)
    try await store.close()
  }

  @Test func `so does one of a file that was moved aside`() async throws {
    let aside = path + ".damaged-1"
    let store = try await recovered(changing: "SELECT 1") { photos in
      try await photos.put([1], for: "other")
      let damaged = try open(aside)
      let others = try damaged.bytes("photos")
      try await others.put(Self.photo(1), for: "1")
      try await others.write(Self.photo(2), for: "1")
      try await damaged.close()
      try FileChaos.fill(0..<4096, ofFileAt: aside, seed: 1)
      try Data().write(to: URL(fileURLWithPath: aside + "-outbox"))
    }
    let photos = try store.bytes("photos")
    #expect(try photos.value("1") == Self.photo(2))
    try await store.drop(store.outbox().map(\.id))
    #expect(try photos.read("1").copy?.value == Self.photo(1))
    #expect(try await store.check().isSound)
    try await store.close()
  }
}
