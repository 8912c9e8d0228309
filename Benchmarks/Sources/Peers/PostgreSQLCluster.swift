internal import BenchmarkKit
internal import Foundation
internal import Glibc

/// The files and programs of a PostgreSQL server of the benchmark's own.
enum PostgreSQLCluster {
  /// Where Debian has put a program of the server, the newest version's.
  static func program(_ name: String) throws -> String {
    let base = "/usr/lib/postgresql"
    // Where Debian has installed no versions there are none to look into.
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: base)) ?? []
    return try Server.program(name, in: versions.sorted().reversed().map { "\(base)/\($0)/bin" })
  }

  /// PostgreSQL does not run as root.
  static func asNobody(_ command: [String]) -> [String] {
    guard getuid() == 0 else { return command }
    return ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] + command
  }

  /// Makes the files of a server with the user `peers`; the folder that they are in.
  static func make(in folder: URL, password: String) throws -> String {
    let file = folder.appending(path: "password").path
    try Data(password.utf8).write(to: URL(filePath: file))
    if getuid() == 0 {
      for path in [folder.path, file] {
        try FileManager.default.setAttributes(
          [.ownerAccountName: "nobody", .posixPermissions: 0o700], ofItemAtPath: path)
      }
    }
    let process = Process()
    let command = asNobody([
      try program("initdb"), "-D", "\(folder.path)/data", "-U", "peers", "-A", "scram-sha-256",
      "--pwfile", file, "--no-sync",
    ])
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = command
    process.currentDirectoryURL = folder
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw BenchmarkFailure(words: "initdb ended with \(process.terminationStatus)")
    }
    return "\(folder.path)/data"
  }
}
