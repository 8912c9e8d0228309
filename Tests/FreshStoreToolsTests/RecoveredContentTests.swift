import Foundation
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore
@testable import FreshStoreTools

/// The state of recovered records and local writes.
@Suite(.timeLimit(.minutes(5))) struct RecoveredContentTests: RecoverySuite {
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

  @Test func `a record that left its list while a local write kept it goes after a recovery, too`()
    async throws
  {
    let folder = try TemporaryFolder()
    let (path, new) = (folder.file("store.db"), folder.file("new.db"))
    let store = try open(path)
    let bytes = try store.bytes("b")
    _ = try await bytes.follow("all") { _ in .full(["1": .value([1])], cursor: "1") }
    try await bytes.write([2], for: "1")
    _ = try await bytes.follow("all") { _ in .delta([:], removals: ["1"], cursor: "2") }
    try await store.close()

    _ = try await recover(path, to: new)

    let made = try open(new)
    let recovered = try made.bytes("b")
    try await recovered.drain { _ in .accepted }
    let followed = try await recovered.follow("all") { _ in .full([:], cursor: "3") }
    #expect(followed.removed == ["1"])
    #expect(try await made.check().isSound)
    try await made.close()
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
}
