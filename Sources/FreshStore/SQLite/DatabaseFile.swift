internal import CSQLite

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The file on the disk: creating it, recognising it as ours, moving a damaged one aside.
///
/// Nothing here opens the database, its `-wal` or its `-shm` by hand once SQLite may have them open:
/// closing any descriptor of a file drops all POSIX locks this process holds on it
/// (https://sqlite.org/howtocorrupt.html, section 2.2).
struct DatabaseFile: Sendable {
  let path: String
  let access: Configuration.Access
  let busyTimeout: Duration
  let maximumSize: Int?
  var acceptsLostWrites = false
  /// The name of a VFS in place of SQLite's own.
  var fileSystem: String?

  /// The oldest SQLite with STRICT tables.
  private static let oldestSQLite: Int32 = 3_037_000

  /// Opens the writing connection (the only one, when reading only): creates the file if it is
  /// missing, refuses one that is not ours, brings ours to today's schema.
  func open() throws(StoreError) -> Connection {
    guard sqlite3_libversion_number() >= Self.oldestSQLite else {
      throw error(.unsupportedSQLite(found: unsafe String(cString: sqlite3_libversion())))
    }
    try prepare()
    let connection = try answering { () throws(SQLiteError) in try connect() }
    try recognise(connection)
    connection.emptyLogWhenClosed()
    try configure(connection)
    try answering { () throws(SQLiteError) in try migrate(connection) }
    return connection
  }

  /// Opens as ``open()``, and looks at what may have come over the file since it was closed.
  func openChecked() throws(StoreError) -> Connection {
    let wasUnclosed = hasLog
    let connection = try open()
    if wasUnclosed { try checkOncePerBoot(connection) }
    try markHeldWrites(connection)
    return connection
  }

  /// Opens one more connection that only reads and never checkpoints.
  func openReader() throws(SQLiteError) -> Connection {
    guard access == .readOnly else { return try connection(.readOnly) }
    do throws(SQLiteError) {
      let connection = try connection(.readOnly)
      _ = try connection.integer("SELECT count(*) FROM sqlite_schema")
      return connection
    } catch {
      // A read-only file system: WAL needs shared memory that cannot be made there. Without a log
      // nobody can be writing, so the file may be read as it stands; with one it must not be, as it is
      // an older state without it.
      guard error.primaryCode == SQLITE_CANTOPEN, !hasLog else { throw error }
      return try connection(.immutable)
    }
  }

  /// Opens a connection, whatever lies under the path.
  func connection(_ access: Connection.Access) throws(SQLiteError) -> Connection {
    try Connection(path: path, access: access, busyTimeout: busyTimeout, fileSystem: fileSystem)
  }

  // MARK: Before SQLite

  private func prepare() throws(StoreError) {
    var status = stat()
    if unsafe stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFREG else { throw error(.notAFile) }
      // SQLite takes a file of one byte for an empty one (unixFileSize in os_unix.c).
      guard status.st_size != 1 else { throw error(.notADatabase) }
      return
    }
    let missing = errno
    guard missing == ENOENT else { throw error(missing == ENOTDIR ? .folderMissing : .cannotOpen) }
    guard access == .readWrite else { throw error(.cannotOpen) }
    try create(path)
  }

  private func create(_ path: String) throws(StoreError) {
    // Exclusive, so this never touches a file that exists, nor makes one where a link leads that
    // somebody has laid here, and with its final mode from the start: SQLite gives `-wal` and `-shm`
    // the mode of the database.
    let descriptor = Self.openFile(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
    if descriptor >= 0 {
      close(descriptor)
      return
    }
    switch errno {
    case EEXIST: return
    case ENOENT, ENOTDIR: throw error(.folderMissing)
    case EACCES, EROFS, EPERM: throw error(.readOnly)
    case ENOSPC, EDQUOT: throw error(.full)
    default: throw error(.cannotOpen)
    }
  }

  static func openFile(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
    #if canImport(Glibc)
      unsafe Glibc.open(path, flags, mode)
    #elseif canImport(Musl)
      unsafe Musl.open(path, flags, mode)
    #else
      unsafe Darwin.open(path, flags, mode)
    #endif
  }

  // MARK: With SQLite

  func connect() throws(SQLiteError) -> Connection {
    access == .readOnly ? try openReader() : try connection(.readWrite)
  }

  /// True when a log with content lies beside the file: it is open elsewhere, or was not closed.
  var hasLog: Bool { logSize > 0 }

  /// The size of the log in bytes; 0 when there is none.
  var logSize: Int {
    var status = stat()
    return unsafe stat(resolvedPath + "-wal", &status) == 0 ? Int(status.st_size) : 0
  }

  /// The file that holds the shared memory; SQLite puts it beside the file itself, not beside a link
  /// to it.
  var sharedMemoryPath: String { resolvedPath + "-shm" }

  /// The path without links: the one that the files beside the database are named after.
  var resolvedPath: String { Self.resolved(path) }

  /// A path without links; as it is when it leads nowhere.
  static func resolved(_ path: String) -> String {
    guard let resolved = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  /// Has the kernel announce to observers that something was committed for them. Opens nothing.
  func touchSharedMemory() {
    _ = unsafe utimensat(AT_FDCWD, sharedMemoryPath, nil, 0)
  }

  private func recognise(_ connection: borrowing Connection) throws(StoreError) {
    let found: (identifier: Int64, version: Int, shape: Schema.Shape)
    do throws(SQLiteError) {
      // In one snapshot: another process may be creating the store between two looks.
      found = try connection.snapshot { (connection) throws(SQLiteError) in
        let identifier = try connection.integer("PRAGMA application_id")
        let version = Int(try connection.integer("PRAGMA user_version"))
        let isOurs = identifier == Schema.applicationIdentifier
        // What a newer version makes nobody knows here; of a file that is not ours only nothing is
        // right.
        let isKnown = !isOurs || version <= Schema.version
        return (
          identifier, version,
          isKnown ? try Schema.shape(of: connection, version: isOurs ? version : 0) : .foreign
        )
      }
    } catch {
      // What is not known to be ours is not ours to move.
      let isForeign = connection.identifierOnDisk != Schema.applicationIdentifier
      throw error.isDamage && isForeign
        ? self.error(.notADatabase) : StoreError(error, .open, path: path)
    }
    if found.identifier == Schema.applicationIdentifier {
      guard found.version <= Schema.version else {
        throw error(.newerSchema(found: found.version, supported: Schema.version))
      }
      switch found.shape {
      case .ours: break
      case .damaged: throw error(.damaged)
      case .foreign: throw error(.foreignDatabase)
      }
    } else if found.identifier != 0 || found.shape != .ours || access == .readOnly {
      throw error(.foreignDatabase)
    }
  }

  private func configure(_ connection: borrowing Connection) throws(StoreError) {
    guard access == .readWrite else { return }
    let mode = try answering { () throws(SQLiteError) in
      let deadline = ContinuousClock.now + busyTimeout
      // Turning WAL on takes an exclusive lock for which SQLite does not always call the busy
      // handler; several processes may be creating the store at once.
      while true {
        do throws(SQLiteError) {
          // Only to a file that is still without it: SQLite commits this each time, also where it
          // changes nothing, and a commit costs syncs and what all others keep in memory.
          if try connection.integer("PRAGMA auto_vacuum") != 2 {
            try connection.execute("PRAGMA auto_vacuum=INCREMENTAL")
          }
          return try connection.text("PRAGMA journal_mode=WAL")
        } catch {
          guard error.isBusy, ContinuousClock.now < deadline else { throw error }
          usleep(1000)
        }
      }
    }
    // Some file systems offer no shared memory; SQLite then stays in another mode, whose rules
    // this code does not keep.
    guard mode == "wal" else { throw error(.cannotOpen) }
    try answering { () throws(SQLiteError) in
      try connection.execute("PRAGMA synchronous=FULL")
      try connection.execute("PRAGMA journal_size_limit=4194304")
      if let maximumSize {
        try connection.setPragma("max_page_count", to: max(16, maximumSize / 4096))
      }
    }
  }

  private func migrate(_ connection: borrowing Connection) throws(SQLiteError) {
    guard access == .readWrite else { return }
    while Int(try connection.integer("PRAGMA user_version")) < Schema.version {
      try connection.transaction { (connection) throws(SQLiteError) in
        // Looked at again under the write lock: another process may have been quicker.
        let version = Int(try connection.integer("PRAGMA user_version"))
        guard version < Schema.version else { return }
        try connection.executeScript(Schema.migrations[version])
        try connection.setPragma("application_id", to: Int(Schema.applicationIdentifier))
        try connection.setPragma("user_version", to: version + 1)
      }
    }
  }

  // MARK: Damage

  /// Moves the damaged database, its log and its shared memory aside, together, under a name that
  /// is free; nothing is deleted. Every connection of this process must be closed.
  ///
  /// Where the path is a link, what it leads to is moved, as its log lies there, and the link stays.
  ///
  /// Two processes may find the damage at once: under the folder's lock only the first, which still
  /// sees the file it had opened, moves it.
  func moveAside(_ damaged: Identity) throws(StoreError) -> String? {
    try withFolderLock { () throws(StoreError) in
      guard identity == damaged else { return nil }
      let path = resolvedPath
      var number = 1
      while Self.exists("\(path).damaged-\(number)") { number += 1 }
      let aside = "\(path).damaged-\(number)"
      // The log and the shared memory first: a database without its log is a whole older state, a
      // log without its database would be taken for the new file's.
      for suffix in ["-shm", "-wal", Self.writesMark, ""] where Self.exists(path + suffix) {
        guard unsafe rename(path + suffix, aside + suffix) == 0 else { throw error(.cannotOpen) }
      }
      // Nothing is made where a link leads that leads nowhere; this one led to the damaged file.
      if path != self.path { try create(path) }
      return aside
    }
  }

  /// Looks the whole file over after the machine went down with the store open: a cut of the power
  /// is what damages files, and it ends the boot. Costs a read of the file, once per boot.
  func checkOncePerBoot(_ connection: borrowing Connection) throws(StoreError) {
    guard access == .readWrite else { return }
    let boot = SystemClock().now().boot
    let words = try answering { () throws(SQLiteError) in
      guard try connection.integer("SELECT checked_boot FROM state") != boot else { return "ok" }
      return try connection.text("PRAGMA quick_check(1)")
    }
    guard words == "ok" else { throw error(.damaged) }
    try answering { () throws(SQLiteError) in
      try connection.withStatement(.noteCheckedBoot) { (note) throws(SQLiteError) in
        try note.bind(boot, at: 1)
        try note.run()
      }
    }
  }

  /// Which file the path names: device and inode.
  struct Identity: Sendable, Equatable {
    let device: UInt64
    let inode: UInt64
  }

  /// The identity of the file now under the path; `nil` when there is none.
  var identity: Identity? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    return Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
  }

  private func withFolderLock<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try withFolder { (descriptor) throws(StoreError) in
      while flock(descriptor, LOCK_EX) != 0 {
        guard errno == EINTR else { throw error(.cannotOpen) }
      }
      return try body()
    }
  }

  func withFolder<Result>(
    _ body: (Int32) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let path = resolvedPath
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let descriptor = Self.openFile(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
    guard descriptor >= 0 else { throw error(.cannotOpen) }
    defer { close(descriptor) }
    return try body(descriptor)
  }

  static func exists(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0
  }

  // MARK: Errors

  private func error(_ code: StoreError.Code) -> StoreError {
    StoreError(code, .open, path: path)
  }

  private func answering<Result: ~Copyable>(
    _ body: () throws(SQLiteError) -> Result
  ) throws(StoreError) -> Result {
    do throws(SQLiteError) {
      return try body()
    } catch {
      throw StoreError(error, .open, path: path)
    }
  }
}

extension SQL {
  fileprivate static let noteCheckedBoot = SQL(
    "UPDATE state SET checked_boot = ?1 WHERE checked_boot <> ?1")
}
