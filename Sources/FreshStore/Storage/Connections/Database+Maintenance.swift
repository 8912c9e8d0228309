internal import Platform
internal import Synchronization

/// The work on the whole file: outside of transactions, in short turns, or as a copy of all that is left.
extension Database {
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

  /// One of a series of short write transactions.
  package struct Turn: Sendable {
    /// The work done in it, as counted by `body`.
    var work = Work()
    /// How long the write lock was held.
    var held = Duration.zero
    /// Pages in the log after it.
    var pagesInLog = 0
  }

  /// The work done in a turn.
  package struct Work: Sendable {
    /// Pieces of work that were done, records as a rule; the rest is for the next turn.
    package var done = 0
    /// Records that were changed.
    package var changed = 0
    /// Changed records that are stale, and wait for a refetch.
    package var marked = 0
    /// Bytes removed, or added.
    package var bytes = 0
    /// Records skipped because of their local write.
    package var pending = 0

    package init(done: Int = 0, changed: Int = 0, bytes: Int = 0) {
      (self.done, self.changed, self.bytes) = (done, changed, bytes)
    }
  }

  /// Runs `body` in a write transaction that does not move the log. `body` gets the time at which the write lock
  /// was taken.
  package func turn(
    _ operation: StoreOperation,
    _ body: @Sendable (borrowing Connection, ContinuousClock.Instant) throws(SQLiteError) -> Work
  ) throws(StoreError) -> Turn {
    let (work, start) = try write(operation, movesLog: false) {
      (connection) throws(SQLiteError) in
      let start = ContinuousClock.now
      return (try body(connection, start), start)
    }
    let held = ContinuousClock.now - start
    // Read after the commit, when SQLite reports it.
    let pages = try maintain(operation) { (connection) throws(SQLiteError) in
      connection.pagesInWAL
    }
    return Turn(work: work, held: held, pagesInLog: pages)
  }

  /// Drops all records in memory.
  func emptyMemory() {
    writer.withLock { memory.follow($0.logIndex) }
  }

  /// Makes the file hold only the present records: no free page, no remains in a page that is in use, and an empty
  /// log. False when readers of an older state, or writers, blocked it for longer than the busy timeout.
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
