import CSQLite
import Foundation
import FreshStoreTesting
import Glibc
import Platform
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// Files that are moved aside while other processes use them.
@Suite struct MovedFileTests: MovedFileSuite {
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
    while let lock = FolderLock(on: folder.path, waiting: false) {
      lock.release()
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
    let lock = try #require(FolderLock(on: folder.path))

    async let writing: Void = { _ = try await bytes.write([1], for: "b") }()
    for part in ["-shm", "-wal", "-outbox", ""] {
      try #require(unsafe rename(path + part, path + ".damaged-1" + part) == 0)
    }
    lock.release()
    let other = try open(path)
    try await writing

    #expect(try other.outbox().map(\.key) == ["a", "b"])
    try await end(other)
    try await store.close()
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

  @Test func `a folder that is locked for long is reported with the process that holds the lock`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.file("store.db")
    var configuration = Configuration(reachability: .fixed(.online))
    configuration.busyTimeout = .milliseconds(20)
    let store = try Store(path: path, configuration: configuration)
    try await store.bytes("bytes").put([1], for: "k")
    let lock = try #require(FolderLock(on: folder.path))

    let failure = await storeFailure { try await store.bytes("bytes").markStale("k") }
    lock.release()
    let holder: String? = if case .busy(let holder) = failure?.code { holder } else { nil }
    #expect(holder?.contains("\(getpid())") == true)
    #expect(try await store.bytes("bytes").markStale("k"))
    try await end(store)
  }

  @Test func `a lock on the folder that was waited for in vain is not waited for again`() throws {
    let folder = try TemporaryFolder()
    let database = try Database(
      DatabaseFile(
        path: folder.file("store.db"), access: .readWrite, busyTimeout: .seconds(60),
        maximumSize: nil), readers: 1, lockPatience: .milliseconds(500))
    func write(_ durability: Durability) throws {
      _ = try database.write(.put, durability) { (connection) throws(SQLiteError) in
        try connection.integer("PRAGMA user_version")
      }
    }
    try write(.full)
    let lock = try #require(FolderLock(on: folder.path))

    let start = ContinuousClock.now
    for _ in 1...100 {
      #expect(throws: StoreError.self) { try write(.full) }
      // A write that need not survive a power cut takes no lock on the folder.
      try write(.normal)
    }
    // A connection that reads is opened under that lock, too.
    #expect(throws: StoreError.self) {
      try database.read(.read) { (connection) throws(SQLiteError) in
        try connection.integer("PRAGMA user_version")
      }
    }
    let waited = ContinuousClock.now - start
    lock.release()
    #expect(waited >= .milliseconds(500))
    #expect(waited < .seconds(50))
    try write(.full)
    try database.close()
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
    #expect(reader.health.filesReplaced == 1)
    for store in [reader, first, second] { try await store.close() }
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

/// The lock under which a file is moved.
private struct FolderLock {
  private let descriptor: Int32

  /// `nil` where another has it, and is not waited for.
  init?(on folder: String, waiting: Bool = true) {
    descriptor = unsafe Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard flock(descriptor, waiting ? LOCK_EX : LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      return nil
    }
  }

  func release() {
    // A child that another test forked meanwhile has the descriptor, too.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
