import Foundation
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore
@testable import FreshStoreTools

/// The state of recovered records.
@Suite(.timeLimit(.minutes(5))) struct RecoveredRecordTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file("store.db") }
  private var new: String { folder.file("new.db") }

  init() throws { folder = try TemporaryFolder() }

  private func open(_ path: String) throws -> Store {
    try Store(path: path, configuration: Configuration(reachability: .fixed(.online)))
  }

  /// Fills a store, closes it, changes it on the disk, recovers it and opens the result.
  private func recovered(
    changing sql: String? = nil, damaging table: String? = nil,
    _ fill: (RecordCollection<[UInt8]>) async throws -> Void
  ) async throws -> Store {
    let store = try open(path)
    try await fill(store.bytes("b"))
    try await store.close()
    let raw = try RawDatabase(path)
    if let sql { try raw.execute(sql) }
    if let table {
      let root = try raw.integer("SELECT rootpage FROM sqlite_schema WHERE name = '\(table)'")
      try FileChaos.fill((root - 1) * 4096..<root * 4096, ofFileAt: path, seed: 1)
    }
    var options = RecoveryOptions()
    options.acceptsLostWrites = true
    _ = try await Store.recover(path, to: new, options: options)
    return try open(new)
  }

  private func fail(_ key: String, of bytes: RecordCollection<[UInt8]>) async {
    _ = await bytes.failure(key, from: ScriptedOrigin { _ in throw OriginFailure() })
  }

  @Test(arguments: [true, false]) func `a pin survives the loss of a local write`(
    _ isPinned: Bool
  ) async throws {
    let store = try await recovered(changing: "UPDATE outbox SET payload = x'00'") { bytes in
      try await bytes.put([1], for: "1", isPinned: !isPinned)
      try await bytes.write([2], for: "1")
      #expect(try await bytes.setPinned(isPinned, for: "1"))
    }

    #expect(try store.list().map(\.isPinned) == [isPinned])
    #expect(try await store.check().isSound)
    try await store.close()
  }

  @Test func `a restored record has no failures of a lost one`() async throws {
    let store = try await recovered(
      changing: """
        UPDATE record SET value = x'00' WHERE key = 'failing';
        UPDATE outbox SET payload = x'00'
        """
    ) { bytes in
      try await bytes.put([1], for: "first")
      try await bytes.put([1], for: "failing", details: FetchDetails(expiry: .immediately))
      try await bytes.put([1], for: "last")
      await fail("failing", of: bytes)
      try await bytes.write([2], for: "first")
      try await bytes.write([2], for: "last")
    }

    #expect(try store.list().map(\.key) == ["first", "last"])
    #expect(try RawDatabase(new).integer("SELECT count(*) FROM failure") == 0)
    #expect(try await store.due(limit: 9).count == 2)
    #expect(try await store.check().isSound)
    try await store.close()
  }

  @Test(arguments: [true, false])
  func `no failure remains beneath a local write that was recovered and dropped`(isKnown: Bool)
    async throws
  {
    let store = try await recovered { bytes in
      if isKnown {
        try await bytes.put([1], for: "1", details: FetchDetails(expiry: .immediately))
      }
      await fail("1", of: bytes)
      try await bytes.write([2], for: "1")
    }

    try await store.drop(store.outbox().map(\.id))

    #expect(try store.list().map(\.key) == (isKnown ? ["1"] : []))
    #expect(try store.storage.record("b", "1")?.isFailing == (isKnown ? false : nil))
    #expect(try await store.check().isSound)
    try await store.close()
  }

  @Test func `a record that becomes stale in a recovery waits until its pause is over`()
    async throws
  {
    let store = try await recovered(damaging: "invalidation") { bytes in
      try await bytes.put([1], for: "1", details: FetchDetails(expiry: .never))
      _ = await bytes.failure(
        "1", .sourceFirst,
        from: ScriptedOrigin { _ in throw OriginFailure(retryAfter: .seconds(3600)) })
      try await bytes.put([1], for: "2")
    }

    let raw = try RawDatabase(new)
    #expect(
      try raw.rows(
        """
        SELECT key, queue_at = coalesce((SELECT next_attempt FROM failure), 0), queue_at = stale_at
        FROM record
        """) == [["1", "1", "0"], ["2", "0", "1"]])
    #expect(try await store.check().isSound)
    try await store.close()
  }

  @Test func `a local write of a file that was moved aside covers a pinned record`() async throws {
    let aside = path + ".damaged-1"
    let store = try await recovered { bytes in
      try await bytes.put([1], for: "1", isPinned: true)
      let damaged = try open(aside)
      try await damaged.bytes("b").write([2], for: "1")
      try await damaged.close()
      try FileChaos.fill(0..<4096, ofFileAt: aside, seed: 1)
      try Data().write(to: URL(fileURLWithPath: aside + "-outbox"))
    }

    #expect(try store.list().map(\.isPinned) == [true])
    #expect(try store.list().map(\.isPending) == [true])
    #expect(try await store.check().isSound)
    try await store.close()
  }

  @Test func `a salvage keeps the pin of a record with a local write`() async throws {
    let first = try open(path)
    let bytes = try first.bytes("b")
    try await bytes.put([1], for: "1", isPinned: true)
    try await bytes.write([2], for: "1")
    try await first.close()
    let root = try RawDatabase(path).integer(
      "SELECT rootpage FROM sqlite_schema WHERE name = 'record'")
    try FileChaos.fill((root - 1) * 4096..<root * 4096, ofFileAt: path, seed: 1)
    let damaged = try open(path)
    // The read that meets the damage fails.
    _ = try? damaged.bytes("b").read("1")
    try await damaged.close()

    let store = try open(path)
    #expect(FileManager.default.fileExists(atPath: path + ".damaged-1"))
    #expect(try store.outbox().count == 1)
    #expect(try store.list().map(\.isPinned) == [true])
    #expect(try await store.check().isSound)
    try await store.close()
  }
}
