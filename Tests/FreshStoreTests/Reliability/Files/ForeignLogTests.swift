import Foundation
import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

/// Logs and files that do not belong together: SQLite takes any whole log for that of the file beside it
/// (https://sqlite.org/howtocorrupt.html, section 1.4).
@Suite struct ForeignLogTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file("store.db") }

  init() throws { folder = try TemporaryFolder() }

  private func open(_ path: String) throws -> Store {
    try Store(path: path, configuration: Configuration(reachability: .fixed(.online)))
  }

  /// A closed store with some records of one value.
  private func makeStore(_ path: String, _ value: UInt8, records: Int = 50) async throws {
    let store = try open(path)
    try await fill(store, value, 0..<records)
    try await store.close()
  }

  private func fill(_ store: Store, _ value: UInt8, _ numbers: Range<Int>) async throws {
    let bytes = try store.bytes("bytes")
    for number in numbers {
      try await bytes.put(
        .init(repeating: value, count: 400), for: "\(number)", durability: .normal)
    }
  }

  private func copy(_ source: String, _ target: String, _ suffixes: [String]) throws {
    for suffix in suffixes {
      try FileManager.default.copyItem(atPath: source + suffix, toPath: target + suffix)
    }
  }

  @Test func `the log of another program's database leads to a refusal, and is left`()
    async throws
  {
    try await makeStore(path, 1)
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let other = folder.file("other.db")
    let raw = try RawDatabase(other)
    try raw.execute(
      "PRAGMA journal_mode = WAL; CREATE TABLE mine (a); INSERT INTO mine VALUES (1)")
    try copy(other, path, ["-wal", "-shm"])
    let log = try Data(contentsOf: URL(fileURLWithPath: path + "-wal"))

    let failure = await storeFailure { try open(path) }

    #expect(failure?.code == .foreignDatabase)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path + "-wal")) == log)
    // Without the log the store is as it was.
    for suffix in ["-wal", "-shm"] { try FileManager.default.removeItem(atPath: path + suffix) }
    let store = try open(path)
    #expect(try store.list().count == 50)
    try await store.close()
  }

  @Test(arguments: [[], ["-shm"]])
  func `with the log of another store every served value was stored by one of them`(
    _ more: [String]
  ) async throws {
    try await makeStore(path, 1, records: 80)
    let other = folder.file("other.db")
    try await makeStore(other, 2)
    let running = try open(other)
    try await fill(running, 3, 20..<70)
    try copy(other, path, ["-wal"] + more)
    try await running.close()

    let failure = await storeFailure {
      let store = try open(path)
      let bytes = try store.bytes("bytes")
      for number in 0..<80 {
        guard let value = try bytes.read("\(number)").copy?.value else { continue }
        #expect(value.count == 400 && Set(value).isSubset(of: [1, 2, 3]) && Set(value).count == 1)
      }
      try await store.close()
    }
    // The data read may be damaged; then the file is moved aside at the next opening.
    #expect(failure == nil || failure?.code == .damaged, "\(String(describing: failure))")
    let again = try open(path)
    try await again.bytes("bytes").put([9], for: "new")
    #expect(try again.bytes("bytes").read("new").copy?.value == [9])
    try await again.close()
  }

  @Test(arguments: [[""], ["", "-wal"], ["", "-wal", "-shm"]])
  func `a copy of an open store's files is an older state of it, or is refused`(
    _ suffixes: [String]
  ) async throws {
    let store = try open(path)
    try await fill(store, 1, 0..<60)
    let taken = folder.file("copy.db")
    try copy(path, taken, suffixes)
    try await store.close()

    let copied = try open(taken)
    let keys = Set(try copied.list(limit: 100).map(\.key))
    let check = try await copied.check()
    try await copied.close()

    #expect(check.isSound)
    #expect(keys == Set((0..<keys.count).map { "\($0)" }), "the first of them, without a hole")
  }
}
