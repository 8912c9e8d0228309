internal import Platform

/// The file system of a folder.
package struct FoundFileSystem: Sendable, Hashable {
  /// Its kind as the kernel names it, such as `ext4`; `nil` where the kernel does not tell.
  package let kind: String?
  /// Bytes that this user may still write.
  package let freeBytes: UInt64
  /// Files that this user may still create; `nil` where there is no such limit.
  package let freeFiles: UInt64?
  /// True when it is mounted read-only.
  package let isReadOnly: Bool

  /// True for kinds that several machines may share, or that a program serves: on them the shared
  /// memory of SQLite's log does not work, or nobody guarantees that it does
  /// (https://sqlite.org/wal.html, section 2.2).
  package static func isShared(_ kind: String) -> Bool {
    kind.hasPrefix("fuse") || shared.contains(kind)
  }

  private static let shared: Set<String> = [
    "9p", "afs", "ceph", "cifs", "coda", "gfs2", "glusterfs", "gpfs", "lustre", "ncpfs", "nfs",
    "nfs4", "ocfs2", "orangefs", "prl_fs", "smb3", "smbfs", "vboxsf", "virtiofs", "vmhgfs",
  ]

  /// Queries an existing folder; `nil` when the system does not answer.
  package init?(of folder: String) {
    var status = statvfs()
    guard unsafe statvfs(folder, &status) == 0 else { return nil }
    freeBytes = UInt64(status.f_bavail) &* UInt64(status.f_frsize)
    freeFiles = status.f_files > 0 ? UInt64(status.f_favail) : nil
    isReadOnly = UInt(status.f_flag) & UInt(ST_RDONLY) != 0
    kind = Self.kind(
      of: PathName.resolved(folder), in: LockHolder.contents(of: "/proc/self/mountinfo"))
  }

  /// True where something is mounted at `path` itself, as a container's engine mounts a single file.
  package static func isMountPoint(_ path: String) -> Bool {
    LockHolder.contents(of: "/proc/self/mountinfo").split(separator: "\n").contains { line in
      let fields = line.split(separator: " ", maxSplits: 5)
      return fields.count > 4 && unescaped(fields[4]).hasSameBytes(as: path)
    }
  }

  /// The kind of the mount that holds `path`: the longest mount point above it, and the last of
  /// several on one point (proc_pid_mountinfo(5)).
  package static func kind(of path: String, in mounts: String) -> String? {
    var found: (length: Int, kind: String)?
    for line in mounts.split(separator: "\n") {
      // 36 35 98:0 /root /mount/point rw,noatime master:1 - ext4 /dev/root rw
      let halves = line.split(separator: " - ", maxSplits: 1)
      guard halves.count == 2, let kind = halves[1].split(separator: " ").first else { continue }
      let fields = halves[0].split(separator: " ")
      guard fields.count >= 5 else { continue }
      let point = unescaped(fields[4])
      guard point == "/" || path == point || path.hasPrefix(point + "/") else { continue }
      if point.utf8.count >= found?.length ?? 0 { found = (point.utf8.count, String(kind)) }
    }
    return found?.kind
  }

  /// Spaces, tabs, line ends and backslashes are octal escapes.
  private static func unescaped(_ text: Substring) -> String {
    var text = String(text)
    for (code, character) in [("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")] {
      text = text.replacing(code, with: character)
    }
    return text
  }
}
