internal import Platform

/// Reads a file where an ordinary connection could not be opened, or must not be.
///
/// SQLite creates the log and its index where they are missing. That fails on a disk that is full or read-only. And
/// if another user than the database's owner creates them, the owner may be unable to remove them, and then cannot
/// write.
extension DatabaseFile {
  /// Opens another connection that only reads and never checkpoints. A connection that does not last
  /// (``Connection/lasts``) is for a single read, which ``ReadingConnection`` ensures.
  package func openReader() throws(SQLiteError) -> Connection {
    try openInPlace { () throws(SQLiteError) in try openedReader() }
  }

  private func openedReader() throws(SQLiteError) -> Connection {
    guard !isEmpty, !mustLeaveNoTrace else { return try openWithoutTrace() }
    do throws(SQLiteError) {
      return try reading(.readOnly)
    } catch {
      guard error.lacksIndex else { throw error }
      do throws(SQLiteError) {
        return try openWithoutTrace()
      } catch let second {
        // The first error tells more, unless the second attempt was blocked by a lock.
        throw second.isBusy ? second : error
      }
    }
  }

  /// Opens a connection that creates no file and leaves none behind.
  private func openWithoutTrace() throws(SQLiteError) -> Connection {
    let end = ContinuousClock.now + busyTimeout
    // The file may be the beginning of an index for which the disk had no room.
    var isIndexCut = false
    while true {
      let usesIndex = !isIndexCut && PathName.exists(sharedMemoryPath)
      do throws(SQLiteError) {
        guard !isEmpty else { return try emptyStore() }
        guard hasLog else { return try reading(.immutable) }
        guard !usesIndex else { return try reading(.untouched) }
        return try reading(disk.isReadOnly ? .unlocked : .alone)
      } catch {
        // Writers create and remove files between two attempts; and of two exclusive readers each
        // locks the other out until one of them closes.
        guard error.isBusy || error.lacksIndex, ContinuousClock.now < end,
          error.isBusy || !hasLog || usesIndex,
          // A writer creates a file to replace a missing one, and may wait for this reader.
          access == .readOnly || identity != nil
        else { throw error }
        isIndexCut = usesIndex && !error.isBusy
        usleep(.random(in: 500...5000))
      }
    }
  }

  private func reading(_ access: Connection.Access) throws(SQLiteError) -> Connection {
    let connection = try Connection(
      path: path, access: access, busyTimeout: access == .alone ? .zero : busyTimeout,
      fileSystem: fileSystem)
    if access == .alone || access == .unlocked {
      try connection.execute("PRAGMA locking_mode=EXCLUSIVE")
    }
    do throws(SQLiteError) {
      // Only the first read opens the log and its index.
      let isBare = try connection.integer("SELECT count(*) FROM sqlite_schema") == 0
      let identifier = try connection.integer("PRAGMA application_id")
      if isBare, identifier == 0 { return try emptyStore() }
      try refuseOthers(connection, identifier)
      return connection
    } catch {
      var error = error
      if error.isDamage, connection.identifierOnDisk != DatabaseSchema.applicationIdentifier {
        error.refusal = .notADatabase
      }
      throw error
    }
  }

  /// Another file may have replaced it since the store was opened.
  private func refuseOthers(
    _ connection: borrowing Connection, _ identifier: Int64
  ) throws(SQLiteError) {
    guard identifier == DatabaseSchema.applicationIdentifier else {
      throw .refused(DatabaseSchema.refusal(of: identifier))
    }
    let version = try connection.formatVersion()
    guard version <= DatabaseSchema.version else {
      throw .refused(.newerSchema(found: version, supported: DatabaseSchema.version))
    }
    connection.reads(version: version)
  }

  /// The content of an empty file, or one without a commit: a store without records.
  private func emptyStore() throws(SQLiteError) -> Connection {
    let connection = try Connection(path: path, access: .empty, busyTimeout: busyTimeout)
    try migrate(connection)
    return connection
  }

  // MARK: The file's state

  private var isEmpty: Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_size == 0 && !hasLog
  }

  /// True for a reader who is not the owner, even one that would write if it were allowed. Files
  /// that root makes are given to the owner by SQLite.
  private var mustLeaveNoTrace: Bool {
    guard access == .readOnly || !mayBeWritten, geteuid() != 0 else { return false }
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_uid != geteuid()
  }

  /// False when the user may not write the file.
  var mayBeWritten: Bool { mayBe(W_OK) }

  /// Whether this user has the access to the file, one of access(2).
  func mayBe(_ kind: Int32) -> Bool { unsafe faccessat(AT_FDCWD, path, kind, AT_EACCESS) == 0 }

  /// The reason why nothing can be written, if it explains this error. The disk is full or mounted read-only, or
  /// this user may only read the file. The file can still be read.
  func diskObstacle(in error: StoreError) -> StoreError.Code? {
    switch error.code {
    case .full: .full
    case .cannotOpen: disk.isFull ? .full : nil
    case .readOnly: disk.isReadOnly || !mayBeWritten ? .readOnly : nil
    default: nil
    }
  }

  /// The size of a new store, with its log and the log's index, and a reserve of half of that.
  private static let roomForStore: UInt64 = 512 * 1024

  /// False when a replacement for this file would have to stay empty.
  var hasRoomForAnother: Bool { !disk.isFull }

  private var disk: (isFull: Bool, isReadOnly: Bool) {
    guard let status = volume else { return (false, false) }
    let isFull =
      Self.room(status).map { $0 < Self.roomForStore } ?? false
      || (status.f_files > 0 && status.f_favail == 0)
    return (isFull, UInt(status.f_flag) & UInt(ST_RDONLY) != 0)
  }

  /// False where the disk might have no room to move all of the log into the file after it has grown once more. On
  /// a disk that is full of a log nothing can be removed either: the removal is written to the log first.
  var hasRoomToGrow: Bool {
    guard let room = volume.flatMap(Self.room) else { return true }
    return room >= UInt64(2 * max(Self.logLimit, logSize))
  }

  /// The size to which a restarted log is truncated.
  private static let logLimit = 4 << 20

  private var volume: statvfs? {
    var status = statvfs()
    let (folder, _) = PathName.split(resolvedPath)
    guard unsafe statvfs(folder, &status) == 0 else { return nil }
    return status
  }

  /// The bytes that this user may still write; `nil` for a file system without a limit, which reports no blocks.
  private static func room(_ status: statvfs) -> UInt64? {
    guard status.f_blocks > 0 else { return nil }
    let room = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
    return room.overflow ? nil : room.partialValue
  }

  /// A stamp that changes with every write to the file.
  package struct Stamp: Sendable, Hashable {
    fileprivate let identity: Identity?
    fileprivate let size: Int
    fileprivate let seconds: Int
    fileprivate let nanoseconds: Int
  }

  /// The stamp of the file; any later state has another one: a kernel's time stands still for some
  /// milliseconds. Waits for a moment without a writer.
  package func settledStamp() throws(SQLiteError) -> Stamp {
    let end = ContinuousClock.now + busyTimeout
    while true {
      let stamp = stamp
      var now = timespec()
      unsafe clock_gettime(CLOCK_REALTIME, &now)
      let age = (now.tv_sec - stamp.seconds) * 1_000_000_000 + now.tv_nsec - stamp.nanoseconds
      // A time in the future tells nothing; the clock was set back.
      guard (0..<20_000_000).contains(age) else { return stamp }
      guard ContinuousClock.now < end else { throw .overwritten }
      usleep(5000)
    }
  }

  package var stamp: Stamp { Self.stamp(of: path) }

  /// A number that changes with every commit, for callers without a connection that could tell.
  var version: Int64 {
    var hasher = Hasher()
    hasher.combine(stamp)
    hasher.combine(Self.stamp(of: resolvedPath + "-wal"))
    return Int64(hasher.finalize())
  }

  private static func stamp(of path: String) -> Stamp {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      return Stamp(identity: nil, size: 0, seconds: 0, nanoseconds: 0)
    }
    let identity = Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    return Stamp(
      identity: identity, size: Int(status.st_size), seconds: time.tv_sec, nanoseconds: time.tv_nsec
    )
  }
}

extension Connection {
  /// False for a connection that bypasses locks, or locks others out: it is for a single read.
  package var lasts: Bool {
    switch access {
    case .readOnly, .readWrite, .untouched: true
    case .immutable, .alone, .unlocked, .empty: false
    }
  }
}
