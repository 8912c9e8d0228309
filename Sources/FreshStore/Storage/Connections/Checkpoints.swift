internal import Platform
internal import Synchronization

/// Decides when to checkpoint the log of one file, and runs the checkpoint.
///
/// The connections for it are opened at their first use.
final class Checkpoints: Sendable {
  private let file: DatabaseFile
  private let checkpointer = Mutex<Checkpointer?>(nil)
  private let isClosed = Atomic<Bool>(false)
  /// Pages in the log at the last attempt.
  private let pagesAtLast = Atomic<Int>(0)

  /// The growth of the log, in pages, that triggers an attempt. Pages added meanwhile still fit into the 4 MiB to
  /// which a restarted log is truncated. Truncating the log and letting it grow again are slow, and happen under
  /// the write lock.
  static let pagesBetween = 700

  /// The size of a log, in pages, from which on its writer waits until it is moved. A checkpoint beside writers
  /// blocks them only for the last few pages. Writers of many large values never leave so few, and the log would
  /// grow as fast as they write.
  static let pagesInOverlongLog = 8000

  init(_ file: DatabaseFile) {
    self.file = file
  }

  /// True when a log of that many pages is to be moved now, and true only once for it.
  func isDue(pagesInLog pages: Int) -> Bool {
    let last = pagesAtLast.load(ordering: .relaxed)
    // A log that is shorter than before was restarted.
    let isDue = pages >= Self.pagesBetween && (pages < last || pages >= last + Self.pagesBetween)
    if isDue || pages < last {
      pagesAtLast.store(isDue ? pages : 0, ordering: .relaxed)
    }
    return isDue
  }

  /// Moves the log. `nil` when another thread of this process is doing so, unless this call `waits`.
  func run(waits: Bool) throws(SQLiteError) -> Checkpointer.Outcome? {
    guard !waits else { return try checkpointer.withLock(run) }
    return try checkpointer.withLockIfAvailable(run) ?? nil
  }

  /// Runs `body` once no thread of this process moves the log, and none begins to.
  func whileIdle(
    _ body: () throws(SQLiteError) -> Bool
  ) throws(SQLiteError) -> Bool {
    try checkpointer.withLock { (_) throws(SQLiteError) -> Bool in try body() }
  }

  private func run(
    _ checkpointer: inout sending Checkpointer?
  ) throws(SQLiteError) -> sending Checkpointer.Outcome? {
    guard !isClosed.load(ordering: .acquiring) else { return nil }
    if checkpointer == nil { checkpointer = try open() }
    switch checkpointer {
    case .some(let opened): return try opened.run()
    case .none: return nil
    }
  }

  /// `nil` when the file under the path is no longer ours.
  private func open() throws(SQLiteError) -> Checkpointer? {
    let opened = Checkpointer(
      mover: try file.openInPlace { () throws(SQLiteError) in
        let mover = try file.connection(.readWrite)
        // Only the first read opens the log and its index.
        _ = try mover.integer("PRAGMA user_version")
        return mover
      },
      anchor: try file.openReader())
    guard try opened.identifier() == DatabaseSchema.applicationIdentifier else { return nil }
    return opened
  }

  /// Waits for the running checkpoint, and closes the file. The next checkpoint opens it again.
  func release() {
    checkpointer.withLock { $0 = nil }
  }

  /// As ``release()``, but permanently.
  func close() {
    isClosed.store(true, ordering: .releasing)
    release()
  }
}

extension Database {
  /// Drops all records in memory.
  func emptyMemory() {
    writer.withLock { memory.follow($0.logIndex) }
  }

  /// Makes the file hold the present records and nothing else: no free page, no remains in a page that is in use,
  /// and an empty log. False when readers of an older state, or writers, blocked it for longer than the busy
  /// timeout.
  ///
  /// Cost: a checkpoint of all that was deleted, and a copy of all that is left.
  func rewrite(_ operation: StoreOperation) throws(StoreError) -> Bool {
    let end = ContinuousClock.now + file.busyTimeout
    var attempts = 0
    while true {
      // A reader of this store, such as the reader of a screen, may have begun another snapshot, which it keeps.
      readers.endSnapshots()
      if try rewriteOnce(operation) { return true }
      attempts += 1
      guard attempts < Self.attemptsAtRewriting || ContinuousClock.now < end else { return false }
      // SQLite refuses at once while another process moves the log.
      usleep(Self.pauseBetweenAttempts)
    }
  }

  private static let attemptsAtRewriting = 20
  /// In microseconds.
  private static let pauseBetweenAttempts: UInt32 = 1000

  private func rewriteOnce(_ operation: StoreOperation) throws(StoreError) -> Bool {
    let patience = file.busyTimeout / Self.attemptsAtRewriting
    return try maintain(operation) { [checkpoints] (connection) throws(SQLiteError) in
      try checkpoints.whileIdle { () throws(SQLiteError) in
        // The zeros over deleted data have to be in the file before its end is cut off.
        guard try connection.checkpoint(patience: patience) else { return false }
        connection.waitForOthers(atMost: patience)
        defer { connection.waitForOthers(atMost: nil) }
        do throws(SQLiteError) {
          // Pages that were freed earlier still hold their former content (``DatabaseFile``).
          try connection.execute("VACUUM")
        } catch {
          guard error.isBusy else { throw error }
          return false
        }
        return try connection.checkpoint(patience: patience)
      }
    }
  }
}
