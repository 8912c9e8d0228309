import Foundation
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// Local writes whose bytes changed on the disk, and stores that were damaged with local writes in
/// them.
@Suite struct OutboxDamageTests {
  // MARK: One entry

  @Test(arguments: [
    "payload = x'00'", "patch = x'00'", "key = '2'", "kind = 3", "idempotency_key = 'x'",
    "content_version = 9", "codec = 'x'", "content_type = 'x'", "written_at = 0",
    "patch_type = 'x'", "collection = 'others'",
  ])
  func `a damaged entry is never pushed, and reads as parked`(change: String) async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let first = try await articles.write("new", for: "1")
      try RawDatabase(temporary.path).execute("UPDATE outbox SET \(change)")

      let listed = try temporary.store.outbox()
      #expect(listed.map(\.state) == [.parked])
      #expect(listed.first?.failure == "the checksum of the entry does not match its bytes")
      #expect(try await temporary.store.dueWrites(limit: 1).isEmpty)
      #expect(try temporary.store.nextWriteDue() == nil)
      try await temporary.store.retry([first.id])
      #expect(try await temporary.store.dueWrites(limit: 1).isEmpty)
      #expect(try temporary.store.outbox().count == 1)
      // Only an explicit request removes it.
      #expect(try await temporary.store.drop([first.id]).count == 1)
    }
  }

  @Test func `an entry damaged after it was handed out is not sent, and is claimed by no process`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      try await articles.write("new", for: "1")
      let due = try await temporary.store.dueWrites(limit: 1)
      let raw = try RawDatabase(temporary.path)
      try raw.execute("UPDATE outbox SET payload = x'00'")
      let outcomes = await articles.push(due) { _ in .accepted }

      #expect(try outcomes[due[0].entry.id]?.get().words == "parked: \(StoredWrite.damage)")
      #expect(try temporary.store.outbox().map(\.attempts) == [0])
      // The bytes read as when they were written.
      try raw.execute("UPDATE outbox SET payload = CAST('\"new\"' AS BLOB)")
      #expect(try temporary.store.outbox().map(\.state) == [.parked])
      try await temporary.store.retry([due[0].entry.id])
      #expect(try await articles.drain { _ in .accepted }["1"]?.words == "accepted new")
    }
  }

  @Test func `everybody hears that an entry was damaged after it was handed out`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let other = try temporary.another()
      let entry = try await articles.write("new", for: "1")
      let due = try await temporary.store.dueWrites(limit: 1)
      try RawDatabase(temporary.path).execute("UPDATE outbox SET payload = x'00'")
      let (own, others) = (temporary.store.changes(), other.changes())
      _ = await articles.push(due) { _ in .accepted }
      for changes in [own, others] {
        let change = await changes.first { $0.kind == .parked }
        #expect(change?.key == "1" && change?.write?.id == entry.id)
        #expect(change?.write?.reason == StoredWrite.damage)
      }
      try await other.close()
      try await temporary.store.drop([entry.id])
    }
  }

  @Test func `a mark applies to a push in progress when the record of the write is damaged`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      try await articles.put("old", for: "1")
      try await articles.write("new", for: "1")
      let due = try await temporary.store.dueWrites(limit: 1)
      let outcomes = await articles.push(due) { _ in
        try RawDatabase(temporary.path).execute("UPDATE record SET value = x'00'")
        try await articles.markStale("1")
        return .accepted
      }

      #expect(try outcomes[due[0].entry.id]?.get().words == "accepted new")
      #expect(try articles.state("1") == .stale)
    }
  }

  @Test(arguments: [true, false])
  func `damaged bytes of an entry are not shown by a record when another entry is dropped`(
    dropsEarlier: Bool
  ) async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      let entries = [
        try await articles.write("a", for: "1"), try await articles.write("b", for: "1"),
      ]
      let (dropped, left) = dropsEarlier ? (entries[0], entries[1]) : (entries[1], entries[0])
      try RawDatabase(temporary.path).execute(
        "UPDATE outbox SET payload = CAST('\"z\"' AS BLOB) WHERE id = \(left.id)")

      try await temporary.store.drop([dropped.id])

      #expect(try articles.value("1") == "b")
      #expect(try temporary.store.outbox().map(\.state) == [.parked])
      try await temporary.store.drop([left.id])
      #expect(try articles.value("1") == nil)
    }
  }

  @Test func `a conflict does not drop a damaged later write`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      try await articles.write("a", for: "1")
      let later = try await articles.write("b", for: "1")
      try RawDatabase(temporary.path).execute(
        // Bytes that decode nevertheless.
        "UPDATE outbox SET payload = CAST('\"z\"' AS BLOB) WHERE id = \(later.id)")
      let outcomes = try await articles.drain(conflicts: .serverWins) { _ in
        .conflict(.value("theirs"))
      }
      #expect(outcomes["1"]?.words.hasPrefix("parked: a conflict, and a later write") == true)
      #expect(try temporary.store.outbox().count == 2)
      // A new write is not merged into it either.
      try await articles.write("c", for: "1", options: WriteOptions(coalesces: true))
      #expect(try temporary.store.outbox().count == 3)
      try await temporary.store.drop(temporary.store.outbox().map(\.id))
    }
  }

  @Test func `a damaged entry that is parked instead of handed out is reported`()
    async throws
  {
    let log = EventLog()
    try await TemporaryStore.run(configure: { $0.reporter = log }) { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      try await articles.write("new", for: "1")
      try RawDatabase(temporary.path).execute("UPDATE outbox SET payload = x'00'")
      #expect(try await temporary.store.dueWrites(limit: 9).isEmpty)

      let parked = log.events.compactMap { event -> String? in
        if case .parked(let entry, _) = event { entry.key } else { nil }
      }
      #expect(parked == ["1"])
      try await temporary.store.drop(temporary.store.outbox().map(\.id))
    }
  }

  @Test func `a damaged shadow is neither used nor restored`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      try await articles.put(
        "old", for: "1", details: FetchDetails(validators: Validators(entityTag: "e")))
      try await articles.write("new", for: "1")
      try RawDatabase(temporary.path).execute("UPDATE base SET value = x'00'")
      try await articles.drain { write in
        #expect(write.base == nil && write.baseValidators.isEmpty)
        throw OriginFailure()
      }
      try await temporary.store.drop(temporary.store.outbox().map(\.id))
      #expect(try articles.state("1") == .missing)
    }
  }

  // MARK: The whole file

  private func open(_ path: String, acceptsLoss: Bool = false) throws -> Store {
    var configuration = Configuration(reachability: .fixed(.online))
    configuration.acceptsLostWrites = acceptsLoss
    return try Store(path: path, configuration: configuration)
  }

  /// A closed store with local writes to "1", twice, and "2"; the pages of `tables` are noise.
  private func damagedStore(_ folder: TemporaryFolder, _ tables: [String]) async throws -> String {
    let path = folder.file("store.db")
    let store = try open(path)
    let articles = try store.collection("articles", of: String.self)
    try await articles.put("old", for: "1", details: FetchDetails(tags: ["t"]))
    for (key, value) in [("1", "a"), ("2", "b"), ("1", "c")] {
      try await articles.write(value, for: key)
    }
    try await store.close()
    let pages = try RawDatabase(path).rows("SELECT name, rootpage FROM sqlite_schema")
    for page in pages where tables.contains(page[0]) {
      let start = (try #require(Int(page[1])) - 1) * 4096
      try FileChaos.fill(start..<start + 4096, ofFileAt: path, seed: 1)
    }
    return path
  }

  /// Meets the damage.
  private func meet(_ store: Store) async throws {
    _ = await storeFailure { try store.collection("articles", of: String.self).read("1") }
  }

  @Test(arguments: [true, false])
  func `an unreadable index costs no local write`(acceptsLoss: Bool) async throws {
    let folder = try TemporaryFolder()
    let path = try await damagedStore(folder, ["record", "record_tag", "outbox_order"])
    let store = try open(path, acceptsLoss: acceptsLoss)
    try await meet(store)

    #expect(store.health.salvagedWrites == 3)
    #expect(try store.outbox().count == 3)
    try await store.close()
  }

  @Test func `local writes are salvaged from a damaged file, with their sources' values`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = try await damagedStore(folder, ["record", "record_tag"])
    let written = try Data(contentsOf: URL(fileURLWithPath: path + "-outbox"))
    let store = try open(path)
    let articles = try store.collection("articles", of: String.self)
    try await meet(store)

    #expect(try articles.value("1") == "c")
    #expect(try articles.value("2") == "b")
    #expect(store.health.movedAside == [path + ".damaged-1"])
    #expect(store.health.salvagedWrites == 3)
    #expect(FileManager.default.fileExists(atPath: path + "-outbox"))
    let sent = Sent<String>()
    for _ in 0..<2 {
      try await articles.drain { write in
        sent.add(write)
        return .accepted
      }
    }
    #expect(sent.all.map(\.value) == ["a", "b", "c"])
    #expect(sent.all.map(\.base) == ["old", nil, "a"])
    #expect(try await articles.write("d", for: "1").id == 4)
    #expect(try await store.check().isSound)
    try await store.close()

    // Writes that were taken over and pushed do not come back, not even after another damage.
    let mark = path + ".damaged-1-outbox"
    for wasCutShort in [false, true] {
      // A process that died before it removed the mark.
      if wasCutShort { #expect(FileManager.default.createFile(atPath: mark, contents: written)) }
      let again = try open(path)
      #expect(try again.outbox().map(\.id) == [4])
      try await again.close()
    }
    #expect(FileManager.default.fileExists(atPath: path + ".damaged-1"))
    #expect(!FileManager.default.fileExists(atPath: path + ".damaged-1-outbox"))
  }

  /// A store with one local write, upon a record, whose marks are lost with the page of its records.
  private func salvaged(
    _ folder: TemporaryFolder, wasSent: Bool = false
  ) async throws -> Store {
    let path = folder.file("store.db")
    let store = try open(path)
    let articles = try store.collection("articles", of: String.self)
    try await articles.put("old", for: "1", details: FetchDetails(expiry: .never))
    let entry = try await articles.write("new", for: "1")
    if wasSent {
      try await articles.drain { _ in throw Failure() }
      try await store.retry([entry.id])
    }
    try await store.close()
    let raw = try RawDatabase(path)
    let page = try raw.integer("SELECT rootpage FROM sqlite_schema WHERE name = 'record'") - 1
    try FileChaos.fill(page * 4096..<(page + 1) * 4096, ofFileAt: path, seed: 1)
    return try open(path)
  }

  private struct Failure: Error {}

  @Test(arguments: [true, false])
  func `a write that was sent before its marks were lost is stale when its answer arrives`(
    wasSent: Bool
  ) async throws {
    let folder = try TemporaryFolder()
    let store = try await salvaged(folder, wasSent: wasSent)
    let articles = try store.collection("articles", of: String.self)
    try await meet(store)

    try await articles.drain { _ in .accepted(FetchDetails(expiry: .never)) }

    let read = try articles.read("1")
    #expect(read.copy?.value == "new")
    #expect((read.decision.outcome == .stale) == wasSent)
    #expect(try await store.check().isSound)
    try await store.close()
  }

  @Test func `the source's value beneath a write is stale where its marks were lost`() async throws
  {
    let folder = try TemporaryFolder()
    let store = try await salvaged(folder)
    let articles = try store.collection("articles", of: String.self)
    try await meet(store)

    try await store.drop(try store.outbox().map(\.id))

    let read = try articles.read("1")
    #expect(read.copy?.value == "old" && read.decision.outcome == .stale)
    #expect(try await store.check().isSound)
    try await store.close()
  }

  @Test(arguments: [(["outbox"], Int?.some(3)), (["outbox", "outbox_order"], nil)])
  func `a store with unreadable local writes is not opened until the loss is accepted`(
    tables: [String], lost: Int?
  ) async throws {
    let folder = try TemporaryFolder()
    let path = try await damagedStore(folder, tables + ["record"])
    let written = try Data(contentsOf: URL(fileURLWithPath: path + "-outbox"))
    let expected = StoreError.Code.writesLost(file: path + ".damaged-1", writes: lost)

    for _ in 0..<3 { #expect(await storeFailure { try open(path) }?.code == expected) }
    let accepting = try open(path, acceptsLoss: true)
    #expect(try accepting.outbox().isEmpty)
    try await accepting.bytes("others").put([1], for: "1")
    try await accepting.close()
    // A loss that was accepted once is not asked about again, even if the mark was left behind.
    let mark = path + ".damaged-1-outbox"
    #expect(FileManager.default.createFile(atPath: mark, contents: written))
    let again = try open(path)
    #expect(try again.bytes("others").value("1") == [1])
    try await again.close()
  }

  @Test func `one entry that changed on the disk counts as lost, and the others are salvaged`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = try await damagedStore(folder, [])
    try RawDatabase(path).execute("UPDATE outbox SET payload = x'00' WHERE id = 2")
    let root = try RawDatabase(path).integer(
      "SELECT rootpage FROM sqlite_schema WHERE name = 'record'")
    try FileChaos.fill((root - 1) * 4096..<root * 4096, ofFileAt: path, seed: 1)
    let store = try open(path)
    try await meet(store)

    #expect(
      await storeFailure { try store.outbox() }?.code
        == .writesLost(file: path + ".damaged-1", writes: 1))
    let accepting = try open(path, acceptsLoss: true)
    #expect(try accepting.outbox().map(\.id) == [1, 3])
    try await accepting.close()
  }

  @Test func `writes on either side of a damaged page are salvaged`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.db")
    let store = try open(path)
    let bytes = try store.bytes("bytes")
    for number in 1...60 {
      try await bytes.write(Array("<\(number)>".utf8) + .init(repeating: 7, count: 900), for: "k")
    }
    try await store.close()
    let pages = try RawDatabase(path).rows(
      "SELECT rootpage FROM sqlite_schema WHERE name = 'record'")
    let root = try #require(Int(pages[0][0]))
    let file = try Data(contentsOf: URL(fileURLWithPath: path))
    let middle = try #require(file.range(of: Data("<30>".utf8))).lowerBound / 4096
    for page in [root - 1, middle] {
      try FileChaos.fill(page * 4096..<(page + 1) * 4096, ofFileAt: path, seed: 1)
    }
    let damaged = try open(path)
    _ = await storeFailure { try damaged.bytes("bytes").read("k") }
    _ = await storeFailure { try damaged.outbox() }

    let accepting = try open(path, acceptsLoss: true)
    let ids = try accepting.outbox().map(\.id)
    #expect(ids.first == 1 && ids.last == 60 && !ids.contains(30) && ids.count > 50)
    #expect(try accepting.bytes("bytes").value("k")?.starts(with: "<60>".utf8) == true)
    try await accepting.close()
  }

  @Test func `a file that was deleted under the store is marked again`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.db")
    let store = try open(path)
    let bytes = try store.bytes("bytes")
    try await bytes.write([1], for: "1")
    for suffix in ["", "-wal", "-shm", "-outbox"] {
      try FileManager.default.removeItem(atPath: path + suffix)
    }
    // Noticed at once: such a write must not go into an invisible file.
    try await bytes.write([2], for: "2")

    #expect(try store.outbox().map(\.key) == ["2"])
    #expect(FileManager.default.fileExists(atPath: path + "-outbox"))
    try await store.close()
  }

  @Test(arguments: [true, false])
  func `a file without its mark gets it when it holds local writes`(
    holdsWrites: Bool
  ) async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.db")
    let store = try open(path)
    if holdsWrites { try await store.bytes("bytes").write([1], for: "1") }
    try await store.close()
    let mark = path + "-outbox"
    if holdsWrites { try FileManager.default.removeItem(atPath: mark) }

    try await open(path).close()
    #expect(FileManager.default.fileExists(atPath: mark) == holdsWrites)
  }

  @Test func `a store that never had a local write is moved aside and replaced silently`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.file("store.db")
    let store = try open(path)
    for number in 0..<100 {
      try await store.bytes("b").put(Array(repeating: 1, count: 3000), for: "\(number)")
    }
    try await store.close()
    try FileChaos.fill(200..<200_000, ofFileAt: path, seed: 1)
    let damaged = try open(path)
    _ = await storeFailure { try damaged.bytes("b").read("1") }
    #expect(try damaged.bytes("b").value("1") == nil)
    #expect(damaged.health.salvagedWrites == 0)
    try await damaged.close()
  }
}
