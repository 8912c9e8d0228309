import ChildProcess

/// A `StoreWorker` under the test's control: it continues on request, and can be stopped and
/// killed at any point.
struct WorkerProcess {
  struct NotReady: Error {}

  private let process: ChildProcess

  var identifier: Int32 { process.identifier }

  init(database: String, key: String, log: String, holds: Bool = false) throws {
    process = try ChildProcess(
      beside: "StoreWorker", [database, key, log] + (holds ? ["hold"] : []))
  }

  /// A worker that executes commands, line by line; it is ready when this returns.
  init(commandedOn database: String) async throws {
    process = try ChildProcess(beside: "StoreWorker", [database])
    guard await line() == "ready" else { throw NotReady() }
  }

  /// Lets the worker take its next step.
  func goOn() throws { try process.say("") }

  /// Has a commanded worker do something, and waits until it is done.
  func run(_ command: String) async throws {
    try process.say(command)
    let answer = await line()
    guard answer == "done" else { throw CommandFailed(command: command, answer: answer) }
  }

  struct CommandFailed: Error {
    let command: String
    let answer: String
  }

  func signal(_ number: Int32) { process.signal(number) }

  /// The next line the worker prints; empty when it has ended.
  func line() async -> String { await process.line() }
}
