import Dispatch
import Foundation
import Synchronization

/// A `StoreWorker` under the test's control: it goes on when it is told to, and can be stopped and
/// killed at any point.
final class WorkerProcess: Sendable {
  private let process: Mutex<Process>
  private let input: FileHandle
  private let output: FileHandle
  private let queue = DispatchQueue(label: "worker-output")
  let identifier: Int32
  private static let launching = Mutex(())

  init(database: String, key: String, log: String, holds: Bool = false) throws {
    let process = Process()
    process.executableURL = Self.executable
    process.arguments = [database, key, log] + (holds ? ["hold"] : [])
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    // A sibling that inherits an end of the pipes would keep this worker's end from being seen.
    try Self.launching.withLock { _ in
      for handle in [input, output].flatMap({ [$0.fileHandleForReading, $0.fileHandleForWriting] })
      {
        _ = fcntl(handle.fileDescriptor, F_SETFD, FD_CLOEXEC)
      }
      try process.run()
    }
    identifier = process.processIdentifier
    self.input = input.fileHandleForWriting
    self.output = output.fileHandleForReading
    self.process = Mutex(process)
  }

  deinit {
    kill(identifier, SIGKILL)
  }

  /// The executable that is built beside the tests.
  private static var executable: URL {
    URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent("StoreWorker")
  }

  /// Lets the worker take its next step.
  func goOn() throws {
    try input.write(contentsOf: Data("\n".utf8))
  }

  func signal(_ number: Int32) {
    kill(identifier, number)
  }

  /// The next line the worker prints; empty when it has ended.
  func line() async -> String {
    await withCheckedContinuation { continuation in
      queue.async { [output] in
        var line = Data()
        while let byte = (try? output.read(upToCount: 1)) ?? nil, let first = byte.first,
          first != UInt8(ascii: "\n")
        {
          line.append(first)
        }
        continuation.resume(returning: String(decoding: line, as: UTF8.self))
      }
    }
  }
}
