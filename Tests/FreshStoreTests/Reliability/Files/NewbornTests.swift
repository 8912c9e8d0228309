import ChildProcess
import Foundation
import FreshStore
import FreshStoreTesting
import Strategies
import Testing

/// Stores at the moment of their creation.
@Suite struct NewbornTests {
  private func open(
    _ path: String, _ access: Configuration.Access = .readWrite
  ) throws(StoreError) -> Store {
    var configuration = Configuration(reachability: .fixed(.online))
    configuration.access = access
    return try Store(path: path, configuration: configuration)
  }

  @Test(arguments: [false, true])
  func `processes that open a store during its creation see all of it, or nothing`(
    fromEmptyFiles: Bool
  ) async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.db")
    let rounds = 0..<60
    if fromEmptyFiles {
      for round in rounds {
        try Data().write(to: URL(fileURLWithPath: "\(path)-\(round)"))
      }
    }
    // Time for all of them to start.
    let start = "\(SystemClock().reading().sinceBoot + 1000)"
    let workers = try ["a", "b", "c", "read", "read", "read"].map { role in
      try ChildProcess(beside: "StoreWorker", [path, "newborn", role, start])
    }
    for worker in workers {
      let line = await worker.line()
      #expect(line == "done")
    }
    for round in rounds {
      let store = try open("\(path)-\(round)")
      #expect(try store.list().map(\.key) == ["a", "b", "c"])
      #expect(try await store.check().isSound)
      try await store.close()
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(Set(names) == Set(rounds.map { "store.db-\($0)" }))
  }

  @Test func `an empty file becomes a store, and keeps its mode`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.db")
    try Data().write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)

    let reader = try open(path, .readOnly)
    #expect(try reader.list().isEmpty)
    #expect(try await reader.check().isSound)
    #expect(try reader.bytes("values").read("k").decision.outcome == .missing)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["store.db"])
    let store = try open(path)
    try await store.bytes("values").put([1], for: "k")

    #expect(try reader.bytes("values").read("k").copy?.value == [1])
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o640)
    try await reader.close()
    try await store.close()
  }
}
