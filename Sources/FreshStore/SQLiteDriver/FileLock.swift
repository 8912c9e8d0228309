internal import Platform
internal import Strategies
internal import Synchronization

/// An exclusive right among processes, given back when it is released.
///
/// It is an advisory lock (`flock`) on a file of its own beside the database, and not a row with a deadline. The
/// kernel releases it at the moment its owner dies, and never while the owner lives, even stopped. No clocks have
/// to agree, nothing needs renewal, and nothing is written to the database. The file stays; its text about the
/// owner is for people.
final class FileLock: Sendable {
  /// The reason why the lock is not available.
  enum Failure: Error {
    /// Another owner holds it; `nil` when the owner is unknown.
    case held(SweepHolder?)
    /// The file cannot be opened, or locked.
    case failed(StoreError.Code, file: String)
  }

  private let descriptor: Mutex<Int32?>
  private let holder: SweepHolder

  /// - Parameters:
  ///   - database: The path of the database; two links to one file share a lock.
  ///   - suffix: The end of the file's name, after the name of the database.
  init(database: String, suffix: String, since: Timestamp) throws(Failure) {
    let file = CompanionFile.path(database, suffix)
    let process = getpid()
    holder = SweepHolder(process: process, name: LockHolder.name(of: process), since: since)
    while true {
      let opened = try Self.open(file, of: database)
      do throws(Failure) {
        try Self.lock(opened, file)
      } catch {
        close(opened)
        throw error
      }
      if CompanionFile.isStillThere(opened, file) {
        Self.write(holder.text, to: opened)
        descriptor = Mutex(opened)
        return
      }
      // The file was removed meanwhile.
      close(opened)
    }
  }

  deinit { release() }

  /// Releases the lock. Calling it again does nothing.
  func release() {
    descriptor.withLock { descriptor in
      guard let held = descriptor else { return }
      _ = ftruncate(held, 0)
      // A child between its fork and its exec also holds the descriptor: closing it here would
      // leave the lock with that child for a moment.
      _ = flock(held, LOCK_UN)
      close(held)
      descriptor = nil
    }
  }

  /// Leaves a text for processes that ask for the owner of the lock.
  func note(_ text: String) {
    descriptor.withLock { descriptor in
      if let descriptor { Self.write(holder.text + text, to: descriptor) }
    }
  }

  /// The owner of the lock and its note; `nil` when the lock is free. It takes the lock for no longer than a
  /// moment.
  static func holder(of database: String, suffix: String) -> (SweepHolder?, note: String)? {
    let opened = unsafe Platform.open(
      CompanionFile.path(database, suffix), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0)
    guard opened >= 0 else { return nil }
    defer { close(opened) }
    guard flock(opened, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK else { return nil }
    let (line, rest) = splitLine(text(of: opened))
    return (SweepHolder(text: line), rest)
  }

  /// The first line of a text, with its line end, and the rest.
  private static func splitLine(_ text: String) -> (line: String, rest: String) {
    let end = text.firstIndex(of: "\n").map(text.index(after:)) ?? text.endIndex
    return (String(text[..<end]), String(text[end...]))
  }

  private static func open(_ file: String, of database: String) throws(Failure) -> Int32 {
    let descriptor = CompanionFile.open(file, of: database)
    guard descriptor < 0 else { return descriptor }
    let code: StoreError.Code =
      switch errno {
      case EACCES, EROFS, EPERM: .readOnly
      case ENOSPC, EDQUOT: .full
      default: .cannotOpen
      }
    throw .failed(code, file: file)
  }

  private static func lock(_ descriptor: Int32, _ file: String) throws(Failure) {
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      switch errno {
      case EINTR: continue
      case EWOULDBLOCK:
        throw .held(SweepHolder(text: splitLine(text(of: descriptor)).line))
      default: throw .failed(.inputOutput, file: file)
      }
    }
  }

  /// A failure is ignored: only a message loses by it.
  private static func write(_ text: String, to descriptor: Int32) {
    let bytes = Array(text.utf8)
    _ = unsafe bytes.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    _ = ftruncate(descriptor, off_t(bytes.count))
  }

  private static func text(of descriptor: Int32) -> String {
    var bytes = [UInt8](repeating: 0, count: 65536)
    let count = unsafe bytes.withUnsafeMutableBytes { bytes in
      unsafe pread(descriptor, bytes.baseAddress, bytes.count, 0)
    }
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }
}

/// A lock file beside the database, named after it.
package enum CompanionFile {
  /// The path of the file; two links to one database share it.
  static func path(_ database: String, _ suffix: String) -> String {
    PathName.resolved(database) + suffix
  }

  /// Opens the file, and creates it if it is missing; negative on failure, with the reason in
  /// `errno`.
  ///
  /// A new file gets the mode of the database, and from root its owner, as SQLite does with a log (robustFchown in
  /// os_unix.c). So every user who may write the database may lock the file, no matter which user created it.
  static func open(_ file: String, of database: String) -> Int32 {
    while true {
      // A named pipe or another special file must not block.
      let flags = O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
      let opened = unsafe Platform.open(file, flags, 0)
      guard opened < 0, errno == ENOENT else { return opened }
      let made = unsafe Platform.open(file, flags | O_CREAT | O_EXCL, 0o600)
      if made >= 0 { adopt(made, as: database) }
      guard made < 0, errno == EEXIST else { return made }
    }
  }

  /// Gives a file that this process has created the owner, the group and the mode of a database. One whose owner or
  /// mode cannot be set still serves its creator.
  ///
  /// Without the group, the rights of the database's group would go to another group.
  package static func adopt(_ descriptor: Int32, as database: String) {
    var (status, own) = (stat(), stat())
    guard unsafe stat(database, &status) == 0 else { return }
    // Only root may give a file away; the group may be any that the user is in.
    _ = fchown(descriptor, geteuid() == 0 ? status.st_uid : .max, status.st_gid)
    let hasGroup = unsafe fstat(descriptor, &own) == 0 && own.st_gid == status.st_gid
    _ = fchmod(descriptor, status.st_mode & (hasGroup ? 0o666 : 0o606))
  }

  /// True while the path names the opened file: a lock on an unlinked file excludes no other process.
  static func isStillThere(_ descriptor: Int32, _ file: String) -> Bool {
    var (opened, named) = (stat(), stat())
    guard unsafe fstat(descriptor, &opened) == 0, unsafe lstat(file, &named) == 0 else {
      return false
    }
    return opened.st_dev == named.st_dev && opened.st_ino == named.st_ino
  }
}

/// A lock on one byte of a file that belongs to an open file description: `F_OFD_SETLK` and `F_OFD_GETLK`
/// (fcntl_locking(2)). Not every C library exposes them to Swift.
enum ByteLock {
  #if os(Linux)
    private static let (get, set): (Int32, Int32) = (36, 37)

    private static func range(_ byte: Int64, _ kind: Int32) -> flock {
      var lock = flock()
      lock.l_type = Int16(kind)
      lock.l_whence = Int16(SEEK_SET)
      lock.l_start = off_t(byte)
      lock.l_len = 1
      return lock
    }
  #endif

  /// False where another has it, or there are no such locks.
  static func take(_ byte: Int64, shared: Bool = false, in descriptor: Int32) -> Bool {
    #if os(Linux)
      var lock = range(byte, shared ? F_RDLCK : F_WRLCK)
      return unsafe fcntl(descriptor, set, &lock) == 0
    #else
      return false
    #endif
  }

  static func giveBack(_ byte: Int64, of descriptor: Int32) {
    #if os(Linux)
      var lock = range(byte, F_UNLCK)
      _ = unsafe fcntl(descriptor, set, &lock)
    #endif
  }

  /// True where no other description of the file has a lock on the byte.
  static func isFree(_ byte: Int64, of descriptor: Int32) -> Bool {
    #if os(Linux)
      var lock = range(byte, F_WRLCK)
      return unsafe fcntl(descriptor, get, &lock) == 0 && lock.l_type == Int16(F_UNLCK)
    #else
      return false
    #endif
  }
}
