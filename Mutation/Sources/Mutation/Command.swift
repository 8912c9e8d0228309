import Foundation

/// A program that is run to its end, or to the end of its time.
struct Command {
  var arguments: [String]
  var folder: URL
  var environment: [String: String] = [:]
  /// In seconds; then it is killed, and all it started.
  var limit: Int
  /// Where its output goes.
  var log: URL

  /// The code it ends with.
  func run() throws -> Int32 {
    try Data().write(to: log)
    let output = try FileHandle(forWritingTo: log)
    defer { try? output.close() }  // What was written is there all the same.
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/timeout")
    process.arguments = ["--kill-after=2", "\(limit)"] + arguments
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = output
    try process.run()
    process.waitUntilExit()
    return process.terminationReason == .exit ? process.terminationStatus : 128
  }

  /// What it said.
  var output: String { (try? String(decoding: Data(contentsOf: log), as: UTF8.self)) ?? "" }
}
