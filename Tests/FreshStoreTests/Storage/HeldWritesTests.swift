import Foundation
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// A store that comes back without the local writes that its mark shows.
@Suite struct HeldWritesTests: MovedFileSuite {
  /// The ways in which the file is lost.
  enum Loss: CaseIterable {
    case removed, emptied, olderCopy, otherStore

    func happen(to path: String, in folder: TemporaryFolder) throws {
      let files = FileManager.default
      for suffix in ["-wal", "-shm"] where files.fileExists(atPath: path + suffix) {
        try files.removeItem(atPath: path + suffix)
      }
      switch self {
      case .removed: try files.removeItem(atPath: path)
      case .emptied: try FileChaos.truncate(toBytes: 0, fileAt: path)
      case .olderCopy: try replace(path, by: folder.file("older.db"))
      case .otherStore: try replace(path, by: folder.file("other.db"))
      }
    }

    private func replace(_ path: String, by copy: String) throws {
      try Data(contentsOf: URL(filePath: copy)).write(to: URL(filePath: path))
    }
  }

  /// A closed store in which the second of two local writes waits, an older copy of it, and another one with as many.
  private func make(_ folder: TemporaryFolder) async throws -> String {
    let (path, older) = (folder.file("store.db"), folder.file("older.db"))
    let store = try open(path)
    try await store.bytes("notes").write([1], for: "1")
    try await store.close()
    try FileManager.default.copyItem(atPath: path, toPath: older)
    let again = try open(path)
    try await again.bytes("notes").write([2], for: "2")
    try await again.close()
    let other = try open(folder.file("other.db"))
    for key in ["1", "2", "3"] { try await other.bytes("notes").write([3], for: key) }
    try await other.close()
    return path
  }

  @Test(arguments: Loss.allCases)
  func `it is refused until the writes are back, or their loss is accepted`(_ loss: Loss)
    async throws
  {
    let folder = try TemporaryFolder()
    let path = try await make(folder)
    let whole = try Data(contentsOf: URL(filePath: path))
    try loss.happen(to: path, in: folder)
    let left = FileManager.default.contents(atPath: path)

    for _ in 0..<2 {
      let failure = await storeFailure { try open(path) }
      #expect(failure?.code == .writesMissing(mark: path + "-outbox"))
      #expect(FileManager.default.contents(atPath: path) == left)
    }
    try whole.write(to: URL(filePath: path))
    try await expectWrites(["1", "2"], in: path)
    try loss.happen(to: path, in: folder)
    var configuration = Configuration(reachability: .fixed(.online))
    configuration.acceptsLostWrites = true
    let accepting = try Store(path: path, configuration: configuration)
    try await end(accepting)
    try await end(try open(path))
  }

  @Test(arguments: [Loss.removed, .emptied, .olderCopy])
  func `it is not refused once all are sent, dropped or wiped`(_ loss: Loss) async throws {
    for way in 0..<3 {
      let folder = try TemporaryFolder()
      let path = try await make(folder)
      let store = try open(path)
      switch way {
      case 0: for _ in 0..<2 { try await store.bytes("notes").drain { _ in .accepted } }
      case 1: try await store.drop(store.outbox().map(\.id))
      default: try await store.wipe()
      }
      try await store.close()
      try loss.happen(to: path, in: folder)
      try await end(try open(path))
    }
  }

  @Test func `a write after a wipe by another store is known in the file`() async throws {
    let folder = try TemporaryFolder()
    let path = try await make(folder)
    let (first, second) = (try open(path), try open(path))
    try await first.bytes("notes").write([3], for: "3")
    try await second.wipe()
    try await first.bytes("notes").write([4], for: "4")
    try await second.close()
    try await end(first)
    try await expectWrites(["4"], in: path)
  }

  @Test func `a mark that a kill left behind the file is corrected by the next open`() async throws
  {
    let folder = try TemporaryFolder()
    let path = try await make(folder)
    let mark = path + "-outbox"
    let text = try String(contentsOfFile: mark, encoding: .utf8)
    #expect(text.hasSuffix("2"))
    // As it was before the commit of the second write.
    try (text.dropLast() + "1").write(toFile: mark, atomically: false, encoding: .utf8)
    try await end(try open(path))
    #expect(try String(contentsOfFile: mark, encoding: .utf8) == text)

    try Loss.olderCopy.happen(to: path, in: folder)
    #expect(await storeFailure { try open(path) }?.code == .writesMissing(mark: mark))
  }
}
