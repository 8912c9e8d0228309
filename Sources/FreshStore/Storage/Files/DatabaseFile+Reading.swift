internal import Platform

/// How a file is read where an ordinary connection could not be opened, or must not.
///
/// SQLite makes the log and its index where they are missing. That fails on a disk that is full or may
/// not be written; and made by somebody else than the owner of the database, who may not be able to
/// take them away again, they keep the owner from writing.
extension DatabaseFile {
  /// Opens one more connection that only reads and never checkpoints. One that does not last
  /// (``Connection/lasts``) is for one look, and ``ReadingConnection`` sees to that.
  package func openReader() throws(SQLiteError) -> Connection {
    try openInPlace { () throws(SQLiteError) in try openedReader() }
  }

  private func openedReader() throws(SQLiteError) -> Connection {
    guard !isEmpty, !mustLeaveNoTrace else { return try openWithoutTrace() }
    do throws(SQLiteError) {
      return try reading(.readOnly)
    } catch {
      guard error.isForWantOfIndex else { throw error }
      do throws(SQLiteError) {
        return try openWithoutTrace()
      } catch let second {
        // Why the ordinary way is closed says more, unless somebody was in the way of the other one.
        throw second.isBusy ? second : error
      }
    }
  }

  /// Opens a connection that makes no file and leaves none behind.
  private func openWithoutTrace() throws(SQLiteError) -> Connection {
    let end = ContinuousClock.now + busyTimeout
    // What lies there may be the beginning of an index for which the disk had no room.
    var isIndexCut = false
    while true {
      let usesIndex = !isIndexCut && PathName.exists(sharedMemoryPath)
      do throws(SQLiteError) {
        guard !isEmpty else { return try standIn() }
        guard hasLog else { return try reading(.immutable) }
        guard !usesIndex else { return try reading(.untouched) }
        return try reading(disk.isReadOnly ? .unlocked : .alone)
      } catch {
        // Whoever writes makes files and takes them away between two looks; and of two that read alone
        // each keeps the other out until one of them lets go.
        guard error.isBusy || error.isForWantOfIndex, ContinuousClock.now < end,
          error.isBusy || !hasLog || usesIndex,
          // Who writes makes a file in the place of one that is gone, and may wait for this reader.
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
      // Only the first look opens the log and its index.
      let isBare = try connection.integer("SELECT count(*) FROM sqlite_schema") == 0
      let identifier = try connection.integer("PRAGMA application_id")
      if isBare, identifier == 0 { return try standIn() }
      try refuseOthers(connection, identifier)
      return connection
    } catch {
      var error = error
      if error.isDamage, connection.identifierOnDisk != Schema.applicationIdentifier {
        error.refusal = .notADatabase
      }
      throw error
    }
  }

  /// Another file may have come to the path since the store was opened.
  private func refuseOthers(
    _ connection: borrowing Connection, _ identifier: Int64
  ) throws(SQLiteError) {
    guard identifier == Schema.applicationIdentifier else {
      throw .refused(Schema.refusal(of: identifier))
    }
    let version = try connection.formatVersion()
    guard version <= Schema.version else {
      throw .refused(.newerSchema(found: version, supported: Schema.version))
    }
    connection.reads(version: version)
  }

  /// What is in a file that is empty, or to which nothing was committed yet: a store without records.
  private func standIn() throws(SQLiteError) -> Connection {
    let connection = try Connection(path: path, access: .standIn, busyTimeout: busyTimeout)
    try migrate(connection)
    return connection
  }

  // MARK: What lies there

  private var isEmpty: Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_size == 0 && !hasLog
  }

  /// True for a reader who is not the owner, be it one who would write if that were allowed. What root
  /// makes, SQLite gives to the owner.
  private var mustLeaveNoTrace: Bool {
    guard access == .readOnly || !mayBeWritten, geteuid() != 0 else { return false }
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_uid != geteuid()
  }

  /// False where the user may not write the file.
  var mayBeWritten: Bool {
    unsafe faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0
  }

  /// Why nothing can be written here, should this error have come of it: the disk has no room or is
  /// mounted to be read, or the file is one that this user may only read. What is there can be read all
  /// the same.
  func diskObstacle(in error: StoreError) -> StoreError.Code? {
    switch error.code {
    case .full: .full
    case .cannotOpen: disk.isFull ? .full : nil
    case .readOnly: disk.isReadOnly || !mayBeWritten ? .readOnly : nil
    default: nil
    }
  }

  /// What a new store takes, with its log and the log's index; and half of it to spare.
  private static let roomForStore: UInt64 = 512 * 1024

  /// False when a new file in the place of this one would have to stay empty.
  var hasRoomForAnother: Bool { !disk.isFull }

  private var disk: (isFull: Bool, isReadOnly: Bool) {
    var status = statvfs()
    let (folder, _) = PathName.split(resolvedPath)
    guard unsafe statvfs(folder, &status) == 0 else { return (false, false) }
    // A file system without a limit has no blocks at all.
    let room = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
    let hasNoRoom = status.f_blocks > 0 && !room.overflow && room.partialValue < Self.roomForStore
    let isFull = hasNoRoom || (status.f_files > 0 && status.f_favail == 0)
    return (isFull, UInt(status.f_flag) & UInt(ST_RDONLY) != 0)
  }

  /// What changes when somebody writes into the file.
  package struct Stamp: Sendable, Hashable {
    fileprivate let identity: Identity?
    fileprivate let size: Int
    fileprivate let seconds: Int
    fileprivate let nanoseconds: Int
  }

  /// The stamp of the file, which after this differs from that of any later state: a kernel's time
  /// stands still for some milliseconds. Waits for a moment in which nobody writes.
  package func settledStamp() throws(SQLiteError) -> Stamp {
    let end = ContinuousClock.now + busyTimeout
    while true {
      let stamp = stamp
      var now = timespec()
      unsafe clock_gettime(CLOCK_REALTIME, &now)
      let age = (now.tv_sec - stamp.seconds) * 1_000_000_000 + now.tv_nsec - stamp.nanoseconds
      // A time that is to come tells nothing; the clock was set back.
      guard (0..<20_000_000).contains(age) else { return stamp }
      guard ContinuousClock.now < end else { throw .overwritten }
      usleep(5000)
    }
  }

  package var stamp: Stamp { Self.stamp(of: path) }

  /// A number that changes when somebody commits, for whoever keeps no connection that could tell.
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
  /// False for one that reads past locks, or keeps others out: it is for one look.
  package var lasts: Bool {
    switch access {
    case .readOnly, .readWrite, .untouched: true
    case .immutable, .alone, .unlocked, .standIn: false
    }
  }
}
