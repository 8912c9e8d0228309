import Foundation
import FreshStoreTesting
import Glibc
import Platform
import Strategies
import Testing

@testable import FreshStore

/// Moves of files whose process was killed in between.
@Suite struct UnfinishedMoveTests: MovedFileSuite {
  @Test(arguments: 0...3)
  func `the next open completes a move whose process was killed`(parts: Int) async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.db")
    try await leave(path, writes: "1")
    let identity = try #require(file(path).identity)
    try Data("1 \(identity.device) \(identity.inode)".utf8)
      .write(to: URL(fileURLWithPath: path + "-moving"))
    for part in ["-wal", "-outbox", ""].prefix(parts) {
      try #require(unsafe rename(path + part, path + ".damaged-1" + part) == 0)
    }

    let store = try open(path)
    #expect(try store.outbox().map(\.key) == ["1"])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).contains(
        "store.db.damaged-1"))
    #expect(!PathName.exists(path + "-moving"))
    try await end(store)
  }

  @Test(arguments: ["", "1", "1 0 0", "nonsense", "1 2 3 4"])
  func `a note that names no existing file moves none`(note: String) async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.db")
    try await leave(path, writes: "1")
    try Data(note.utf8).write(to: URL(fileURLWithPath: path + "-moving"))

    let store = try open(path)
    #expect(try store.outbox().map(\.key) == ["1"])
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(!names.contains { $0.contains("damaged") || $0.contains("moving") })
    try await end(store)
  }

  @Test func `a reader waits for the process that moves the file, and reports when there is none`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.file("store.db")
    try await leave(path, writes: "1")
    try Data("1 0 0".utf8).write(to: URL(fileURLWithPath: path + "-moving"))
    var configuration = Configuration(reachability: .fixed(.online))
    configuration.access = .readOnly
    configuration.busyTimeout = .milliseconds(20)
    #expect(throws: StoreError.self) { try Store(path: path, configuration: configuration) }
    #expect(PathName.exists(path + "-moving"))
    try await end(try open(path))
  }

  @Test(arguments: [false, true])
  func `a move through a link is completed, and the link leads to a store again`(
    wasMoved: Bool
  ) async throws {
    let folder = try TemporaryFolder()
    let (path, link) = (folder.file("real.db"), folder.file("store.db"))
    try await leave(path, writes: "1")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    let identity = try #require(file(path).identity)
    try Data("1 \(identity.device) \(identity.inode)".utf8)
      .write(to: URL(fileURLWithPath: path + "-moving"))
    for part in wasMoved ? ["-wal", "-outbox", ""] : [] {
      try #require(unsafe rename(path + part, path + ".damaged-1" + part) == 0)
    }

    let store = try open(link)
    #expect(try store.outbox().map(\.key) == ["1"])
    #expect(!PathName.exists(path + "-moving"))
    try await end(store)
  }
}
