import Dispatch
import Foundation

/// A `StoreWorker` under the test's control: it goes on when it is told to, and can be stopped and
/// killed at any point.
///
/// Started by `posix_spawn` itself: `Process` of Foundation reads past a directory entry while it
/// looks for open files, which now and then ends the tests.
final class WorkerProcess: Sendable {
  struct NotStarted: Error {
    let code: Int32
  }

  private let input: FileHandle
  private let output: FileHandle
  private let queue = DispatchQueue(label: "worker-output")
  let identifier: pid_t

  convenience init(database: String, key: String, log: String, holds: Bool = false) throws {
    try self.init([database, key, log] + (holds ? ["hold"] : []))
  }

  /// A worker that does what it is told, line by line; it is ready when this returns.
  convenience init(commandedOn database: String) async throws {
    try self.init([database])
    guard await line() == "ready" else { throw NotStarted(code: 0) }
  }

  private init(_ arguments: [String]) throws {
    let (toWorker, fromWorker) = (Self.closedPipe(), Self.closedPipe())
    input = toWorker.fileHandleForWriting
    output = fromWorker.fileHandleForReading
    identifier = try Self.spawn(
      [Self.executable] + arguments,
      input: toWorker.fileHandleForReading, output: fromWorker.fileHandleForWriting)
    try toWorker.fileHandleForReading.close()
    try fromWorker.fileHandleForWriting.close()
  }

  deinit {
    kill(identifier, SIGKILL)
    // Leaves no zombie; what it says is of no interest.
    waitpid(identifier, nil, 0)
  }

  /// The executable that is built beside the tests.
  private static var executable: String {
    URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent("StoreWorker").path
  }

  /// A pipe whose ends no other child inherits: a sibling that held one would keep a worker's end
  /// from being seen.
  private static func closedPipe() -> Pipe {
    let pipe = Pipe()
    for handle in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
      _ = fcntl(handle.fileDescriptor, F_SETFD, FD_CLOEXEC)
    }
    return pipe
  }

  private static func spawn(
    _ arguments: [String], input: FileHandle, output: FileHandle
  ) throws -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, input.fileDescriptor, STDIN_FILENO)
    unsafe posix_spawn_file_actions_adddup2(&actions, output.fileDescriptor, STDOUT_FILENO)
    var words = unsafe arguments.map { unsafe strdup($0) } + [nil]
    defer { unsafe words.forEach { unsafe free($0) } }
    var identifier: pid_t = 0
    let code = unsafe posix_spawn(&identifier, arguments[0], &actions, nil, &words, environ)
    guard code == 0 else { throw NotStarted(code: code) }
    return identifier
  }

  /// Lets the worker take its next step.
  func goOn() throws {
    try input.write(contentsOf: Data("\n".utf8))
  }

  /// Has a commanded worker do something, and waits until it is done.
  func run(_ command: String) async throws {
    try input.write(contentsOf: Data("\(command)\n".utf8))
    let answer = await line()
    guard answer == "done" else { throw CommandFailed(command: command, answer: answer) }
  }

  struct CommandFailed: Error {
    let command: String
    let answer: String
  }

  func signal(_ number: Int32) {
    kill(identifier, number)
  }

  /// The next line the worker prints; empty when it has ended.
  func line() async -> String {
    await withCheckedContinuation { continuation in
      queue.async { [output] in
        var line = Data()
        // A pipe that cannot be read has ended, too.
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
