internal import Platform

/// Finds the process that blocks others.
package enum LockHolder {
  /// The process that holds the write lock of the database at `path`, which is no link, as `process 123 (name)`.
  /// `nil` when no process does, or the kernel does not tell.
  ///
  /// SQLite's writers lock byte 120 of the `-shm` file (https://sqlite.org/walformat.html, section 2.2.1). Linux
  /// lists POSIX locks in `/proc/locks`, so no file of the database is opened.
  package static func ofDatabase(at path: String) -> String? {
    KernelLock.held(on: path + "-shm").first { lock in
      lock.kind == .range && lock.isExclusive && lock.bytes.contains(120)
    }?.owner
  }

  /// Another process that reads the database at `path`, as above. If there is none, a process that writes to it or
  /// moves its log. Readers of the log share bytes 123 to 127.
  static func ofOthers(at path: String) -> String? {
    let locks = KernelLock.held(on: path + "-shm").filter { lock in
      lock.kind == .range && lock.process != getpid()
    }
    let reading = locks.first { $0.bytes.overlaps(123...127) }
    return (reading ?? locks.first { $0.bytes.overlaps(120...121) })?.owner
  }

  /// The name of a process; empty when the kernel does not tell.
  static func name(of process: Int32) -> String {
    contents(of: "/proc/\(process)/comm").filter { $0 != "\n" }
  }

  /// The text of a file that the kernel generates; empty when it cannot be read.
  package static func contents(of path: String) -> String {
    // A named pipe or another special file must not block.
    let descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var text: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 16384)
    while true {
      let count = unsafe part.withUnsafeMutableBytes { bytes in
        unsafe read(descriptor, bytes.baseAddress, bytes.count)
      }
      guard count > 0 else { return String(decoding: text, as: UTF8.self) }
      text += part.prefix(count)
    }
  }
}

/// A lock on a file, as the kernel lists it (proc_locks(5)).
///
/// Asking takes and breaks no lock and opens no file of the database. Without such a list the
/// result is empty.
package struct KernelLock {
  /// The system calls that create locks.
  package enum Kind: Substring {
    /// `fcntl`, which SQLite uses.
    case range = "POSIX"
    /// `flock`, which sweeps use.
    case whole = "FLOCK"
  }

  package let kind: Kind
  package let isExclusive: Bool
  /// The owner; not positive when it is not visible.
  let process: Int32
  /// The bytes that are locked.
  package let bytes: ClosedRange<Int>

  /// The locks that are held on a file.
  package static func held(on path: String) -> [KernelLock] {
    guard let place = Place(path) else { return [] }
    return held(on: place, in: LockHolder.contents(of: "/proc/locks"))
  }

  static func held(on place: Place, in list: String) -> [KernelLock] {
    list.split(separator: "\n").compactMap { KernelLock($0, on: place) }
  }

  /// The kernel's name for a file: its device and inode.
  struct Place {
    /// `nil` where a file's device differs from the device of its file system: the list has the latter.
    var device: (major: UInt64, minor: UInt64)?
    var inode: UInt64

    init?(_ path: String) {
      var status = stat()
      guard unsafe stat(path, &status) == 0 else { return nil }
      inode = UInt64(status.st_ino)
      let (folder, _) = PathName.split(path)
      guard let kind = FoundFileSystem(of: folder)?.kind, !Self.layered.contains(kind) else {
        return
      }
      let number = UInt64(status.st_dev)
      device = (
        (number >> 8) & 0xfff | (number >> 32) & ~0xfff, number & 0xff | (number >> 12) & ~0xff
      )
    }

    init(major: UInt64, minor: UInt64, inode: UInt64) {
      (device, self.inode) = ((major, minor), inode)
    }

    private static let layered: Set<String> = ["btrfs", "overlay"]

    /// True for a field such as `08:01:456`.
    fileprivate func isNamed(by field: Substring) -> Bool {
      let parts = field.split(separator: ":")
      guard parts.count == 3, UInt64(parts[2]) == inode else { return false }
      guard let device else { return true }
      return UInt64(parts[0], radix: 16) == device.major
        && UInt64(parts[1], radix: 16) == device.minor
    }
  }

  /// `1: POSIX  ADVISORY  WRITE 123 08:01:456 120 120`; a waiting lock has an arrow instead of its
  /// kind.
  private init?(_ line: Substring, on place: Place) {
    let fields = line.split(separator: " ")
    guard fields.count >= 8, let kind = Kind(rawValue: fields[1]), let process = Int32(fields[4]),
      place.isNamed(by: fields[5]), let first = Int(fields[6])
    else { return nil }
    let last = fields[7] == "EOF" ? Int.max : Int(fields[7]) ?? first
    self.kind = kind
    self.process = process
    isExclusive = fields[3] == "WRITE"
    bytes = first...max(first, last)
  }

  /// `process 123 (name)`.
  package var owner: String {
    guard process > 0 else { return "a process out of sight" }
    let name = LockHolder.name(of: process)
    return name.isEmpty ? "process \(process)" : "process \(process) (\(name))"
  }
}

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

  /// True for kinds that several machines may share, or that a program serves. There the shared memory of SQLite's
  /// log does not work, or is not guaranteed to work (https://sqlite.org/wal.html, section 2.2).
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
