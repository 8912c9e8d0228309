internal import Synchronization

/// The reading connections of one file, each behind its own lock, and their kept snapshots.
final class Readers: Sendable {
  private final class Reader: Sendable {
    let connection = Mutex(ReadingConnection())
  }

  /// How long reads may share one snapshot.
  private static let snapshotLife = Duration.milliseconds(5)

  private let file: DatabaseFile
  private let readers: [Reader]
  private let next = Atomic<Int>(0)
  private let willEndSnapshots = Atomic<Bool>(false)
  private let snapshotQueue: WorkQueue

  init(_ file: DatabaseFile, count: Int, taskClock: (any StoreClock)?) {
    self.file = file
    readers = (0..<count).map { _ in Reader() }
    snapshotQueue = WorkQueue("freshstore.snapshots", taskClock: taskClock)
  }

  /// Runs `body` on one of them; waits for no writer.
  func run<Result: Sendable>(
    _ body: @Sendable (borrowing Connection) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    try lend { (reader) throws(SQLiteError) in try reader.run(on: file, body) }
  }

  /// Reads the record of one key, in a snapshot shared with other such reads.
  func record(
    of key: String, in collection: String
  ) throws(SQLiteError) -> ReadingConnection.Found {
    let found = try lend { (reader) throws(SQLiteError) in
      try reader.record(of: key, in: collection, on: file)
    }
    if found.hasOpened { endSnapshotsSoon() }
    return found
  }

  /// Releases every kept snapshot.
  func endSnapshots() {
    willEndSnapshots.store(false, ordering: .releasing)
    for reader in readers { reader.connection.withLock { $0.pause() } }
  }

  /// Closes the connections; the next reader opens another, unless this is `forGood`.
  func close(forGood: Bool) {
    for reader in readers {
      reader.connection.withLock { $0 = ReadingConnection(opensAgain: !forGood) }
    }
  }

  private func endSnapshotsSoon() {
    guard !willEndSnapshots.exchange(true, ordering: .acquiringAndReleasing) else { return }
    snapshotQueue.start(after: Self.snapshotLife) { [weak self] in self?.endSnapshots() }
  }

  /// Lends the first free reader: a lone reader finds the pages of its last read cached.
  private func lend<Result: Sendable>(
    _ body: (inout ReadingConnection) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    for reader in readers {
      let result = try reader.connection.withLockIfAvailable { (reader) throws(SQLiteError) in
        try body(&reader)
      }
      if let result { return result }
    }
    let turn = next.wrappingAdd(1, ordering: .relaxed).oldValue & Int.max
    return try readers[turn % readers.count].connection.withLock {
      (reader) throws(SQLiteError) in try body(&reader)
    }
  }
}
