internal import BenchmarkKit
internal import FreshStore
internal import Workload

/// Tasks that read and write one store at once: of twenty operations one is a put.
struct MixedTasks {
  private static let tasks = [1, 2, 8]

  private let place: Place
  private let people: People
  private let rounds: Int
  private let span: Duration
  private let popularity: [Popularity]

  init(_ place: Place, _ people: People, isQuick: Bool) {
    self.place = place
    self.people = people
    rounds = isQuick ? 1 : 7
    span = .milliseconds(isQuick ? 50 : 500)
    popularity = (0..<8).map { Popularity(records: place.count, stream: $0) }
  }

  func measure() async throws -> Section {
    let store = try Store(path: try place.copy("tasks"), configuration: .withThreeStrategies())
    let records = try store.collection("people", of: Person.self)
    var waits = [[Waits]](repeating: [], count: Self.tasks.count)
    for _ in 0..<rounds {
      for (index, tasks) in Self.tasks.enumerated() {
        waits[index].append(try await run(records, tasks: tasks))
      }
    }
    try await store.close()
    return section(waits)
  }

  private func run(_ records: RecordCollection<Person>, tasks: Int) async throws -> Waits {
    try await withThrowingTaskGroup(of: Waits.self) { group in
      for task in 0..<tasks {
        group.addTask { [self] in
          try await work(records, Traffic(popularity[task]))
        }
      }
      var all = Waits()
      for try await waits in group { all.add(waits) }
      return all
    }
  }

  private func work(
    _ records: RecordCollection<Person>, _ traffic: Traffic
  ) async throws -> Waits {
    var waits = Waits()
    let start = ContinuousClock.now
    while ContinuousClock.now - start < span {
      for _ in 0..<19 {
        let key = traffic.nextKey()
        let reading = try await waits.note(\.gets) { try records.read(key) }
        guard case .fresh = reading else { throw BenchmarkFailure(words: "\(key) is not fresh") }
      }
      let number = traffic.next()
      try await waits.note(\.puts) {
        try await records.put(
          people.values[number], for: "user:\(number)", durability: .normal)
      }
    }
    return waits
  }

  private func section(_ rounds: [[Waits]]) -> Section {
    var section = Section(
      "95 % reads and 5 % puts by several tasks at once, values",
      columns: [
        "tasks", "reads a second", "÷ one task", "read p50 µs", "p99 µs", "max µs", "put p50 µs",
        "p99 µs", "max µs",
      ])
    let rates = rounds.map { waits in
      Samples(waits.map { Double($0.gets.count) / (span / .seconds(1)) }).median
    }
    for (index, tasks) in Self.tasks.enumerated() {
      let reads = Samples(rounds[index].flatMap(\.gets))
      let puts = Samples(rounds[index].flatMap(\.puts))
      section.add(
        row: ["\(tasks)", rates[index].figures, (rates[index] / rates[0]).figures]
          + [reads, puts].flatMap {
            [$0.median.figures, $0.percentile(99).figures, $0.maximum.figures]
          })
      section.add(Figure("95/5, \(tasks) tasks: reads a second", rates[index], "1/s"))
    }
    section.judge("reads of two tasks ÷ one", rates[1] / rates[0], atLeast: 1.8, "")
    return section
  }
}
