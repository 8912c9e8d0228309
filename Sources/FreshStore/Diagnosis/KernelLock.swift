#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A lock on a file, as the kernel lists it (proc_locks(5)).
///
/// Asking takes and breaks no lock and opens no file of the database. Where there is no such list
/// nobody is found.
struct KernelLock {
  /// The calls that locks come from.
  enum Kind: Substring {
    /// `fcntl`, which SQLite uses.
    case range = "POSIX"
    /// `flock`, which sweeps use.
    case whole = "FLOCK"
  }

  let kind: Kind
  let isExclusive: Bool
  /// The owner; not positive when it is out of sight.
  let process: Int32
  /// The bytes that are locked.
  let bytes: ClosedRange<Int>

  /// The locks that are held on a file.
  static func held(on path: String) -> [KernelLock] {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return [] }
    return held(onInode: "\(status.st_ino)", in: LockHolder.contents(of: "/proc/locks"))
  }

  static func held(onInode inode: String, in list: String) -> [KernelLock] {
    list.split(separator: "\n").compactMap { KernelLock($0, onInode: inode) }
  }

  /// `1: POSIX  ADVISORY  WRITE 123 08:01:456 120 120`; a lock that is waited for has an arrow in
  /// the place of its kind.
  private init?(_ line: Substring, onInode inode: String) {
    let fields = line.split(separator: " ")
    guard fields.count >= 8, let kind = Kind(rawValue: fields[1]), let process = Int32(fields[4]),
      fields[5].hasSuffix(":" + inode), let first = Int(fields[6])
    else { return nil }
    let last = fields[7] == "EOF" ? Int.max : Int(fields[7]) ?? first
    self.kind = kind
    self.process = process
    isExclusive = fields[3] == "WRITE"
    bytes = first...max(first, last)
  }

  /// `process 123 (name)`.
  var owner: String {
    guard process > 0 else { return "a process out of sight" }
    let name = LockHolder.name(of: process)
    return name.isEmpty ? "process \(process)" : "process \(process) (\(name))"
  }
}
