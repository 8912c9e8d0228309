internal import BenchmarkKit
internal import Foundation
internal import FreshStore
internal import Glibc

/// Another process that stores a record every few milliseconds and reports the time of each put.
struct OtherWriter {
  private let task: Task<[Double], any Error>
  private let stop: String

  /// Starts it, and returns when it has stored its first record; it ends when a file appears.
  init(on path: String) async throws {
    let stop = path + ".stop"
    self.stop = stop
    task = Task.detached {
      let outcome = try Worker(["write", path, stop, "3"]).run()
      guard outcome.status == 0 else { throw BenchmarkFailure(words: outcome.complaints) }
      return try JSONDecoder().decode([Double].self, from: outcome.output)
    }
    while unsafe access(path + ".ready", F_OK) != 0 {
      try await Task.sleep(for: .milliseconds(10))
    }
    try FileManager.default.removeItem(atPath: path + ".ready")
  }

  /// Ends it; the waits in milliseconds.
  func waits() async throws -> Samples {
    try Data().write(to: URL(filePath: stop))
    let waits = try await task.value
    try FileManager.default.removeItem(atPath: stop)
    return Samples(waits)
  }

  /// Writes, in this process: `write PATH STOP-FILE MILLISECONDS`.
  static func run(_ arguments: [String]) async throws {
    let pause = Duration.milliseconds(Int(arguments[3]) ?? 3)
    let store = try Store(path: arguments[1])
    let records = try store.bytes("written")
    let value = [UInt8](repeating: 121, count: 200)
    var waits: [Double] = []
    try await records.put(value, for: "first")
    try Data().write(to: URL(filePath: arguments[1] + ".ready"))
    while unsafe access(arguments[2], F_OK) != 0 {
      let start = ContinuousClock.now
      do throws(StoreError) {
        try await records.put(value, for: "\(waits.count % 1000)", durability: .normal)
      } catch {
        // A writer that waits for longer than the busy timeout gets an error; the wait counts as
        // any other.
        guard case .busy = error.code else { throw error }
      }
      waits.append((ContinuousClock.now - start) / .milliseconds(1))
      try await Task.sleep(for: pause)
    }
    FileHandle.standardOutput.write(try JSONEncoder().encode(waits))
    try await store.close()
  }
}
