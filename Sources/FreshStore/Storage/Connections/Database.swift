internal import Platform
internal import Strategies
internal import Synchronization

/// The connections to one database file: one for writing, a few for reading, each behind its own lock.
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
    /// Values recovered from damaged files that no source can give again.
    var salvagedValues = 0
    /// The damaged files parts of which could not be read for that.
    var partlyRead: [String] = []
    /// A call for each change, at once and under locks: it must not wait, nor come back here.
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
    /// True once the loss of the file is noted, until another one is open.
    var isLossNoted = false
    /// True when the mark beside the file shows that it holds local writes.
    var isMarked = false
    var lastLooked = ContinuousClock.now
    /// The lock that the last write did not get; `nil` once a write has had the lock.
    var foreignLock: ForeignLock?
    /// True once a write has not got the lock on the folder; false once one has had it.
    var isFolderLocked = false
    var isClosed = false
  }

  /// The lock of another program.
  struct ForeignLock: Sendable {
    /// The process that holds it, found by ``LockHolder/ofDatabase(at:)``.
    let holder: String?
    let lookedAt = ContinuousClock.now
  }

  package let file: DatabaseFile
  /// The records that are in memory.
  let memory: MemoryTier
  let writer: Mutex<Writer>
  let readers: Readers
  let hasRead = Atomic<Bool>(false)
  /// Numbers the files opened in turn.
  let generation = Atomic<Int>(1)
  /// The last generation whose file was found damaged; 0 for none.
  private let damagedGeneration = Atomic<Int>(0)
  let isClosed = Atomic<Bool>(false)
  let state = Mutex(Health())
  private let birth = ForkCount.begin()
  /// See ``Configuration/lockPatience``.
  let lockPatience: Duration?
  /// True once writes wait up to the busy timeout all the same.
  let isPatient = Atomic<Bool>(false)

  /// Makes room in a file that has reached its limit; `nil` where nothing does.
  let eviction = Mutex<Eviction?>(nil)

  /// Removes what can be fetched again, within the transaction of a write that finds no room.
  struct Eviction: Sendable {
    /// Frees so many bytes, but no record of the write itself; false when there is no more to free.
    let free: @Sendable (Int, AffectedKeys?, borrowing Connection) throws(SQLiteError) -> Bool
  }

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
    // A write says for each wait how long it may take.
    var shared = file
    shared.folderPatience = lockPatience
    checkpoints = Checkpoints(shared)
    readers = Readers(shared, count: count, taskClock: taskClock)
    let health = Mutex(Health())
    var opened = Writer()
    try Self.open(file, as: &opened, health)
    memory.follow(opened.logIndex)
    writer = Mutex(opened)
    state.withLock { $0 = health.withLock { $0 } }
  }

  var health: Health { state.withLock { $0 } }

  // MARK: Damage

  /// True when the open file was found damaged.
  var isDamaged: Bool {
    damagedGeneration.load(ordering: .acquiring) == generation.load(ordering: .acquiring)
  }

  /// Notes an error of a file, which may not be the open one any more.
  func note(_ error: SQLiteError, of read: Int? = nil) {
    guard error.isDamage else { return }
    noteDamage(of: read ?? generation.load(ordering: .acquiring))
  }

  func noteDamage(of read: Int) { damagedGeneration.store(read, ordering: .releasing) }

  /// Runs `body` once more on the file that replaces one that it found damaged. A program that does one thing and
  /// ends must not leave the damage to the next program.
  @inline(__always)
  func replacingDamaged<Result>(
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
    case .none: throw .connectionClosed
    }
  }

  // MARK: Moving the log

  func startCheckpoint() {
    checkpointQueue.start { [weak self] in _ = self?.checkpoint() }
  }

  /// Moves the log into the database, and returns how long writers were blocked.
  func moveLog() async -> Duration {
    await checkpointQueue.run { [self] in checkpoint() }
  }

  /// A failure loses no commits: the log is then moved later.
  func checkpoint(waits: Bool = false) -> Duration {
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
