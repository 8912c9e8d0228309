internal import BenchmarkKit
internal import Foundation
internal import FreshStore
internal import Glibc
internal import Workload

/// Another process that reads one record after the other and reports the time of each read.
struct Reader {
  private let task: Task<[Double], any Error>
  private let stop: String

  /// Starts it, and returns when it has begun.
  init(on path: String, records: Int) async throws {
    let stop = path + ".stop"
    self.stop = stop
    // The leftovers of an earlier one.
    for file in [stop, path + ".ready"] { unsafe unlink(file) }
    task = Task.detached {
      let outcome = try Worker(["read", path, stop, "\(records)"]).run()
      guard outcome.status == 0 else { throw BenchmarkFailure(words: outcome.complaints) }
      return try JSONDecoder().decode([Double].self, from: outcome.output)
    }
    while unsafe access(path + ".ready", F_OK) != 0 {
      try await Task.sleep(for: .milliseconds(10))
    }
  }

  /// Ends it; the waits in microseconds.
  func waits() async throws -> Samples {
    try Data().write(to: URL(filePath: stop))
    return Samples(try await task.value)
  }

  /// Reads, in this process: `read PATH STOP-FILE RECORDS`.
  static func run(_ arguments: [String]) async throws {
    let store = try Store(path: arguments[1])
    let people = try store.collection("people", of: Person.self)
    let traffic = Traffic(records: Int(arguments[3]) ?? 1)
    for _ in 0..<65_536 { _ = try people.servableValue(traffic.nextKey()) }
    try Data().write(to: URL(filePath: arguments[1] + ".ready"))
    var waits: [Double] = []
    while unsafe access(arguments[2], F_OK) != 0 {
      for _ in 0..<100 {
        let key = traffic.nextKey()
        let start = ContinuousClock.now
        guard try people.servableValue(key) != nil else {
          throw BenchmarkFailure(words: "\(key) is not served")
        }
        waits.append((ContinuousClock.now - start).microseconds)
      }
      // Not at full speed: a permanent reader takes the processor from everybody else.
      usleep(500)
    }
    FileHandle.standardOutput.write(try JSONEncoder().encode(waits))
    try await store.close()
  }
}
