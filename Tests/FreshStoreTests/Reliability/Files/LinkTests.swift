import Foundation
import FreshStore
import FreshStoreTesting
import FreshStoreTools
import StoreSupport
import Strategies
import Testing

/// Stores that are reached through a symbolic link.
@Suite struct LinkTests {
  private let folder: TemporaryFolder
  private var link: String { folder.file("link.db") }
  private var target: String { folder.file("real/store.db") }

  init() throws {
    folder = try TemporaryFolder()
    for name in ["real", "other"] {
      try FileManager.default.createDirectory(
        atPath: folder.file(name), withIntermediateDirectories: false)
    }
  }

  private func open(
    _ path: String, _ access: Configuration.Access = .readWrite
  ) throws(StoreError) -> Store {
    var configuration = Configuration(reachability: .fixed(.online))
    configuration.access = access
    return try Store(path: path, configuration: configuration)
  }

  private func lead(_ link: String, to target: String) throws {
    try? FileManager.default.removeItem(atPath: link)  // There may be none yet.
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
  }

  private func names(in name: String) throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: folder.file(name)))
  }

  @Test(arguments: ["link.db", "real/none.db"])
  func `a link that leads nowhere, or in a circle, is refused, and no file is created`(
    _ destination: String
  ) async throws {
    try lead(link, to: folder.file(destination))
    #expect(await storeFailure { try open(link) }?.code == .cannotOpen)
    #expect(try names(in: "real").isEmpty)
  }

  @Test func `the files beside a store lie beside the file, not beside the link`() async throws {
    try await open(target).close()
    try lead(link, to: target)
    let store = try open(link)
    _ = try await store.bytes("bytes").write([1], for: "key")
    let lock = try await store.lockSweeps()
    lock.release()
    try await store.close()

    #expect(
      try names(in: "real").isSuperset(of: ["store.db", "store.db-outbox", "store.db-sweep"]))
    #expect(try names(in: ".") == ["link.db", "other", "real"])
  }

  @Test func `a damaged file is moved aside with its log, and the link to it stays`()
    async throws
  {
    try await open(target).close()
    try lead(link, to: target)
    let first = try open(link)
    try await first.bytes("bytes").put([1], for: "key")
    try await first.close()
    try damage(target)

    let store = try open(link)
    try await store.bytes("bytes").put([2], for: "key")
    let aside = store.health.movedAside
    try await store.close()
    let direct = try open(target)
    let found = try direct.bytes("bytes").read("key").copy?.value
    try await direct.close()

    #expect(aside.map { ($0 as NSString).lastPathComponent } == ["store.db.damaged-1"])
    #expect(try names(in: "real").isSuperset(of: ["store.db", "store.db.damaged-1"]))
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target)
    #expect(found == [2])
  }

  @Test func `local writes made through a link are known to every open of the damaged file itself`()
    async throws
  {
    try await open(target).close()
    try lead(link, to: target)
    let store = try open(link)
    _ = try await store.bytes("bytes").write([1], for: "key")
    try await store.close()
    try damage(target)

    let failure = await storeFailure { try open(target) }

    guard case .writesLost = failure?.code else {
      Issue.record("\(String(describing: failure))")
      return
    }
  }

  @Test func `a link that is changed under an open store leads it to the other file`() async throws
  {
    let other = folder.file("other/store.db")
    for path in [target, other] { try await open(path).close() }
    try lead(link, to: target)
    let store = try open(link)
    let bytes = try store.bytes("bytes")
    _ = try await bytes.write([1], for: "first")
    try lead(link, to: other)

    // A write that exists nowhere else is not stored before a look at the path.
    _ = try await bytes.write([2], for: "second")
    let replaced = store.health.filesReplaced
    try await store.close()
    let (left, right) = (try open(target), try open(other))
    let outboxes = (try left.outbox().map(\.key), try right.outbox().map(\.key))
    try await left.close()
    try await right.close()

    #expect(replaced == 1)
    #expect(outboxes == (["first"], ["second"]))
  }

  @Test func `a link that is changed to a foreign file loses the writes, and leaves that file`()
    async throws
  {
    try await open(target).close()
    try lead(link, to: target)
    let store = try open(link)
    let foreign = folder.file("other/foreign.db")
    try RawDatabase(foreign).execute("CREATE TABLE mine (a)")
    let before = try Data(contentsOf: URL(fileURLWithPath: foreign))
    try lead(link, to: foreign)

    let failure = await storeFailure { try await store.bytes("bytes").write([1], for: "key") }
    try await store.close()

    #expect(failure?.code == .foreignDatabase)
    #expect(try Data(contentsOf: URL(fileURLWithPath: foreign)) == before)
  }

  @Test func `a damaged file is recovered through a link with the log beside the file`()
    async throws
  {
    let source = folder.file("other/store.db")
    let store = try open(source)
    try await store.bytes("bytes").put([1], for: "key")
    // As a killed process leaves it: all of it is in the log.
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: source + suffix, toPath: target + suffix)
    }
    try await store.close()
    try lead(link, to: target)

    let result = try await Store.recover(link, to: folder.file("new.db"))

    #expect(result.records == 1)
  }

  private func damage(_ path: String) throws {
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    let size = Int(try file.seekToEnd())
    try file.seek(toOffset: 100)
    try file.write(contentsOf: Data(repeating: 0xA5, count: size - 100))
    // The mark of a store stays.
    try file.seek(toOffset: 68)
    try file.write(contentsOf: Data([0x46, 0x72, 0x53, 0x31]))
    try file.close()
  }
}
