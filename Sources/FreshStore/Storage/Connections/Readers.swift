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

/// A reading connection, opened at its first use.
///
/// Consecutive reads without a commit in between share one snapshot, which saves each read its own locks
/// (https://sqlite.org/walformat.html, section 2.4.2).
///
/// The snapshot is released when the header of the log's index shows a commit, and after some milliseconds in any
/// case. So no checkpoint waits for it longer than for another reader.
struct ReadingConnection: ~Copyable {
  /// A row, and the header under which it was read.
  struct Found: Sendable {
    var row: StoredRow?
    /// `nil` where no index of a log reports commits.
    var header: LogHeader?
    /// True when this read left a snapshot open.
    var hasOpened = false
  }

  /// Reads under one header after which a snapshot is kept: with fewer it costs more than it saves.
  private static let readsBefore = 8
  /// Reads without a snapshot after its release, so that others have their turn.
  private static let readsBetween = 32

  private let opensAgain: Bool
  private var connection: Connection?
  /// The file's stamp before a connection for a single read was opened.
  private var stamp: DatabaseFile.Stamp?
  private var index: LogIndex?
  /// The header of the last reads, and their number.
  private var header: LogHeader?
  private var reads = 0
  private var isOpen = false
  /// True when the open snapshot has no invalidation that could cover a record.
  private var isUncovered = false

  /// Creates a closed one, which is never opened without `opensAgain`: a reader that waited for it
  /// may have waited for the end.
  init(opensAgain: Bool = true) { self.opensAgain = opensAgain }

  /// Runs `body` outside of a kept snapshot.
  mutating func run<Result: Sendable>(
    on file: DatabaseFile,
    _ body: @Sendable (borrowing Connection) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    release()
    return try look(on: file, body)
  }

  /// Runs `body`; where a connection allows only one read, repeats it until the file did not change
  /// during a read.
  private mutating func look<Result>(
    on file: DatabaseFile, _ body: (borrowing Connection) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    if connection == nil { try open(file) }
    let end = ContinuousClock.now + file.busyTimeout
    while !lasts {
      let outcome = outcome(of: body)
      connection = nil
      if file.stamp == stamp { return try outcome.get() }
      guard ContinuousClock.now < end else { throw .overwritten }
      try open(file)
    }
    return try withConnection(body)
  }

  private func outcome<Result>(
    of body: (borrowing Connection) throws(SQLiteError) -> Result
  ) -> Swift.Result<Result, SQLiteError> {
    do throws(SQLiteError) {
      return .success(try withConnection(body))
    } catch {
      return .failure(error)
    }
  }

  private var lasts: Bool {
    switch connection {
    case .some(let opened): opened.lasts
    case .none: false
    }
  }

  /// The connection, if it is reusable.
  consuming func take() -> Connection? {
    lasts ? connection.take() : nil
  }

  /// Reads the record of one key. A snapshot with a failure is released: nothing else would end it
  /// before the next read.
  mutating func record(
    of key: String, in collection: String, on file: DatabaseFile
  ) throws(SQLiteError) -> Found {
    do throws(SQLiteError) {
      return try found(of: key, in: collection, on: file)
    } catch {
      release()
      throw error
    }
  }

  private mutating func found(
    of key: String, in collection: String, on file: DatabaseFile
  ) throws(SQLiteError) -> Found {
    if connection == nil { try open(file) }
    guard lasts else {
      let row = try look(on: file) { (connection) throws(SQLiteError) in
        try connection.record(of: key, in: collection, isUncovered: false, joins: true)
      }
      return Found(row: row)
    }
    let now = index?.header
    if isOpen, now != header { release() }
    if isOpen { return Found(row: try row(key, collection), header: now) }
    reads = now != nil && now == header ? reads + 1 : 0
    header = now
    guard let now, reads >= Self.readsBefore else {
      return Found(row: try row(key, collection), header: now)
    }
    try withConnection { (connection) throws(SQLiteError) in try connection.beginSnapshot() }
    isOpen = true
    isUncovered = try withConnection { (connection) throws(SQLiteError) in
      try connection.hasNoInvalidation()
    }
    let row = try row(key, collection)
    // Commits since the header was read may or may not be in the snapshot.
    if index?.header != now { release() }
    return Found(row: row, header: now, hasOpened: isOpen)
  }

  /// Releases the snapshot, and lets others have their turn before the next one.
  mutating func pause() {
    guard isOpen else { return }
    release()
    reads = -Self.readsBetween
  }

  private mutating func release() {
    guard isOpen else { return }
    isOpen = false
    isUncovered = false
    switch connection {
    case .some(let opened): opened.endSnapshot()
    case .none: break
    }
  }

  private mutating func open(_ file: DatabaseFile) throws(SQLiteError) {
    connection = nil
    index = nil
    guard opensAgain else { throw .connectionClosed }
    var opened = try file.openReader()
    guard opened.lasts else {
      // Reopened, as from this time of the file on every later change can be detected.
      _ = consume opened
      stamp = try file.settledStamp()
      opened = try file.openReader()
      connection = consume opened
      return
    }
    // The journal's mode is known after the first read; without a log there is no index to look for.
    index = try opened.text("PRAGMA journal_mode") == "wal" ? opened.logIndex : nil
    if index != nil { opened.leaveLogIndex() }
    connection = consume opened
  }

  private func row(_ key: String, _ collection: String) throws(SQLiteError) -> StoredRow? {
    let isUncovered = isUncovered
    return try withConnection { (connection) throws(SQLiteError) in
      try connection.record(of: key, in: collection, isUncovered: isUncovered, joins: true)
    }
  }

  private func withConnection<Result>(
    _ body: (borrowing Connection) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    switch connection {
    case .some(let opened): return try body(opened)
    case .none: throw .connectionClosed
    }
  }
}
