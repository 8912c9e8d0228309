internal import Platform

/// The system's data about a file or a folder; nothing is opened to get it.
package struct FoundFile: Sendable, Hashable {
  /// The path.
  package let path: String
  /// True for a regular file.
  package let isRegular: Bool
  /// True for a folder.
  package let isFolder: Bool
  /// The size in bytes.
  package let size: Int
  /// The permission bits, including the sticky bit.
  package let mode: UInt32
  /// The user id of the owner.
  package let owner: UInt32
  /// True when this process may read it.
  package let isReadable: Bool
  /// True when this process may write it.
  package let isWritable: Bool

  /// True when users other than the owner may write it: for a folder, replace a file in it.
  package var isWritableByOthers: Bool {
    let sticky: UInt32 = 0o1000
    return mode & 0o022 != 0 && !(isFolder && mode & sticky != 0)
  }

  /// The name of the owner; the user id when the system knows no name.
  package var ownerName: String { UserName.of(owner) }

  /// Queries the path, following links; `nil` when there is nothing, or access is denied.
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
