import Foundation
import Glibc

extension IsolatedThread {
  /// True when a thread may have a hosts file of its own.
  static let canNameHosts = Task {
    do {
      try await run { try nameHosts("192.0.2.1 origin.example") }
      return true
    } catch {
      print("tests with a hosts file are skipped: \(error)")
      return false
    }
  }

  /// Gives the calling thread, and the threads it starts, a hosts file with these lines alone.
  static func nameHosts(_ lines: String...) throws {
    let newMounts: Int32 = 0x2_0000
    try unshare(newMounts)
    let file = FileManager.default.temporaryDirectory.appending(path: "hosts-\(UUID().uuidString)")
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
    // The mounted file stays in place after its name is removed.
    defer { unsafe unlink(file.path()) }
    for command in ["mount --make-rprivate /", "mount --bind \(file.path()) /etc/hosts"] {
      let status = unsafe system(command)
      guard status == 0 else { throw Failure(description: "\(command): status \(status)") }
    }
  }
}
