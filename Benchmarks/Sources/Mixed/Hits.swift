internal import BenchmarkKit
internal import FreshStore
internal import Workload

/// The cost of a get with a fresh copy beyond that of a read.
struct Hits {
  private let place: Place
  private let rounds: Int
  private let turns: Int

  init(_ place: Place, isQuick: Bool) {
    self.place = place
    rounds = isQuick ? 1 : 15
    turns = isQuick ? 1000 : 50_000
  }

  func measure() async throws -> Section {
    let memory = MemoryLimits(records: 400_000, bytes: 1 << 30)
    let store = try Store(
      path: try place.copy("hits"), configuration: .withThreeStrategies(memory: memory))
    let people = try store.collection("people", of: Person.self)
    for number in 0..<place.count { _ = try people.read("user:\(number)") }
    let traffic = (0..<2).map { _ in Traffic(records: place.count) }
    let costs = try await Rounds(rounds).costs(of: [
      { try read(people, traffic[0]) }, { try await get(people, traffic[1]) },
    ])
    try await store.close()
    var section = Section(
      "A get of a fresh copy, in memory",
      columns: ["who", "median ns", "− read ns", "ns of a processor"])
    for (name, cost) in zip(["read", "get"], costs) {
      let (time, work) = (nanoseconds(cost.seconds), nanoseconds(cost.processorSeconds))
      section.add(row: [
        name, time.figures, (time - nanoseconds(costs[0].seconds)).figures, work.figures,
      ])
      section.add(Figure("hit: \(name)", time, "ns"))
      section.add(Figure("hit: \(name), of a processor", work, "ns"))
    }
    let difference = nanoseconds(costs[1].seconds) - nanoseconds(costs[0].seconds)
    section.judge("get − read", difference, below: 150, "ns")
    return section
  }

  private func nanoseconds(_ samples: Samples) -> Double {
    samples.median / Double(turns) * 1e9
  }

  private func read(_ people: RecordCollection<Person>, _ traffic: Traffic) throws {
    for _ in 0..<turns {
      guard case .fresh = try people.read(traffic.nextKey()) else {
        throw BenchmarkFailure(words: "a record is not fresh")
      }
    }
  }

  private func get(_ people: RecordCollection<Person>, _ traffic: Traffic) async throws {
    for _ in 0..<turns {
      _ = try await people.get(traffic.nextKey()) { _ in
        throw BenchmarkFailure(words: "a fresh record is fetched")
      }
    }
  }
}
