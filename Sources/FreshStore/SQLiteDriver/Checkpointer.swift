/// Moves the log into the database while others read and write.
///
/// A PASSIVE checkpoint keeps no writer out, and on versions with the WAL-reset defect it is the one
/// kind that can lose committed rows (https://sqlite.org/wal.html#walresetbug): when, within it, a
/// writer begins the log anew. No writer may do so while a reader stands on the log, that is, has a
/// read mark in it (https://sqlite.org/walformat.html, section 2.4.2), so a reader of its own stands
/// there throughout.
struct Checkpointer: ~Copyable {
  private let mover: Connection
  private let anchor: Connection

  /// What a checkpoint has come to.
  struct Outcome: Sendable, Equatable {
    /// True when the next writer may begin the log anew.
    var isWhole = false
    /// For how long writers were kept out.
    var held = Duration.zero
  }

  private static let passes = 4
  /// Pages in the log from which on writers are kept out for the last few of them.
  private static let pagesInLongLog = 4000
  /// Those last few.
  private static let fewPages = 200
  /// How long writers are kept out for readers of an older state.
  static let patienceWithReaders = Duration.milliseconds(3)

  /// - Parameters:
  ///   - mover: A connection that may write.
  ///   - anchor: Another one to the same file.
  init(mover: consuming Connection, anchor: consuming Connection) {
    self.mover = mover
    self.anchor = anchor
  }

  /// Which application's database this is.
  func identifier() throws(SQLiteError) -> Int64 {
    try anchor.integer("PRAGMA application_id")
  }

  /// Moves what stands in the log, and what came in meanwhile, unless a reader of an older state is in
  /// the way, or somebody else is at it.
  func run() throws(SQLiteError) -> Outcome {
    var last = LogProgress(pages: 0, moved: -1)
    // Each pass leaves what was written during it, and so takes less time than the one before.
    for _ in 0..<Self.passes {
      guard let progress = try pass() else { return Outcome() }
      if progress.isWhole { return Outcome(isWhole: true) }
      guard progress.moved > last.moved else { break }
      last = progress
    }
    let isNearlyWhole = last.pages - last.moved <= Self.fewPages
    return last.pages >= Self.pagesInLongLog && isNearlyWhole ? try finish() : Outcome()
  }

  /// One PASSIVE checkpoint; `nil` when somebody else is at one. Where nothing is left to move, it is
  /// not made.
  func pass() throws(SQLiteError) -> LogProgress? {
    try anchor.snapshot { (anchor) throws(SQLiteError) in
      // Nobody begins the log anew while this connection holds the write lock. So when something is
      // left to move after the anchor's snapshot was taken, something was left before, and the
      // anchor stands on the log and not beside it.
      let progress = try mover.underWriteLock { (mover) throws(SQLiteError) in
        _ = try anchor.integer("PRAGMA user_version")
        return mover.logProgress
      }
      guard let progress, !progress.isWhole else { return progress }
      // Looked at anew: what SQLite says was in the log is from before it began.
      return try mover.checkpointBesideWriters() ? mover.logProgress : nil
    }
  }

  private func finish() throws(SQLiteError) -> Outcome {
    // Outside of the lock, as this is most of the time that it takes.
    mover.sync(.log)
    mover.sync(.database)
    let waited = mover.waited
    let start = ContinuousClock.now
    let isWhole = try mover.checkpoint(.full, patience: Self.patienceWithReaders)
    return Outcome(
      isWhole: isWhole, held: ContinuousClock.now - start - (mover.waited - waited))
  }
}
