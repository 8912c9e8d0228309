internal import CSQLite

/// One connection to one database file; closed when its owner releases it.
///
/// SQLite's own mutex is off: the owner of the connection admits one thread at a time
/// (https://sqlite.org/threadsafe.html, multi-thread mode).
@safe
package struct Connection: ~Copyable {
  /// The access of the connection.
  package enum Access {
    case readOnly, readWrite
    /// Reads a file that is never written, without any locks.
    case immutable
    /// As `readOnly`, and no file beside the database is created or written either.
    case untouched
    /// Reads with all others locked out, so that the index of the log can lie in this process's
    /// memory (https://sqlite.org/wal.html#noshm).
    case alone
    /// As `alone`, on a disk that cannot be written: it takes no lock.
    case unlocked
    /// An empty database in memory that replaces an empty file.
    case empty
  }

  /// The access it was opened with.
  let access: Access

  let handle: OpaquePointer
  let statements = StatementCache()
  private let busyHandler: BusyHandler
  /// Pages in the WAL after the last commit on this connection.
  private let walPages: WALPages

  private final class WALPages {
    var count: Int32 = 0
    var commits = 0
  }

  /// The state of the current transaction, or the last one, for observers.
  final class ChangeLog {
    /// Whether there are any observers; `nil` until the first check.
    var isWanted: Bool?
    /// True when observers must read the file.
    var isWritten = false
    /// Calls that follow the commit. They run under the lock of the connection, and so in the order of commits.
    var afterCommit: [@Sendable () -> Void] = []
    /// True when local writes were added or removed.
    var touchesOutbox = false
  }

  /// See ``ChangeLog``.
  let log = ChangeLog()

  /// Opens an existing file and establishes everything that must hold before the first statement.
  ///
  /// `fileSystem` names a VFS in place of the default one (https://sqlite.org/vfs.html).
  package init(
    path: String, access: Access, busyTimeout: Duration, fileSystem: String? = nil
  ) throws(SQLiteError) {
    let handle = try unsafe Self.open(path, access, fileSystem)
    do throws(SQLiteError) {
      try unsafe Self.configure(handle)
    } catch {
      unsafe sqlite3_close_v2(handle)
      throw error
    }
    let pages = WALPages()
    // The hook also replaces automatic checkpoints: only ours may run.
    let context = unsafe Unmanaged.passUnretained(pages).toOpaque()
    unsafe sqlite3_wal_hook(
      handle,
      { context, _, _, count in
        guard let context = unsafe context else { return SQLITE_OK }
        let pages = unsafe Unmanaged<WALPages>.fromOpaque(context).takeUnretainedValue()
        pages.count = count
        pages.commits += 1
        return SQLITE_OK
      }, context)
    busyHandler = unsafe BusyHandler(on: handle, at: path, timeout: busyTimeout)
    walPages = pages
    self.access = access
    unsafe self.handle = handle
  }

  deinit {
    statements.removeAll()
    unsafe sqlite3_close_v2(handle)
  }

  /// The same for a body that lends texts to the statement, and so resets it itself.
  borrowing func withLendingStatement<Result: ~Copyable>(
    _ sql: SQL, _ body: (borrowing Statement) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    try unsafe statements.withLendingStatement(sql, on: handle, body)
  }

  /// Makes statements omit columns of the table `r` that the file does not have: they read as `NULL`.
  borrowing func goWithout(_ columns: [String]) {
    statements.missingColumns = columns
  }

  /// Runs one statement that needs no parameters; rows are ignored.
  package borrowing func execute(_ sql: StaticString) throws(SQLiteError) {
    try unsafe Statement(sql.description, on: handle).run()
  }

  /// Runs a script of several statements.
  package borrowing func executeScript(_ sql: String) throws(SQLiteError) {
    let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else {
      throw unsafe Self.failure(code, on: handle, "running a schema script")
    }
  }

  /// Sets a pragma that takes no bound parameter; the value is a number, so it cannot be SQL.
  borrowing func setPragma(_ name: StaticString, to value: Int) throws(SQLiteError) {
    try unsafe Statement("PRAGMA \(name)=\(value)", on: handle).run()
  }

  /// The first column of the first row of `sql`, as an integer; 0 without a row.
  package borrowing func integer(_ sql: StaticString) throws(SQLiteError) -> Int64 {
    let statement = try unsafe Statement(sql.description, on: handle)
    return try statement.step() ? statement.int(0) : 0
  }

  /// The first column of the first row of `sql`, as text; empty without a row.
  package borrowing func text(_ sql: StaticString) throws(SQLiteError) -> String {
    let statement = try unsafe Statement(sql.description, on: handle)
    return try statement.step() ? statement.text(0) : ""
  }

  /// Runs `body` in a write transaction: committed when it returns, rolled back when it throws.
  ///
  /// Begins IMMEDIATE: a deferred transaction that writes after reading fails at once with SQLITE_BUSY_SNAPSHOT,
  /// however long the busy timeout is.
  package borrowing func transaction<Result>(
    _ body: (borrowing Connection) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    log.isWanted = nil
    log.isWritten = false
    log.afterCommit = []
    log.touchesOutbox = false
    try run(.beginImmediate)
    do {
      let result = try body(self)
      try run(.commit)
      return result
    } catch {
      rollBack()
      throw error
    }
  }

  /// Runs `body` on one snapshot of the database; nothing may be written.
  package borrowing func snapshot<Result>(
    _ body: (borrowing Connection) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    try beginSnapshot()
    defer { rollBack() }
    return try body(self)
  }

  /// Begins a snapshot that lasts until ``endSnapshot()``.
  borrowing func beginSnapshot() throws(SQLiteError) {
    try run(.begin)
  }

  /// Ends the snapshot of ``beginSnapshot()``.
  borrowing func endSnapshot() {
    rollBack()
  }

  private borrowing func rollBack() {
    // SQLite has already rolled back by itself after some errors (disk full, I/O, out of memory).
    guard unsafe sqlite3_get_autocommit(handle) == 0 else { return }
    unsafe sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
  }

  /// Rows changed by the last statement.
  var changes: Int { Int(unsafe sqlite3_changes(handle)) }

  /// The identity of the last inserted row.
  var lastInsertedRow: Int64 { unsafe sqlite3_last_insert_rowid(handle) }

  /// Pages in the WAL after the last commit here.
  var pagesInWAL: Int { Int(walPages.count) }

  /// The number of transactions of this connection that wrote something.
  var commits: Int { walPages.commits }

  /// The end of a checkpoint; both kinds hold the write lock throughout, so the WAL-reset race
  /// cannot start.
  package enum Checkpoint {
    /// The WAL file is truncated.
    case truncate
    /// The WAL file keeps its blocks, and the next writer restarts it.
    case full

    fileprivate var mode: Int32 {
      switch self {
      case .truncate: SQLITE_CHECKPOINT_TRUNCATE
      case .full: SQLITE_CHECKPOINT_FULL
      }
    }
  }

  /// Moves the WAL's content into the database; true when it succeeded. It fails when readers or writers block it
  /// for longer than `patience`, or the busy timeout. Then the next call makes up for it.
  package borrowing func checkpoint(
    _ kind: Checkpoint = .truncate, patience: Duration? = nil
  ) throws(SQLiteError) -> Bool {
    busyHandler.interruptsWhenItGivesUp = true
    busyHandler.patience = patience
    defer {
      busyHandler.interruptsWhenItGivesUp = false
      busyHandler.patience = nil
    }
    let code = unsafe sqlite3_wal_checkpoint_v2(handle, nil, kind.mode, nil, nil)
    switch code & 0xff {
    case SQLITE_OK:
      if kind == .truncate { walPages.count = 0 }
      return true
    case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_INTERRUPT: return false
    default: throw unsafe Self.failure(code, on: handle, "checkpointing")
    }
  }

  /// Moves all pages that no reader needs, and blocks no writer; false when another checkpoint is
  /// running. Only for ``Checkpointer``, which keeps the WAL-reset race from starting.
  borrowing func checkpointBesideWriters() throws(SQLiteError) -> Bool {
    let code = unsafe sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    switch code & 0xff {
    case SQLITE_OK: return true
    case SQLITE_BUSY, SQLITE_LOCKED: return false
    default: throw unsafe Self.failure(code, on: handle, "checkpointing")
    }
  }

  /// Runs `body` while no other connection can write; `body` writes nothing.
  borrowing func underWriteLock<Result>(
    _ body: (borrowing Connection) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    try run(.beginImmediate)
    defer { rollBack() }
    return try body(self)
  }

  /// Limits this connection's wait for a lock to `patience`, until the next call; `nil` is the busy
  /// timeout.
  borrowing func waitForOthers(atMost patience: Duration?) {
    busyHandler.patience = patience
  }

  /// Limits this connection's wait for a lock whose holder commits nothing, until the next call; `nil` is the busy
  /// timeout.
  borrowing func waitForOthers(inVainFor timeout: Duration?) {
    busyHandler.shorterTimeout = timeout
  }

  /// This connection's total wait for others so far.
  var waited: Duration { busyHandler.waited }

  /// Lets this connection empty the log if it is the last one to close. Without this call closing keeps the log:
  /// the file may turn out to be damaged, or to belong to another program.
  borrowing func emptyLogWhenClosed() {
    _ = unsafe freshstore_db_config_flag(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)
  }

  /// Makes closing keep the log again.
  borrowing func keepLogWhenClosed() {
    _ = unsafe freshstore_db_config_flag(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
  }

  /// The version of the format. SQLite reads the four bytes as a signed number, but versions have
  /// no sign: a negative number is a very large version.
  package borrowing func formatVersion() throws(SQLiteError) -> Int {
    Int(UInt32(truncatingIfNeeded: try integer("PRAGMA user_version")))
  }

  // MARK: Opening

  private static func open(
    _ path: String, _ access: Access, _ fileSystem: String?
  ) throws(SQLiteError) -> OpaquePointer {
    var handle: OpaquePointer?
    let mode =
      switch access {
      // SQLite grants an exclusive lock only on a file that is open for writing.
      case .readWrite, .alone, .empty: SQLITE_OPEN_READWRITE
      case .readOnly, .immutable, .untouched, .unlocked: SQLITE_OPEN_READONLY
      }
    let flags = mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_URI
    // Without locks (https://sqlite.org/vfs.html, section 2.1): an exclusive lock needs a file that
    // is open for writing.
    let fileSystem = access == .unlocked ? "unix-none" : fileSystem
    let code = unsafe sqlite3_open_v2(Self.uri(path, access), &handle, flags, fileSystem)
    guard code == SQLITE_OK, let opened = unsafe handle else {
      defer { unsafe sqlite3_close_v2(handle) }
      throw unsafe failure(code, on: handle, "opening the file")
    }
    return unsafe opened
  }

  private static func configure(_ handle: OpaquePointer) throws(SQLiteError) {
    unsafe sqlite3_extended_result_codes(handle, 1)
    for (flag, value) in defences {
      _ = unsafe freshstore_db_config_flag(handle, flag, value)
    }
    _ = unsafe freshstore_db_config_flag(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    try unsafe Statement("PRAGMA mmap_size=0", on: handle).run()
    try unsafe Statement("PRAGMA cell_size_check=ON", on: handle).run()
    try unsafe Statement("PRAGMA temp_store=MEMORY", on: handle).run()
  }

  /// A `file:` URI that escapes the path's own `?`, `#` and `%` (https://sqlite.org/uri.html).
  private static func uri(_ path: String, _ access: Access) -> String {
    // An absolute path needs the empty authority: "file:" + "//x" would read x as a host.
    var uri = path.hasPrefix("/") ? "file://" : "file:"
    for byte in path.utf8 {
      let isPlain = byte < 0x80 && !"%?#".utf8.contains(byte)
      uri += isPlain ? String(Unicode.Scalar(byte)) : "%" + String(byte, radix: 16)
    }
    return switch access {
    case .readOnly, .readWrite, .alone, .unlocked: uri
    case .empty: "file::memory:"
    case .immutable: uri + "?immutable=1"
    case .untouched: uri + "?readonly_shm=1"
    }
  }

  /// A database file is data, never a program (https://sqlite.org/security.html).
  private static var defences: [(Int32, Int32)] {
    [
      (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
      (SQLITE_DBCONFIG_DQS_DML, 0), (SQLITE_DBCONFIG_DQS_DDL, 0),
      // A store has none of its own; an application that adds some wants them to run.
      (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0), (SQLITE_DBCONFIG_ENABLE_VIEW, 0),
    ]
  }

  /// The error that `database` reports for `code`.
  static func failure(
    _ code: Int32, on database: OpaquePointer?, _ activity: String
  ) -> SQLiteError {
    let reported = unsafe database.map { unsafe sqlite3_extended_errcode($0) } ?? code
    let words = unsafe database.map { unsafe String(cString: sqlite3_errmsg($0)) }
    let standard = unsafe String(cString: sqlite3_errstr(code))
    // The connection's message belongs to this failure only when the codes agree.
    let isOwn = reported & 0xff == code & 0xff
    return SQLiteError(
      code: isOwn ? reported : code, message: isOwn ? words ?? standard : standard,
      activity: activity)
  }
}

extension SQL {
  fileprivate static let begin = SQL("BEGIN")
  fileprivate static let beginImmediate = SQL("BEGIN IMMEDIATE")
  fileprivate static let commit = SQL("COMMIT")
}
