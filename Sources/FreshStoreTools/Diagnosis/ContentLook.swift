internal import CSQLite
internal import FreshStore
internal import Platform
internal import Strategies

/// Inspects a database file without a trace: creates no file beside it, empties no log, migrates nothing.
///
/// An ordinary reading connection creates the log and its index if they are missing. So a file without a log is read
/// as a file without a writer, and read again if a writer started meanwhile. A file with a log and an index is read
/// with both as they are.
struct ContentLook {
  let file: DatabaseFile
  let now: ClockReading
  /// How far in the future a last update may lie: the default of a store.
  private static let allowedSkew: Duration = .seconds(5)

  /// The content of the file.
  func content() -> FoundContent {
    if let obstacle { return obstacle }
    guard isLogged else {
      if let holder = lastingHolder { return .locked(holder: holder) }
      let content = read(.immutable)
      // A read during a write may show a state that the file never had.
      return isLogged ? read(.untouched) : content
    }
    guard hasIndex else { return interrupted() }
    return read(.untouched)
  }

  /// Runs `body` on a connection that leaves no trace.
  func withConnection<Result>(
    _ body: (borrowing Connection) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    let connection = try file.connection(isLogged ? .untouched : .immutable)
    return try body(connection)
  }

  /// True if the mark beside a store shows local writes that are not in it.
  var lacksHeldWrites: Bool {
    do throws(SQLiteError) {
      return try withConnection { (connection) throws(SQLiteError) in
        try file.lacksHeldWrites(connection)
      }
    } catch {
      return false
    }
  }

  /// False if a connection cannot be opened, or would leave a trace.
  var isReadable: Bool {
    obstacle == nil && (!isLogged || hasIndex)
  }

  /// True for a regular file: a named pipe in its place would block a reader.
  private var hasIndex: Bool { FoundFile(file.sharedMemoryPath)?.isRegular ?? false }

  private var isLogged: Bool {
    FoundFile(file.resolvedPath + "-wal").map { $0.size > 0 } ?? false
  }

  // MARK: Before SQLite

  private var obstacle: FoundContent? {
    var status = stat()
    guard unsafe stat(file.path, &status) == 0 else {
      switch errno {
      case ENOENT:
        return PathName.exists(PathName.split(file.path).folder) ? .missing : .folderMissing
      case ENOTDIR: return .folderMissing
      default: return .unreadable(unsafe String(cString: strerror(errno)))
      }
    }
    guard status.st_mode & S_IFMT == S_IFREG else { return .notAFile }
    guard status.st_size != 0 else { return .empty }
    guard unsafe faccessat(AT_FDCWD, file.path, R_OK, AT_EACCESS) == 0 else {
      return .unreadable(unsafe String(cString: strerror(errno)))
    }
    return nil
  }

  // MARK: With SQLite

  /// The content of a file with another program's identifier. The file of a new store has no identifier until it is
  /// read with its log.
  private static func stranger(_ identifier: Int64) -> FoundContent? {
    switch identifier {
    case 0, DatabaseSchema.applicationIdentifier: nil
    case DatabaseSchema.formerIdentifier: .former
    default: .foreign
    }
  }

  /// A log without its index: only the owner of the file can be determined.
  private func interrupted() -> FoundContent {
    do throws(SQLiteError) {
      let connection = try file.connection(.untouched)
      guard let header = connection.headerOnDisk else { return .notADatabase }
      return Self.stranger(header.identifier) ?? .interrupted
    } catch {
      return content(of: error, nil)
    }
  }

  private func read(_ access: Connection.Access) -> FoundContent {
    var header: FileHeader?
    do throws(SQLiteError) {
      let connection = try file.connection(access)
      header = connection.headerOnDisk
      let facts = try connection.snapshot { (connection) throws(SQLiteError) in
        try look(connection)
      }
      guard case .store(var facts) = facts else { return facts }
      facts.problems = try problems(connection)
      return .store(facts)
    } catch {
      return content(of: error, header)
    }
  }

  private func content(of error: SQLiteError, _ header: FileHeader?) -> FoundContent {
    switch error.primaryCode {
    case SQLITE_BUSY, SQLITE_LOCKED: .locked(holder: holder)
    case SQLITE_CORRUPT, SQLITE_NOTADB:
      header?.identifier == DatabaseSchema.applicationIdentifier
        ? .damaged(error.message) : .notADatabase
    default: .failed("\(error.message) (SQLite \(error.code), \(error.activity))")
    }
  }

  /// A connection that locks readers out holds the bytes from 2^30 on (https://sqlite.org/src/file?name=src/os.h,
  /// PENDING_BYTE).
  private var holder: String? {
    KernelLock.held(on: file.path).first { $0.isExclusive && $0.bytes.upperBound >= 1 << 30 }?.owner
  }

  /// The holder, if it does not release the lock in time. A connection with exclusive access asks for no lock; a
  /// closing store holds one for a moment.
  private var lastingHolder: String? {
    let end = ContinuousClock.now + file.busyTimeout
    while let holder {
      guard ContinuousClock.now < end else { return holder }
      usleep(10_000)
    }
    return nil
  }

  private func look(_ connection: borrowing Connection) throws(SQLiteError) -> FoundContent {
    let identifier = try connection.integer("PRAGMA application_id")
    if let stranger = Self.stranger(identifier) { return stranger }
    guard identifier != 0 else { return .foreign }
    let version = try connection.formatVersion()
    guard version <= DatabaseSchema.version else {
      return .newer(found: version, supported: DatabaseSchema.version)
    }
    switch try DatabaseSchema.shape(of: connection, version: version) {
    case .ours: break
    case .damaged: return .damaged("its tables are not those of a store")
    case .foreign(let object?):
      return .foreignObject(kind: object.kind, name: object.name)
    case .foreign(nil): return .foreign
    }
    var facts = StoreFacts()
    facts.format = version
    facts.pageSize = Int(try connection.integer("PRAGMA page_size"))
    facts.pages = Int(try connection.integer("PRAGMA page_count"))
    facts.freePages = Int(try connection.integer("PRAGMA freelist_count"))
    facts.checkedBoot = try connection.integer("SELECT checked_boot FROM state")
    facts.work = try connection.waitingWork(at: now)
    facts.fleet = try connection.fleetPlace()
    let latest = now.wall.advanced(by: Self.allowedSkew).millisecondsSinceEpoch
    (facts.futureUpdates, facts.latestUpdate) =
      try connection.first(.future, latest) {
        (Int($0.int(0)), $0.optionalInt(1).map(Timestamp.init(millisecondsSinceEpoch:)))
      } ?? (0, nil)
    return .store(facts)
  }

  private func problems(_ connection: borrowing Connection) throws(SQLiteError) -> [String] {
    let problems = try connection.rows(.quickCheck) { $0.text(0) }
    return problems == ["ok"] ? [] : problems
  }
}

extension SQL {
  fileprivate static let future = SQL(
    "SELECT count(*), max(last_update) FROM record WHERE last_update > ?1")
  fileprivate static let quickCheck = SQL("PRAGMA quick_check(5)")
}
