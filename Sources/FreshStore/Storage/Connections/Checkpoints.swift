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
