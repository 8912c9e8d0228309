internal import Platform
internal import Synchronization

extension Database {
  /// Drops all records in memory.
  func emptyMemory() {
    writer.withLock { memory.follow($0.logIndex) }
  }

  /// Makes the file hold the present records and nothing else: no free page, no remains in a page that
  /// is in use, and an empty log. False when readers of an older state, or writers, were in the way for
  /// longer than the busy timeout.
  ///
  /// Cost: a checkpoint of all that was deleted, and a copy of all that is left.
  func rewrite(_ operation: StoreOperation) throws(StoreError) -> Bool {
    let end = ContinuousClock.now + file.busyTimeout
    var attempts = 0
    while true {
      // A reader of this store, such as that of a screen, may have begun another snapshot, which it keeps.
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
          // Pages that were freed earlier still hold what they held (``DatabaseFile``).
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
