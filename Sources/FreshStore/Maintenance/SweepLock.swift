internal import Strategies
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The right to sweep a store, given back when it is let go.
///
/// An advisory lock (`flock`) on a file of its own beside the database, `NAME-sweep`, and not a row
/// with a deadline: the kernel gives it back at the very moment its owner dies, however it dies, and
/// never while it lives, however long it was stopped. No clock has to agree, nothing is to be renewed
/// and nothing is written to the database. The file stays; what it says of the owner is for people.
public final class SweepLock: Sendable {
  private let descriptor: Mutex<Int32?>

  /// - Parameter database: The path of the database; two links to one file share a lock.
  init(database: String, since: Timestamp) throws(StoreError) {
    let file = Self.resolved(database) + "-sweep"
    while true {
      let opened = try Self.open(file)
      do throws(StoreError) {
        try Self.lock(opened, of: database)
      } catch {
        close(opened)
        throw error
      }
      if Self.isStillThere(opened, file) {
        let process = ProcessIdentity.current
        Self.write(
          SweepHolder(process: process, name: LockHolder.name(of: process), since: since).text,
          to: opened)
        descriptor = Mutex(opened)
        return
      }
      // Somebody removed the file meanwhile: the lock on what has no name keeps nobody out.
      close(opened)
    }
  }

  deinit { release() }

  /// Lets others sweep. Calling it again does nothing.
  public func release() {
    descriptor.withLock { descriptor in
      guard let held = descriptor else { return }
      _ = ftruncate(held, 0)
      // A child between its fork and its exec holds the descriptor, too: closing it here would leave
      // the lock with that child for a moment.
      _ = flock(held, LOCK_UN)
      close(held)
      descriptor = nil
    }
  }

  private static func resolved(_ path: String) -> String {
    guard let resolved = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  private static func open(_ file: String) throws(StoreError) -> Int32 {
    let descriptor = systemOpen(file)
    guard descriptor < 0 else { return descriptor }
    let code: StoreError.Code =
      switch errno {
      case EACCES, EROFS, EPERM: .readOnly
      case ENOSPC, EDQUOT: .full
      default: .cannotOpen
      }
    throw StoreError(code, .sweep, path: file)
  }

  private static func lock(_ descriptor: Int32, of database: String) throws(StoreError) {
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      switch errno {
      case EINTR: continue
      case EWOULDBLOCK:
        let holder = SweepHolder(text: text(of: descriptor))
        throw StoreError(.sweepUnderWay(holder), .sweep, path: database)
      default: throw StoreError(.inputOutput, .sweep, path: database)
      }
    }
  }

  private static func isStillThere(_ descriptor: Int32, _ file: String) -> Bool {
    var (opened, named) = (stat(), stat())
    guard unsafe fstat(descriptor, &opened) == 0, unsafe lstat(file, &named) == 0 else {
      return false
    }
    return opened.st_dev == named.st_dev && opened.st_ino == named.st_ino
  }

  /// What cannot be written here is missed by a message alone.
  private static func write(_ text: String, to descriptor: Int32) {
    _ = ftruncate(descriptor, 0)
    let bytes = Array(text.utf8)
    _ = unsafe bytes.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, 0) }
  }

  private static func text(of descriptor: Int32) -> String {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = unsafe bytes.withUnsafeMutableBytes { bytes in
      unsafe pread(descriptor, bytes.baseAddress, bytes.count, 0)
    }
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }
}

/// Outside of the type whose method bears the same name.
private func systemOpen(_ file: String) -> Int32 {
  unsafe open(file, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
}
