import CSQLite
import Platform
import Synchronization

/// The unix VFS of SQLite with a ``Disk`` in between, for the folders that have one.
enum DiskFileSystem {
  static let name = "freshstore-disk"

  struct NoUnixFileSystem: Error {}

  private struct OpenFile {
    /// The address of the file's own method table.
    let methods: UInt
    let path: String
    let disk: any Disk
  }

  private struct State {
    var isRegistered = false
    var disks: [String: any Disk] = [:]
    /// By the address of SQLite's structure.
    var files: [UInt: OpenFile] = [:]
  }

  private static let state = Mutex(State())

  /// Puts a disk between SQLite and a folder; the file system is registered, but never the default.
  static func attach(_ disk: any Disk, to folder: String) throws {
    try state.withLock { state in
      state.disks[folder] = disk
      guard !state.isRegistered else { return }
      guard let original = unsafe sqlite3_vfs_find("unix") else { throw NoUnixFileSystem() }
      let copy = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
      unsafe copy.initialize(to: original.pointee)
      unsafe copy.pointee.pNext = nil
      unsafe copy.pointee.zName = UnsafePointer(strdup(name))
      unsafe copy.pointee.xOpen = { vfs, path, file, flags, outFlags in
        unsafe DiskFileSystem.open(vfs, path, file, flags, outFlags)
      }
      unsafe copy.pointee.xDelete = { vfs, path, syncsFolder in
        unsafe DiskFileSystem.delete(vfs, path, syncsFolder)
      }
      _ = unsafe sqlite3_vfs_register(copy, 0)
      state.isRegistered = true
    }
  }

  static func detach(from folder: String) {
    state.withLock { _ = $0.disks.removeValue(forKey: folder) }
  }

  private static func disk(of path: String) -> (any Disk)? {
    guard let slash = path.lastIndex(of: "/") else { return nil }
    return state.withLock { $0.disks[String(path[..<slash])] }
  }

  // MARK: The file system

  private static func open(
    _ vfs: UnsafeMutablePointer<sqlite3_vfs>?, _ path: UnsafePointer<CChar>?,
    _ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32,
    _ outFlags: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    guard let original = unsafe sqlite3_vfs_find("unix"), let xOpen = unsafe original.pointee.xOpen,
      let file = unsafe file
    else { return SQLITE_ERROR }
    let name = unsafe path.map { unsafe String(cString: $0) } ?? ""
    let disk = disk(of: name)
    switch disk?.verdict(on: .open, of: name) {
    case .fail(let code), .failHalfway(let code):
      unsafe file.pointee.pMethods = nil
      return code
    default: break
    }
    let code = unsafe xOpen(vfs, path, file, flags, outFlags)
    guard code == SQLITE_OK, let disk, let methods = unsafe file.pointee.pMethods else {
      return code
    }
    let opened = OpenFile(methods: UInt(bitPattern: methods), path: name, disk: disk)
    let key = UInt(bitPattern: file)
    state.withLock { $0.files[key] = opened }
    unsafe file.pointee.pMethods = UnsafePointer(interposed(methods))
    return code
  }

  private static func delete(
    _ vfs: UnsafeMutablePointer<sqlite3_vfs>?, _ path: UnsafePointer<CChar>?, _ syncsFolder: Int32
  ) -> Int32 {
    guard let original = unsafe sqlite3_vfs_find("unix"),
      let xDelete = unsafe original.pointee.xDelete, let path = unsafe path
    else { return SQLITE_ERROR }
    let name = unsafe String(cString: path)
    switch disk(of: name)?.verdict(on: .delete, of: name) {
    case .fail(let code), .failHalfway(let code): return code
    case .skip: return SQLITE_OK
    case .proceed, nil: return unsafe xDelete(vfs, path, syncsFolder)
    }
  }

  // MARK: The files

  /// A table with every call interposed that can fail. It stays for the life of the process, because
  /// SQLite never reports that it is done with a file.
  private static func interposed(
    _ methods: UnsafePointer<sqlite3_io_methods>
  ) -> UnsafeMutablePointer<sqlite3_io_methods> {
    let table = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    unsafe table.initialize(to: methods.pointee)
    unsafe table.pointee.xRead = { file, buffer, count, offset in
      unsafe DiskFileSystem.make(.read, file) { own in
        unsafe own.xRead(file, buffer, count, offset)
      }
    }
    unsafe table.pointee.xWrite = { file, buffer, count, offset in
      unsafe DiskFileSystem.write(file, buffer, count, offset)
    }
    unsafe table.pointee.xTruncate = { file, size in
      unsafe DiskFileSystem.make(.truncate(size: size), file) { own in
        unsafe own.xTruncate(file, size)
      }
    }
    unsafe table.pointee.xSync = { file, flags in
      unsafe DiskFileSystem.make(.sync, file) { own in unsafe own.xSync(file, flags) }
    }
    unsafe table.pointee.xFileSize = { file, size in
      unsafe DiskFileSystem.make(.size, file) { own in unsafe own.xFileSize(file, size) }
    }
    unsafe table.pointee.xLock = { file, level in
      unsafe DiskFileSystem.make(.lock, file) { own in unsafe own.xLock(file, level) }
    }
    unsafe table.pointee.xShmMap = { file, region, size, extends, pointer in
      unsafe DiskFileSystem.make(.mapShared, file) { own in
        unsafe own.xShmMap(file, region, size, extends, pointer)
      }
    }
    unsafe table.pointee.xShmLock = { file, slot, count, flags in
      let call = flags & SQLITE_SHM_LOCK != 0 ? DiskCall.lockShared(slot: slot) : nil
      return unsafe DiskFileSystem.make(call, file) { own in
        unsafe own.xShmLock(file, slot, count, flags)
      }
    }
    unsafe table.pointee.xUnfetch = { file, offset, page in
      unsafe DiskFileSystem.make(.unfetch, file) { own in unsafe own.xUnfetch(file, offset, page) }
    }
    return unsafe table
  }

  private static func write(
    _ file: UnsafeMutablePointer<sqlite3_file>?, _ buffer: UnsafeRawPointer?, _ count: Int32,
    _ offset: Int64
  ) -> Int32 {
    let bytes = unsafe [UInt8](UnsafeRawBufferPointer(start: buffer, count: Int(count)))
    return unsafe make(
      .write(offset: offset, bytes: bytes), file,
      half: { own in unsafe own.xWrite(file, buffer, count / 2, offset) },
      { own in unsafe own.xWrite(file, buffer, count, offset) })
  }

  /// Asks the disk, and makes the call if it says so; `nil` is not asked about.
  private static func make(
    _ call: DiskCall?, _ file: UnsafeMutablePointer<sqlite3_file>?,
    half: (sqlite3_io_methods) -> Int32 = { _ in SQLITE_OK },
    _ body: (sqlite3_io_methods) -> Int32
  ) -> Int32 {
    let key = UInt(bitPattern: file)
    guard let opened = state.withLock({ $0.files[key] }),
      let own = unsafe UnsafePointer<sqlite3_io_methods>(bitPattern: opened.methods)
    else { return SQLITE_IOERR }
    switch call.map({ opened.disk.verdict(on: $0, of: opened.path) }) ?? .proceed {
    case .proceed: return unsafe body(own.pointee)
    case .skip: return SQLITE_OK
    case .fail(let code): return code
    case .failHalfway(let code):
      _ = unsafe half(own.pointee)
      return code
    }
  }
}
