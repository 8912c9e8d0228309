internal import BenchmarkKit
internal import Foundation
internal import FreshStore
internal import Workload

/// Puts of one record, each in a transaction of its own, one after the other.
struct SinglePuts {
  private let people: People
  private let rounds: Int
  private let puts: Int
  private let survivesPowerLoss: Bool
  private let paths: (floor: String, store: String)

  init(_ place: Place, _ people: People, survivesPowerLoss: Bool, isQuick: Bool) throws {
    self.people = people
    self.survivesPowerLoss = survivesPowerLoss
    rounds = isQuick ? 1 : 9
    puts = isQuick ? 20 : survivesPowerLoss ? 500 : 4000
    paths = (try place.copy("floor"), try place.copy("store"))
  }

  func measure() async throws -> Section {
    let floor = try RawTable(path: paths.floor, survivesPowerLoss: survivesPowerLoss)
    let store = try Store(path: paths.store)
    let bytes = try store.collection("people", codec: AnyBytesCodec())
    let typed = try store.collection("people", of: Person.self)
    let traffic = (0..<4).map { _ in Traffic(records: people.values.count) }
    let costs = try await Rounds(rounds).costs(of: [
      { for _ in 0..<puts { try raw(floor, traffic[0].next()) } },
      { for _ in 0..<puts { try await put(people.bytes, traffic[1].next(), in: bytes) } },
      { for _ in 0..<puts { try encoding(floor, traffic[2].next()) } },
      { for _ in 0..<puts { try await put(people.values, traffic[3].next(), in: typed) } },
    ])
    try await store.close()
    return section(costs)
  }

  private func raw(_ floor: RawTable, _ number: Int) throws {
    try floor.put("user:\(number)", people.bytes[number])
  }

  private func encoding(_ floor: RawTable, _ number: Int) throws {
    try floor.put("user:\(number)", Array(JSONEncoder().encode(people.values[number])))
  }

  private func put<Value>(
    _ values: [Value], _ number: Int, in records: RecordCollection<Value>
  ) async throws {
    try await records.put(
      values[number], for: "user:\(number)", durability: survivesPowerLoss ? .full : .normal)
  }

  private func section(_ costs: [Rounds.Cost]) -> Section {
    let durability = survivesPowerLoss ? "survives a power cut" : "survives a crash"
    var section = Section(
      "One put after the other, each in its own transaction: \(durability)",
      columns: ["who", "median µs", "÷ floor", "µs of a processor", "÷ floor"])
    let names = ["floor, bytes", "put, bytes", "JSONEncoder and floor", "put, typed"]
    for (index, name) in names.enumerated() {
      let (own, floor) = (costs[index], costs[index / 2 * 2])
      let cost = own.seconds.median / Double(puts) * 1e6
      let ratio = own.seconds.median / floor.seconds.median
      let work = own.processorSeconds.median / Double(puts) * 1e6
      section.add(row: [
        name, cost.figures, ratio.figures, work.figures,
        (own.processorSeconds.median / floor.processorSeconds.median).figures,
      ])
      section.add(Figure("\(name), \(durability)", cost, "µs"))
      section.add(Figure("\(name), \(durability), of a processor", work, "µs"))
      if index % 2 == 1 { section.judge("\(name) ÷ floor", ratio, below: 1.15, "") }
    }
    return section
  }
}
