public import Foundation
internal import Glibc

/// A part of a benchmark in a process of its own, so that no part has the threads, the memory or
/// the network of another.
public struct Worker: Sendable {
  /// How a worker ended.
  public struct Outcome: Sendable {
    /// Its standard output.
    public let output: Data
    /// Its standard error.
    public let complaints: String
    /// The status it exited with, or a signal's number above 128.
    public let status: Int32
  }

  /// The error of starting or waiting for a worker: the number of a system error.
  public struct Failure: Error {
    /// The number.
    public let number: Int32
  }

  private let words: [String]

  /// A worker that runs this same program for a part, under a tool that takes a program and its
  /// arguments, where one is given.
  public init(_ arguments: [String], under tool: [String] = []) {
    words = tool + ["/proc/\(getpid())/exe"] + arguments
  }

  /// Runs the worker and waits for its end.
  public func run() throws -> Outcome {
    let name = "benchmark-\(UUID().uuidString)"
    let directory = FileManager.default.temporaryDirectory
    let (output, complaints) = (
      directory.appending(path: "\(name)-out"), directory.appending(path: "\(name)-err")
    )
    // A leftover lies in the directory for temporary files.
    defer { for file in [output, complaints] { try? FileManager.default.removeItem(at: file) } }
    let status = try wait(for: try spawn(writingTo: output.path(), and: complaints.path()))
    return Outcome(
      output: try Data(contentsOf: output),
      complaints: String(decoding: try Data(contentsOf: complaints), as: UTF8.self),
      status: status)
  }

  /// As ``run()``, on a thread of its own: several may run at once.
  public func runAside() async throws -> Outcome {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try run() }) }
    }
  }

  private func spawn(writingTo output: String, and complaints: String) throws(Failure) -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for (descriptor, path) in [(Int32(1), output), (2, complaints)] {
      unsafe posix_spawn_file_actions_addopen(
        &actions, descriptor, path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    }
    var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
    defer { unsafe arguments.forEach { unsafe free($0) } }
    var child: pid_t = 0
    let error = unsafe posix_spawnp(&child, words[0], &actions, nil, &arguments, environ)
    guard error == 0 else { throw Failure(number: error) }
    return child
  }

  private func wait(for child: pid_t) throws(Failure) -> Int32 {
    var status: Int32 = 0
    while unsafe waitpid(child, &status, 0) != child {
      guard errno == EINTR else { throw Failure(number: errno) }
    }
    let signal = status & 0x7F
    return signal == 0 ? status >> 8 & 0xFF : 128 + signal
  }
}
