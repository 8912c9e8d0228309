/// Moves the log into the database while others read and write.
///
/// A PASSIVE checkpoint blocks no writer. On versions with the WAL-reset defect it can lose committed rows when a
/// writer restarts the log during it (https://sqlite.org/wal.html#walresetbug).
///
/// No writer may restart the log while a reader has a read mark in it (https://sqlite.org/walformat.html, section
/// 2.4.2). So a reader of its own holds a mark throughout.
struct Checkpointer: ~Copyable {
  private let mover: Connection
  private let anchor: Connection

  /// The outcome of a checkpoint.
  struct Outcome: Sendable, Equatable {
    /// True when the next writer may restart the log.
    var isWhole = false
    /// How long writers were blocked.
    var held = Duration.zero
  }

  private static let passes = 4
  /// The number of pages in the log from which writers are blocked for the last few of them.
  private static let pagesInLongLog = 4000
  /// The number of those last pages.
  private static let fewPages = 200
  /// How long writers are blocked for readers of an older state.
  static let patienceWithReaders = Duration.milliseconds(3)

  /// - Parameters:
  ///   - mover: A connection that may write.
  ///   - anchor: Another connection to the same file.
  init(mover: consuming Connection, anchor: consuming Connection) {
    self.mover = mover
    self.anchor = anchor
  }

  /// The application id of the database.
  func identifier() throws(SQLiteError) -> Int64 {
    try anchor.integer("PRAGMA application_id")
  }

  /// Moves the content of the log, and the pages that are added meanwhile. A reader of an older state, or another
  /// running checkpoint, prevents it.
  func run() throws(SQLiteError) -> Outcome {
    var last = LogProgress(pages: 0, moved: -1)
    // Each pass leaves only the pages written during it, and so takes less time than the one
    // before.
    for _ in 0..<Self.passes {
      guard let progress = try pass() else { return Outcome() }
      if progress.isWhole { return Outcome(isWhole: true) }
      guard progress.moved > last.moved else { break }
      last = progress
    }
    let isNearlyWhole = last.pages - last.moved <= Self.fewPages
    return last.pages >= Self.pagesInLongLog && isNearlyWhole ? try finish() : Outcome()
  }

  /// One PASSIVE checkpoint; `nil` when another one is running. It is skipped when nothing is left
  /// to move.
  func pass() throws(SQLiteError) -> LogProgress? {
    try anchor.snapshot { (anchor) throws(SQLiteError) in
      // No writer restarts the log while this connection holds the write lock. So when pages are left to move after
      // the anchor took its snapshot, pages were left before. Then the anchor's read mark is in the log.
      let progress = try mover.underWriteLock { (mover) throws(SQLiteError) in
        _ = try anchor.integer("PRAGMA user_version")
        return mover.logProgress
      }
      guard let progress, !progress.isWhole else { return progress }
      // Read again: SQLite's count of pages in the log is from before the checkpoint began.
      return try mover.checkpointBesideWriters() ? mover.logProgress : nil
    }
  }

  private func finish() throws(SQLiteError) -> Outcome {
    // Outside of the lock, as it takes most of the time.
    mover.sync(.log)
    mover.sync(.database)
    let waited = mover.waited
    let start = ContinuousClock.now
    let isWhole = try mover.checkpoint(.full, patience: Self.patienceWithReaders)
    return Outcome(
      isWhole: isWhole, held: ContinuousClock.now - start - (mover.waited - waited))
  }
}
