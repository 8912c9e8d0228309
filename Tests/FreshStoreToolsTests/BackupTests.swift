import Dispatch
import Foundation
import FreshStoreTesting
import StoreSupport
import Strategies
import Synchronization
import Testing

@testable import FreshStore
@testable import FreshStoreTools

/// Backups of a store in use.
@Suite(.timeLimit(.minutes(2))) struct BackupTests {
  /// Some 500 pages: two steps of a backup.
  private func fill(_ store: Store) async throws -> RecordCollection<[UInt8]> {
    let bytes = try store.bytes("bytes")
    for number in 0..<100 {
      try await bytes.put(
        .init(repeating: UInt8(number), count: 20_000), for: "\(number)",
        details: FetchDetails(expiry: .never, tags: ["t\(number % 3)"]), durability: .normal)
    }
    return bytes
  }

  /// The files of the folder, except for those that SQLite keeps beside an open one.
  private func names(_ folder: TemporaryFolder) throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
      .filter { !$0.hasSuffix("db-wal") && !$0.hasSuffix("db-shm") }
  }

  private func open(
    _ path: String, like temporary: TemporaryStore,
    access: FreshStore.Configuration.Access = .readWrite
  ) throws -> Store {
    var configuration = Configuration(reachability: temporary.reachability)
    configuration.clock = temporary.clock
    configuration.access = access
    return try Store(path: path, configuration: configuration)
  }

  @Test func `a reader of a copy leaves nothing beside it, and no file open`() async throws {
    try await TemporaryStore.run { temporary in
      let path = temporary.folder.file("copy.db")
      _ = try await fill(temporary.store)
      _ = try await temporary.store.backup(to: path)

      let copy = try open(path, like: temporary, access: .readOnly)
      let value = try copy.bytes("bytes").value("7")
      try await copy.close()

      #expect(value == .init(repeating: 7, count: 20_000))
      let names = try FileManager.default.contentsOfDirectory(atPath: temporary.folder.path)
      #expect(names.filter { $0.hasPrefix("copy.db") } == ["copy.db"])
      #expect(
        try openFiles().filter { $0.contains("/copy.db") && $0.contains(temporary.folder.path) }
          == [])
    }
  }

  /// The targets of this process's descriptors.
  private func openFiles() throws -> [String] {
    let folder = "/proc/self/fd/"
    return try FileManager.default.contentsOfDirectory(atPath: folder).compactMap {
      // Others close theirs meanwhile.
      try? FileManager.default.destinationOfSymbolicLink(atPath: folder + $0)
    }
  }

  @Test func `a copy is one sound file with every record, tag and local write`() async throws {
    try await TemporaryStore.run { temporary in
      let bytes = try await fill(temporary.store)
      try await bytes.write([7], for: "7")
      try await bytes.write([8], for: "new")
      await #expect(throws: GetError.self) {
        _ = try await bytes.get("absent") { _ in .gone(FetchDetails(expiry: .never)) }
      }
      let path = temporary.folder.file("copy.db")
      let before = try names(temporary.folder)
      let result = try await temporary.store.backup(to: path)

      #expect(result.records == 102 && result.localWrites == 2)
      let size = try Data(contentsOf: URL(fileURLWithPath: path)).count
      #expect(result.path == path && result.bytes == size)
      #expect(try names(temporary.folder) == before.union(["copy.db"]))
      let copy = try open(path, like: temporary)
      #expect(try await copy.check().isSound)
      #expect(
        try copy.outbox().map(\.idempotencyKey) == temporary.store.outbox().map(\.idempotencyKey))
      #expect(try copy.bytes("bytes").value("7") == [7])
      #expect(try copy.bytes("bytes").value("99") == .init(repeating: 99, count: 20_000))
      try await copy.markStale(tag: "t1")
      #expect(try copy.bytes("bytes").read("1").decision.outcome == .stale)
      try await copy.close()
    }
  }

  @Test func `a copy has the state of one moment, whatever is committed meanwhile`() async throws {
    try await TemporaryStore.run { temporary in
      _ = try await fill(temporary.store)
      let path = temporary.folder.file("copy.db")
      let seen = Mutex<[BackupProgress]>([])
      let source = temporary.path
      _ = try await temporary.store.backup(to: path) { progress in
        seen.withLock { $0.append(progress) }
        do {
          try RawDatabase(source).execute("UPDATE record SET queue_at = 1")
        } catch {
          Issue.record(error)
        }
      }
      let steps = seen.withLock { $0 }
      // A restart would have copied some pages twice.
      #expect(steps.map(\.pages) == [256, 512].prefix(steps.count).map { min($0, steps[0].total) })
      #expect(steps.count > 0 && steps[0].total > 256)
      #expect(try RawDatabase(path).integer("SELECT sum(coalesce(queue_at, 0)) FROM record") == 0)
      #expect(
        try RawDatabase(source).integer("SELECT sum(coalesce(queue_at, 0)) FROM record") == 100)
    }
  }

  /// A copy that pauses after its first step until the test releases it.
  private func holding(
    _ store: Store, _ path: String,
    _ body: (Task<BackupResult, any Error>) async throws -> Void
  ) async throws -> Result<BackupResult, any Error> {
    let (begun, continuation) = AsyncStream.makeStream(of: Void.self)
    let go = DispatchSemaphore(value: 0)
    let isFirst = Atomic<Bool>(true)
    let copying = Task {
      try await store.backup(to: path) { _ in
        guard isFirst.exchange(false, ordering: .relaxed) else { return }
        continuation.finish()
        go.wait()
      }
    }
    for await _ in begun {}
    do {
      try await body(copying)
    } catch {
      go.signal()
      throw error
    }
    go.signal()
    return await copying.result
  }

  @Test(.timeLimit(.minutes(2)))
  func `writers do not wait for a copy, and checkpoints are put off`() async throws {
    try await TemporaryStore.run(configure: { $0.busyTimeout = .seconds(60) }) { temporary in
      _ = try await fill(temporary.store)
      let other = try temporary.another()
      let values = try other.bytes("others")
      let copied = try await holding(temporary.store, temporary.folder.file("copy.db")) { _ in
        let start = ContinuousClock.now
        for number in 0..<4 {
          try await values.put(
            .init(repeating: 1, count: 5 << 20), for: "\(number)", durability: .normal)
        }
        // Each of them fills the log, and would wait for the busy timeout.
        #expect(ContinuousClock.now - start < .seconds(50))
        // The checkpoint started beside them is blocked by the copy.
        while other.health.checkpointsDeferred == 0 { await Task.yield() }
      }
      #expect(try copied.get().records == 100)
      try await values.put([1], for: "last")
      try await other.close()
    }
  }

  @Test func `a cancelled copy leaves nothing behind`() async throws {
    try await TemporaryStore.run { temporary in
      _ = try await fill(temporary.store)
      let before = try names(temporary.folder)
      let copied = try await holding(temporary.store, temporary.folder.file("copy.db")) { task in
        let now = try names(temporary.folder)
        #expect(now.count == before.count + 1)
        task.cancel()
      }
      #expect(await storeFailure { _ = try copied.get() }?.code == .cancelled)
      #expect(try names(temporary.folder) == before)
    }
  }

  @Test func `an existing file is never overwritten`() async throws {
    try await TemporaryStore.run { temporary in
      let folder = temporary.folder
      try Data("mine".utf8).write(to: URL(fileURLWithPath: folder.file("file")))
      try FileManager.default.createDirectory(
        atPath: folder.file("folder"), withIntermediateDirectories: false)
      try FileManager.default.createSymbolicLink(
        atPath: folder.file("link"), withDestinationPath: folder.file("nothing"))
      let before = try names(folder)
      for name in ["file", "folder", "link", "store.db"] {
        let failure = await storeFailure { try await temporary.store.backup(to: folder.file(name)) }
        #expect(failure?.code == .alreadyExists)
        #expect(failure?.path == folder.file(name))
      }
      #expect(try names(folder) == before)
      #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file("file"))) == Data("mine".utf8))
    }
  }

  @Test func `a file created at the target meanwhile is not replaced`() async throws {
    try await TemporaryStore.run { temporary in
      _ = try await fill(temporary.store)
      let path = temporary.folder.file("copy.db")
      let copied = try await holding(temporary.store, path) { _ in
        try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
      }
      #expect(await storeFailure { _ = try copied.get() }?.code == .alreadyExists)
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("mine".utf8))
      #expect(try !names(temporary.folder).contains { $0.hasSuffix(".partial") })
    }
  }

  @Test func `a file gets its name without hard links, too, and replaces no other file`() throws {
    let folder = try TemporaryFolder()
    let ways: [(String, String) -> Int32] = [
      { NewFile.link($0, $1) }, { NewFile.claim($1, for: $0) },
    ]
    for (number, rename) in ways.enumerated() {
      let (old, new) = (folder.file("old\(number)"), folder.file("new\(number)"))
      try Data("new".utf8).write(to: URL(fileURLWithPath: old))
      #expect(rename(old, new) == 0)
      #expect(try Data(contentsOf: URL(fileURLWithPath: new)) == Data("new".utf8))
      #expect(!FileManager.default.fileExists(atPath: old))
      try Data("newer".utf8).write(to: URL(fileURLWithPath: old))
      #expect(rename(old, new) == EEXIST)
      #expect(try Data(contentsOf: URL(fileURLWithPath: new)) == Data("new".utf8))
      #expect(try Data(contentsOf: URL(fileURLWithPath: old)) == Data("newer".utf8))
    }
  }

  @Test func `a copy holds no claims`() async throws {
    try await TemporaryStore.run { temporary in
      let bytes = try temporary.store.bytes("bytes")
      try await bytes.put([1], for: "stale")
      try await bytes.markStale("stale")
      try await bytes.write([2], for: "written")
      #expect(try await temporary.store.due(limit: 9, holding: .seconds(100_000)).count == 1)
      #expect(try await temporary.store.dueWrites(limit: 9, holding: .seconds(100_000)).count == 1)
      let path = temporary.folder.file("copy.db")
      _ = try await temporary.store.backup(to: path)

      #expect(try await temporary.store.dueWrites(limit: 9).isEmpty)
      let copy = try open(path, like: temporary)
      #expect(try await copy.dueWrites(limit: 9).map(\.entry.key) == ["written"])
      let answer = try await copy.bytes("bytes").get("stale") { _ in .value([3]) }
      #expect(answer.value == [3])
      try await copy.close()
    }
  }

  @Test func `a copy that is damaged later is known to have held local writes`() async throws {
    try await TemporaryStore.run { temporary in
      let bytes = try temporary.store.bytes("bytes")
      try await bytes.write([2], for: "written")
      let path = temporary.folder.file("copy.db")
      _ = try await temporary.store.backup(to: path)
      try await open(path, like: temporary).close()
      let size = try Data(contentsOf: URL(fileURLWithPath: path)).count
      try FileChaos.fill(4096..<size, ofFileAt: path, seed: 1)
      let failure = await storeFailure {
        let copy = try open(path, like: temporary)
        _ = await storeFailure { try copy.outbox() }
        _ = try copy.outbox()
      }
      #expect(failure?.code == .writesLost(file: path + ".damaged-1", writes: nil))
    }
  }

  @Test func `a damaged store is not copied, and not moved`() async throws {
    try await TemporaryStore.run { temporary in
      let path = temporary.folder.file("damaged.db")
      _ = try await fill(temporary.store)
      _ = try await temporary.store.backup(to: path)
      let root = try RawDatabase(path).integer(
        "SELECT rootpage FROM sqlite_schema WHERE name = 'record_sweep'")
      try FileChaos.fill((root - 1) * 4096..<root * 4096, ofFileAt: path, seed: 1)
      let damaged = try open(path, like: temporary, access: .readOnly)
      let before = try names(temporary.folder)
      let failure = await storeFailure {
        try await damaged.backup(to: temporary.folder.file("copy.db"))
      }
      #expect(failure?.code == .damaged)
      #expect(try names(temporary.folder) == before)
      try await damaged.close()
    }
  }

  @Test func `a read-only copy can be copied again`() async throws {
    try await TemporaryStore.run { temporary in
      _ = try await fill(temporary.store)
      let (first, second) = (temporary.folder.file("1.db"), temporary.folder.file("2.db"))
      _ = try await temporary.store.backup(to: first)
      let reader = try open(first, like: temporary, access: .readOnly)
      #expect(try await reader.backup(to: second).records == 100)
      try await reader.close()
      #expect(try Data(contentsOf: URL(fileURLWithPath: first)).count > 4096)
      let copy = try open(second, like: temporary)
      #expect(try await copy.check().isSound)
      try await copy.close()
    }
  }

  @Test func `the error about a copy that cannot start states the reason`() async throws {
    try await TemporaryStore.run { temporary in
      let nowhere = temporary.folder.file("no/copy.db")
      #expect(
        await storeFailure { try await temporary.store.backup(to: nowhere) }?.code == .folderMissing
      )
      for path in ["", "a\0b"] {
        guard
          case .invalidArgument? = await storeFailure(of: {
            try await temporary.store.backup(to: path)
          })?.code
        else {
          Issue.record("\(path.debugDescription) was accepted")
          continue
        }
      }
      let other = try temporary.another()
      try await other.close()
      let path = temporary.folder.file("copy.db")
      #expect(await storeFailure { try await other.backup(to: path) }?.code == .closed)
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }
}
