internal import Platform
internal import Synchronization

/// Names a store among the owners of leases and claims, and shows the others that it is alive.
///
/// Each owner locks one byte of a file beside the database, `NAME-owners`, from its first lease or claim
/// until its store is closed, and its name contains the byte's position. The kernel releases the lock at
/// the very moment the process dies, however it dies, and never while it lives (fcntl_locking(2), "open
/// file description locks"): leases of a dead owner are free at once, and no deadline has to pass. Where
/// such a lock is impossible the name shows that, and deadlines alone count. The file stays; it has no
/// content. The name also identifies the file: one that was removed and created anew by another store
/// tells nothing about the lockers of the former, whose inode number no other file gets while they live.
final class OwnerLock: Sendable {
  private struct State {
    var descriptor: Int32?
    /// The inode number of the locked file.
    var file: UInt64 = 0
    var isReleased = false
  }

  /// The owner's name.
  let name: String
  private let byte: Int64
  private let database: String?
  private let state = Mutex(State())

  /// - Parameter database: Its path; `nil` for a store that does not show that its owners are alive.
  init(database: String?) {
    // The highest byte that a file, and so a lock, can have.
    byte = Int64.random(in: 0 ..< .max)
    name = "\(getpid())-\(String(byte, radix: 36))"
    self.database = database
  }

  deinit { release() }

  /// The owner's name for leases and claims: from now on the others see that it is alive.
  var claimant: String {
    state.withLock { state in
      open(&state)
      return state.descriptor == nil ? name : "\(name)-\(Self.mark)\(String(state.file, radix: 36))"
    }
  }

  /// The owner counts as dead: it has closed its store.
  func release() {
    state.withLock { state in
      state.isReleased = true
      if let descriptor = state.descriptor { Self.letGo(byte, of: descriptor) }
      state.descriptor = nil
    }
  }

  /// True when the owner of that name is certainly dead.
  func isDead(_ other: String) -> Bool {
    let parts = other.split(separator: "-").suffix(2)
    guard parts.count == 2, let byte = parts.first.flatMap({ Int64($0, radix: 36) }),
      let last = parts.last, last.first == Self.mark,
      let file = UInt64(last.dropFirst(), radix: 36),
      // A query through the same descriptor does not see this store's own lock.
      byte != self.byte
    else { return false }
    return state.withLock { state in
      open(&state)
      guard let descriptor = state.descriptor, state.file == file else { return false }
      return ByteLock.isFree(byte, of: descriptor)
    }
  }

  /// Locks the byte in the current file: another database may have brought another file.
  private func open(_ state: inout State) {
    guard let database, !state.isReleased else { return }
    let file = CompanionFile.path(database, "-owners")
    if let descriptor = state.descriptor, CompanionFile.isStillThere(descriptor, file) { return }
    let locked = Self.locked(byte, in: file, of: database)
    if let former = state.descriptor { Self.letGo(byte, of: former) }
    state.descriptor = locked?.descriptor
    state.file = locked?.file ?? 0
  }

  /// Begins the file's number in the name of an owner that holds a lock; no base-36 number contains it.
  private static let mark: Character = "L"

  private static func locked(
    _ byte: Int64, in file: String, of database: String
  ) -> (descriptor: Int32, file: UInt64)? {
    let opened = CompanionFile.open(file, of: database)
    guard opened >= 0 else { return nil }
    var status = stat()
    guard unsafe fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      ByteLock.take(byte, in: opened)
    else {
      close(opened)
      return nil
    }
    return (opened, UInt64(status.st_ino))
  }

  /// A child between its fork and its exec also holds the descriptor: closing it here would leave
  /// the lock with that child for a moment.
  private static func letGo(_ byte: Int64, of descriptor: Int32) {
    ByteLock.giveBack(byte, of: descriptor)
    close(descriptor)
  }
}
