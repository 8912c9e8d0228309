internal import CSQLite
internal import Platform

/// The file on the disk: creating it, recognising it as ours, moving a damaged one aside.
///
/// Nothing here opens the database, its `-wal` or its `-shm` by hand once SQLite may have them open. Closing any
/// descriptor of a file drops all POSIX locks this process holds on it (https://sqlite.org/howtocorrupt.html,
/// section 2.2).
package struct DatabaseFile: Sendable {
  package let path: String
  package let access: Configuration.Access
  package let busyTimeout: Duration
  let maximumSize: Int?
  package let acceptsLostWrites: Bool
  /// The name of a VFS in place of SQLite's own.
  let fileSystem: String?
  /// How long to wait for the lock on the folder, which any program can take; `nil` for the busy timeout.
  var folderPatience: Duration?

  package init(
    path: String, access: Configuration.Access, busyTimeout: Duration, maximumSize: Int? = nil,
    acceptsLostWrites: Bool = false, fileSystem: String? = nil
  ) {
    (self.path, self.access, self.busyTimeout) = (path, access, busyTimeout)
    (self.maximumSize, self.acceptsLostWrites) = (maximumSize, acceptsLostWrites)
    self.fileSystem = fileSystem
  }

  /// The oldest SQLite with STRICT tables.
  private static let oldestSQLite: Int32 = 3_037_000

  /// Opens the writing connection. It creates a missing file, fills an empty one, refuses a foreign one, and
  /// migrates a store to the current schema.
  package func open() throws(StoreError) -> Connection {
    let connection = try opened()
    connection.emptyLogWhenClosed()
    return connection
  }

  private func opened() throws(StoreError) -> Connection {
    while true {
      try finishMove()
      let opened = try whileNobodyMoves { () throws(StoreError) -> Connection? in
        isMoving ? nil : try openedInPlace()
      }
      switch consume opened {
      case .some(let connection): return connection
      case .none: continue
      }
    }
  }

  private func openedInPlace() throws(StoreError) -> Connection {
    try prepare(access)
    let connection = try answering { () throws(SQLiteError) in try self.connection(.readWrite) }
    let found = try found(in: connection)
    if try recognise(found) { try answering { () throws(SQLiteError) in try fill(connection) } }
    try configure(connection)
    try answering { () throws(SQLiteError) in try migrate(connection) }
    return connection
  }

  /// Opens as ``open()``, and checks for damage since the file was closed.
  func openChecked() throws(StoreError) -> Connection {
    let wasUnclosed = hasLog
    let connection = try opened()
    if wasUnclosed { try checkOncePerBoot(connection) }
    try checkHeldWrites(connection)
    try markHeldWrites(connection)
    // Not earlier: a damaged file is moved aside unchanged, together with its unchanged log.
    connection.emptyLogWhenClosed()
    return connection
  }

  /// Opens a connection that only reads; `nil` where each read needs one of its own. A file that is
  /// unreadable, or not ours, is refused.
  func openToRead() throws(StoreError) -> Connection? {
    while true {
      try waitForMove()
      try prepare(.readOnly)
      var reading = ReadingConnection()
      let found = try answering { () throws(SQLiteError) in
        try reading.run(on: self) { (connection) throws(SQLiteError) in look(at: connection) }
      }
      _ = try recognise(found.get(path))
      guard let connection = reading.take() else { return nil }
      if isInPlace(connection) { return connection }
    }
  }

  /// Opens a connection to any file under the path.
  package func connection(_ access: Connection.Access) throws(SQLiteError) -> Connection {
    try Connection(path: path, access: access, busyTimeout: busyTimeout, fileSystem: fileSystem)
  }

  // MARK: Before SQLite

  private func prepare(_ access: Configuration.Access) throws(StoreError) {
    guard sqlite3_libversion_number() >= Self.oldestSQLite else {
      throw error(.unsupportedSQLite(found: unsafe String(cString: sqlite3_libversion())))
    }
    guard resolvedPath.utf8.count <= FileObstacle.longestPath else { throw error(.cannotOpen) }
    // Checked first: creating a store in an empty file writes the file before the log.
    let hadLog = hasLog
    var status = stat()
    if unsafe stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFREG else { throw error(.notAFile) }
      // A reader would wait for writers to change what SQLite's error leaves open.
      guard mayBe(R_OK) else { throw error(.cannotOpen) }
      // SQLite treats a file of one byte as empty (unixFileSize in os_unix.c).
      guard status.st_size != 1 else { throw error(.notADatabase) }
      // SQLite deletes the log of an empty file, and with it all commits in it
      // (pagerOpenWalIfPresent in pager.c).
      guard status.st_size != 0 || !hadLog else { throw error(.damaged) }
      if status.st_size == 0, access == .readWrite { try checkNothingHeld() }
      // SQLite would fall back to a connection that only reads, and create files that do not belong to the owner.
      guard access == .readOnly || mayBeWritten else { throw error(.readOnly) }
      return
    }
    let missing = errno
    guard missing == ENOENT else { throw error(missing == ENOTDIR ? .folderMissing : .cannotOpen) }
    guard access == .readWrite else { throw error(.cannotOpen) }
    if hadLog {
      // Its commits were acknowledged. It is moved aside with an empty file as its database.
      try create(path)
      throw error(.damaged)
    }
    try checkNothingHeld()
    try make()
  }

  /// Creates a complete store before it gets its name: no process ever sees a part of it.
  private func make() throws(StoreError) {
    // A log here belongs to a former database: SQLite takes it for the log of a whole file that it
    // finds, and deletes it beside an empty one.
    guard !PathName.exists(path + "-wal") else { return try create(path) }
    do throws(StoreError) {
      let made = try NewFile(path, for: .open)
      // The temporary name may be longer than the final one.
      guard made.temporary.utf8.count <= FileObstacle.longestPath else { return try create(path) }
      do {
        let connection = try answering { () throws(SQLiteError) in
          try Connection(
            path: made.temporary, access: .readWrite, busyTimeout: busyTimeout,
            fileSystem: fileSystem)
        }
        try answering { () throws(SQLiteError) in
          // No other process knows the file, and it is synced as a whole.
          try connection.execute("PRAGMA synchronous=OFF")
          try fill(connection)
        }
        try configure(connection)
        connection.emptyLogWhenClosed()
      }
      if try !made.publishUnlessThere() { try create(path) }
    } catch {
      // Another process was faster; or a link leads nowhere, which the following open reports.
      guard error.code == .alreadyExists else { throw error }
    }
  }

  /// Creates an empty file, a future store, for its owner only, or with the owner and the mode of another.
  func create(_ path: String, like model: String? = nil) throws(StoreError) {
    // It is exclusive, so it never touches an existing file, nor creates one at the end of a planted link. It gets
    // its final mode at once: SQLite gives `-wal` and `-shm` the mode of the database.
    let descriptor = unsafe Platform.open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
    if descriptor >= 0 {
      if let model { CompanionFile.adopt(descriptor, as: model) }
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

  // MARK: With SQLite

  /// True when a log with content lies beside the file: it is open elsewhere, or was not closed.
  package var hasLog: Bool { logSize > 0 }

  /// The size of the log in bytes; 0 when there is none.
  var logSize: Int {
    var status = stat()
    return unsafe stat(resolvedPath + "-wal", &status) == 0 ? Int(status.st_size) : 0
  }

  /// The shared memory file; SQLite puts it beside the file itself, not beside a link to it.
  package var sharedMemoryPath: String { resolvedPath + "-shm" }

  /// The path without links: it names the files beside the database.
  package var resolvedPath: String { PathName.resolved(path) }

  /// Makes the kernel notify observers of a commit that concerns them. Opens nothing.
  func touchSharedMemory() {
    _ = unsafe utimensat(AT_FDCWD, sharedMemoryPath, nil, 0)
  }

  /// The properties of a file, as found.
  private struct Found: Sendable {
    var identifier: Int64 = 0
    var version = 0
    var shape = DatabaseSchema.Shape.foreign(nil)
  }

  private func found(in connection: borrowing Connection) throws(StoreError) -> Found {
    try look(at: connection).get(path)
  }

  /// Never throws, so that a caller that reads a file without locks can check that it did not change.
  private func look(at connection: borrowing Connection) -> Look {
    do throws(SQLiteError) {
      // In one snapshot: another process may be creating the store between two reads.
      return .found(
        try connection.snapshot { (connection) throws(SQLiteError) in
          let identifier = try connection.integer("PRAGMA application_id")
          let version = try connection.formatVersion()
          let isOurs = identifier == DatabaseSchema.applicationIdentifier
          // The shape of a newer version is unknown; for a file that is not ours no shape is right.
          let isKnown = !isOurs || version <= DatabaseSchema.version
          let shape =
            isKnown
            ? try DatabaseSchema.shape(of: connection, version: isOurs ? version : 0)
            : .foreign(nil)
          return Found(identifier: identifier, version: version, shape: shape)
        })
    } catch {
      // A file that may not be ours must not be moved.
      let isForeign = connection.identifierOnDisk != DatabaseSchema.applicationIdentifier
      return error.isDamage && isForeign ? .noDatabase : .failed(error)
    }
  }

  private enum Look: Sendable {
    case found(Found)
    case noDatabase
    case failed(SQLiteError)

    func get(_ path: String) throws(StoreError) -> Found {
      switch self {
      case .found(let found): return found
      case .noDatabase: throw StoreError(.notADatabase, .open, path: path)
      case .failed(let error): throw StoreError(error, .open, path: path)
      }
    }
  }

  /// Refuses a foreign file; true for a file that will become ours.
  private func recognise(_ found: Found) throws(StoreError) -> Bool {
    if found.identifier == DatabaseSchema.applicationIdentifier {
      guard found.version <= DatabaseSchema.version else {
        throw error(.newerSchema(found: found.version, supported: DatabaseSchema.version))
      }
      switch found.shape {
      case .ours: return false
      case .damaged: throw error(.damaged)
      case .foreign(let object?):
        throw error(.foreignObject(kind: object.kind, name: object.name))
      case .foreign(nil): throw error(.foreignDatabase)
      }
    }
    guard found.identifier == 0, found.shape == .ours, access == .readWrite else {
      throw error(DatabaseSchema.refusal(of: found.identifier))
    }
    return true
  }

  /// Creates a store in an empty file, in one transaction: a concurrent reader sees nothing, or all.
  private func fill(_ connection: borrowing Connection) throws(SQLiteError) {
    try connection.execute("PRAGMA auto_vacuum=INCREMENTAL")
    try migrate(connection)
  }

  private func configure(_ connection: borrowing Connection) throws(StoreError) {
    let mode = try answering { () throws(SQLiteError) in
      let deadline = ContinuousClock.now + busyTimeout
      // Enabling WAL takes an exclusive lock for which SQLite does not always call the busy
      // handler; several processes may be creating the store at once.
      while true {
        do throws(SQLiteError) {
          return try connection.text("PRAGMA journal_mode=WAL")
        } catch {
          guard error.isBusy, ContinuousClock.now < deadline else { throw error }
          usleep(1000)
        }
      }
    }
    // Some file systems offer no shared memory; SQLite then stays in another mode, whose rules this
    // code does not follow.
    guard mode == "wal" else { throw error(.cannotOpen) }
    try answering { () throws(SQLiteError) in
      try connection.execute("PRAGMA synchronous=FULL")
      try connection.execute("PRAGMA journal_size_limit=4194304")
      // Debian's SQLite overwrites deleted data with zeros: removing a large value then takes as
      // long as writing it twice. FAST still zeroes data on pages that are written anyway.
      try connection.execute("PRAGMA secure_delete=FAST")
      if let maximumSize {
        try connection.setPragma("max_page_count", to: max(16, maximumSize / 4096))
      }
    }
  }

  func migrate(_ connection: borrowing Connection) throws(SQLiteError) {
    guard try connection.formatVersion() < DatabaseSchema.version else { return }
    try connection.transaction { (connection) throws(SQLiteError) in
      // Checked again under the write lock: another process may have been faster.
      let version = try connection.formatVersion()
      guard version < DatabaseSchema.version else { return }
      for version in version..<DatabaseSchema.version {
        try connection.executeScript(DatabaseSchema.migrations[version])
      }
      try connection.setPragma("application_id", to: Int(DatabaseSchema.applicationIdentifier))
      try connection.setPragma("user_version", to: DatabaseSchema.version)
    }
  }

  // MARK: Damage

  /// Checks the whole file after the machine went down with the store open: power cuts damage
  /// files, and they end the boot. Costs a read of the file, once per boot.
  private func checkOncePerBoot(_ connection: borrowing Connection) throws(StoreError) {
    let boot = SystemClock().reading().boot
    let words = try answering { () throws(SQLiteError) in
      guard try connection.integer("SELECT checked_boot FROM state") != boot else { return "ok" }
      return try connection.text("PRAGMA quick_check(1)")
    }
    guard words == "ok" else { throw error(.damaged) }
    do throws(SQLiteError) {
      connection.waitForOthers(atMost: .zero)
      defer { connection.waitForOthers(atMost: nil) }
      try connection.run(.noteCheckedBoot, boot)
    } catch {
      // The next process that opens the file notes it. A full disk, or an active writer, must not
      // block reads.
    }
  }

  /// The identity of a file: device and inode.
  struct Identity: Sendable, Hashable {
    let device: UInt64
    let inode: UInt64
  }

  /// The identity of the file now under the path; `nil` when there is none.
  var identity: Identity? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    return Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
  }

  func withFolder<Result>(
    _ body: (Int32) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let descriptor = openFolder()
    guard descriptor >= 0 else { throw error(.cannotOpen) }
    defer { close(descriptor) }
    return try body(descriptor)
  }

  func openFolder() -> Int32 {
    unsafe Platform.open(PathName.split(resolvedPath).folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
  }

  // MARK: Errors

  func error(_ code: StoreError.Code) -> StoreError {
    StoreError(code, .open, path: path)
  }

  /// Runs `body` for an open, with the errors of a store.
  func answering<Result: ~Copyable>(
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
