#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

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
  /// moves it; `nil` for the other.
  func moveAside(_ damaged: Identity) throws(StoreError) -> String? {
    try withFolderLock(LOCK_EX) { (folder) throws(StoreError) in
      try finishMove(folder)
      guard identity == damaged else { return nil }
      let path = resolvedPath
      let number = Self.freeNumber(of: path)
      let aside = "\(path).damaged-\(number)"
      try note(damaged, number, folder)
      try move(path, to: aside, folder)
      return aside
    }
  }

  /// Goes on where a process was killed that moved the file aside.
  func finishMove() throws(StoreError) {
    guard isMoving else { return }
    try withFolderLock(LOCK_EX) { (folder) throws(StoreError) in try finishMove(folder) }
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

  /// True while somebody moves the file, or was killed who did. What is no file says nothing.
  var isMoving: Bool {
    var status = stat()
    return unsafe lstat(resolvedPath + Self.movingNote, &status) == 0
      && status.st_mode & S_IFMT == S_IFREG
  }

  private func finishMove(_ folder: Int32) throws(StoreError) {
    let path = resolvedPath
    let note = path + Self.movingNote
    let numbers = LockHolder.contents(of: note).split(separator: " ")
    if let identity, numbers.count == 3, let number = Int(numbers[0]),
      numbers[1...].elementsEqual(["\(identity.device)", "\(identity.inode)"])
    {
      return try move(path, to: "\(path).damaged-\(number)", folder)
    }
    // It is done but for the end, or was not begun; or somebody has put another file in the place.
    try end(path, numbers.isEmpty ? nil : identity)
  }

  private func move(_ path: String, to aside: String, _ folder: Int32) throws(StoreError) {
    for part in Self.movedParts where Self.exists(path + part) {
      guard unsafe rename(path + part, Self.free(aside + part)) == 0 else {
        throw error(.cannotOpen)
      }
    }
    _ = fsync(folder)
    try end(path, nil)
  }

  private func end(_ path: String, _ present: Identity?) throws(StoreError) {
    // Nothing is made where a link leads that leads nowhere; this one led to the damaged file.
    if path != self.path, present == nil, !Self.exists(path) { try create(path) }
    guard unsafe unlink(path + Self.movingNote) == 0 || errno == ENOENT else {
      throw NewFile.failure(errno, .open, path + Self.movingNote)
    }
  }

  private func note(
    _ file: Identity, _ number: Int, _ folder: Int32
  ) throws(StoreError) {
    let note = resolvedPath + Self.movingNote
    let text = Array("\(number) \(file.device) \(file.inode)".utf8)
    let descriptor = Self.openFile(
      note, O_CREAT | O_TRUNC | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw NewFile.failure(errno, .open, path) }
    defer { close(descriptor) }
    let written = unsafe text.withUnsafeBytes {
      unsafe write(descriptor, $0.baseAddress, $0.count)
    }
    guard written == text.count, fsync(descriptor) == 0, fsync(folder) == 0 else {
      let failure = NewFile.failure(errno, .open, path)
      _ = unsafe unlink(note)
      throw failure
    }
  }

  /// A number of which nothing lies there, not even a log whose database was removed.
  private static func freeNumber(of path: String) -> Int {
    var number = 1
    while movedParts.contains(where: { exists("\(path).damaged-\(number)\($0)") }) { number += 1 }
    return number
  }

  /// The path itself, if it is free: nothing is ever put in the place of a file.
  private static func free(_ path: String) -> String {
    guard exists(path) else { return path }
    var number = 1
    while exists("\(path).\(number)") { number += 1 }
    return "\(path).\(number)"
  }

  private func withFolderLock<Result>(
    _ kind: Int32, _ body: (_ folder: Int32) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try withFolder { (folder) throws(StoreError) in
      guard try lock(folder, kind) else { throw error(.cannotOpen) }
      return try body(folder)
    }
  }

  /// Runs `body` under the lock that they share who write; without it where there are no such locks, or
  /// the folder may not be read: nobody can then be kept from moving the file.
  private func whileNobodyMoves<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let descriptor = openFolder()
    guard descriptor >= 0 else { return try body() }
    defer { close(descriptor) }
    _ = try lock(descriptor, LOCK_SH)
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
          let (path, _) = Self.split(resolvedPath)
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
