import CSQLite
import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// The unix VFS of SQLite with two calls of a checkpoint intercepted.
enum InterposedFileSystem {
  static let name = "freshstore-interposed"

  /// When a hook runs.
  enum Moment: Hashable {
    /// Before a checkpoint takes its lock.
    case before
    /// Between its two looks at the WAL index, where it calls `xUnfetch` when the log has changed.
    case betweenLooks
  }

  private struct Place: Hashable {
    let path: String
    let moment: Moment
  }

  private struct State {
    var isRegistered = false
    /// Each runs once.
    var hooks: [Place: @Sendable () -> Void] = [:]
    /// Addresses of the files' own method tables, by file; and the files' paths.
    var files: [UInt: (methods: UInt, path: String)] = [:]
  }

  struct NoUnixFileSystem: Error {}

  private static let state = Mutex(State())

  /// Runs `hook` once, at the next such moment of a checkpoint of the database at `path`.
  static func arm(_ path: String, _ moment: Moment, _ hook: @escaping @Sendable () -> Void) {
    state.withLock { $0.hooks[Place(path: path, moment: moment)] = hook }
  }

  /// Makes the file system known to SQLite; it never becomes the default.
  static func register() throws {
    try state.withLock { state in
      guard !state.isRegistered else { return }
      guard let original = unsafe sqlite3_vfs_find("unix") else { throw NoUnixFileSystem() }
      let copy = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
      unsafe copy.initialize(to: original.pointee)
      unsafe copy.pointee.pNext = nil
      unsafe copy.pointee.zName = UnsafePointer(strdup(name))
      unsafe copy.pointee.xOpen = { vfs, path, file, flags, outFlags in
        unsafe InterposedFileSystem.open(vfs, path, file, flags, outFlags)
      }
      _ = unsafe sqlite3_vfs_register(copy, 0)
      state.isRegistered = true
    }
  }

  private static func open(
    _ vfs: UnsafeMutablePointer<sqlite3_vfs>?, _ path: UnsafePointer<CChar>?,
    _ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32,
    _ outFlags: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    guard let original = unsafe sqlite3_vfs_find("unix"), let xOpen = unsafe original.pointee.xOpen
    else { return SQLITE_ERROR }
    let code = unsafe xOpen(vfs, path, file, flags, outFlags)
    guard code == SQLITE_OK, flags & SQLITE_OPEN_MAIN_DB != 0, let file = unsafe file,
      let path = unsafe path, let methods = unsafe file.pointee.pMethods
    else { return code }
    let table = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    unsafe table.initialize(to: methods.pointee)
    unsafe table.pointee.xUnfetch = { file, offset, page in
      guard let own = unsafe InterposedFileSystem.reach(.betweenLooks, file),
        let xUnfetch = unsafe own.pointee.xUnfetch
      else { return SQLITE_OK }
      return unsafe xUnfetch(file, offset, page)
    }
    unsafe table.pointee.xShmLock = { file, offset, count, flags in
      // The lock of checkpoints is the second (https://sqlite.org/walformat.html, section 2.3).
      let isCheckpoint = offset == 1 && flags & SQLITE_SHM_LOCK != 0
      guard let own = unsafe InterposedFileSystem.reach(isCheckpoint ? .before : nil, file),
        let xShmLock = unsafe own.pointee.xShmLock
      else { return SQLITE_IOERR }
      return unsafe xShmLock(file, offset, count, flags)
    }
    let name = unsafe String(cString: path)
    let (key, own) = (UInt(bitPattern: file), UInt(bitPattern: methods))
    state.withLock { $0.files[key] = (own, name) }
    unsafe file.pointee.pMethods = UnsafePointer(table)
    return code
  }

  /// Runs the hook of the moment; the file's own methods.
  private static func reach(
    _ moment: Moment?, _ file: UnsafeMutablePointer<sqlite3_file>?
  ) -> UnsafePointer<sqlite3_io_methods>? {
    let key = UInt(bitPattern: file)
    let (methods, hook) = state.withLock { state -> (UInt, (@Sendable () -> Void)?) in
      guard let entry = state.files[key] else { return (0, nil) }
      guard let moment else { return (entry.methods, nil) }
      let place = Place(path: entry.path, moment: moment)
      return (entry.methods, state.hooks.removeValue(forKey: place))
    }
    hook?()
    return unsafe UnsafePointer(bitPattern: methods)
  }
}
