internal import BenchmarkKit
internal import FreshStore
internal import Workload

/// The same number of puts by one task and by eight at once.
struct ManyWriters {
  private static let tasks = 8

  private let people: People
  private let rounds: Int
  private let puts: Int
  private let survivesPowerLoss: Bool
  private let path: String

  init(_ place: Place, _ people: People, survivesPowerLoss: Bool, isQuick: Bool) throws {
    self.people = people
    self.survivesPowerLoss = survivesPowerLoss
    rounds = isQuick ? 1 : 9
    puts = isQuick ? 80 : survivesPowerLoss ? 800 : 8000
    path = try place.copy("writers")
  }

  func measure() async throws -> Section {
    let store = try Store(path: path)
    let bytes = try store.collection("people", codec: AnyBytesCodec())
    let costs = try await Rounds(rounds).costs(of: [
      { try await put(by: 1, in: bytes) }, { try await put(by: Self.tasks, in: bytes) },
    ]).map(\.seconds)
    try await store.close()
    return section(costs)
  }

  private func put(by tasks: Int, in bytes: RecordCollection<[UInt8]>) async throws {
    try await withThrowingTaskGroup { group in
      for task in 0..<tasks {
        let numbers = stride(from: task, to: puts, by: tasks)
        group.addTask { [people, survivesPowerLoss] in
          for turn in numbers {
            let number = turn * 48_271 % people.bytes.count
            try await bytes.put(
              people.bytes[number], for: "user:\(number)",
              durability: survivesPowerLoss ? .full : .normal)
          }
        }
      }
      try await group.waitForAll()
    }
  }

  private func section(_ costs: [Samples]) -> Section {
    let durability = survivesPowerLoss ? "survives a power cut" : "survives a crash"
    var section = Section(
      "Tasks that put at once: \(durability)", columns: ["tasks", "puts a second", "÷ one task"])
    for (tasks, cost) in zip([1, Self.tasks], costs) {
      let rate = Double(puts) / cost.median
      section.add(row: ["\(tasks)", rate.figures, (costs[0].median / cost.median).figures])
      section.add(Figure("\(tasks) tasks, \(durability)", rate, "1/s"))
    }
    section.judge(
      "eight tasks ÷ one", costs[0].median / costs[1].median, atLeast: 4, "")
    return section
  }
}
