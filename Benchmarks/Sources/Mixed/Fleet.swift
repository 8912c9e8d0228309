internal import BenchmarkKit
internal import Foundation
internal import FreshStore
internal import Workload

/// Eight processes on one file: 90 % get, 9 % put, 1 % remove.
struct Fleet {
  /// The means by which the processes work.
  enum Means: String, CaseIterable {
    case floor, store
  }

  private static let processes = 8

  private let place: Place
  private let rounds: Int
  private let operations: Int

  init(_ place: Place, isQuick: Bool) {
    self.place = place
    rounds = isQuick ? 1 : 5
    operations = isQuick ? 200 : 20_000
  }

  func measure() async throws -> Section {
    var waits: [Means: [Waits]] = [:]
    for _ in 0..<rounds {
      for means in Means.allCases { waits[means, default: []].append(try await run(means)) }
    }
    var section = Section(
      "\(Self.processes) processes on one file: 90 % get, 9 % put, 1 % remove",
      columns: [
        "who", "get p50 µs", "get p99 µs", "put p50 µs", "put p99 ms", "put max ms",
        "remove p99 ms",
      ])
    for means in Means.allCases { add(means, waits[means] ?? [], to: &section) }
    section.add(
      note: "the median of \(rounds) rounds of \(operations) operations in each process; of the "
        + "greatest waits the greatest")
    return section
  }

  private func add(_ means: Means, _ rounds: [Waits], to section: inout Section) {
    let gets = rounds.map { Samples($0.gets) }
    let puts = rounds.map { Samples($0.puts) }
    let getTail = Samples(gets.map { $0.percentile(99) }).median
    let putTail = Samples(puts.map { $0.percentile(99) }).median / 1000
    let longest = Samples(puts.map(\.maximum)).maximum / 1000
    section.add(row: [
      means.rawValue, Samples(gets.map(\.median)).median.figures, getTail.figures,
      Samples(puts.map(\.median)).median.figures, putTail.figures, longest.figures,
      (Samples(rounds.map { Samples($0.removals).percentile(99) }).median / 1000).figures,
    ])
    section.add(Figure("fleet, \(means.rawValue): get p99", getTail, "µs"))
    section.add(Figure("fleet, \(means.rawValue): put p99", putTail, "ms"))
    section.add(Figure("fleet, \(means.rawValue): put max", longest, "ms"))
    guard means == .store else { return }
    section.judge("p99 of a get", getTail, below: 25, "µs")
    section.judge("p99 of a put", putTail, below: 5, "ms")
    section.judge("longest put", longest, below: 100, "ms")
  }

  private func run(_ means: Means) async throws -> Waits {
    let path = try place.copy("fleet")
    let outputs = try await Crowd(gate: path + ".gate").run(Self.processes) {
      [count = place.count, operations] process in
      ["member", means.rawValue, path, "\(process)", "\(count)", "\(operations)"]
    }
    var all = Waits()
    for output in outputs { all.add(try JSONDecoder().decode(Waits.self, from: output)) }
    return all
  }
}
