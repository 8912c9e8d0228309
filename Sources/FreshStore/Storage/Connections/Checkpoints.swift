internal import Synchronization

/// When the log of one file is moved into the database, and by what.
///
/// The connections for it are opened when they are first needed.
final class Checkpoints: Sendable {
  private let file: DatabaseFile
  private let checkpointer = Mutex<Checkpointer?>(nil)
  private let isClosed = Atomic<Bool>(false)
  /// Pages in the log when it was last tried.
  private let pagesAtLast = Atomic<Int>(0)

  /// Pages in the log, or more of them than at the last try, from which on it is tried. What comes in
  /// meanwhile still fits into the 4 MiB to which a log is cut off when it is begun anew: cutting it
  /// and letting it grow again are slow, and happen under the write lock.
  static let pagesBetween = 700

  init(_ file: DatabaseFile) {
    self.file = file
  }

  /// True when a log of so many pages is to be moved now, and true only once for it.
  func isDue(pagesInLog pages: Int) -> Bool {
    let last = pagesAtLast.load(ordering: .relaxed)
    // A shorter log than then is one that somebody has begun anew.
    let isDue = pages >= Self.pagesBetween && (pages < last || pages >= last + Self.pagesBetween)
    if isDue || pages < last {
      pagesAtLast.store(isDue ? pages : 0, ordering: .relaxed)
    }
    return isDue
  }

  /// Moves the log. `nil` when another thread of this process is at it.
  func run() throws(SQLiteError) -> Checkpointer.Outcome? {
    try checkpointer.withLockIfAvailable { (checkpointer) throws(SQLiteError) in
      guard !isClosed.load(ordering: .acquiring) else { return nil }
      if checkpointer == nil { checkpointer = try open() }
      switch checkpointer {
      case .some(let opened): return try opened.run()
      case .none: return nil
      }
    } ?? nil
  }

  /// `nil` when what lies under the path is not ours by now.
  private func open() throws(SQLiteError) -> Checkpointer? {
    let opened = Checkpointer(
      mover: try file.openInPlace { () throws(SQLiteError) in
        let mover = try file.connection(.readWrite)
        // Only the first look opens the log and its index.
        _ = try mover.integer("PRAGMA user_version")
        return mover
      },
      anchor: try file.openReader())
    guard try opened.identifier() == Schema.applicationIdentifier else { return nil }
    return opened
  }

  /// Waits for the checkpoint that runs, and lets go of the file. The next one opens it anew.
  func letGo() {
    checkpointer.withLock { $0 = nil }
  }

  /// As ``letGo()``, and for good.
  func close() {
    isClosed.store(true, ordering: .releasing)
    letGo()
  }
}
