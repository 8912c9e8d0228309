internal import Platform
internal import Synchronization

/// Shows all who use a file which of its long values somebody reads block by block, outside of snapshots.
///
/// A reader locks a byte of the file `NAME-owners` (``OwnerLock``), the one at the number of the value, together with all
/// its other readers. The kernel releases the lock at the very moment the process dies (fcntl_locking(2), "open file
/// description locks"), so that nothing has to expire. Where such a lock is impossible nobody counts as certainly absent.
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

  /// Somebody begins to read a value. Cost: three calls of the kernel, for the first one here.
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

  /// True where certainly nobody reads a value, in whatever process.
  func isUnread(_ id: Int64) -> Bool {
    state.withLock { state in
      guard state.readers[id] == nil, let descriptor = descriptor(&state) else { return false }
      return ByteLock.isFree(id, of: descriptor)
    }
  }

  /// That of the file which the others lock, too: in a new one all who read here are shown anew.
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
