internal import CSQLite
internal import Platform

/// Moves a damaged database aside together with its log and its other files, or not at all.
///
/// A note beside the database, `NAME-moving`, names the file and its new path, from before the first part
/// is moved until after the last. A process that opens the store and finds the note completes an
/// interrupted move. All of this happens under a lock on the folder, which durable writers share.
extension DatabaseFile {
  private static let movingNote = "-moving"
  /// The log is moved first. A database without its log is a whole older state, but SQLite would take a log without
  /// its database for the new file's. The database is moved last: its place shows whether the move is done.
  static let movedParts = ["-shm", "-wal", writesMark, valuesMark, ""]

  /// Moves the damaged database, its log, its shared memory and its mark aside under a free name;
  /// nothing is deleted. Every connection of this process must be closed.
  ///
  /// If the path is a link, its target is moved, as the log lies there, and the link stays.
  ///
  /// Two processes may find the damage at once. Only the first one, which still sees the file it had opened, moves
  /// it; the other gets `nil`.
  ///
  /// Throws `full` where there is no room for a new store: the intact content of the file is worth more than an
  /// empty one.
  func moveAside(_ damaged: Identity) throws(StoreError) -> String? {
    try withFolder { (folder) throws(StoreError) in
      guard identity == damaged else { return nil }
      guard hasRoomForAnother else { throw error(.full) }
      // The note is written before the lock is taken. Without it, writers could hold the lock in turn for ever;
      // when they see it, they release the lock. A late note names a file that is gone.
      try note(damaged, Self.freeNumber(of: resolvedPath))
      return try finishMove(under: folder)
    }
  }

  /// Completes the move of a process that was killed.
  func finishMove() throws(StoreError) {
    guard isMoving else { return }
    _ = try withFolder { (folder) throws(StoreError) in try finishMove(under: folder) }
  }

  private func finishMove(under folder: Int32) throws(StoreError) -> String? {
    guard try lock(folder, LOCK_EX) else { throw error(.cannotOpen) }
    defer { flock(folder, LOCK_UN) }
    return try finishMove(folder)
  }

  /// The same for a reader, which cannot move anything: waits for the moving process.
  func waitForMove() throws(StoreError) {
    let end = ContinuousClock.now + busyTimeout
    while isMoving {
      guard ContinuousClock.now < end else { throw error(.damaged) }
      // Nothing signals the end of the move, which takes a few system calls.
      usleep(1000)
    }
  }

  /// True when a connection is to the file that the path names, with all its companion files.
  func isInPlace(_ connection: borrowing Connection) -> Bool {
    !isMoving && !connection.fileHasMoved
  }

  /// Runs `body` while no process moves the file; `nil` when it was moved.
  ///
  /// No process would ever read a commit to a file that was moved aside.
  ///
  /// - Parameter patience: How long to wait for the lock at most; `nil` for ``folderPatience``.
  func inPlace<Result>(
    _ known: Identity?, waiting patience: Duration? = nil, _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result? {
    try whileNobodyMoves(waiting: patience) { () throws(StoreError) -> Result? in
      guard !isMoving, identity == known else { return nil }
      return try body()
    }
  }

  /// Opens a connection while no process moves the file, after an interrupted move is completed. A
  /// connection opened during a move would build an index of the old log for the new file.
  func openInPlace(
    _ open: () throws(SQLiteError) -> Connection
  ) throws(SQLiteError) -> Connection {
    while true {
      let opened: Swift.Result<Connection, SQLiteError>?
      do throws(StoreError) {
        if access == .readWrite { try finishMove() } else { try waitForMove() }
        opened = try whileNobodyMoves { () throws(StoreError) in
          guard !isMoving else { return nil }
          do throws(SQLiteError) {
            return .success(try open())
          } catch {
            return .failure(error)
          }
        }
      } catch {
        throw SQLiteError(
          code: error.sqlite?.code ?? SQLITE_BUSY, message: "\(error)", activity: "opening")
      }
      switch consume opened {
      case .some(let result): return try result.get()
      case .none: continue
      }
    }
  }

  /// True during a move or after an interrupted one. A note that is not a regular file is ignored.
  var isMoving: Bool {
    var status = stat()
    return unsafe lstat(resolvedPath + Self.movingNote, &status) == 0
      && status.st_mode & S_IFMT == S_IFREG
  }

  /// The new path of the file; `nil` when there was nothing to move.
  private func finishMove(_ folder: Int32) throws(StoreError) -> String? {
    let path = resolvedPath
    let note = path + Self.movingNote
    let numbers = LockHolder.contents(of: note).split(separator: " ")
    if let identity, numbers.count == 3, let number = Int(numbers[0]),
      numbers[1...].elementsEqual(["\(identity.device)", "\(identity.inode)"])
    {
      let aside = "\(path).damaged-\(number)"
      try move(path, to: aside, folder)
      return aside
    }
    // The move is done except for its end, or was not begun; or another file has replaced this one.
    let aside = numbers.first.map { "\(path).damaged-\($0)" }
    try end(path, numbers.isEmpty ? nil : identity, aside)
    return nil
  }

  private func move(_ path: String, to aside: String, _ folder: Int32) throws(StoreError) {
    // First: a process that finishes the move later, or finds it done, takes them over.
    try markValues(of: aside)
    for part in Self.movedParts where PathName.exists(path + part) {
      guard unsafe rename(path + part, Self.free(aside + part)) == 0 else {
        throw error(.cannotOpen)
      }
    }
    _ = fsync(folder)
    try end(path, nil, aside)
  }

  private func end(
    _ path: String, _ present: Identity?, _ aside: String?
  ) throws(StoreError) {
    // It creates an empty file, which the next process fills. Only now it is known whose the damaged file was. And
    // no file is created at the end of a dangling link, as a link to the moved file is now.
    let model = aside.flatMap { PathName.exists($0) ? $0 : nil }
    if present == nil, !PathName.exists(path), model != nil || path != self.path {
      try create(path, like: model)
    }
    guard unsafe unlink(path + Self.movingNote) == 0 || errno == ENOENT else {
      throw NewFile.failure(errno, .open, path + Self.movingNote)
    }
  }

  /// Creates the note, whole or not at all: a partial one would be ignored.
  private func note(_ file: Identity, _ number: Int) throws(StoreError) {
    do throws(StoreError) {
      let note = try NewFile(resolvedPath + Self.movingNote, for: .open)
      // Every user who may move the file has to be able to read the note, and finish the move.
      CompanionFile.adopt(note.descriptor, as: resolvedPath)
      let text = Array("\(number) \(file.device) \(file.inode)".utf8)
      let written = unsafe text.withUnsafeBytes {
        unsafe write(note.descriptor, $0.baseAddress, $0.count)
      }
      guard written == text.count else { throw NewFile.failure(errno, .open, path) }
      try note.publish()
    } catch {
      // Another process was faster, and means the same file.
      guard error.code == .alreadyExists, isMoving else {
        throw StoreError(error.code, .open, path: path, sqlite: error.sqlite)
      }
    }
  }

  /// A number under which no file exists, not even a log whose database was removed.
  private static func freeNumber(of path: String) -> Int {
    var number = 1
    while movedParts.contains(where: { PathName.exists("\(path).damaged-\(number)\($0)") }) {
      number += 1
    }
    return number
  }

  /// The path itself, if it is free: no file is ever overwritten.
  private static func free(_ path: String) -> String {
    guard PathName.exists(path) else { return path }
    var number = 1
    while PathName.exists("\(path).\(number)") { number += 1 }
    return "\(path).\(number)"
  }

  /// Closes a writing connection. The last one empties the log, unless the file is being moved: SQLite removes a
  /// log by its name, which may be the name of the new file's log by then.
  func closeConnection(_ connection: inout Connection?, of known: Identity?) {
    do throws(StoreError) {
      let isClosed: Void? = try inPlace(known) { connection = nil }
      if isClosed != nil { return }
    } catch {
      // The holder of the lock may be moving the file.
    }
    Self.closeLeavingLog(&connection)
  }

  static func closeLeavingLog(_ connection: inout Connection?) {
    switch connection {
    case .some(let opened): opened.keepLogWhenClosed()
    case .none: break
    }
    connection = nil
  }

  /// Runs `body` under the lock that writers share. Without such locks, or where the folder may not be read, it
  /// runs without one: then nothing prevents a move.
  func whileNobodyMoves<Result: ~Copyable>(
    waiting patience: Duration? = nil, _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let descriptor = openFolder()
    guard descriptor >= 0 else { return try body() }
    defer { close(descriptor) }
    _ = try lock(descriptor, LOCK_SH, waiting: patience)
    // A child forked meanwhile has the descriptor, too.
    defer { flock(descriptor, LOCK_UN) }
    return try body()
  }

  /// Waits for a lock on the folder as long as for one on the database; false where there are none.
  private func lock(
    _ folder: Int32, _ kind: Int32, waiting patience: Duration? = nil
  ) throws(StoreError) -> Bool {
    let end = ContinuousClock.now + min(patience ?? folderPatience ?? busyTimeout, busyTimeout)
    while flock(folder, kind | LOCK_NB) != 0 {
      switch errno {
      case EINTR: continue
      case EWOULDBLOCK:
        guard ContinuousClock.now < end else {
          let (path, _) = PathName.split(resolvedPath)
          throw error(.busy(holder: KernelLock.held(on: path).first { $0.kind == .whole }?.owner))
        }
        // The kernel wakes only blocking waiters, which have no timeout.
        usleep(1000)
      default: return false
      }
    }
    return true
  }
}
