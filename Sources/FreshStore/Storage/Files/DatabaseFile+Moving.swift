internal import CSQLite
internal import Platform

/// How a damaged database is moved aside: with its log and all that lies beside it, or not at all.
///
/// A note beside the database, `NAME-moving`, says which file is moved where, from before the first part
/// of it is moved until the last one is. Whoever opens the store and finds the note goes on where a process was killed. All
/// of this happens under a lock on the folder, which those who write what must not be lost share.
extension DatabaseFile {
  private static let movingNote = "-moving"
  /// The log first: a database without its log is a whole older state, a log without its database would
  /// be taken for the new file's. The database last: where it lies tells whether the move is done.
  private static let movedParts = ["-shm", "-wal", writesMark, ""]

  /// Moves the damaged database, its log, its shared memory and its mark aside under a name that is
  /// free; nothing is deleted. Every connection of this process must be closed.
  ///
  /// Where the path is a link, what it leads to is moved, as its log lies there, and the link stays.
  ///
  /// Two processes may find the damage at once: only the first, which still sees the file it had opened,
  /// moves it; `nil` for the other. Throws `full` where there is no room for a new store in its place: what is
  /// whole in the file is worth more than an empty one.
  func moveAside(_ damaged: Identity) throws(StoreError) -> String? {
    try withFolder { (folder) throws(StoreError) in
      guard identity == damaged else { return nil }
      guard hasRoomForAnother else { throw error(.full) }
      // Before the lock: those who write would hold it in turn for ever, and let go of it for the note.
      // One that comes too late names a file that is gone.
      try note(damaged, Self.freeNumber(of: resolvedPath))
      return try finishMove(under: folder)
    }
  }

  /// Goes on where a process was killed that moved the file aside.
  func finishMove() throws(StoreError) {
    guard isMoving else { return }
    _ = try withFolder { (folder) throws(StoreError) in try finishMove(under: folder) }
  }

  private func finishMove(under folder: Int32) throws(StoreError) -> String? {
    guard try lock(folder, LOCK_EX) else { throw error(.cannotOpen) }
    defer { flock(folder, LOCK_UN) }
    return try finishMove(folder)
  }

  /// The same for a reader, who cannot move anything: waits for the one who does.
  func waitForMove() throws(StoreError) {
    let end = ContinuousClock.now + busyTimeout
    while isMoving {
      guard ContinuousClock.now < end else { throw error(.damaged) }
      // Nothing tells of the end of it, which is the matter of a few system calls.
      usleep(1000)
    }
  }

  /// True when a connection is to the file that the path names, with all that belongs to it.
  func isInPlace(_ connection: borrowing Connection) -> Bool {
    !isMoving && !connection.fileHasMoved
  }

  /// Runs `body` while nobody moves the file; `nil` when somebody has.
  ///
  /// What is committed into a file that was moved aside nobody reads any more.
  func inPlace<Result>(
    _ known: Identity?, _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result? {
    try whileNobodyMoves { () throws(StoreError) -> Result? in
      guard !isMoving, identity == known else { return nil }
      return try body()
    }
  }

  /// Opens a connection while nobody moves the file, once whoever was killed at it has no more to do. One
  /// that is opened in the midst of it would make an index of the old log, and the new file get that.
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

  /// True while somebody moves the file, or was killed who did. What is no file says nothing.
  var isMoving: Bool {
    var status = stat()
    return unsafe lstat(resolvedPath + Self.movingNote, &status) == 0
      && status.st_mode & S_IFMT == S_IFREG
  }

  /// Where the file was moved to; `nil` when there was nothing to move.
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
    // It is done but for the end, or was not begun; or somebody has put another file in the place.
    try end(path, numbers.isEmpty ? nil : identity)
    return nil
  }

  private func move(_ path: String, to aside: String, _ folder: Int32) throws(StoreError) {
    for part in Self.movedParts where PathName.exists(path + part) {
      guard unsafe rename(path + part, Self.free(aside + part)) == 0 else {
        throw error(.cannotOpen)
      }
    }
    _ = fsync(folder)
    try end(path, nil)
  }

  private func end(_ path: String, _ present: Identity?) throws(StoreError) {
    // Nothing is made where a link leads that leads nowhere; this one led to the damaged file.
    if path != self.path, present == nil, !PathName.exists(path) { try create(path) }
    guard unsafe unlink(path + Self.movingNote) == 0 || errno == ENOENT else {
      throw NewFile.failure(errno, .open, path + Self.movingNote)
    }
  }

  /// Leaves the note, whole or not at all: a part of one would be taken for none.
  private func note(_ file: Identity, _ number: Int) throws(StoreError) {
    do throws(StoreError) {
      let note = try NewFile(resolvedPath + Self.movingNote, for: .open)
      let text = Array("\(number) \(file.device) \(file.inode)".utf8)
      let written = unsafe text.withUnsafeBytes {
        unsafe write(note.descriptor, $0.baseAddress, $0.count)
      }
      guard written == text.count else { throw NewFile.failure(errno, .open, path) }
      try note.publish()
    } catch {
      // Another process was quicker, which means the same file.
      guard error.code == .alreadyExists, isMoving else {
        throw StoreError(error.code, .open, path: path, sqlite: error.sqlite)
      }
    }
  }

  /// A number of which nothing lies there, not even a log whose database was removed.
  private static func freeNumber(of path: String) -> Int {
    var number = 1
    while movedParts.contains(where: { PathName.exists("\(path).damaged-\(number)\($0)") }) {
      number += 1
    }
    return number
  }

  /// The path itself, if it is free: nothing is ever put in the place of a file.
  private static func free(_ path: String) -> String {
    guard PathName.exists(path) else { return path }
    var number = 1
    while PathName.exists("\(path).\(number)") { number += 1 }
    return "\(path).\(number)"
  }

  /// Closes a connection that writes. The last one empties the log, unless somebody moves the file: SQLite
  /// takes a log away by its name, which may be that of a new file's by then.
  func closeConnection(_ connection: inout Connection?, of known: Identity?) {
    do throws(StoreError) {
      let isClosed: Void? = try inPlace(known) { connection = nil }
      if isClosed != nil { return }
    } catch {
      // Who is in the way may be moving it.
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

  /// Runs `body` under the lock that they share who write; without it where there are no such locks, or
  /// the folder may not be read: nobody can then be kept from moving the file.
  func whileNobodyMoves<Result: ~Copyable>(
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let descriptor = openFolder()
    guard descriptor >= 0 else { return try body() }
    defer { close(descriptor) }
    _ = try lock(descriptor, LOCK_SH)
    // A child that was forked meanwhile has the descriptor, too.
    defer { flock(descriptor, LOCK_UN) }
    return try body()
  }

  /// Waits for a lock on the folder as long as for one on the database; false where there are none.
  private func lock(_ folder: Int32, _ kind: Int32) throws(StoreError) -> Bool {
    let end = ContinuousClock.now + busyTimeout
    while flock(folder, kind | LOCK_NB) != 0 {
      switch errno {
      case EINTR: continue
      case EWOULDBLOCK:
        guard ContinuousClock.now < end else {
          let (path, _) = PathName.split(resolvedPath)
          throw error(.busy(holder: KernelLock.held(on: path).first { $0.kind == .whole }?.owner))
        }
        // The kernel tells nobody of the end of a lock but those who wait without one of their own.
        usleep(1000)
      default: return false
      }
    }
    return true
  }
}
