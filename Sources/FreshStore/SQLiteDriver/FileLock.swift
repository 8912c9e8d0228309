internal import Platform
internal import Strategies
internal import Synchronization

/// An exclusive right among processes, given back when it is released.
///
/// An advisory lock (`flock`) on a file of its own beside the database, and not a row with a
/// deadline: the kernel releases it at the very moment its owner dies, however it dies, and never
/// while it lives, however long it was stopped. No clocks have to agree, nothing needs renewal and
/// nothing is written to the database. The file stays; its text about the owner is for people.
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
  ///   - suffix: The suffix of the file's name after that of the database.
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

  /// Leaves a text for those that ask for the owner of the lock.
  func note(_ text: String) {
    descriptor.withLock { descriptor in
      if let descriptor { Self.write(holder.text + text, to: descriptor) }
    }
  }

  /// The owner of the lock and its note; takes the lock for no longer than a moment; `nil` when
  /// nobody holds it.
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
