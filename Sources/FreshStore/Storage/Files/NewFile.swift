internal import Platform

/// A file that appears whole or not at all, and replaces no other.
///
/// It is written under a temporary name in its final folder, `freshstore-….partial`, and gets its
/// own name once it is on the disk. Until then only that temporary file exists; it is removed with
/// this value; a killed process leaves it behind.
package struct NewFile: ~Copyable {
  /// The final name of the file.
  package let path: String
  /// The name until then.
  package let temporary: String
  /// Open for writing, at the file's beginning.
  package let descriptor: Int32
  private let operation: StoreOperation
  private var isOpen = true
  private var isPublished = false

  /// Creates the temporary file, for its owner only.
  ///
  /// - Throws: `alreadyExists` when anything has that name, including a dangling link;
  ///   `folderMissing`, `readOnly`, `full`, `cannotOpen`.
  package init(_ path: String, for operation: StoreOperation) throws(StoreError) {
    let path = PathName.absolute(path)
    guard !PathName.exists(path) else {
      throw StoreError(.alreadyExists, operation, path: path)
    }
    let temporary = Self.temporaryName(beside: path, ending: "partial")
    let opened = unsafe Platform.open(temporary, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
    guard opened >= 0 else { throw Self.failure(errno, operation, path) }
    self.path = path
    self.temporary = temporary
    self.operation = operation
    descriptor = opened
  }

  deinit {
    if isOpen { close(descriptor) }
    guard !isPublished else { return }
    // Including SQLite's own files beside it.
    for suffix in ["", "-journal", "-wal", "-shm"] { _ = unsafe unlink(temporary + suffix) }
  }

  /// Makes the system write the file to the disk, and gives it its name. Both survive a power cut once
  /// this returns.
  ///
  /// - Throws: `alreadyExists` when another file has got that name meanwhile, `full`, `inputOutput`.
  package consuming func publish() throws(StoreError) {
    var problem = try linked()
    if Self.lacksLinks(problem) { problem = Self.claim(path, for: temporary) }
    guard problem == 0 else { throw Self.failure(problem, operation, path) }
    isPublished = true
    Self.syncFolder(of: path)
  }

  /// The same, unless the name is taken; an existing file then stays as it is.
  ///
  /// False where there are no hard links. There no process may replace an empty file by a whole one, as others may
  /// have filled it meanwhile.
  consuming func publishUnlessThere() throws(StoreError) -> Bool {
    let problem = try linked()
    if Self.lacksLinks(problem) { return false }
    guard problem == 0 || problem == EEXIST else { throw Self.failure(problem, operation, path) }
    isPublished = problem == 0
    Self.syncFolder(of: path)
    return true
  }

  /// Gives the file its name, once it is on the disk; 0 or the system's error number.
  private mutating func linked() throws(StoreError) -> Int32 {
    guard fsync(descriptor) == 0 else { throw Self.failure(errno, operation, path) }
    // Before others can open the file: closing it drops the locks that this process has on it
    // (https://sqlite.org/howtocorrupt.html, section 2.2).
    close(descriptor)
    isOpen = false
    return Self.link(temporary, path)
  }

  /// True for the error of a file system without hard links, such as on memory sticks.
  private static func lacksLinks(_ problem: Int32) -> Bool {
    [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(problem)
  }

  /// Gives a file another name, which must be free; 0 or the system's error number.
  static func link(_ old: String, _ new: String) -> Int32 {
    guard systemLink(old, new) == 0 else { return errno }
    // Left behind, it would be a second name of the same file.
    _ = unsafe unlink(old)
    return 0
  }

  /// The same without hard links. It takes the name with an empty file, which no other process can then create, and
  /// replaces that by the whole file.
  static func claim(_ new: String, for old: String) -> Int32 {
    let claimed = unsafe Platform.open(new, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
    guard claimed >= 0 else { return errno }
    close(claimed)
    guard unsafe rename(old, new) != 0 else { return 0 }
    let problem = errno
    _ = unsafe unlink(new)
    return problem
  }

  /// A unique name in the folder of `path`.
  package static func temporaryName(beside path: String, ending: String) -> String {
    let (folder, _) = PathName.split(path)
    let number = String(UInt64.random(in: .min ... .max), radix: 36)
    return "\(folder)freshstore-\(number).\(ending)"
  }

  static func syncFolder(of path: String) {
    let (folder, _) = PathName.split(path)
    let descriptor = unsafe Platform.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
    guard descriptor >= 0 else { return }
    // Some file systems do not support this; the file itself is on the disk.
    _ = fsync(descriptor)
    close(descriptor)
  }

  package static func failure(_ number: Int32, _ operation: StoreOperation, _ path: String)
    -> StoreError
  {
    let code: StoreError.Code =
      switch number {
      case EEXIST: .alreadyExists
      case ENOENT, ENOTDIR: .folderMissing
      case EACCES, EROFS, EPERM: .readOnly
      case ENOSPC, EDQUOT, EFBIG: .full
      case EIO: .inputOutput
      default: .cannotOpen
      }
    return StoreError(code, operation, path: path)
  }
}

/// Outside of the type because its method has the same name.
private func systemLink(_ old: String, _ new: String) -> Int32 { unsafe link(old, new) }
