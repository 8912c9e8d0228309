import Foundation

/// A program that runs to its end, or to the end of its time.
struct Command {
  var arguments: [String]
  var folder: URL
  var environment: [String: String] = [:]
  /// In seconds; then it is killed, with everything it started.
  var limit: Int
  /// The file for its output.
  var log: URL

  /// Its exit code; -1 when it was ended because it had printed the words waited for.
  func run(until words: String? = nil) throws -> Int32 {
    try Data().write(to: log)
    let writing = try FileHandle(forWritingTo: log)
    defer { try? writing.close() }  // The written part is there all the same.
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/timeout")
    process.arguments = ["--kill-after=2", "\(limit)"] + arguments
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = writing
    process.standardError = writing
    try process.run()
    while let words, process.isRunning {
      // A file does not report that something was written to it.
      Thread.sleep(forTimeInterval: 0.05)
      guard output.contains(words) else { continue }
      process.terminate()
      process.waitUntilExit()
      return -1
    }
    process.waitUntilExit()
    return process.terminationReason == .exit ? process.terminationStatus : 128
  }

  /// Its output; empty when that cannot be read, as a run is judged by its code.
  var output: String { (try? String(decoding: Data(contentsOf: log), as: UTF8.self)) ?? "" }
}
