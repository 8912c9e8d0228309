internal import BenchmarkKit
internal import Foundation
internal import ReadKit

/// The cost of a read by the number of records.
struct ReadScale {
  /// The numbers of records.
  let sizes: [Int]
  /// One line of the plot for each name: the nanoseconds by size.
  private(set) var lines: [(name: String, costs: [Double])] = []

  /// Makes a store of each size and measures all of them in turns. `PEERS_SIZES` names other sizes,
  /// separated by commas.
  init(isQuick: Bool, in place: Place) async throws {
    let said = ProcessInfo.processInfo.environment["PEERS_SIZES"] ?? ""
    let named = said.split(separator: ",").compactMap { Int($0) }.sorted()
    sizes =
      if !named.isEmpty { named } else if isQuick { [1000, 2000] } else {
        [1000, 10_000, 100_000, 1_000_000]
      }
    var all: [Readers] = []
    for size in sizes { all.append(try Readers(try await Library(records: size, in: place.url))) }
    let ways: [(String, (Readers) -> Contestant)] = [
      ("floor", \.floor), ("from the file", \.typed), ("from the file, bytes", \.bytes),
      ("in memory", \.inMemory), ("in memory, the value alone", \.value),
    ]
    let contestants = ways.flatMap { way in all.map(way.1) }
    // Once through the keys: the making of the largest evicted the others from the page cache.
    for contestant in contestants { _ = contestant.run(isQuick ? 1000 : 65_536) }
    let costs = RoundRobin(
      samples: isQuick ? 5 : 21, sampleTime: .milliseconds(isQuick ? 1 : 20)
    ).nanosecondsPerTurn(of: contestants).map(\.median)
    for (index, way) in ways.enumerated() {
      lines.append((way.0, Array(costs[(index * sizes.count)...].prefix(sizes.count))))
    }
    for readers in all { try await readers.close() }
  }

  /// The table.
  var section: Section {
    var section = Section(
      "A read by number of records, median ns",
      columns: ["records"] + lines.map(\.name))
    for (index, size) in sizes.enumerated() {
      section.add(row: [Double(size).figures] + lines.map { $0.costs[index].figures })
      for line in lines { section.add(Figure("\(line.name), \(size)", line.costs[index], "ns")) }
    }
    return section
  }
}
