import Foundation
import FreshStore
import FreshStoreTesting
import FreshStoreTools
import StoreSupport
import Strategies
import Synchronization
import Testing

/// Damaged, deleted and replaced files.
@Suite struct DamageTests {
  private func open(_ path: String) throws -> Store {
    try Store(path: path, configuration: Configuration(reachability: .fixed(.online)))
  }

  /// A closed store of some 200 pages.
  private func makeStore(_ folder: TemporaryFolder) async throws -> String {
    let path = folder.file("store.db")
    let store = try open(path)
    let bytes = try store.bytes("bytes")
    for number in 0..<100 {
      try await bytes.put(
        Array(repeating: UInt8(number), count: 5000), for: "\(number)", durability: .normal)
    }
    try await store.close()
    return path
  }

  private func size(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return (attributes[.size] as? NSNumber)?.intValue ?? 0
  }

  @Test func `a completely damaged file is moved aside whole, and a new store replaces it`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = try await makeStore(folder)
    let before = try size(path)
    try FileChaos.fill(100..<before, ofFileAt: path, seed: 1)

    let store = try open(path)
    let bytes = try store.bytes("bytes")
    var failures = 0
    // The header is whole, so the damage shows at the first statement that meets it.
    while store.health.movedAside.isEmpty, failures < 3 {
      failures += 1
      _ = await storeFailure { try bytes.read("1") }
    }
    try await bytes.put([1], for: "new")

    #expect(store.health.movedAside == [path + ".damaged-1"])
    #expect(try size(path + ".damaged-1") == before)
    #expect(try bytes.read("new").copy?.value == [1])
    #expect(try await store.check().isSound)
    try await store.close()
  }

  private final class Changes: Sendable {
    let noticed = Mutex<[FileChange]>([])

    var all: [FileChange] { noticed.withLock { $0 } }
  }

  @Test func `what happens to the file is noticed when it happens`() async throws {
    let folder = try TemporaryFolder()
    let path = try await makeStore(folder)
    let store = try open(path)
    let bytes = try store.bytes("bytes")
    let changes = Changes()
    store.noticeFileChanges { change in changes.noticed.withLock { $0.append(change) } }
    #expect(changes.all.isEmpty)

    try FileChaos.fill(4096..<(try size(path)), ofFileAt: path, seed: 1)
    // Some pages are in memory.
    for number in 0..<100 where store.health.movedAside.isEmpty {
      _ = await storeFailure { try bytes.read("\(number)") }
    }
    #expect(changes.all == [.movedAside(path + ".damaged-1")])
    try await bytes.put([1], for: "new")
    for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: path + suffix) {
      try FileManager.default.removeItem(atPath: path + suffix)
    }
    while store.health.filesReplaced == 0 {
      try await bytes.put([1], for: "new", durability: .normal)
    }
    #expect(changes.all == [.movedAside(path + ".damaged-1"), .replaced])
    #expect(store.fileChanges.movedAside == [path + ".damaged-1"])
    #expect(store.fileChanges.replaced == 1)
    try await store.close()
  }

  enum Use: CaseIterable {
    case read, put, write, sweep, mark, sync
  }

  @Test(arguments: Use.allCases)
  func `a program that meets damage and ends leaves a sound store`(_ use: Use) async throws {
    let folder = try TemporaryFolder()
    let path = try await makeStore(folder)
    try FileChaos.fill(4096..<(try size(path)), ofFileAt: path, seed: 2)
    let store = try open(path)
    let bytes = try store.bytes("bytes")

    switch use {
    case .read: #expect(try bytes.read("1").copy == nil)
    case .put: try await bytes.put([1], for: "new")
    case .write: try await bytes.write([1], for: "new")
    case .sweep: _ = try await store.sweep()
    case .mark: try await store.markStale(tag: "news")
    case .sync: _ = try await store.dueWrites(limit: 1)
    }

    #expect(store.health.movedAside == [path + ".damaged-1"])
    if use == .put || use == .write { #expect(try bytes.read("new").copy?.value == [1]) }
    #expect(try await store.check().isSound)
    try await store.close()
  }

  /// As after a crash: the files of a store that is still open, with the newest changes in the log.
  private func copyOpenStore(from folder: TemporaryFolder, to target: String) async throws {
    let path = try await makeStore(folder)
    let store = try open(path)
    for number in 0..<20 {
      try await store.bytes("bytes").put([UInt8(number)], for: "in the log \(number)")
    }
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: path + suffix, toPath: target + suffix)
    }
    try await store.close()
  }

  @Test(arguments: [0, 4096, 100_000])
  func `a damaged file and its log are moved aside byte for byte`(_ count: Int) async throws {
    let (first, folder) = (try TemporaryFolder(), try TemporaryFolder())
    let path = folder.file("store.db")
    try await copyOpenStore(from: first, to: path)
    try FileChaos.truncate(toBytes: count, fileAt: path)
    func contents(_ path: String) throws -> Data { try Data(contentsOf: URL(filePath: path)) }
    let (file, log) = (try contents(path), try contents(path + "-wal"))

    let store = try open(path)
    let aside = path + ".damaged-1"

    #expect(store.health.movedAside == [aside])
    #expect(try contents(aside) == file && contents(aside + "-wal") == log)
    try await store.bytes("bytes").put([1], for: "new")
    try await store.close()
    #expect(try contents(aside) == file && contents(aside + "-wal") == log)
  }

  @Test func `damage that is found later leaves the file without the log's contents`() async throws
  {
    let (first, folder) = (try TemporaryFolder(), try TemporaryFolder())
    let path = folder.file("store.db")
    try await copyOpenStore(from: first, to: path)
    let store = try open(path)
    try FileChaos.fill(4096..<(try size(path)), ofFileAt: path, seed: 4)
    let file = try Data(contentsOf: URL(filePath: path))
    for number in 0..<100 where store.health.movedAside.isEmpty {
      _ = await storeFailure { try store.bytes("bytes").read("\(number)") }
    }

    let aside = path + ".damaged-1"
    #expect(store.health.movedAside == [aside])
    #expect(try Data(contentsOf: URL(filePath: aside)) == file)
    #expect(try size(aside + "-wal") > 0)
    try await store.close()
  }

  @Test func `a log without its file is moved aside byte for byte`() async throws {
    let (first, folder) = (try TemporaryFolder(), try TemporaryFolder())
    let path = folder.file("store.db")
    try await copyOpenStore(from: first, to: path)
    let log = try Data(contentsOf: URL(filePath: path + "-wal"))
    try FileManager.default.removeItem(atPath: path)

    let store = try open(path)

    let aside = path + ".damaged-1"
    #expect(store.health.movedAside == [aside])
    #expect(try Data(contentsOf: URL(filePath: aside + "-wal")) == log)
    try await store.bytes("bytes").put([1], for: "new")
    #expect(try await store.check().isSound)
    try await store.close()
  }

  @Test func `local writes in the log of an emptied file are not lost silently`() async throws {
    let (first, folder) = (try TemporaryFolder(), try TemporaryFolder())
    let (path, original) = (folder.file("store.db"), first.file("store.db"))
    let store = try open(original)
    try await store.bytes("bytes").write([1], for: "written")
    for suffix in ["", "-wal", "-outbox"] {
      try FileManager.default.copyItem(atPath: original + suffix, toPath: path + suffix)
    }
    try await store.close()
    try FileChaos.truncate(toBytes: 0, fileAt: path)

    let aside = path + ".damaged-1"
    let code = await storeFailure { try open(path) }?.code
    #expect(code == .writesLost(file: aside, writes: nil))
    #expect(try size(aside + "-wal") > 0)
    let result = try await Store.recover(aside, to: folder.file("new.db"))
    #expect(result.writes == 1 && result.lostWrites == 0)
  }

  @Test(.timeLimit(.minutes(1)))
  func `a check ends and reports the problem where rows are out of order`() async throws {
    let folder = try TemporaryFolder()
    let path = try await makeStore(folder)
    let root = try RawDatabase(path).integer(
      "SELECT rootpage FROM sqlite_schema WHERE name = 'record'")
    // The first and the last page below the root are swapped
    // (https://sqlite.org/fileformat2.html, section 1.6).
    var file = [UInt8](try Data(contentsOf: URL(filePath: path)))
    let start = (root - 1) * 4096
    let first = start + (Int(file[start + 12]) << 8 | Int(file[start + 13]))
    #expect(file[start] == 5)
    for offset in 0..<4 { file.swapAt(start + 8 + offset, first + offset) }
    try Data(file).write(to: URL(filePath: path))

    let store = try open(path)
    #expect(try await !store.check().isSound)
    try await store.close()
  }

  @Test func `a second damaged file does not replace the first`() async throws {
    let folder = try TemporaryFolder()
    for _ in 0..<2 {
      let path = try await makeStore(folder)
      try FileChaos.fill(4096..<(try size(path)), ofFileAt: path, seed: 3)
      let store = try open(path)
      _ = await storeFailure { try await store.bytes("bytes").put([1], for: "new") }
      try await store.bytes("bytes").put([1], for: "new")
      try await store.close()
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)

    #expect(Set(names).isSuperset(of: ["store.db", "store.db.damaged-1", "store.db.damaged-2"]))
  }

  @Test(arguments: [4096, 8192, 50_000]) func `a truncated file is never read as a whole one`(
    _ count: Int
  ) async throws {
    let folder = try TemporaryFolder()
    let path = try await makeStore(folder)
    try FileChaos.truncate(toBytes: count, fileAt: path)
    let store = try open(path)
    let bytes = try store.bytes("bytes")

    for number in 0..<100 {
      var value: [UInt8]?
      _ = await storeFailure { value = try bytes.read("\(number)").copy?.value }
      #expect(value == nil || value == Array(repeating: UInt8(number), count: 5000))
    }
    _ = await storeFailure { try await bytes.put([1], for: "new") }
    try await bytes.put([1], for: "new")

    #expect(try bytes.read("new").copy?.value == [1])
    #expect(try await store.check().isSound)
    try await store.close()
  }

  @Test func `a file deleted under the store is noticed, and a new one replaces it`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = try await makeStore(folder)
    let store = try open(path)
    let bytes = try store.bytes("bytes")
    for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: path + suffix) {
      try FileManager.default.removeItem(atPath: path + suffix)
    }

    // Checked once a second at most; until then writes go to a file that cannot be opened by others.
    while store.health.filesReplaced == 0 {
      try await bytes.put([1], for: "new", durability: .normal)
    }
    let other = try open(path)

    #expect(try other.bytes("bytes").read("new").copy?.value == [1])
    #expect(FileManager.default.fileExists(atPath: path))
    try await other.close()
    try await store.close()
  }

  @Test func `a store whose folder was missing for a while works again when it is back`()
    async throws
  {
    let folder = try TemporaryFolder()
    let (inner, aside) = (folder.file("inner"), folder.file("aside"))
    try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: false)
    let store = try open(inner + "/store.db")
    let bytes = try store.bytes("bytes")
    try await bytes.put([1], for: "1")

    try FileManager.default.moveItem(atPath: inner, toPath: aside)
    var failure: StoreError?
    while failure == nil {
      failure = await storeFailure {
        try await bytes.put([2], for: "2", durability: .normal)
      }
    }
    try FileManager.default.moveItem(atPath: aside, toPath: inner)
    try await bytes.put([3], for: "3")
    let other = try open(inner + "/store.db")

    #expect(failure?.code == .folderMissing)
    #expect(try other.bytes("bytes").read("1").copy?.value == [1])
    #expect(try other.bytes("bytes").read("3").copy?.value == [3])
    try await other.close()
    try await store.close()
  }

  @Test func `a store killed during its work is sound`() async throws {
    let (folder, after) = (try TemporaryFolder(), try TemporaryFolder())
    let path = folder.file("store.db")
    let store = try open(path)
    try await store.bytes("bytes").put([1], for: "1")
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(
        atPath: path + suffix, toPath: after.file("store.db" + suffix))
    }

    let again = try open(after.file("store.db"))

    #expect(try again.bytes("bytes").read("1").copy?.value == [1])
    #expect(try await again.check().isSound)
    try await again.close()
    try await store.close()
  }
}
