internal import Platform

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
    /// `nil` where a file's device differs from that of its file system, so that the list has another.
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
