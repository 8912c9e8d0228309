internal import Platform

/// Finds the process that blocks others.
package enum LockHolder {
  /// The process that holds the write lock of the database at `path`, which is no link, as
  /// `process 123 (name)`; `nil` when no process does, or the kernel does not tell.
  ///
  /// SQLite's writers lock byte 120 of the `-shm` file (https://sqlite.org/walformat.html, section
  /// 2.2.1), and Linux lists POSIX locks in `/proc/locks`, so no file of the database is opened.
  package static func ofDatabase(at path: String) -> String? {
    KernelLock.held(on: path + "-shm").first { lock in
      lock.kind == .range && lock.isExclusive && lock.bytes.contains(120)
    }?.owner
  }

  /// Another process that reads the database at `path`, as above, or else one that writes to it or moves its
  /// log: readers of the log share bytes 123 to 127.
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
