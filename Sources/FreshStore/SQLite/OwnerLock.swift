internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Names a store among the owners of leases and claims, and shows the others that it lives.
///
/// Each owner locks one byte of a file beside the database, `NAME-owners`, for as long as its store is
/// open, and its name says which byte. The kernel takes the lock away at the very moment the process
/// dies, however it dies, and never while it lives (fcntl_locking(2), "open file description locks"): what
/// a dead owner had in hand is nobody's, and no deadline has to be waited for. Where there can be no such
/// lock the name says so, and deadlines alone count. The file stays; it holds no byte.
final class OwnerLock: Sendable {
  /// The owner's name.
  let owner: String
  private let descriptor: Mutex<Int32?>

  /// - Parameter database: Its path; `nil` for a store whose owners are not shown to live.
  init(database: String?) {
    // A lock ends at most at the last byte that a file can have.
    let byte = Int64.random(in: 0 ..< .max)
    let name = "\(ProcessIdentity.current)-\(String(byte, radix: 36))"
    let opened = database.flatMap { Self.locked(byte, of: $0) }
    owner = opened == nil ? name : name + Self.mark
    descriptor = Mutex(opened)
  }

  deinit { release() }

  /// The owner is as good as dead: it has closed its store.
  func release() {
    descriptor.withLock { descriptor in
      if let opened = descriptor { close(opened) }
      descriptor = nil
    }
  }

  /// True when the owner of that name is dead for certain.
  func isDead(_ other: String) -> Bool {
    guard other != owner, other.hasSuffix(Self.mark),
      let byte = other.dropLast(Self.mark.count).split(separator: "-").last
        .flatMap({ Int64($0, radix: 36) })
    else { return false }
    return descriptor.withLock { descriptor in
      descriptor.map { Self.isFree(byte, of: $0) } ?? false
    }
  }

  /// Ends the names of owners that hold a lock.
  private static let mark = "-l"

  private static func locked(_ byte: Int64, of database: String) -> Int32? {
    #if os(Linux)
      let opened = DatabaseFile.openFile(
        FileLock.file(database, "-owners"),
        O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
      guard opened >= 0 else { return nil }
      var (status, lock) = (stat(), range(byte))
      guard unsafe fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
        unsafe fcntl(opened, Command.set, &lock) == 0
      else {
        close(opened)
        return nil
      }
      return opened
    #else
      return nil
    #endif
  }

  private static func isFree(_ byte: Int64, of descriptor: Int32) -> Bool {
    #if os(Linux)
      var lock = range(byte)
      return unsafe fcntl(descriptor, Command.get, &lock) == 0 && lock.l_type == Int16(F_UNLCK)
    #else
      return false
    #endif
  }

  #if os(Linux)
    /// `F_OFD_GETLK` and `F_OFD_SETLK` of the kernel, which not every C library shows to Swift.
    private enum Command {
      static let get: Int32 = 36
      static let set: Int32 = 37
    }

    private static func range(_ byte: Int64) -> flock {
      var lock = flock()
      lock.l_type = Int16(F_WRLCK)
      lock.l_whence = Int16(SEEK_SET)
      lock.l_start = off_t(byte)
      lock.l_len = 1
      return lock
    }
  #endif
}
