import Foundation
import FreshStoreTesting
import FreshStoreTools
import Platform
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// Values that no source can give again, in files that are moved aside because they are damaged.
@Suite struct SalvagedValueTests: MovedFileSuite {
  /// A closed store with 300 puts and a fetched copy, some pages of which are noise.
  ///
  /// - Parameter damage: Finds the numbers of the pages, counted from 1, from the bytes of the file and
  ///   the root of the table of records.
  private func damagedStore(
    _ folder: TemporaryFolder, marks: Bool = false, _ damage: ([UInt8], Int) throws -> [Int]
  ) async throws -> String {
    let path = folder.file("store.db")
    let store = try open(path)
    let notes = try store.bytes("notes")
    for number in 100..<400 {
      try await notes.put(
        value(number), for: "\(number)",
        details: FetchDetails(
          expiry: .never, tags: number % 2 == 0 ? ["even"] : [],
          source: number % 3 == 0 ? "put" : nil),
        isPinned: number == 200, durability: .normal)
    }
    _ = try await notes.get("fetched") { _ in .value([1]) }
    try await notes.put(Array(repeating: 7, count: 300_000), for: "long")
    if marks { try await store.markStale(tag: "even") }
    try await store.close()
    let root = try RawDatabase(path).integer(
      "SELECT rootpage FROM sqlite_schema WHERE name = 'record'")
    let file = [UInt8](try Data(contentsOf: URL(filePath: path)))
    for page in try damage(file, root) {
      try FileChaos.fill((page - 1) * 4096..<page * 4096, ofFileAt: path, seed: UInt64(page))
    }
    return path
  }

  private func value(_ number: Int) -> [UInt8] {
    Array("<\(number)>".utf8) + Array(repeating: UInt8(number % 256), count: 900)
  }

  private func page(of number: Int, in file: [UInt8]) throws -> Int {
    try #require(Data(file).firstRange(of: Data("<\(number)>".utf8))).lowerBound / 4096 + 1
  }

  /// Reads until the damage is met.
  private func meet(_ path: String) async throws -> Store {
    let store = try open(path)
    for number in 100..<400 where store.health.movedAside.isEmpty {
      _ = try? store.bytes("notes").read("\(number)")  // It meets the damage.
    }
    #expect(store.health.movedAside == [path + ".damaged-1"])
    return store
  }

  @Test(arguments: [[250], [100], [399], [150, 250, 350]])
  func `puts move into the new store, but for those on the damaged pages`(
    damaged: [Int]
  ) async throws {
    let folder = try TemporaryFolder()
    let path = try await damagedStore(folder) { file, _ in
      try damaged.map { try page(of: $0, in: file) }
    }
    let store = try await meet(path)
    let notes = try store.bytes("notes")

    let lost = try (100..<400).filter { try notes.value("\($0)") != value($0) }
    #expect(Set(lost).isSuperset(of: damaged) && lost.count < 6 * damaged.count)
    #expect(try notes.value("long")?.count == 300_000)
    #expect(try notes.read("fetched").copy == nil)
    let listed = try store.list(collection: "notes", limit: 1000)
    #expect(listed.filter(\.isPinned).map(\.key) == ["200"])
    #expect(listed.first { $0.key == "300" }?.tags == ["even"])
    #expect(store.health.salvagedValues == 301 - lost.count)
    #expect(store.health.partlyRead == [path + ".damaged-1"])
    try await end(store)

    // A record that is removed after the salvage stays removed.
    let again = try open(path)
    try await again.bytes("notes").remove("300")
    try await end(again)
    let last = try open(path)
    #expect(try last.bytes("notes").value("300") == nil && last.health.salvagedValues == 0)
    try await end(last)
  }

  @Test func `a table of which nothing can be read costs all, and is said to be read in part`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = try await damagedStore(folder) { _, root in [root] }
    let store = try await meet(path)
    #expect(store.health.salvagedValues == 0)
    #expect(store.health.partlyRead == [path + ".damaged-1"])
    try await end(store)
  }

  @Test func `a file that cannot be opened now keeps its values for a later open`() async throws {
    let folder = try TemporaryFolder()
    let path = try await damagedStore(folder) { file, _ in [try page(of: 250, in: file)] }
    try moveAside(path)
    let (aside, away) = (path + ".damaged-1", folder.file("away"))
    try FileManager.default.moveItem(atPath: aside, toPath: away)
    try FileManager.default.createSymbolicLink(atPath: aside, withDestinationPath: aside + "-none")
    let without = try open(path)
    #expect(try without.bytes("notes").value("300") == nil)
    #expect(without.health.partlyRead.isEmpty)
    try await end(without)

    try FileManager.default.removeItem(atPath: aside)
    try FileManager.default.moveItem(atPath: away, toPath: aside)
    let store = try open(path)
    #expect(try store.bytes("notes").value("300") == value(300))
    try await end(store)
  }

  @Test(arguments: [true, false])
  func `a value is as stale as a mark makes it, or as one may that is lost`(
    isReadable: Bool
  ) async throws {
    let folder = try TemporaryFolder()
    let path = try await damagedStore(folder, marks: true) { file, _ in
      try [page(of: 250, in: file)]
    }
    if !isReadable {
      let root = try RawDatabase(path).integer(
        "SELECT rootpage FROM sqlite_schema WHERE name = 'invalidation'")
      try FileChaos.fill((root - 1) * 4096..<root * 4096, ofFileAt: path, seed: 1)
    }
    let store = try await meet(path)
    let notes = try store.bytes("notes")
    #expect(try notes.read("300").decision.outcome == .stale)
    #expect(try notes.read("300").copy?.value == value(300))
    #expect(try notes.read("301").decision.outcome == (isReadable ? .fresh : .stale))
    try await end(store)
  }

  @Test func `a value that was put since stays, and one of a wiped store does not come back`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = try await damagedStore(folder) { file, _ in try [page(of: 250, in: file)] }
    try moveAside(path)
    let aside = path + ".damaged-1"
    let mark = try Data(contentsOf: URL(filePath: aside + "-values"))
    try FileManager.default.removeItem(atPath: aside + "-values")
    let store = try open(path)
    try await store.bytes("notes").put([1], for: "300")
    try await end(store)

    try mark.write(to: URL(filePath: aside + "-values"))
    let again = try open(path)
    #expect(try again.bytes("notes").value("300") == [1])
    #expect(try again.bytes("notes").value("301") == value(301))
    try await again.wipe()
    try await end(again)
    // As after a wipe that was killed before it removed the mark.
    try mark.write(to: URL(filePath: aside + "-values"))
    let wiped = try open(path)
    #expect(try wiped.bytes("notes").value("301") == nil)
    try await end(wiped)
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
  func `a new store, and all beside it, have the owner, the group and the mode of the damaged one`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = try await damagedStore(folder) { file, _ in try [page(of: 250, in: file)] }
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let name = folder.file(file)
      #expect(unsafe chown(name, 65534, 65533) == 0 && chmod(name, 0o640) == 0)
    }
    let store = try await meet(path)
    try await store.bytes("notes").write([1], for: "written")
    _ = try await store.bytes("notes").get("fetched") { _ in .value([1]) }
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    for file in files.sorted() {
      var status = stat()
      #expect(unsafe stat(folder.file(file), &status) == 0)
      #expect(status.st_uid == 65534 && status.st_gid == 65533, "\(file)")
      #expect(status.st_mode & 0o777 == 0o640, "\(file)")
    }
    #expect(files.contains("store.db-outbox") && files.contains("store.db-wal"))
    try await end(store)
    let recovered = folder.file("recovered.db")
    _ = try await Store.recover(path + ".damaged-1", to: recovered)
    var status = stat()
    #expect(unsafe stat(recovered, &status) == 0 && status.st_uid == 65534)
  }

  @Test(arguments: [true, false])
  func `local writes move over also where no mark shows them, and are not recovered twice`(
    hasMark: Bool
  ) async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.db")
    let store = try open(path)
    for key in ["1", "2"] { try await store.bytes("notes").write([1], for: key) }
    try await store.close()
    // A copy that is put in place of a store has none.
    if !hasMark { try FileManager.default.removeItem(atPath: path + "-outbox") }
    try moveAside(path)
    try await expectWrites(["1", "2"], in: path)

    let aside = path + ".damaged-1"
    let left = try await Store.recover(aside, to: folder.file("left.db"))
    #expect(left.writes == 0 && left.takenWrites == 2 && left.lostWrites == 0)
    var options = RecoveryOptions()
    options.includesTakenWrites = true
    let all = try await Store.recover(aside, to: folder.file("all.db"), options: options)
    #expect(all.writes == 2 && all.takenWrites == 0)
  }

  @Test func `a damaged table of marks for a fleet loses no write of a host without one`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.file("store.db")
    let store = try open(path)
    for key in ["1", "2"] { try await store.bytes("notes").write([1], for: key) }
    try await store.close()
    let root = try RawDatabase(path).integer(
      "SELECT rootpage FROM sqlite_schema WHERE name = 'fleet_mark'")
    try FileChaos.fill((root - 1) * 4096..<root * 4096, ofFileAt: path, seed: 1)
    try moveAside(path)
    try await expectWrites(["1", "2"], in: path)
  }
}
