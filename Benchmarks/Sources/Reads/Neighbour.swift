internal import BenchmarkKit
internal import Foundation
internal import FreshStore
internal import Glibc

/// Another process that has the store open, so that a reader can assume nothing.
struct Neighbour {
  private let task: Task<Worker.Outcome, any Error>
  private let stop: String

  init(at path: String) async throws {
    let stop = path + ".stop"
    self.stop = stop
    task = Task.detached { try Worker(["attach", path, stop]).run() }
    // It has no other way to report: its output is read at its end.
    while unsafe access(path + ".ready", F_OK) != 0 {
      try await Task.sleep(for: .milliseconds(10))
    }
  }

  func leave() async throws {
    try Data().write(to: URL(filePath: stop))
    let outcome = try await task.value
    guard outcome.status == 0 else { throw BenchmarkFailure(words: outcome.complaints) }
  }

  /// `attach PATH STOP-FILE`.
  static func run(_ arguments: [String]) async throws {
    let store = try Store(path: arguments[1])
    _ = try store.bytes("others").read("nothing")
    try Data().write(to: URL(filePath: arguments[1] + ".ready"))
    while unsafe access(arguments[2], F_OK) != 0 {
      try await Task.sleep(for: .milliseconds(100))
    }
    try await store.close()
  }
}
