internal import Platform
internal import Synchronization

/// Names a store among the owners of leases and claims, and shows the others that it is alive.
///
/// Each owner locks one byte of a file beside the database, `NAME-owners`, from its first lease or claim until its
/// store is closed. Its name contains the byte's position. The kernel releases the lock at the moment the process
/// dies, and never while it lives (fcntl_locking(2), "open file description locks"). So the leases of a dead owner
/// are free at once, and no deadline has to pass. Where such a lock is impossible the name shows that, and only
/// deadlines count.
///
/// The file stays; it has no content. The name also identifies the file. A file that was created again after a
/// removal tells nothing about the lockers of the former file. No other file gets its inode number while they live.
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
      if let descriptor = state.descriptor { Self.release(byte, of: descriptor) }
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
    if let former = state.descriptor { Self.release(byte, of: former) }
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
  private static func release(_ byte: Int64, of descriptor: Int32) {
    ByteLock.giveBack(byte, of: descriptor)
    close(descriptor)
  }
}

/// Shows all users of a file which long values are being read block by block, outside of snapshots.
///
/// All readers of a value together lock one byte of the file `NAME-owners` (``OwnerLock``): the byte at the number
/// of the value. The kernel releases the lock at the moment the process dies (fcntl_locking(2), "open file
/// description locks"), so that nothing has to expire. Where such a lock is impossible, no value is certainly
/// unread.
final class ReadingLocks: Sendable {
  private struct State {
    var descriptor: Int32?
    /// The path of the locked file.
    var file = ""
    /// The readers here of each value.
    var readers: [Int64: Int] = [:]
  }

  private let database: String?
  private let state = Mutex(State())

  /// - Parameter database: Its path; `nil` for a file that has no locks.
  init(database: String?) { self.database = database }

  deinit {
    state.withLock { state in if let descriptor = state.descriptor { close(descriptor) } }
  }

  /// Notes the beginning of a read of a value. Cost: three calls of the kernel, for the first reader here.
  func begin(_ id: Int64) {
    state.withLock { state in
      if state.readers[id] == nil, let descriptor = descriptor(&state) {
        _ = ByteLock.take(id, shared: true, in: descriptor)
      }
      state.readers[id, default: 0] += 1
    }
  }

  func end(_ id: Int64) {
    state.withLock { state in
      guard let count = state.readers[id] else { return }
      state.readers[id] = count > 1 ? count - 1 : nil
      guard count == 1, let descriptor = state.descriptor else { return }
      ByteLock.giveBack(id, of: descriptor)
    }
  }

  /// True when it is certain that no process reads a value.
  func isUnread(_ id: Int64) -> Bool {
    state.withLock { state in
      guard state.readers[id] == nil, let descriptor = descriptor(&state) else { return false }
      return ByteLock.isFree(id, of: descriptor)
    }
  }

  /// The descriptor of the file that the others lock, too. In a new file all present readers are shown again.
  private func descriptor(_ state: inout State) -> Int32? {
    guard let database else { return nil }
    if let opened = state.descriptor {
      if CompanionFile.isStillThere(opened, state.file) { return opened }
      close(opened)
    }
    state.file = CompanionFile.path(database, "-owners")
    let opened = CompanionFile.open(state.file, of: database)
    state.descriptor = opened >= 0 ? opened : nil
    guard opened >= 0 else { return nil }
    for id in state.readers.keys { _ = ByteLock.take(id, shared: true, in: opened) }
    return opened
  }
}

/// Shows that a value in blocks is being read, as long as this object lives. The value then stays for
/// ``Storage/readersTime`` once another value has replaced it.
final class ContentReading: Sendable {
  private let id: Int64
  private let locks: ReadingLocks

  init(_ id: Int64, _ locks: ReadingLocks) {
    (self.id, self.locks) = (id, locks)
    locks.begin(id)
  }

  deinit { locks.end(id) }
}
