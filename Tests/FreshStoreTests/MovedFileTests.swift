import CSQLite
import Foundation
import FreshStoreTesting
import Glibc
import Platform
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// Files that are moved aside while other processes use them, or are killed during the move.
@Suite struct MovedFileTests {
  private func open(_ path: String) throws -> Store {
    try Store(path: path, configuration: Configuration(reachability: .fixed(.online)))
  }

  private func file(_ path: String) -> DatabaseFile {
    DatabaseFile(path: path, access: .readWrite, busyTimeout: .seconds(5), maximumSize: nil)
  }

  /// Moves the file aside, as a process does that has found damage in it.
  private func moveAside(_ path: String) throws {
    let file = file(path)
    _ = try file.moveAside(try #require(file.identity))
  }

  /// Closes a store, and checks that its file is sound.
  private func end(_ store: Store) async throws {
    #expect(try await store.check().isSound)
    try await store.close()
  }

  /// The files that a killed process leaves with local writes of these keys in its log.
  private func leave(_ path: String, writes keys: String...) async throws {
    let folder = try TemporaryFolder()
    let original = folder.file("store.db")
    let store = try open(original)
    for key in keys { try await store.bytes("bytes").write([1], for: key) }
    for part in ["", "-wal", "-outbox"] {
      try FileManager.default.copyItem(atPath: original + part, toPath: path + part)
    }
    try await end(store)
  }

  @Test func `damage reported about a file does not concern its replacement`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.db")
    let store = try open(path)
    store.storage.database.note(
      SQLiteError(code: SQLITE_CORRUPT, message: "damage", activity: "reading"))
    try moveAside(path)
    let other = try open(path)
    try await other.bytes("bytes").put([1], for: "new")

    try store.storage.database.followFile()
    #expect(try store.bytes("bytes").read("new").copy?.value == [1])
    #expect(store.health.movedAside.isEmpty)
    try await end(other)
    try await end(store)
  }

  @Test(.timeLimit(.minutes(2)))
  func `a reader uses the new file from the moment of the move on`()
    async throws
  {
    for _ in 0..<8 {
      let folder = try TemporaryFolder()
      let path = folder.file("store.db")
      var configuration = Configuration(reachability: .fixed(.online))
      configuration.memory = .none
      let store = try Store(path: path, configuration: configuration)
      let bytes = try store.bytes("bytes")
      for key in 0..<8 { try await bytes.put([1], for: "\(key)") }
      let file = file(path)
      let identity = try #require(file.identity)

      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<4 {
          group.addTask(executorPreference: OwnThread()) {
            while !Task.isCancelled {
              // The file may be gone at that moment.
              for key in 0..<8 { _ = try? bytes.read("\(key)") }
            }
          }
        }
        // The state that a process leaves when it is killed at the beginning of a move.
        let note = "1 \(identity.device) \(identity.inode)"
        try Data(note.utf8).write(to: URL(filePath: path + "-moving"), options: .atomic)
        while file.identity == identity || file.identity == nil {
          _ = try? store.storage.database.followFile()
        }
        group.cancelAll()
      }
      for key in 0..<8 { try await bytes.put([2], for: "\(key)") }
      for round in 0..<80 { #expect(try bytes.read("\(round % 8)").copy?.value == [2]) }
      try await end(store)
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `a continuous writer does not keep a damaged file in its place`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.file("store.db")
    let store = try open(path)
    try await store.bytes("bytes").put([1], for: "1")
    let file = file(path)
    let identity = try #require(file.identity)
    try await withThrowingTaskGroup { group in
      for _ in 0..<4 {
        group.addTask(executorPreference: OwnThread()) {
          while try file.inPlace(identity, { () throws(StoreError) in _ = usleep(2000) }) != nil {}
        }
      }
      #expect(try file.moveAside(identity) == path + ".damaged-1")
      try await group.waitForAll()
    }
    try store.storage.database.followFile()
    try await end(store)
  }

  @Test func `a file is not moved aside while a local write is being stored in it`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.db")
    let store = try open(path)
    let bytes = try store.bytes("bytes")
    try await bytes.write([1], for: "a")
    let holder = try RawDatabase(path)
    try holder.execute("BEGIN IMMEDIATE")

    async let writing: Void = { _ = try await bytes.write([1], for: "b") }()
    // Until the writer has the lock that keeps the file in place.
    let descriptor = unsafe Glibc.open(folder.path, O_RDONLY | O_DIRECTORY)
    defer { Glibc.close(descriptor) }
    while flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
      flock(descriptor, LOCK_UN)
      await Task.yield()
    }
    let moving = Task(executorPreference: OwnThread()) { try moveAside(path) }
    try holder.execute("ROLLBACK")
    try await writing
    try await moving.value

    let other = try open(path)
    #expect(try other.outbox().map(\.key) == ["a", "b"])
    try await end(other)
    try await store.close()
  }

  @Test func `a local write that waited during the move goes into the new file`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.file("store.db")
    let store = try open(path)
    let bytes = try store.bytes("bytes")
    try await bytes.write([1], for: "a")
    let descriptor = unsafe Glibc.open(folder.path, O_RDONLY | O_DIRECTORY)
    defer { Glibc.close(descriptor) }
    try #require(flock(descriptor, LOCK_EX) == 0)

    async let writing: Void = { _ = try await bytes.write([1], for: "b") }()
    for part in ["-shm", "-wal", "-outbox", ""] {
      try #require(unsafe rename(path + part, path + ".damaged-1" + part) == 0)
    }
    flock(descriptor, LOCK_UN)
    let other = try open(path)
    try await writing

    #expect(try other.outbox().map(\.key) == ["a", "b"])
    try await end(other)
    try await store.close()
  }

  @Test(arguments: 0...3)
  func `the next open completes a move whose process was killed`(parts: Int) async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.db")
    try await leave(path, writes: "1")
    let identity = try #require(file(path).identity)
    try Data("1 \(identity.device) \(identity.inode)".utf8)
      .write(to: URL(fileURLWithPath: path + "-moving"))
    for part in ["-wal", "-outbox", ""].prefix(parts) {
      try #require(unsafe rename(path + part, path + ".damaged-1" + part) == 0)
    }

    let store = try open(path)
    #expect(try store.outbox().map(\.key) == ["1"])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).contains(
        "store.db.damaged-1"))
    #expect(!PathName.exists(path + "-moving"))
    try await end(store)
  }

  @Test(arguments: ["", "1", "1 0 0", "nonsense", "1 2 3 4"])
  func `a note that names no existing file moves none`(note: String) async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.db")
    try await leave(path, writes: "1")
    try Data(note.utf8).write(to: URL(fileURLWithPath: path + "-moving"))

    let store = try open(path)
    #expect(try store.outbox().map(\.key) == ["1"])
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(!names.contains { $0.contains("damaged") || $0.contains("moving") })
    try await end(store)
  }

  @Test func `a reader waits for the process that moves the file, and reports when there is none`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.file("store.db")
    try await leave(path, writes: "1")
    try Data("1 0 0".utf8).write(to: URL(fileURLWithPath: path + "-moving"))
    var configuration = Configuration(reachability: .fixed(.online))
    configuration.access = .readOnly
    configuration.busyTimeout = .milliseconds(20)
    #expect(throws: StoreError.self) { try Store(path: path, configuration: configuration) }
    #expect(PathName.exists(path + "-moving"))
    try await end(try open(path))
  }

  @Test func `a move takes a number under which no file is left`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.db")
    try await end(try open(path))
    let orphan = URL(fileURLWithPath: path + ".damaged-1-wal")
    try Data("kept".utf8).write(to: orphan)

    try moveAside(path)
    #expect(try Data(contentsOf: orphan) == Data("kept".utf8))
    #expect(PathName.exists(path + ".damaged-2"))
  }

  @Test func `local writes behind a gap in the numbers are taken over`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.db")
    try await leave(path + ".damaged-7", writes: "1")
    let store = try open(path)
    #expect(try store.outbox().map(\.key) == ["1"])
    try await end(store)
  }

  @Test func `local writes of two files are all taken over, the older ones first`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.db")
    try await leave(path + ".damaged-10", writes: "c", "d")
    try await leave(path + ".damaged-2", writes: "a", "b")
    let store = try open(path)
    #expect(try store.outbox().map(\.key) == ["a", "b", "c", "d"])
    var sent: [String] = []
    for write in try await store.dueWrites(limit: 10) { sent.append(write.entry.key) }
    #expect(sent == ["a", "b", "c", "d"])
    try await end(store)
  }

  @Test func `writes are taken over from a file that has the name of one already taken over`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.file("store.db")
    try await leave(path + ".damaged-1", writes: "old")
    let store = try open(path)
    #expect(try store.outbox().map(\.key) == ["old"])
    try await end(store)
    for part in ["", "-wal", "-shm"] {
      let found = path + ".damaged-1" + part
      if PathName.exists(found) { try FileManager.default.removeItem(atPath: found) }
    }
    try await leave(path + ".damaged-1", writes: "new")

    let again = try open(path)
    #expect(try again.outbox().map(\.key) == ["old", "new"])
    try await end(again)
  }

  @Test(arguments: [MemoryLimits.standard, .none])
  func `a read-only store notices within a second that the file was moved`(
    memory: MemoryLimits
  ) async throws {
    try await TemporaryStore.run(configure: { $0.memory = memory }) { temporary in
      let policy = Policy().expiring(.never)
      let here = try temporary.store.bytes("bytes", policy: policy)
      try await here.put([1], for: "k")
      #expect(try here.read("k").copy?.value == [1])
      try moveAside(temporary.path)
      let other = try temporary.another()
      try await other.bytes("bytes", policy: policy).put([2], for: "k")
      try await other.bytes("bytes", policy: policy).markStale("k")

      temporary.clock.advance(by: .seconds(2))
      // The first read may be the one that checks.
      _ = try here.servableValue("k")
      _ = try here.read("k")
      #expect(try here.read("k").copy?.value == [2])
      #expect(try here.servableValue("k") == nil)
      try await other.close()
    }
  }

  @Test func `a log is not copied into a file that is being moved`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.db")
    let store = try open(path)
    try await store.bytes("bytes").write([1], for: "a")
    let identity = try #require(file(path).identity)
    try Data("1 \(identity.device) \(identity.inode)".utf8)
      .write(to: URL(fileURLWithPath: path + "-moving"))

    try store.storage.database.followFile()
    #expect(PathName.exists(path + ".damaged-1-wal"))
    #expect(try store.outbox().map(\.key) == ["a"])
    try await end(store)
  }

  @Test(arguments: [false, true])
  func `a move through a link is completed, and the link leads to a store again`(
    wasMoved: Bool
  ) async throws {
    let folder = try TemporaryFolder()
    let (path, link) = (folder.file("real.db"), folder.file("store.db"))
    try await leave(path, writes: "1")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    let identity = try #require(file(path).identity)
    try Data("1 \(identity.device) \(identity.inode)".utf8)
      .write(to: URL(fileURLWithPath: path + "-moving"))
    for part in wasMoved ? ["-wal", "-outbox", ""] : [] {
      try #require(unsafe rename(path + part, path + ".damaged-1" + part) == 0)
    }

    let store = try open(link)
    #expect(try store.outbox().map(\.key) == ["1"])
    #expect(!PathName.exists(path + "-moving"))
    try await end(store)
  }

  @Test func `a folder that is locked for long is reported with the process that holds the lock`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.file("store.db")
    var configuration = Configuration(reachability: .fixed(.online))
    configuration.busyTimeout = .milliseconds(20)
    let store = try Store(path: path, configuration: configuration)
    try await store.bytes("bytes").put([1], for: "k")
    let descriptor = unsafe Glibc.open(folder.path, O_RDONLY | O_DIRECTORY)
    try #require(flock(descriptor, LOCK_EX) == 0)

    let failure = await storeFailure { try await store.bytes("bytes").markStale("k") }
    Glibc.close(descriptor)
    let holder: String? = if case .busy(let holder) = failure?.code { holder } else { nil }
    #expect(holder?.contains("\(getpid())") == true)
    #expect(try await store.bytes("bytes").markStale("k"))
    try await end(store)
  }

  @Test func `a reader without a writing connection follows the file, too`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.db")
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    let clock = ManualClock()
    var configuration = Configuration(reachability: .fixed(.online))
    configuration.access = .readOnly
    configuration.clock = clock
    let reader = try Store(path: path, configuration: configuration)
    let first = try open(path)
    try await first.bytes("bytes").put([1], for: "k")
    #expect(try reader.bytes("bytes").read("k").copy?.value == [1])
    try moveAside(path)
    let second = try open(path)
    try await second.bytes("bytes").put([2], for: "k")

    clock.advance(by: .seconds(2))
    _ = try reader.bytes("bytes").servableValue("k")
    #expect(try reader.bytes("bytes").read("k").copy?.value == [2])
    for store in [reader, first, second] { try await store.close() }
  }

  @Test func `a second process does not take over writes that are already taken over`() async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.file("store.db")
    let aside = path + ".damaged-1"
    try await leave(aside, writes: "1")
    let second = try file(path).open()
    let name = try #require(DatabaseFile.nameOfHeldWrites(aside))
    try await end(try open(path))

    #expect(DatabaseFile.nameOfHeldWrites(aside) == nil)
    #expect(try Salvage.isNoted(name, second))
    #expect(try second.integer("SELECT count(*) FROM outbox") == 1)
  }

  @Test(arguments: ["PRAGMA user_version = 1000", "PRAGMA application_id = 7"])
  func `a reader does not take another file for the replaced store`(_ change: String)
    async throws
  {
    let folder = try TemporaryFolder()
    let (path, another) = (folder.file("store.db"), folder.file("another.db"))
    let store = try open(path)
    try await store.bytes("bytes").put([1], for: "1")
    let replacement = try open(another)
    try await replacement.bytes("bytes").put([2], for: "1")
    try await replacement.close()
    try RawDatabase(another).execute(change)
    for part in ["", "-wal", "-shm"] {
      // Not all of them exist.
      try? FileManager.default.removeItem(atPath: path + part)
    }
    try FileManager.default.moveItem(atPath: another, toPath: path)
    _ = await storeFailure { try store.storage.database.followFile() }

    for _ in 0..<2 {
      #expect(await storeFailure { try store.bytes("bytes").read("1") } != nil)
    }
    try await store.close()
  }
}
