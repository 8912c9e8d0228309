import Foundation
import FreshStoreTesting
import Synchronization
import Testing

@testable import FreshStore

/// The WAL-reset bug of SQLite 3.7.0 to 3.51.2 (https://sqlite.org/wal.html#walresetbug): a writer
/// that restarts the log inside another connection's checkpoint makes acknowledged rows disappear.
@Suite struct WALResetTests {
  /// How a connection checkpoints in the race.
  enum Checkpoint: Sendable {
    /// The one a store makes.
    case ours
    /// The one SQLite makes by default after a commit.
    case passive

    func run(on connection: borrowing Connection) throws {
      switch self {
      case .ours: _ = try connection.checkpoint()
      case .passive: _ = try connection.integer("PRAGMA wal_checkpoint(PASSIVE)")
      }
    }
  }

  struct Outcome: Equatable {
    var rows: Int64
    var integrity: String
  }

  @Test func `a writer inside our checkpoint loses no acknowledged row`() throws {
    let outcome = try race(.ours)
    #expect(outcome == Outcome(rows: 21, integrity: "ok"))
  }

  @Test(.enabled(if: SQLiteLibrary.hasWALResetBug, "the linked SQLite is free of the bug"))
  func `the same race under SQLite's own checkpoint loses rows, so the race is the real one`() {
    let isWhole = (try? race(.passive)) == Outcome(rows: 21, integrity: "ok")
    // Reading the damaged file may fail altogether, which shows the same.
    #expect(!isWhole)
  }

  private func race(_ checkpoint: Checkpoint) throws -> Outcome {
    try InterposedFileSystem.register()
    let folder = try TemporaryFolder()
    let path = folder.file("race.db")
    try create(path)
    do {
      let first = try open(path)
      let second = Mutex(try open(path))
      try first.executeScript(
        """
        CREATE TABLE item (id INTEGER PRIMARY KEY, content BLOB NOT NULL);
        CREATE INDEX item_content ON item (content);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20)
        INSERT INTO item SELECT i, randomblob(600) FROM n;
        """)
      try checkpoint.run(on: first)
      try second.withLock { connection in
        try connection.execute("UPDATE item SET content = randomblob(600)")
        _ = try connection.integer("PRAGMA wal_checkpoint(PASSIVE)")
      }
      let writer = WriterInTheMiddle(second)
      InterposedFileSystem.arm(path) { writer.write() }
      try checkpoint.run(on: first)
      #expect(writer.hasTried)
      try writer.connection.withLock { connection in
        try connection.execute("UPDATE item SET content = randomblob(600)")
      }
      try checkpoint.run(on: first)
      try writer.connection.withLock { connection in
        try connection.execute("INSERT INTO item VALUES (21, randomblob(600))")
      }
    }
    let reopened = try open(path)
    return Outcome(
      rows: try reopened.integer("SELECT count(*) FROM item NOT INDEXED"),
      integrity: try reopened.text("PRAGMA integrity_check(1)"))
  }

  /// Commits from another connection while the checkpoint is between its two looks; whether it is
  /// let in or told to wait is up to the checkpoint.
  private final class WriterInTheMiddle: Sendable {
    let connection: Mutex<Connection>
    private let tried = Atomic(false)

    init(_ connection: consuming Mutex<Connection>) {
      self.connection = connection
    }

    var hasTried: Bool { tried.load(ordering: .sequentiallyConsistent) }

    func write() {
      tried.store(true, ordering: .sequentiallyConsistent)
      connection.withLock { connection in
        // Refused, it is not acknowledged and nothing of it may be missed.
        try? connection.execute("UPDATE item SET content = randomblob(600) WHERE id <= 4")
      }
    }
  }

  private func create(_ path: String) throws {
    try #require(FileManager.default.createFile(atPath: path, contents: nil))
    let connection = try open(path)
    try connection.execute("PRAGMA page_size=1024")
    _ = try connection.text("PRAGMA journal_mode=WAL")
  }

  private func open(_ path: String) throws -> Connection {
    try Connection(
      path: path, access: .readWrite, busyTimeout: .zero, fileSystem: InterposedFileSystem.name)
  }
}
