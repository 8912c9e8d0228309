import Foundation
import FreshStoreTesting
import Platform
import Testing

@testable import FreshStore

/// Files that were moved aside, and the local writes in them.
@Suite struct TakenOverWritesTests: MovedFileSuite {
  @Test func `a move takes a number under which no file is left`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.db")
    try await end(try open(path))
    let orphan = URL(fileURLWithPath: path + ".damaged-1-wal")
    try Data("kept".utf8).write(to: orphan)

    try moveAside(path)
    #expect(try Data(contentsOf: orphan) == Data("kept".utf8))
    #expect(PathName.exists(path + ".damaged-2"))
  }

  @Test func `local writes behind a gap in the numbers are taken over`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.db")
    try await leave(path + ".damaged-7", writes: "1")
    try await expectWrites(["1"], in: path)
  }

  @Test func `local writes of two files are all taken over, the older ones first`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.db")
    try await leave(path + ".damaged-2", writes: "a", "b")
    try await leave(path + ".damaged-10", writes: "c", "d")
    let store = try open(path)
    #expect(try store.outbox().map(\.key) == ["a", "b", "c", "d"])
    var sent: [String] = []
    for write in try await store.dueWrites(limit: 10) { sent.append(write.entry.key) }
    #expect(sent == ["a", "b", "c", "d"])
    try await end(store)
  }

  @Test func `writes are taken over from a file that has the name of one already taken over`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.file("store.db")
    try await leave(path + ".damaged-1", writes: "old")
    try await expectWrites(["old"], in: path)
    for part in ["", "-wal", "-shm"] {
      let found = path + ".damaged-1" + part
      if PathName.exists(found) { try FileManager.default.removeItem(atPath: found) }
    }
    try await leave(path + ".damaged-1", writes: "new")

    try await expectWrites(["old", "new"], in: path)
  }

  @Test func `a second process does not take over writes that are already taken over`() async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.file("store.db")
    let aside = path + ".damaged-1"
    try await leave(aside, writes: "1")
    let second = try file(path).open()
    let name = try #require(DatabaseFile.nameOfHeldWrites(aside))
    try await end(try open(path))

    #expect(DatabaseFile.nameOfHeldWrites(aside) == nil)
    #expect(try Salvage.isNoted(name, second))
    #expect(try second.integer("SELECT count(*) FROM outbox") == 1)
  }
}
