#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Finds out which process keeps others waiting.
enum LockHolder {
  /// The process that holds the write lock of the database at `path`, which is no link, as `process 123 (name)`;
  /// `nil` when nobody does, or the kernel does not say.
  ///
  /// SQLite's writers lock byte 120 of the `-shm` file (https://sqlite.org/walformat.html, section
  /// 2.2.1), and Linux lists POSIX locks in `/proc/locks`, so no file of the database is opened.
  static func ofDatabase(at path: String) -> String? {
    var status = stat()
    guard unsafe stat(path + "-shm", &status) == 0 else { return nil }
    let inode = String(status.st_ino)
    for line in contents(of: "/proc/locks").split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard let process = processWriting(fields, inode: inode) else { continue }
      let name = name(of: process)
      return name.isEmpty ? "process \(process)" : "process \(process) (\(name))"
    }
    return nil
  }

  /// The name of a process; empty when the kernel does not say.
  static func name(of process: Int32) -> String {
    contents(of: "/proc/\(process)/comm").filter { $0 != "\n" }
  }

  /// `1: POSIX  ADVISORY  WRITE 123 08:01:456 120 120`
  private static func processWriting(_ fields: [Substring], inode: String) -> Int32? {
    guard fields.count >= 8, fields[1] == "POSIX", fields[3] == "WRITE",
      fields[5].hasSuffix(":" + inode), let first = Int(fields[6]), first <= 120,
      fields[7] == "EOF" || (Int(fields[7]) ?? -1) >= 120
    else { return nil }
    return Int32(fields[4])
  }

  /// The text of a file that the kernel makes up; empty when it cannot be read.
  static func contents(of path: String) -> String {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
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
