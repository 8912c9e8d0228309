internal import BenchmarkKit
internal import FreshStore
internal import Workload

/// Many tasks of one process that request the same record at once, which has to be fetched.
struct Herd: Sendable {
  /// How long a fetch takes.
  static let fetchTime = Duration.milliseconds(10)

  let people: RecordCollection<Person>
  let tasks: Int
  let counter: FetchCounter

  /// Gets the key in all of them.
  func get(_ key: String) async throws {
    try await all {
      let answer = try await people.get(key) { _ in
        try counter.add()
        try await Task.sleep(for: Self.fetchTime)
        return .value(Person(1))
      }
      return answer.value
    }
  }

  /// The floor: as many tasks that wait for one.
  func waitForOne() async throws {
    let fetch = Task {
      try counter.add()
      try await Task.sleep(for: Self.fetchTime)
      return Person(1)
    }
    try await all { try await fetch.value }
  }

  /// Without a task group, whose time for each task grows with their number.
  private func all(_ body: @escaping @Sendable () async throws -> Person) async throws {
    let running = (0..<tasks).map { _ in Task { try await body() } }
    for task in running {
      guard try await task.value.id == 1 else {
        throw BenchmarkFailure(words: "another value than was fetched")
      }
    }
  }
}
