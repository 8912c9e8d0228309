internal import BenchmarkKit
internal import FreshStore
internal import Workload

/// What a get that finds a fresh copy costs beyond a read.
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
    let costs = try await Rounds(rounds).seconds(of: [
      { try read(people, traffic[0]) }, { try await get(people, traffic[1]) },
    ]).map { $0.median / Double(turns) * 1e9 }
    try await store.close()
    var section = Section(
      "A get of a fresh copy, in memory", columns: ["who", "median ns", "− read ns"])
    for (name, cost) in zip(["read", "get"], costs) {
      section.add(row: [name, cost.figures, (cost - costs[0]).figures])
      section.add(Figure("hit: \(name)", cost, "ns"))
    }
    section.judge("get − read", costs[1] - costs[0], below: 150, "ns")
    return section
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
