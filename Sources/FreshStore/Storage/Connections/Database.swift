internal import CSQLite
internal import Platform
internal import Strategies
internal import Synchronization

/// The connections to one database file: one that writes, a few that read, each behind its own lock.
///
/// The lock makes SQLite's multi-thread mode safe here: a connection is never in use by two
/// threads at once. Readers never wait for the writer (WAL). This type notices a file that is
/// damaged, deleted or replaced, and creates a new store.
package final class Database: Sendable {
  /// Events of the file since it was opened.
  struct Health: Sendable {
    /// The new paths of damaged files.
    var movedAside: [String] = []
    /// How often the file was deleted or replaced while it was open.
    var replaced = 0
    var checkpointsDeferred = 0
    /// Local writes recovered from damaged files.
    var salvagedWrites = 0
    /// Told of each change at once, under locks: it must not wait, nor come back here.
    var notice: (@Sendable (FileChange) -> Void)?

    mutating func note(_ change: FileChange) {
      switch change {
      case .movedAside(let path): movedAside.append(path)
      case .replaced: replaced += 1
      }
      notice?(change)
    }
  }

  struct Writer: ~Copyable {
    var connection: Connection?
    /// The reason why there is none: the file can only be read now.
    var obstacle: StoreError?
    var identity: DatabaseFile.Identity?
    var isFullySynchronous = true
    /// True when the mark beside the file shows that it holds local writes.
    var isMarked = false
    var lastLooked = ContinuousClock.now
    /// What the last write has waited for in vain; `nil` once one has had the lock.
    var foreignLock: ForeignLock?
    var isClosed = false
  }

  /// The lock of another program.
  struct ForeignLock: Sendable {
    /// Who holds it, as ``LockHolder/ofDatabase(at:)`` has found.
    let holder: String?
    let lookedAt = ContinuousClock.now
  }

  package let file: DatabaseFile
  /// The records that are in memory.
  let memory: MemoryTier
  let writer: Mutex<Writer>
  let readers: Readers
  private let hasRead = Atomic<Bool>(false)
  /// Numbers the files opened in turn.
  let generation = Atomic<Int>(1)
  /// The last generation whose file was found damaged; 0 for none.
  private let damagedGeneration = Atomic<Int>(0)
  private let isClosed = Atomic<Bool>(false)
  let state = Mutex(Health())
  private let birth = ForkCount.begin()
  /// See ``Configuration/lockPatience``.
  private let lockPatience: Duration?
  /// True once writes wait up to the busy timeout all the same.
  private let isPatient = Atomic<Bool>(false)

  let looks = LookSchedule()
  let checkpoints: Checkpoints
  /// `nil` where there is no clock to compare.
  let clockWatch: ClockWatch?
  /// Runs checkpoints that no caller waits for.
  private let checkpointQueue: WorkQueue

  init(
    _ file: DatabaseFile, readers count: Int, memory limits: MemoryLimits = .none,
    taskClock: (any StoreClock)? = nil, clock: (any StoreClock)? = nil,
    lockPatience: Duration? = nil
  ) throws(StoreError) {
    self.file = file
    self.lockPatience = lockPatience
    clockWatch = clock.map(ClockWatch.init)
    checkpointQueue = WorkQueue("freshstore.checkpoint", taskClock: taskClock)
    memory = MemoryTier(limits)
    checkpoints = Checkpoints(file)
    readers = Readers(file, count: count, taskClock: taskClock)
    let health = Mutex(Health())
    var opened = Writer()
    try Self.open(file, as: &opened, health)
    memory.follow(opened.logIndex)
    writer = Mutex(opened)
    state.withLock { $0 = health.withLock { $0 } }
  }

  var health: Health { state.withLock { $0 } }

  // MARK: Reading

  /// Runs `body` on a reading connection; waits for no writer.
  package func read<Result: Sendable>(
    _ operation: StoreOperation,
    _ body: @Sendable (borrowing Connection) throws(SQLiteError) -> Result
  ) throws(StoreError) -> Result {
    try whileOpen(operation) { () throws(SQLiteError) in
      try readers.run(body)
    }
  }

  /// As ``read(_:_:)``, to inspect damage: a damaged file stays in its place.
  func inspect<Result: Sendable>(
    _ operation: StoreOperation,
    _ body: @Sendable (borrowing Connection) throws(SQLiteError) -> Result
  ) throws(StoreError) -> Result {
    try inspecting(operation) { () throws(SQLiteError) in try readers.run(body) }
  }

  /// The same on a connection of its own, so that a long inspection blocks no reads.
  func inspectApart<Result: Sendable>(
    _ operation: StoreOperation,
    _ body: @Sendable (borrowing Connection) throws(SQLiteError) -> Result
  ) throws(StoreError) -> Result {
    try inspecting(operation) { () throws(SQLiteError) in
      let connection = try file.openReader()
      return try body(connection)
    }
  }

  private func inspecting<Result>(
    _ operation: StoreOperation, _ body: () throws(SQLiteError) -> Result
  ) throws(StoreError) -> Result {
    try refuseInChild(operation)
    guard !isClosed.load(ordering: .acquiring) else {
      throw StoreError(.closed, operation, path: file.path)
    }
    lookIfDue(at: SystemClock.bootTime.milliseconds)
    do throws(SQLiteError) {
      return try body()
    } catch {
      throw isClosed.load(ordering: .acquiring)
        ? StoreError(.closed, operation, path: file.path)
        : StoreError(error, operation, path: file.path)
    }
  }

  /// Reads the record of one key, in a snapshot shared with other such reads.
  func record(
    of key: String, in collection: String
  ) throws(StoreError) -> ReadingConnection.Found {
    try whileOpen(.read) { () throws(SQLiteError) in
      if let found = try firstRecord(of: key, in: collection) { return found }
      return try readers.record(of: key, in: collection)
    }
  }

  /// Makes the first read on the writing connection, if it is idle: opening another costs as much
  /// as a thousand reads, and many programs end after one.
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
          row: try connection.record(of: key, in: collection, isUncovered: false, joins: true),
          header: header)
      case .none: return nil
      }
    } ?? nil
  }

  private func whileOpen<Result>(
    _ operation: StoreOperation, _ body: () throws(SQLiteError) -> Result
  ) throws(StoreError) -> Result {
    try refuseInChild(operation)
    // A closed store would reopen its readers.
    guard !isClosed.load(ordering: .acquiring) else {
      throw StoreError(.closed, operation, path: file.path)
    }
    lookIfDue(at: SystemClock.bootTime.milliseconds)
    return try replacingDamaged { () throws(StoreError) in
      let read = generation.load(ordering: .acquiring)
      do throws(SQLiteError) {
        return try body()
      } catch {
        note(error, of: read)
        // The store was closed while this read waited for its turn.
        guard !isClosed.load(ordering: .acquiring) else {
          throw StoreError(.closed, operation, path: file.path)
        }
        throw StoreError(error, operation, path: file.path)
      }
    }
  }

  // MARK: Damage

  /// True when the open file was found damaged.
  var isDamaged: Bool {
    damagedGeneration.load(ordering: .acquiring) == generation.load(ordering: .acquiring)
  }

  /// Notes an error of a file, which may not be the open one any more.
  func note(_ error: SQLiteError, of read: Int? = nil) {
    guard error.isDamage else { return }
    damagedGeneration.store(read ?? generation.load(ordering: .acquiring), ordering: .releasing)
  }

  /// Runs `body` once more on the file that replaces one that it found damaged: a program that does
  /// one thing and ends must not leave the damage to the next one.
  @inline(__always)
  private func replacingDamaged<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    if isDamaged { try replaceDamaged() }
    do throws(StoreError) {
      return try body()
    } catch {
      guard error.code == .damaged, isDamaged else { throw error }
      try replaceDamaged()
      return try body()
    }
  }

  func run<Result: Sendable>(
    _ body: @Sendable (borrowing Connection) throws(SQLiteError) -> Result,
    on connection: inout Connection?
  ) throws(SQLiteError) -> Result {
    switch connection {
    case .some(let opened): return try body(opened)
    // `lookForMovedFile(_:_:)` has thrown before this.
    case .none: throw SQLiteError(code: SQLITE_MISUSE, message: "closed", activity: "reading")
    }
  }

  // MARK: Writing

  /// Runs `body` in one write transaction and returns once it is committed.
  ///
  /// Waits for the write lock up to the busy timeout, or as ``Configuration/lockPatience`` says. Without `movesLog` the
  /// log is left to the next writer. A write that exists nowhere else `marksWrites`: if the file is damaged later, the
  /// mark still shows that it held such writes. Records in memory that are not `touched` stay
  /// there; if it is `nil`, all have to be read again.
  package func write<Result: Sendable>(
    _ operation: StoreOperation, _ durability: Durability = .normal, movesLog: Bool = true,
    marksWrites: Bool = false, touching touched: Touched? = nil,
    _ body: @Sendable (borrowing Connection) throws(SQLiteError) -> Result
  ) throws(StoreError) -> Result {
    try refuseInChild(operation)
    guard !marksWrites || file.access == .readWrite else {
      throw StoreError(.readOnly, operation, path: file.path)
    }
    return try replacingDamaged { () throws(StoreError) in
      try writer.withLock { (writer) throws(StoreError) in
        guard durability == .full || marksWrites else {
          try lookForMovedFile(&writer, operation)
          return try write(&writer, operation, durability, movesLog, touched, body)
        }
        // A durable write must not go into a file that another process has moved aside.
        while true {
          writer.lastLooked = .now - .seconds(1)
          try lookForMovedFile(&writer, operation)
          let result = try file.inPlace(writer.identity) { () throws(StoreError) in
            if marksWrites, !writer.isMarked {
              try file.markWrites()
              writer.isMarked = true
            }
            return try write(&writer, operation, durability, movesLog, touched, body)
          }
          if let result { return result }
        }
      }
    }
  }

  private func write<Result: Sendable>(
    _ writer: inout Writer, _ operation: StoreOperation, _ durability: Durability, _ movesLog: Bool,
    _ touched: Touched?, _ body: @Sendable (borrowing Connection) throws(SQLiteError) -> Result
  ) throws(StoreError) -> Result {
    let limit = isPatient.load(ordering: .relaxed) ? nil : lockPatience
    do throws(SQLiteError) {
      limitWait(of: writer.connection, to: limit, isLockedOut: writer.foreignLock != nil)
      defer { limitWait(of: writer.connection, to: nil, isLockedOut: false) }
      let result = try commit(&writer, durability, movesLog, touched, body)
      writer.foreignLock = nil
      return result
    } catch {
      note(error)
      let last = limit == nil ? nil : writer.foreignLock
      writer.foreignLock = error.isBusy ? foreignLock(after: last) : nil
      throw StoreError(
        error, operation, path: file.path, holder: writer.foreignLock?.holder)
    }
  }

  /// Who waited in vain for the lock of another program says how long others wait for it: not at all, until one gets it.
  private func limitWait(
    of connection: borrowing Connection?, to limit: Duration?, isLockedOut: Bool
  ) {
    switch connection {
    case .some(let opened):
      opened.waitForOthers(inVainFor: limit)
      opened.waitForOthers(atMost: limit != nil && isLockedOut ? .zero : nil)
    case .none: break
    }
  }

  /// A look costs more than an attempt that does not wait: one a second has to do.
  private func foreignLock(after last: ForeignLock?) -> ForeignLock {
    if let last, ContinuousClock.now - last.lookedAt < .seconds(1) { return last }
    return ForeignLock(holder: LockHolder.ofDatabase(at: file.resolvedPath))
  }

  /// Has writes wait for the lock of another program up to the busy timeout from now on.
  func bePatient() { isPatient.store(true, ordering: .relaxed) }

  /// How long a caller's thread waits for a writer in another process.
  static let patienceAtOnce = Duration.milliseconds(1)

  /// As ``write(_:_:movesLog:marksWrites:touching:_:)``, for writes that need not survive a power cut,
  /// and only if no other writer is active, or only briefly; `nil` when one is, or the file is damaged.
  func writeAtOnce<Result: Sendable>(
    _ operation: StoreOperation, touching touched: Touched,
    waiting patience: Duration = patienceAtOnce,
    _ body: @Sendable (borrowing Connection) throws(SQLiteError) -> Result
  ) throws(StoreError) -> Result? {
    try refuseInChild(operation)
    guard !isDamaged else { return nil }
    return try writer.withLockIfAvailable { (writer) throws(StoreError) -> Result? in
      try lookForMovedFile(&writer, operation)
      do throws(SQLiteError) {
        setPatience(of: writer.connection, patience)
        defer { setPatience(of: writer.connection, nil) }
        return try commit(&writer, .normal, true, touched, body)
      } catch {
        note(error)
        if error.isBusy || isDamaged { return nil }
        throw StoreError(error, operation, path: file.path)
      }
    } ?? nil
  }

  func setPatience(of connection: borrowing Connection?, _ patience: Duration?) {
    switch connection {
    case .some(let opened): opened.waitForOthers(atMost: patience)
    case .none: break
    }
  }

  /// Runs `body` on the writing connection outside a transaction.
  func maintain<Result: Sendable>(
    _ operation: StoreOperation,
    _ body: @Sendable (borrowing Connection) throws(SQLiteError) -> Result
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

  func commit<Result: Sendable>(
    _ writer: inout Writer, _ durability: Durability, _ moves: Bool,
    _ touched: Touched?, _ body: @Sendable (borrowing Connection) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    let wantsFull = durability == .full
    if wantsFull != writer.isFullySynchronous {
      // Takes effect only outside a transaction, and persists when the transaction fails.
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
        let commits = connection.commits
        var isOver = false
        defer { clockWatch?.noteEnd(isOver ? connection.commits - commits : nil) }
        let (result, before) = try Self.transaction(
          { (connection) throws(SQLiteError) -> (Result, LogHeader?) in
            // Under the write lock: every change after it, up to the commit, is ours.
            let before = touched == nil ? nil : memory.header
            // Records in memory have to be read again only when moments were moved.
            let isMoved = try keepTime(connection)
            let result = try body(connection)
            guard !isMoved else { return (result, nil) }
            if before != nil { memory.beginCommit() }
            return (result, before)
          }, on: connection)
        isOver = true
        // A transaction that wrote nothing left the header unchanged: the next commit in it belongs to
        // another connection.
        if let touched, let before, connection.commits > commits {
          memory.keep(over: before, touching: touched)
        }
        if connection.log.isWritten { file.touchSharedMemory() }
        let pages = connection.pagesInWAL
        if moves, checkpoints.isDue(pagesInLog: pages) {
          if pages < Checkpoints.pagesInOverlongLog {
            startCheckpoint()
          } else {
            _ = checkpoint(waits: true)
          }
        }
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
      // The log of changes must not block a write that frees space. Observers that are no longer
      // registered notice it, and report missed changes.
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

  /// Moves the log into the database, and returns how long writers were blocked.
  func moveLog() async -> Duration {
    await checkpointQueue.run { [self] in checkpoint() }
  }

  /// A failure loses no commits: the log is then moved later.
  private func checkpoint(waits: Bool = false) -> Duration {
    readers.endSnapshots()
    let moved = generation.load(ordering: .acquiring)
    do throws(SQLiteError) {
      guard let outcome = try checkpoints.run(waits: waits) else { return .zero }
      if !outcome.isWhole { state.withLock { $0.checkpointsDeferred += 1 } }
      return outcome.held
    } catch {
      note(error, of: moved)
      state.withLock { $0.checkpointsDeferred += 1 }
      return .zero
    }
  }

  /// A number that changes with every commit by others; only for a file opened read-only.
  func dataVersion() throws(StoreError) -> Int64 {
    guard writer.withLock({ $0.isOpen }) else { return file.version }
    return try maintain(.observe) { (connection) throws(SQLiteError) in
      try connection.integer("PRAGMA data_version")
    }
  }

  // MARK: Ending

  /// Closes every connection; the last one to close a file empties its log.
  func close() throws(StoreError) {
    isClosed.store(true, ordering: .releasing)
    closeConnections()
  }

  deinit { closeConnections() }

  private func closeConnections() {
    checkpoints.close()
    writer.withLock { writer in
      guard !writer.isClosed else { return }
      memory.follow(nil)
      // The last connection to close empties the log, which a reading one may not do.
      closeOthers(forGood: true)
      closeWriter(&writer)
      writer.isClosed = true
    }
  }

  func refuseInChild(_ operation: StoreOperation) throws(StoreError) {
    guard ForkCount.now == birth else { throw StoreError(.forked, operation, path: file.path) }
  }
}
