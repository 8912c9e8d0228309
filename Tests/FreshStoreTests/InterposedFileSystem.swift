import CSQLite
import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// The unix VFS of SQLite with one call intercepted: `xUnfetch`, which a checkpoint makes between
/// its two looks at the WAL index.
enum InterposedFileSystem {
  static let name = "freshstore-interposed"

  private struct State {
    var isRegistered = false
    /// Runs once, at the next `xUnfetch` of a file whose path ends so.
    var hooks: [String: @Sendable () -> Void] = [:]
    /// Addresses of the files' own method tables, by file; and the files' paths.
    var files: [UInt: (methods: UInt, path: String)] = [:]
  }

  struct NoUnixFileSystem: Error {}

  private static let state = Mutex(State())

  /// Runs `hook` inside the next checkpoint of the database at `path` that finds the WAL changed.
  static func arm(_ path: String, _ hook: @escaping @Sendable () -> Void) {
    state.withLock { $0.hooks[path] = hook }
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
      unsafe InterposedFileSystem.unfetch(file, offset, page)
    }
    let name = unsafe String(cString: path)
    let (key, own) = (UInt(bitPattern: file), UInt(bitPattern: methods))
    state.withLock { $0.files[key] = (own, name) }
    unsafe file.pointee.pMethods = UnsafePointer(table)
    return code
  }

  private static func unfetch(
    _ file: UnsafeMutablePointer<sqlite3_file>?, _ offset: sqlite3_int64,
    _ page: UnsafeMutableRawPointer?
  ) -> Int32 {
    let key = UInt(bitPattern: file)
    let (methods, hook) = state.withLock { state -> (UInt, (@Sendable () -> Void)?) in
      guard let entry = state.files[key] else { return (0, nil) }
      return (entry.methods, state.hooks.removeValue(forKey: entry.path))
    }
    hook?()
    guard let own = unsafe UnsafePointer<sqlite3_io_methods>(bitPattern: methods),
      let xUnfetch = unsafe own.pointee.xUnfetch
    else { return SQLITE_OK }
    return unsafe xUnfetch(file, offset, page)
  }
}
