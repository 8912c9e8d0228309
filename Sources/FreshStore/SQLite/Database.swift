internal import CSQLite
internal import Strategies
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The connections to one database file: one that writes, a few that read, each behind its own lock.
///
/// The lock is what makes SQLite's multi-thread mode safe here: a connection is never in use by two
/// threads at once. Readers never wait for the writer (WAL). A file that is found damaged, deleted
/// or replaced is noticed here, and a new store takes its place.
final class Database: Sendable {
  private final class Reader: Sendable {
    let connection = Mutex(ReadingConnection())
  }

  /// What happened to the file since it was opened.
  struct Health: Sendable {
    /// Where damaged files were moved to.
    var movedAside: [String] = []
    /// How often the file was deleted or replaced under us.
    var replaced = 0
    var checkpointsDeferred = 0
    /// Local writes taken over from damaged files.
    var salvagedWrites = 0
  }

  private struct Writer: ~Copyable {
    var connection: Connection?
    var identity: DatabaseFile.Identity?
    var isFullySynchronous = true
    /// True when a damaged file would be known to hold local writes.
    var isMarked = false
    var lastLooked = ContinuousClock.now
    var isClosed = false
  }

  /// How much of a commit must survive a power cut.
  enum Durability {
    /// The newest commits may be lost; never half of one, never one without those before it.
    case normal
    /// Nothing acknowledged is lost.
    case full
  }

  let file: DatabaseFile
  /// The records that are in memory.
  let memory: MemoryTier
  private let writer: Mutex<Writer>
  private let readers: [Reader]
  private let nextReader = Atomic<Int>(0)
  private let hasRead = Atomic<Bool>(false)
  private let isDamaged = Atomic<Bool>(false)
  private let isClosed = Atomic<Bool>(false)
  private let state = Mutex(Health())
  private let birth = ForkCount.begin()

  private let checkpoints: Checkpoints
  /// Where checkpoints run that nobody waits for.
  private let checkpointQueue: WorkQueue

  /// For how long reads may share one snapshot.
  private static let snapshotLife = Duration.milliseconds(5)
  private let willEndSnapshots = Atomic<Bool>(false)
  private let snapshotQueue: WorkQueue

  init(
    _ file: DatabaseFile, readers count: Int, memory limits: MemoryLimits = .none,
    taskClock: (any StoreClock)? = nil
  ) throws(StoreError) {
    self.file = file
    checkpointQueue = WorkQueue("freshstore.checkpoint", taskClock: taskClock)
    snapshotQueue = WorkQueue("freshstore.snapshots", taskClock: taskClock)
    memory = MemoryTier(limits)
    checkpoints = Checkpoints(file)
    readers = (0..<max(1, count)).map { _ in Reader() }
    let health = Mutex(Health())
    let connection = try Self.openHealthy(file) { aside in
      health.withLock { $0.movedAside.append(aside) }
    }
    try Self.salvage(file, into: connection, health)
    memory.follow(connection.logIndex)
    writer = Mutex(Writer(connection: connection, identity: file.identity))
    state.withLock { $0 = health.withLock { $0 } }
  }

  var health: Health { state.withLock { $0 } }

  // MARK: Reading

  /// Runs `body` on a connection that reads; waits for no writer.
  func read<Result: Sendable>(
    _ operation: Operation, _ body: @Sendable (borrowing Connection) throws(SQLiteError) -> Result
  ) throws(StoreError) -> Result {
    try whileOpen(operation) { () throws(SQLiteError) in
      try withReader { (reader) throws(SQLiteError) in try reader.run(on: file, body) }
    }
  }

  /// Reads the record of one key, in a snapshot that is shared with other such reads.
  func record(
    of key: String, in collection: String
  ) throws(StoreError) -> ReadingConnection.Found {
    try whileOpen(.read) { () throws(SQLiteError) in
      if let found = try firstRecord(of: key, in: collection) { return found }
      let found = try withReader { (reader) throws(SQLiteError) in
        try reader.record(of: key, in: collection, on: file)
      }
      if found.hasOpened { endSnapshotsSoon() }
      return found
    }
  }

  /// Makes the first read on the connection that writes, if nobody uses it: to open another costs as
  /// much as a thousand reads, and many a program ends after one.
  private func firstRecord(
    of key: String, in collection: String
  ) throws(SQLiteError) -> ReadingConnection.Found? {
    guard !hasRead.load(ordering: .relaxed), !hasRead.exchange(true, ordering: .relaxed) else {
      return nil
    }
    return try writer.withLockIfAvailable {
      (writer) throws(SQLiteError) -> ReadingConnection.Found? in
      switch writer.connection {
      case .some(let connection):
        let header = connection.logIndex?.header
        return ReadingConnection.Found(
          row: try connection.record(of: key, in: collection, isUncovered: false), header: header)
      case .none: return nil
      }
    } ?? nil
  }

  private func whileOpen<Result>(
    _ operation: Operation, _ body: () throws(SQLiteError) -> Result
  ) throws(StoreError) -> Result {
    try refuseInChild(operation)
    // A closed store would open its readers anew.
    guard !isClosed.load(ordering: .acquiring) else {
      throw StoreError(.closed, operation, path: file.path)
    }
    if isDamaged.load(ordering: .acquiring) { try replaceDamaged() }
    do throws(SQLiteError) {
      return try body()
    } catch {
      if error.isDamage { isDamaged.store(true, ordering: .releasing) }
      throw StoreError(error, operation, path: file.path)
    }
  }

  /// Lends the first reader that is free: who reads alone finds the pages of the last read.
  private func withReader<Result: Sendable>(
    _ body: (inout ReadingConnection) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    for reader in readers {
      let result = try reader.connection.withLockIfAvailable { (reader) throws(SQLiteError) in
        try body(&reader)
      }
      if let result { return result }
    }
    let turn = nextReader.wrappingAdd(1, ordering: .relaxed).oldValue & Int.max
    return try readers[turn % readers.count].connection.withLock {
      (reader) throws(SQLiteError) in try body(&reader)
    }
  }

  private func run<Result: Sendable>(
    _ body: @Sendable (borrowing Connection) throws(SQLiteError) -> Result,
    on connection: inout Connection?
  ) throws(SQLiteError) -> Result {
    switch connection {
    case .some(let opened): return try body(opened)
    case .none: throw SQLiteError(code: SQLITE_MISUSE, message: "closed", activity: "reading")
    }
  }

  // MARK: Snapshots

  private func endSnapshotsSoon() {
    guard !willEndSnapshots.exchange(true, ordering: .acquiringAndReleasing) else { return }
    snapshotQueue.start(after: Self.snapshotLife) { [weak self] in self?.endSnapshots() }
  }

  /// Gives up every snapshot that is kept.
  private func endSnapshots() {
    willEndSnapshots.store(false, ordering: .releasing)
    for reader in readers { reader.connection.withLock { $0.pause() } }
  }

  // MARK: Writing

  /// Runs `body` in one write transaction and returns once it is committed.
  ///
  /// Waits for the write lock up to the busy timeout. Without `movesLog` the log is left to whoever
  /// writes next. A write that exists nowhere else `marksWrites`: should the file be damaged later,
  /// that it held such writes can still be told. Records in memory that it has not `touched` stay
  /// there; without those all have to be read again.
  func write<Result: Sendable>(
    _ operation: Operation, _ durability: Durability = .normal, movesLog: Bool = true,
    marksWrites: Bool = false, touching touched: Touched? = nil,
    _ body: @Sendable (borrowing Connection) throws(SQLiteError) -> Result
  ) throws(StoreError) -> Result {
    try refuseInChild(operation)
    if isDamaged.load(ordering: .acquiring) { try replaceDamaged() }
    return try writer.withLock { (writer) throws(StoreError) in
      // What exists nowhere else must not go into a file that another process has moved aside.
      if marksWrites { writer.lastLooked = .now - .seconds(1) }
      try lookForMovedFile(&writer, operation)
      if marksWrites, !writer.isMarked {
        try file.markWrites()
        writer.isMarked = true
      }
      do throws(SQLiteError) {
        return try commit(&writer, durability, movesLog, touched, body)
      } catch {
        if error.isDamage { isDamaged.store(true, ordering: .releasing) }
        let holder = error.isBusy ? LockHolder.ofDatabase(at: file.resolvedPath) : nil
        throw StoreError(error, operation, path: file.path, holder: holder)
      }
    }
  }

  /// For how long a caller's thread waits for a writer in another process.
  private static let patienceAtOnce = Duration.milliseconds(1)

  /// As ``write(_:_:movesLog:marksWrites:touching:_:)``, of what need not survive a power cut, and only
  /// if nobody else is writing, or not for long; `nil` when somebody is.
  func writeAtOnce<Result: Sendable>(
    _ operation: Operation, touching touched: Touched,
    _ body: @Sendable (borrowing Connection) throws(SQLiteError) -> Result
  ) throws(StoreError) -> Result? {
    try refuseInChild(operation)
    guard !isDamaged.load(ordering: .acquiring) else { return nil }
    return try writer.withLockIfAvailable { (writer) throws(StoreError) -> Result? in
      try lookForMovedFile(&writer, operation)
      do throws(SQLiteError) {
        setPatience(of: writer.connection, Self.patienceAtOnce)
        defer { setPatience(of: writer.connection, nil) }
        return try commit(&writer, .normal, true, touched, body)
      } catch {
        if error.isBusy { return nil }
        if error.isDamage { isDamaged.store(true, ordering: .releasing) }
        throw StoreError(error, operation, path: file.path)
      }
    } ?? nil
  }

  private func setPatience(of connection: borrowing Connection?, _ patience: Duration?) {
    switch connection {
    case .some(let opened): opened.waitForOthers(atMost: patience)
    case .none: break
    }
  }

  /// Runs `body` on the writing connection outside a transaction.
  func maintain<Result: Sendable>(
    _ operation: Operation, _ body: @Sendable (borrowing Connection) throws(SQLiteError) -> Result
  ) throws(StoreError) -> Result {
    try refuseInChild(operation)
    return try writer.withLock { (writer) throws(StoreError) in
      try lookForMovedFile(&writer, operation)
      do throws(SQLiteError) {
        return try run(body, on: &writer.connection)
      } catch {
        throw StoreError(error, operation, path: file.path)
      }
    }
  }

  private func commit<Result: Sendable>(
    _ writer: inout Writer, _ durability: Durability, _ moves: Bool,
    _ touched: Touched?, _ body: @Sendable (borrowing Connection) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    let wantsFull = durability == .full
    if wantsFull != writer.isFullySynchronous {
      // Takes effect only outside a transaction, and stays when the transaction fails.
      try run(
        { (connection) throws(SQLiteError) in
          try connection.execute(
            wantsFull ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=NORMAL")
        }, on: &writer.connection)
      writer.isFullySynchronous = wantsFull
    }
    return try run(
      { (connection) throws(SQLiteError) in
        defer { if touched != nil { memory.endCommit() } }
        let (result, before) = try Self.transaction(
          { (connection) throws(SQLiteError) in
            // Under the write lock: whatever comes after it, up to the commit, is ours.
            let before = touched == nil ? nil : memory.header
            let result = try body(connection)
            if before != nil { memory.beginCommit() }
            return (result, before)
          }, on: connection)
        if let touched, let before { memory.keep(over: before, touching: touched) }
        if connection.log.isWritten { file.touchSharedMemory() }
        if moves, checkpoints.isDue(pagesInLog: connection.pagesInWAL) { startCheckpoint() }
        return result
      }, on: &writer.connection)
  }

  private static func transaction<Result: Sendable>(
    _ body: @Sendable (borrowing Connection) throws(SQLiteError) -> Result,
    on connection: borrowing Connection
  ) throws(SQLiteError) -> Result {
    do throws(SQLiteError) {
      return try connection.transaction(body)
    } catch {
      guard error.isFull, connection.log.isWanted == true else { throw error }
      // The log of changes must not stand in the way of what makes room. Observers that are no
      // longer listed find that out, and tell that they have missed something.
      return try connection.transaction { (connection) throws(SQLiteError) in
        try connection.execute("DELETE FROM observer")
        connection.log.isWritten = true
        return try body(connection)
      }
    }
  }

  // MARK: Moving the log

  private func startCheckpoint() {
    checkpointQueue.start { [weak self] in _ = self?.checkpoint() }
  }

  /// Moves the log into the database, and returns for how long writers were kept out.
  func moveLog() async -> Duration {
    await checkpointQueue.run { [self] in checkpoint() }
  }

  /// What was committed stays so when this fails: the log is then moved later.
  private func checkpoint() -> Duration {
    endSnapshots()
    do throws(SQLiteError) {
      guard let outcome = try checkpoints.run() else { return .zero }
      if !outcome.isWhole { state.withLock { $0.checkpointsDeferred += 1 } }
      return outcome.held
    } catch {
      if error.isDamage { isDamaged.store(true, ordering: .releasing) }
      state.withLock { $0.checkpointsDeferred += 1 }
      return .zero
    }
  }

  /// A number that changes with every commit by others; only for a file that is read alone.
  func dataVersion() throws(StoreError) -> Int64 {
    try maintain(.observe) { (connection) throws(SQLiteError) in
      try connection.integer("PRAGMA data_version")
    }
  }

  // MARK: The file changed under us

  /// Looks now whether the path still names the file that is open, and opens the one it names.
  func followFile() throws(StoreError) {
    try refuseInChild(.observe)
    try writer.withLock { (writer) throws(StoreError) in
      writer.lastLooked = .now - .seconds(1)
      try lookForMovedFile(&writer, .observe)
    }
  }

  /// A file that was deleted or replaced would take every write and show it to nobody.
  private func lookForMovedFile(
    _ writer: inout Writer, _ operation: Operation
  ) throws(StoreError) {
    guard !writer.isClosed else { throw StoreError(.closed, operation, path: file.path) }
    // The last look found the file gone, and no new one could be made.
    guard writer.connection != nil else { return try reopen(&writer) }
    let now = ContinuousClock.now
    guard now - writer.lastLooked >= .seconds(1) else { return }
    writer.lastLooked = now
    let hasMoved =
      switch writer.connection {
      case .some(let connection): connection.fileHasMoved
      case .none: true
      }
    // SQLite looks at the file that a link led to when it was opened.
    guard hasMoved || file.identity != writer.identity else { return }
    state.withLock { $0.replaced += 1 }
    try reopen(&writer)
  }

  private func replaceDamaged() throws(StoreError) {
    try writer.withLock { (writer) throws(StoreError) in
      guard isDamaged.load(ordering: .acquiring), !writer.isClosed else { return }
      let damaged = writer.identity
      memory.follow(nil)
      // Nobody changes the damaged file by moving its log into it.
      switch writer.connection {
      case .some(let connection): connection.keepLogWhenClosed()
      case .none: break
      }
      writer.connection = nil
      closeOthers()
      if file.access == .readWrite, let damaged, let aside = try file.moveAside(damaged) {
        state.withLock { $0.movedAside.append(aside) }
      }
      try reopen(&writer)
      isDamaged.store(false, ordering: .releasing)
    }
  }

  private func reopen(_ writer: inout Writer) throws(StoreError) {
    memory.follow(nil)
    closeOthers()
    writer.connection = nil
    let connection = try Self.openHealthy(file) { aside in
      state.withLock { $0.movedAside.append(aside) }
    }
    try Self.salvage(file, into: connection, state)
    memory.follow(connection.logIndex)
    writer.connection = consume connection
    writer.identity = file.identity
    writer.isFullySynchronous = true
    writer.isMarked = false
  }

  private func closeOthers() {
    checkpoints.letGo()
    for reader in readers {
      reader.connection.withLock { $0 = ReadingConnection() }
    }
  }

  /// Opens the file; one of ours that is damaged is moved aside and a new one takes its place.
  private static func openHealthy(
    _ file: DatabaseFile, moved: (String) -> Void
  ) throws(StoreError) -> Connection {
    let before = file.identity
    do throws(StoreError) {
      return try file.openChecked()
    } catch {
      guard error.code == .damaged, file.access == .readWrite, let before else { throw error }
      if let aside = try file.moveAside(before) { moved(aside) }
      return try file.open()
    }
  }

  /// Takes over the local writes of files that were moved aside, by whatever process.
  private static func salvage(
    _ file: DatabaseFile, into connection: borrowing Connection, _ health: borrowing Mutex<Health>
  ) throws(StoreError) {
    guard file.access == .readWrite, !file.unsalvaged.isEmpty else { return }
    try file.markWrites()
    let count = try Salvage(file: file).run(into: connection)
    health.withLock { $0.salvagedWrites += count }
  }

  // MARK: Ending

  /// Closes every connection; the last one to close a file empties its log.
  func close() throws(StoreError) {
    isClosed.store(true, ordering: .releasing)
    checkpoints.close()
    writer.withLock { writer in
      memory.follow(nil)
      // The last connection to close empties the log, which a reading one may not.
      closeOthers()
      writer.connection = nil
      writer.isClosed = true
    }
  }

  private func refuseInChild(_ operation: Operation) throws(StoreError) {
    guard ForkCount.now == birth else { throw StoreError(.forked, operation, path: file.path) }
  }
}
