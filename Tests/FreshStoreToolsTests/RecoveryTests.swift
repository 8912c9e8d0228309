import Foundation
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore
@testable import FreshStoreTools

/// Damaged files, and how much of them is recovered.
@Suite(.timeLimit(.minutes(5))) struct RecoveryTests: RecoverySuite {
  @Test func `a sound store is recovered completely`() async throws {
    let folder = try TemporaryFolder()
    let path = try await makeStore(folder)
    let new = folder.file("new.db")
    let before = Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
    let result = try await recover(path, to: new)

    #expect(result.path == new)
    #expect(result.writes == Self.writes && result.lostWrites == 0)
    #expect(result.records == Self.records + Self.writes && result.unreadableRecords == 0)
    #expect(result.staleRecords == 0)
    let after = Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
    #expect(after == before.union(["new.db"]))
    let found = try await check(new)
    #expect(found.records == Self.records && found.writes == Self.writes)
    let store = try open(new)
    try await store.markStale(tag: "even1")
    #expect(try store.bytes("records").read("1").decision.outcome == .stale)
    #expect(try store.bytes("records").read("2").decision.outcome == .fresh)
    let sent = Recorder<Int64>()
    for due in try await store.dueWrites(limit: 100) { sent.add(due.entry.id) }
    #expect(sent.all == Array(1...Int64(Self.writes)))
    try await store.close()
  }

  @Test func `each damaged page loses only its own contents`() async throws {
    let folder = try TemporaryFolder()
    let path = try await makeStore(folder)
    let whole = try contents(path)
    let pages = whole.count / 4096
    var (records, writes) = (0, 0)
    for page in 0..<pages {
      let (damaged, new) = (folder.file("\(page).db"), folder.file("\(page).new"))
      try whole.write(to: URL(fileURLWithPath: damaged))
      try FileChaos.fill(
        page * 4096..<(page + 1) * 4096, ofFileAt: damaged, seed: UInt64(page + 1))
      let bytes = try contents(damaged)
      let strict = await storeFailure { try await recover(damaged, to: new) }
      if strict != nil {
        guard case .writesLost? = strict?.code else {
          Issue.record("page \(page + 1): \(String(describing: strict))")
          continue
        }
        #expect(!FileManager.default.fileExists(atPath: new))
        _ = try await recover(damaged, to: new, acceptsLoss: true)
      }
      let found = try await check(new)
      #expect((found.writes < Self.writes) == (strict != nil), "page \(page + 1)")
      records += Self.records - found.records
      writes += Self.writes - found.writes
      #expect(try contents(damaged) == bytes)
      #expect(!FileManager.default.fileExists(atPath: damaged + "-wal"))
    }
    // Each row is on one page, and is lost with that one alone.
    #expect(records == Self.records)
    #expect(writes == Self.writes)
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(!left.contains { $0.hasSuffix(".partial") || $0.hasSuffix(".recovering") })
  }

  @Test(arguments: 1...8) func `lost records and writes are counted`(seed: UInt64) async throws {
    let folder = try TemporaryFolder()
    let path = try await makeStore(folder)
    let pages = try contents(path).count / 4096
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<4 {
      let page = Int.random(in: 2..<pages, using: &generator)
      try FileChaos.fill(page * 4096..<(page + 1) * 4096, ofFileAt: path, seed: seed)
    }
    let new = folder.file("new.db")
    let result = try await recover(path, to: new, acceptsLoss: true)
    let found = try await check(new)
    #expect(result.writes == found.writes)
    if let lost = result.lostWrites { #expect(lost + found.writes == Self.writes) }
    if let unreadable = result.unreadableRecords {
      #expect(unreadable >= Self.records - found.records)
    }
  }

  @Test func `the contents of the log are recovered, also without a first page`() async throws {
    for damagesFirstPage in [false, true] {
      let folder = try TemporaryFolder()
      let path = try await makeStore(folder)
      let store = try open(path)
      try await store.bytes("written").write(value(Self.writes), for: "\(Self.writes)")
      let copy = folder.file("copy.db")
      for suffix in ["", "-wal"] {
        try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
      }
      try await store.close()
      if damagesFirstPage { try FileChaos.fill(0..<4096, ofFileAt: copy, seed: 1) }
      let (main, log) = (try contents(copy), try contents(copy + "-wal"))
      let result = try await recover(copy, to: folder.file("new.db"))

      #expect(result.writes == Self.writes + 1)
      #expect(try await check(folder.file("new.db")).records == Self.records)
      #expect(try contents(copy) == main && contents(copy + "-wal") == log)
      #expect(!FileManager.default.fileExists(atPath: copy + "-shm"))
    }
  }

  @Test func `the log of an emptied file is recovered`() async throws {
    let folder = try TemporaryFolder()
    let (path, copy) = (folder.file("store.db"), folder.file("copy.db"))
    let store = try open(path)
    try await store.bytes("written").write(value(1), for: "1")
    try Data().write(to: URL(fileURLWithPath: copy))
    try FileManager.default.copyItem(atPath: path + "-wal", toPath: copy + "-wal")
    let log = try contents(copy + "-wal")
    try await store.close()
    let result = try await recover(copy, to: folder.file("new.db"))

    #expect(result.writes == 1 && result.lostWrites == 0)
    #expect(try await check(folder.file("new.db")).writes == 1)
    #expect(try contents(copy).isEmpty)
    #expect(try contents(copy + "-wal") == log)
  }

  @Test func `the rest of a truncated file is recovered`() async throws {
    let folder = try TemporaryFolder()
    let path = try await makeStore(folder)
    let count = try contents(path).count
    try FileChaos.truncate(toBytes: count * 4 / 5 + 100, fileAt: path)
    let new = folder.file("new.db")
    let result = try await recover(path, to: new, acceptsLoss: true)
    let found = try await check(new)
    #expect(result.writes == found.writes)
    #expect(found.records > 0 && found.records < Self.records)
  }

  @Test func `a file that is not a store is refused`() async throws {
    let folder = try TemporaryFolder()
    let (path, new) = (folder.file("file"), folder.file("new.db"))
    func code() async -> StoreError.Code? {
      await storeFailure { try await recover(path, to: new, acceptsLoss: true) }?.code
    }
    #expect(await code() == .cannotOpen)
    try Data("not a database".utf8).write(to: URL(fileURLWithPath: path))
    #expect(await code() == .notADatabase)
    try Data(repeating: 7, count: 100_000).write(to: URL(fileURLWithPath: path))
    #expect(await code() == .notADatabase)
    try FileManager.default.removeItem(atPath: path)
    try RawDatabase(path).execute("PRAGMA application_id = 7; CREATE TABLE t (x)")
    #expect(await code() == .foreignDatabase)
    try FileManager.default.removeItem(atPath: path)
    // Less than one of the store's pages.
    try RawDatabase(path).execute(
      "PRAGMA page_size = 512; PRAGMA application_id = 7; CREATE TABLE t (x)")
    #expect(await code() == .foreignDatabase)
    try FileManager.default.removeItem(atPath: path)
    try RawDatabase(path).execute("CREATE TABLE t (x)")
    #expect(await code() == .notADatabase)
    try FileManager.default.removeItem(atPath: path)
    let store = try await makeStore(folder)
    #expect(
      await storeFailure { try await recover(store, to: store) }?.code == .alreadyExists)
    try RawDatabase(store).execute("PRAGMA user_version = 99")
    #expect(
      await storeFailure { try await recover(store, to: new) }?.code
        == .newerSchema(found: 99, supported: DatabaseSchema.version))
    #expect(
      try Set(FileManager.default.contentsOfDirectory(atPath: folder.path)).isSubset(of: [
        "store.db", "store.db-outbox", "store.db-wal", "store.db-shm",
      ]))
  }

  @Test(arguments: 1...20) func `any bytes lead to an answer`(seed: UInt64) async throws {
    let folder = try TemporaryFolder()
    let path = try await makeStore(folder)
    var generator = SeededGenerator(seed: seed)
    let count = try contents(path).count
    for _ in 0..<40 {
      try FileChaos.flip(bit: .random(in: 800..<count * 8, using: &generator), ofFileAt: path)
    }
    let result = try await recover(path, to: folder.file("new.db"), acceptsLoss: true)
    let found = try await check(folder.file("new.db"))
    #expect(result.writes == found.writes)
  }
}
