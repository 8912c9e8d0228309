internal import BenchmarkKit
internal import Foundation
internal import Glibc

/// A server of the benchmark's own, on loopback, that ends with the benchmark, however that ends.
final class Server {
  private let process = Process()
  private let life = Pipe()
  private let folder: URL

  /// Starts a program, with a shell beside it.
  ///
  /// The shell's standard input is closed when this process has ended, also where the same Ctrl-C
  /// was sent to the shell. The shell then ends the program by the signal. PostgreSQL does not wait
  /// for its clients after the default one.
  init(_ command: [String], in folder: URL, endedBy signal: String = "INT") throws {
    self.folder = folder
    let script =
      #"trap : INT HUP TERM; "$@" >log 2>&1 & server=$!; echo "$server" >pid; read -r _; "#
      + #"kill -\#(signal) "$server"; wait "$server""#
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", script, "sh"] + command
    process.currentDirectoryURL = folder
    process.standardInput = life
    try Self.withoutBlockedSignals { try process.run() }
  }

  /// A process inherits the blocked signals of the thread that starts it: on one of Dispatch's, the
  /// signal that ends the server would be among them.
  private static func withoutBlockedSignals(_ body: () throws -> Void) rethrows {
    var (none, before) = (sigset_t(), sigset_t())
    unsafe sigemptyset(&none)
    unsafe pthread_sigmask(SIG_SETMASK, &none, &before)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    try body()
  }

  /// Ends it, and waits until it has ended.
  func end() throws {
    try life.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// The number of the program's process; known when the program has come up.
  var number: Int {
    get throws {
      let text = try String(contentsOf: folder.appending(path: "pid"), encoding: .utf8)
      guard let number = Int(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
        throw BenchmarkFailure(words: "the shell has written down no process")
      }
      return number
    }
  }

  /// The place of a program in the path, or in one of the folders.
  static func program(_ name: String, in folders: [String] = []) throws -> String {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let all = path.split(separator: ":").map(String.init) + folders
    guard
      let found = all.map({ "\($0)/\(name)" }).first(where: {
        FileManager.default.isExecutableFile(atPath: $0)
      })
    else { throw BenchmarkFailure(words: "\(name) is not installed") }
    return found
  }

  /// Retries until the server has come up.
  static func whenUp<Result>(
    within limit: Duration = .seconds(10), every pause: Duration = .milliseconds(50),
    _ body: () async throws -> Result
  ) async throws -> Result {
    let end = ContinuousClock.now + limit
    while true {
      do {
        return try await body()
      } catch {
        guard ContinuousClock.now < end else { throw error }
        // A server says to nobody that it listens.
        try await Task.sleep(for: pause)
      }
    }
  }
}
