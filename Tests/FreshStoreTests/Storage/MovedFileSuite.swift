import Foundation
import FreshStoreTesting
import Strategies
import Testing

@testable import FreshStore

/// Tests of files that are moved aside.
protocol MovedFileSuite {}

extension MovedFileSuite {
  func open(_ path: String) throws -> Store {
    try Store(path: path, configuration: Configuration(reachability: .fixed(.online)))
  }

  func file(_ path: String) -> DatabaseFile {
    DatabaseFile(path: path, access: .readWrite, busyTimeout: .seconds(5), maximumSize: nil)
  }

  /// Moves the file aside, as a process does that has found damage in it.
  func moveAside(_ path: String) throws {
    let file = file(path)
    _ = try file.moveAside(try #require(file.identity))
  }

  /// Closes a store, and checks that its file is sound.
  func end(_ store: Store) async throws {
    #expect(try await store.check().isSound)
    try await store.close()
  }

  /// Opens a store, in which local writes of these keys wait, and closes it.
  func expectWrites(_ keys: [String], in path: String) async throws {
    let store = try open(path)
    #expect(try store.outbox().map(\.key) == keys)
    try await end(store)
  }

  /// The files that a killed process leaves with local writes of these keys in its log.
  func leave(_ path: String, writes keys: String...) async throws {
    let folder = try TemporaryFolder()
    let original = folder.file("store.db")
    let store = try open(original)
    for key in keys { try await store.bytes("bytes").write([1], for: key) }
    for part in ["", "-wal", "-outbox"] {
      try FileManager.default.copyItem(atPath: original + part, toPath: path + part)
    }
    try await end(store)
  }
}
