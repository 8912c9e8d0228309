import Foundation
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore
@testable import FreshStoreTools

/// Damaged files, and the recovery of their contents.
@Suite(.timeLimit(.minutes(5))) struct RecoveryTests {
  private static let records = 120
  private static let writes = 40

  private func open(_ path: String) throws -> Store {
    try Store(path: path, configuration: Configuration(reachability: .fixed(.online)))
  }

  private func value(_ number: Int) -> [UInt8] {
    Array("<\(number)>".utf8) + .init(repeating: UInt8(number), count: 300 + number)
  }

  /// A closed store: tagged records, local writes to other keys, one of them to a known record.
  private func makeStore(_ folder: TemporaryFolder) async throws -> String {
    let path = folder.file("store.db")
    let store = try open(path)
    let bytes = try store.bytes("records")
    for number in 0..<Self.records {
      try await bytes.put(
        value(number), for: "\(number)",
        details: FetchDetails(expiry: .never, tags: ["even\(number % 2)"]),
        durability: .normal)
    }
    let written = try store.bytes("written")
    for number in 0..<Self.writes { try await written.write(value(number), for: "\(number)") }
    try await store.close()
    return path
  }

  private func recover(
    _ path: String, to new: String, acceptsLoss: Bool = false
  ) async throws -> RecoveryResult {
    var options = RecoveryOptions()
    options.acceptsLostWrites = acceptsLoss
    return try await Store.recover(path, to: new, options: options)
  }

  /// Checks that the store's contents are right and sound; returns how many records and writes it holds.
  private func check(_ path: String) async throws -> (records: Int, writes: Int) {
    let store = try open(path)
    #expect(try await store.check().isSound)
    var records = 0
    for number in 0..<Self.records {
      guard let found = try store.bytes("records").value("\(number)") else { continue }
      #expect(found == value(number))
      records += 1
    }
    let entries = try store.outbox()
    for entry in entries {
      #expect(try store.bytes("written").value(entry.key) == value(Int(entry.key) ?? -1))
    }
    #expect(try store.list(collection: "written").filter { !$0.isPending }.isEmpty)
    try await store.close()
    return (records, entries.count)
  }

  private func contents(_ path: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path))
  }

  @Test func `expired records are swept after a recovery, whatever their place in the index was`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.file("store.db")
    let first = try open(path)
    let bytes = try first.bytes("records")
    for key in ["1", "2"] {
      try await bytes.put([1], for: key, details: FetchDetails(expiry: .immediately))
    }
    _ = await bytes.failure("3", from: ScriptedOrigin { _ in throw OriginFailure() })
    try await first.close()
    try RawDatabase(path).execute("UPDATE record SET sweep_at = NULL WHERE key = '1'")

    _ = try await recover(path, to: folder.file("new.db"))
    let store = try open(folder.file("new.db"))

    #expect(try await store.sweep().marked == 2)
    #expect(try store.storage.record("records", "3")?.failures == 1)
    #expect(try await store.check().isSound)
    try await store.close()
  }

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

  @Test(arguments: [nil, "record"])
  func `a local write keeps its address, media type and tags, with or without its record`(
    damaged: String?
  ) async throws {
    let folder = try TemporaryFolder()
    let (path, new) = (folder.file("store.db"), folder.file("new.db"))
    let store = try open(path)
    let bytes = try store.bytes("bytes")
    try await bytes.put(
      [0], for: "known",
      details: FetchDetails(tags: ["t"], source: "https://a.example/known", contentType: "text/a"))
    try await bytes.write([1], for: "known")
    let options = WriteOptions(
      tags: ["1:x", "t"], address: "https://a.example/new", contentType: "text/b")
    try await bytes.write([2], for: "new", options: options)
    try await bytes.write([3], for: "new")
    try await store.close()
    if let damaged {
      let pages = try RawDatabase(path).rows(
        "SELECT rootpage FROM sqlite_schema WHERE name = '\(damaged)'")
      let start = (try #require(Int(pages[0][0])) - 1) * 4096
      try FileChaos.fill(start..<start + 4096, ofFileAt: path, seed: 1)
    }

    _ = try await recover(path, to: new)

    let recovered = try open(new)
    let values = try recovered.bytes("bytes")
    #expect(try values.explain("new").tags == ["1:x", "t"])
    #expect(try values.explain("known").tags == ["t"])
    for number in 1...3 {
      let due = try await recovered.dueWrites(limit: 1, holding: .seconds(60))
      let key = number == 1 ? "known" : "new"
      #expect(due.map(\.entry.key) == [key] && due.map(\.address) == ["https://a.example/\(key)"])
      _ = await values.push(due) { write in
        #expect(write.contentType == (number == 1 ? "text/a" : "text/b"))
        return .accepted
      }
    }
    #expect(try values.read("new").copy?.value == [3])
    #expect(try await recovered.check().isSound)
    try await recovered.close()
  }

  @Test(arguments: [false, true]) func `a list is fetched as a whole after records were lost`(
    isDamaged: Bool
  ) async throws {
    let folder = try TemporaryFolder()
    let path = try await makeStore(folder)
    let store = try open(path)
    let records = try store.bytes("records")
    let members = Dictionary(
      uniqueKeysWithValues: (0..<Self.records).map { ("\($0)", ListMember<[UInt8]>.named) })
    _ = try await records.follow("all") { _ in .full(members, cursor: "7") }
    try await store.close()
    if isDamaged {
      // One row.
      try RawDatabase(path).execute("UPDATE record SET value = x'00' WHERE key = '5'")
    }

    _ = try await recover(path, to: folder.file("new.db"))

    let recovered = try open(folder.file("new.db"))
    let asked = Asked()
    _ = try await recovered.bytes("records").follow("all") { previous in
      asked.note([previous.cursor ?? "-"])
      return previous.cursor == nil ? .full(members, cursor: "8") : .notModified
    }
    #expect(asked.batches == [[isDamaged ? "-" : "7"]])
    try await recovered.close()
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

  @Test func `a record whose local write is lost has its source's value again`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.db")
    let store = try open(path)
    let bytes = try store.bytes("b")
    try await bytes.put(
      Array("theirs".utf8), for: "1", details: FetchDetails(tags: ["t"]), isPinned: true)
    try await bytes.write(Array("mine".utf8), for: "1")
    try await bytes.write(Array("mine".utf8), for: "2")
    try await store.close()
    try RawDatabase(path).execute("UPDATE outbox SET payload = x'00'")
    let new = folder.file("new.db")
    #expect(
      await storeFailure { try await recover(path, to: new) }?.code
        == .writesLost(file: path, writes: 2))
    let result = try await recover(path, to: new, acceptsLoss: true)
    #expect(result.lostWrites == 2 && result.records == 1)
    let made = try open(new)
    #expect(try made.bytes("b").value("1") == Array("theirs".utf8))
    #expect(try made.list().map(\.isPending) == [false])
    #expect(try made.list().map(\.isPinned) == [true])
    #expect(try made.outbox().isEmpty)
    #expect(try await made.check().isSound)
    try await made.close()
  }

  @Test(arguments: ["invalidation", "record_tag"])
  func `where marks or tags are lost, all records that they may concern are stale`(table: String)
    async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.file("store.db")
    let store = try open(path)
    let bytes = try store.bytes("b")
    try await bytes.put([1], for: "tagged", details: FetchDetails(expiry: .never, tags: ["t"]))
    try await bytes.put([1], for: "plain", details: FetchDetails(expiry: .never))
    try await store.close()
    let root = try RawDatabase(path).integer(
      "SELECT rootpage FROM sqlite_schema WHERE name = '\(table)'")
    try FileChaos.fill((root - 1) * 4096..<root * 4096, ofFileAt: path, seed: 1)
    let result = try await recover(path, to: folder.file("new.db"))
    #expect(result.staleRecords == (table == "invalidation" ? 2 : 1))
    let made = try open(folder.file("new.db"))
    #expect(try made.bytes("b").read("tagged").decision.outcome == .stale)
    #expect(
      try made.bytes("b").read("plain").decision.outcome
        == (table == "invalidation" ? .stale : .fresh))
    #expect(try await made.due(limit: 9).count == result.staleRecords)
    #expect(try await made.check().isSound)
    try await made.close()
  }

  @Test func `local writes of a file that was moved aside are recovered, too`() async throws {
    let folder = try TemporaryFolder()
    let path = try await makeStore(folder)
    let aside = path + ".damaged-1"
    for suffix in ["", "-outbox"] {
      try FileManager.default.moveItem(atPath: path + suffix, toPath: aside + suffix)
    }
    try FileChaos.fill(0..<4096, ofFileAt: aside, seed: 1)
    // A store that accepted no loss, and was then written to elsewhere.
    let other = folder.file("other.db")
    let store = try open(other)
    try await store.bytes("written").write(value(77), for: "77")
    try await store.close()
    try FileManager.default.moveItem(atPath: other, toPath: path)
    let new = folder.file("new.db")
    let result = try await recover(path, to: new)

    #expect(result.writes == Self.writes + 1 && result.lostWrites == 0)
    let made = try open(new)
    let keys = try made.outbox().map(\.key)
    #expect(keys == (0..<Self.writes).map { "\($0)" } + ["77"])
    let first = try #require(try made.outbox().first)
    try await made.drop([first.id])
    try await made.close()
    #expect(FileManager.default.fileExists(atPath: aside + "-outbox"))
    // In the place of the damaged store it does not take them over again.
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.moveItem(atPath: new, toPath: path)
    let second = try await recover(path, to: folder.file("newer.db"))
    #expect(second.writes == Self.writes)
    let again = try open(path)
    #expect(try again.outbox().count == Self.writes)
    #expect(!FileManager.default.fileExists(atPath: aside + "-outbox"))
    try await again.close()
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
