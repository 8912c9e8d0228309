extension Database {
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

  /// Runs `body` in a write transaction that leaves the log alone. `body` gets the time at which
  /// the write lock was taken.
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
}
