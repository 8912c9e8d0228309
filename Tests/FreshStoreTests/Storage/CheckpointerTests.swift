import Foundation
import FreshStoreTesting
import Synchronization
import Testing

@testable import FreshStore

@Suite struct CheckpointerTests {
  /// A database in a folder of its own, with connections to it.
  private struct Place: Sendable {
    let folder: DiskFolder
    let path: String
    let disk = HookedDisk()

    init() throws {
      folder = try DiskFolder(disk)
      path = folder.file("moved.db")
      try #require(FileManager.default.createFile(atPath: path, contents: nil))
      let connection = try connect()
      _ = try connection.text("PRAGMA journal_mode=WAL")
      try connection.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, content BLOB)")
    }

    func connect() throws(SQLiteError) -> Connection {
      try Connection(path: path, access: .readWrite, busyTimeout: .seconds(5))
    }

    /// Like ``connect()``; the moments of its checkpoints can be hooked.
    func connectThroughDisk() throws(SQLiteError) -> Connection {
      try Connection(
        path: path, access: .readWrite, busyTimeout: .seconds(5), fileSystem: DiskFileSystem.name)
    }

    func checkpointer() throws(SQLiteError) -> Checkpointer {
      Checkpointer(mover: try connect(), anchor: try connect())
    }

    /// Writes this many pages into the log, and a few more.
    func write(pages: Int, on connection: borrowing Connection) throws(SQLiteError) {
      try connection.withStatement(
        SQL("INSERT INTO item (content) VALUES (zeroblob(?1 * 4000))")
      ) { (statement) throws(SQLiteError) in
        try statement.bind(Int64(pages), at: 1)
        try statement.run()
      }
    }
  }

  /// Writes a few pages at the beginning of each checkpoint, which remain when it is over.
  private struct Disturber: Sendable {
    let place: Place

    init(_ place: Place) {
      self.place = place
    }

    func arm() {
      place.disk.arm(.before) { [self] in
        // A failure here leaves nothing to finish, and the test detects that.
        guard let late = try? place.connect() else { return }
        try? place.write(pages: 20, on: late)
        arm()
      }
    }
  }

  @Test func `the log is copied into the database, and the next writer restarts it`() throws {
    let place = try Place()
    let writer = try place.connect()
    try place.write(pages: 50, on: writer)
    let progress = writer.logProgress
    let before = try #require(progress)
    #expect(before.moved < before.pages)
    let outcome = try place.checkpointer().run()
    #expect(outcome == Checkpointer.Outcome(isWhole: true, held: .zero))
    let moved = writer.logProgress
    #expect(moved == LogProgress(pages: before.pages, moved: before.pages))
    try place.write(pages: 1, on: writer)
    let after = writer.logProgress
    #expect(after.map { $0.pages < 10 && $0.moved == 0 } == true)
    let integrity = try writer.text("PRAGMA integrity_check(1)")
    #expect(integrity == "ok")
  }

  @Test func `a log that is already copied is left alone`() throws {
    let place = try Place()
    let writer = try place.connect()
    try place.write(pages: 5, on: writer)
    let checkpointer = try place.checkpointer()
    _ = try checkpointer.run()
    let before = writer.logProgress
    let progress = try checkpointer.pass()
    #expect(progress == before && progress?.isWhole == true)
  }

  @Test func `a reader of an older state keeps later pages in the log`() throws {
    let place = try Place()
    let writer = try place.connect()
    let reader = try place.connect()
    try place.write(pages: 5, on: writer)
    let checkpointer = try place.checkpointer()
    try reader.snapshot { (reader) throws(SQLiteError) in
      let count = try reader.integer("SELECT count(*) FROM item")
      #expect(count == 1)
      try writer.execute("INSERT INTO item (content) VALUES (zeroblob(4000000))")
      let outcome = try checkpointer.run()
      #expect(outcome == Checkpointer.Outcome(isWhole: false, held: .zero))
      let again = try reader.integer("SELECT count(*) FROM item")
      #expect(again == 1)
    }
    let outcome = try checkpointer.run()
    #expect(outcome.isWhole)
  }

  @Test func `a second checkpointer does nothing during a checkpoint`() throws {
    let place = try Place()
    let writer = try place.connect()
    try place.write(pages: 5, on: writer)
    let mover = try place.connectThroughDisk()
    let other = Mutex(try place.checkpointer())
    let inner = Mutex("not asked")
    place.disk.arm(.before) { [place] in
      // Another connection commits, so that the log has changed between the two looks. If that
      // fails, the other is never asked.
      if let late = try? place.connect() { try? place.write(pages: 1, on: late) }
      place.disk.arm(.betweenLooks) {
        let answer = other.withLock { other in
          do {
            return try other.pass() == nil ? "busy" : "moved"
          } catch {
            return "\(error)"
          }
        }
        inner.withLock { $0 = answer }
      }
    }
    let outcome = try Checkpointer(mover: mover, anchor: try place.connect()).run()
    #expect(outcome.isWhole)
    #expect(inner.withLock { $0 } == "busy")
  }

  @Test func `the last pages of a long log are copied while no writer is active`() throws {
    let place = try Place()
    let writer = try place.connect()
    try place.write(pages: 4000, on: writer)
    let mover = try place.connectThroughDisk()
    Disturber(place).arm()
    let outcome = try Checkpointer(mover: mover, anchor: try place.connect()).run()
    #expect(outcome.isWhole)
    #expect(outcome.held > .zero)
    let left = writer.logProgress
    #expect(left?.isWhole == true)
    let count = try writer.integer("SELECT count(*) FROM item")
    #expect(count > 3)
  }

  @Test func `the log of a store is copied after commits that made it long`() async throws {
    try await TemporaryStore.run { temporary in
      let values = try temporary.store.bytes("long")
      for number in 0..<3 {
        try await values.put(.init(repeating: 1, count: 3 << 20), for: "\(number)")
      }
      // After the checkpoints that were started before it.
      _ = await temporary.store.storage.database.moveLog()
      let progress = try temporary.store.storage.database.read(.read) {
        (connection) throws(SQLiteError) in
        connection.logProgress
      }
      #expect(progress?.isWhole == true)
      #expect(temporary.store.health.checkpointsDeferred == 0)
    }
  }
}
