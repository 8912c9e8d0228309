internal import Platform

/// What the system says of a file or a folder; nothing is opened to find out.
package struct FoundFile: Sendable, Hashable {
  /// The path.
  package let path: String
  /// True for a regular file.
  package let isRegular: Bool
  /// True for a folder.
  package let isFolder: Bool
  /// Bytes.
  package let size: Int
  /// The permission bits, the sticky one included.
  package let mode: UInt32
  /// The number of the owner.
  package let owner: UInt32
  /// What this process may do, as it runs now.
  package let isReadable: Bool
  /// What this process may do, as it runs now.
  package let isWritable: Bool

  /// True when others than the owner may write it: for a folder, put another file in the place of one
  /// in it.
  package var isWritableByOthers: Bool {
    let sticky: UInt32 = 0o1000
    return mode & 0o022 != 0 && !(isFolder && mode & sticky != 0)
  }

  /// The name of the owner; the number when the system knows none.
  package var ownerName: String {
    guard let entry = unsafe getpwuid(owner) else { return "\(owner)" }
    return unsafe String(cString: entry.pointee.pw_name)
  }

  /// Looks, following links; `nil` when there is nothing, or it may not be looked at.
  package init?(_ path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    self.path = path
    isRegular = status.st_mode & S_IFMT == S_IFREG
    isFolder = status.st_mode & S_IFMT == S_IFDIR
    size = Int(status.st_size)
    mode = UInt32(status.st_mode) & 0o7777
    owner = UInt32(status.st_uid)
    isReadable = unsafe faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) == 0
    isWritable = unsafe faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0
  }
}
