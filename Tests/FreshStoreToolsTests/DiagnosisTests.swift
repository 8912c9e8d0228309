import Foundation
import FreshStoreTesting
import Glibc
import StoreSupport
import Strategies
import Testing

@testable import FreshStore
@testable import FreshStoreTools

/// The results of a diagnosis of a store's files, which leaves no trace.
@Suite struct DiagnosisTests {
  private func made(_ path: String) throws -> Store {
    try Store(path: path, configuration: Configuration(reachability: .fixed(.online)))
  }

  // MARK: The file

  @Test(arguments: [
    ("none.db", FoundContent.missing), ("none/none.db", .folderMissing),
    ("text.db/none.db", .folderMissing), (".", .notAFile), ("empty.db", .empty),
    ("text.db", .notADatabase), ("other.db", .foreign),
  ])
  func `a file that is not a store is identified`(name: String, content: FoundContent) throws {
    let folder = try TemporaryFolder()
    try Data().write(to: URL(filePath: folder.file("empty.db")))
    try Data(repeating: 0x20, count: 5000).write(to: URL(filePath: folder.file("text.db")))
    try RawDatabase(folder.file("other.db")).execute("CREATE TABLE record (id)")
    #expect(Diagnosis(of: folder.file(name)).content == content)
  }

  @Test func `the diagnosis of a store of a newer format names both numbers`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.db")
    try await made(path).close()
    let diagnosis = Diagnosis(of: path)
    let (known, next) = (diagnosis.supportedFormat, diagnosis.supportedFormat + 1)
    try RawDatabase(path).execute("PRAGMA user_version = \(next)")
    #expect(Diagnosis(of: path).content == .newer(found: next, supported: known))
  }

  @Test(arguments: [
    (DatabaseSchema.applicationIdentifier, FoundContent.interrupted),
    (DatabaseSchema.formerIdentifier, .former),
    (77, .foreign),
  ])
  func `without the log's index only the file's mark is read`(
    mark: Int64, content: FoundContent
  ) async throws {
    let folder = try TemporaryFolder()
    let copy = folder.file("copy.db")
    let path = folder.file("store.db")
    try await made(path).close()
    let raw = try RawDatabase(path)
    try raw.execute(
      """
      PRAGMA application_id = \(mark); PRAGMA wal_checkpoint; UPDATE state SET checked_boot = 1
      """)
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
    }
    let diagnosis = Diagnosis(of: copy)
    #expect(diagnosis.content == content)
    #expect(diagnosis.log?.size ?? 0 > 0 && diagnosis.logIndex == nil)
  }

  @Test func `the process that holds the lock is named`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.db")
    try await made(path).close()
    let other = try RawDatabase(path)
    try other.execute("PRAGMA journal_mode = DELETE")
    try other.execute("BEGIN EXCLUSIVE")
    guard case .locked(let holder) = Diagnosis(of: path, patience: .zero).content else {
      Issue.record("looked into")
      return
    }
    #expect(holder?.hasPrefix("process \(getpid()) (") == true)
  }

  @Test func `a structural problem is reported in SQLite's words`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.db")
    let store = try made(path)
    let bytes = try store.bytes("bytes")
    try await bytes.put([UInt8](repeating: 1, count: 100_000), for: "1")
    try await bytes.remove("1")
    try await store.close()
    // The header no longer gives the start of the list of free pages.
    try FileChaos.fill(32..<40, ofFileAt: path, seed: 1)
    let facts = try #require(Diagnosis(of: path).facts)
    #expect(facts.problems.joined().contains("is never used"))
  }

  // MARK: The contents

  @Test func `a new store is sound, of this format, and has no waiting work`() async throws {
    try await TemporaryStore.run { temporary in
      let diagnosis = Diagnosis(of: temporary.path, clock: temporary.clock)
      let facts = try #require(diagnosis.facts)
      let pages = try RawDatabase(temporary.path).integer("PRAGMA page_count")
      #expect(facts.format == diagnosis.supportedFormat)
      #expect(facts.pageSize == 4096)
      #expect(facts.pages == pages)
      #expect(facts.freePages == 0 && facts.problems.isEmpty)
      #expect(facts.work == WaitingWork() && facts.futureUpdates == 0)
    }
  }

  @Test func `free pages are counted`() async throws {
    try await TemporaryStore.run { temporary in
      let bytes = try temporary.store.bytes("bytes")
      try await bytes.put([UInt8](repeating: 1, count: 100_000), for: "1")
      try await bytes.remove("1")
      let facts = try #require(Diagnosis(of: temporary.path).facts)
      let free = try RawDatabase(temporary.path).integer("PRAGMA freelist_count")
      #expect(facts.freePages == free && free > 0)
    }
  }

  @Test func `records from the future are counted, whatever they replaced`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: Int.self)
      let later = temporary.clock.reading().wall.advanced(by: .seconds(60))
      let values = Dictionary(uniqueKeysWithValues: (0..<2000).map { ("\($0)", $0) })
      try await articles.put(values, details: FetchDetails(expiry: .immediately))
      try await articles.put(
        ["0": -1], details: FetchDetails(lastUpdate: later, expiry: .immediately))
      try await articles.put(["new": 1], details: FetchDetails(lastUpdate: later))
      let facts = try #require(Diagnosis(of: temporary.path, clock: temporary.clock).facts)
      #expect(facts.futureUpdates == 2)
      #expect(facts.latestUpdate == later)
    }
  }

  @Test(arguments: [(5000, 0), (5001, 1)])
  func `a last update within the skew of clocks is not from the future`(
    ahead: Int, counted: Int
  ) async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: Int.self)
      let later = temporary.clock.reading().wall.advanced(by: .milliseconds(ahead))
      try await articles.put(1, for: "1", details: FetchDetails(lastUpdate: later))
      let facts = try #require(Diagnosis(of: temporary.path, clock: temporary.clock).facts)
      #expect(facts.futureUpdates == counted)
    }
  }

  @Test func `due records and records in a pause are counted separately`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: Int.self)
      let failing = ScriptedOrigin<Int> { _ in
        throw OriginFailure(retryAfter: .seconds(60))
      }
      for key in ["1", "2", "3"] { try await articles.put(1, for: key) }
      let start = temporary.clock.reading().wall
      for key in ["1", "2", "3"] { try await articles.markStale(key) }
      temporary.clock.advance(by: .seconds(1))
      _ = await articles.failure("3", from: failing)
      let facts = try #require(Diagnosis(of: temporary.path, clock: temporary.clock).facts)
      #expect(facts.work.due == 2)
      #expect(facts.work.nextDue == start)
    }
  }

  @Test func `waiting local writes and refused ones are counted separately`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: Int.self)
      let start = temporary.clock.reading().wall
      try await articles.write(1, for: "1")
      try await articles.drain { _ in .refused("no") }
      temporary.clock.advance(by: .seconds(1))
      for key in ["2", "3"] { try await articles.write(1, for: key) }
      let facts = try #require(Diagnosis(of: temporary.path, clock: temporary.clock).facts)
      #expect(facts.work.waitingWrites == 2 && facts.work.parkedWrites == 1)
      #expect(facts.work.oldestWrite == start)
    }
  }

  @Test func `paused origins are named`() async throws {
    try await TemporaryStore.run { temporary in
      var policy = Policy()
      policy.origin = "https://example.org:443"
      let articles = try temporary.store.collection("articles", of: Int.self, policy: policy)
      let failing = ScriptedOrigin<Int> { _ in throw OriginFailure() }
      for key in 1...5 { _ = await articles.failure("\(key)", from: failing) }
      let until = try #require(try articles.explain("1").originIsDownUntil)
      let facts = try #require(Diagnosis(of: temporary.path, clock: temporary.clock).facts)
      #expect(facts.work.failingOrigins.map(\.name) == ["https://example.org:443"])
      #expect(facts.work.failingOrigins.map(\.pausedUntil) == [until])
    }
  }

  // MARK: The processes

  @Test func `the processes that have it open and that sweep are named`() async throws {
    try await TemporaryStore.run { temporary in
      let store = temporary.store
      try await store.bytes("bytes").put([1], for: "1")
      let idle = Diagnosis(of: temporary.path)
      #expect(idle.users.map { $0.hasPrefix("process \(getpid()) (") } == [true])
      #expect(idle.writer == nil && !idle.isSwept && idle.sweeper == nil)
      let lock = try await store.lockSweeps()
      let swept = Diagnosis(of: temporary.path)
      lock.release()
      #expect(swept.isSwept && swept.sweeper?.process == getpid())
      #expect(!Diagnosis(of: temporary.path).isSwept)
    }
  }

  @Test func `a process that only checks for a sweep is not reported as sweeping`() async throws {
    try await TemporaryStore.run { temporary in
      try await temporary.store.lockSweeps().release()
      let looking = unsafe open(temporary.path + "-sweep", O_RDONLY | O_CLOEXEC)
      #expect(flock(looking, LOCK_SH) == 0)
      #expect(!Diagnosis(of: temporary.path).isSwept)
      #expect(close(looking) == 0)
    }
  }

  @Test func `a closed store has no processes`() async throws {
    let folder = try TemporaryFolder()
    try await made(folder.file("store.db")).close()
    let diagnosis = Diagnosis(of: folder.file("store.db"))
    #expect(diagnosis.users.isEmpty && diagnosis.readers.isEmpty && diagnosis.writer == nil)
    #expect(diagnosis.folder?.isFolder == true && diagnosis.database?.isRegular == true)
    #expect(diagnosis.log == nil && diagnosis.logIndex == nil)
    #expect(diagnosis.fileSystem?.isReadOnly == false)
    #expect(diagnosis.movedAside.isEmpty && diagnosis.unsalvaged.isEmpty)
  }
}

extension Diagnosis {
  /// The contents of the store; `nil` when it is not a readable store.
  fileprivate var facts: StoreFacts? {
    if case .store(let facts) = content { facts } else { nil }
  }
}
