internal import BenchmarkKit

/// The tables: the times of each peer, beside the floor and beside FreshStore.
struct Comparison {
  private let field: Field
  private let isQuick: Bool

  init(_ field: Field, isQuick: Bool) {
    (self.field, self.isQuick) = (field, isQuick)
  }

  /// A read of one record.
  func reads() async throws -> Section {
    let entrants = field.peers.flatMap(\.reads)
    let costs = try await Race(rounds: isQuick ? 5 : 15)
      .costs(of: entrants, sampleTime: .milliseconds(isQuick ? 2 : 100))
    return section("A read of one record of \(number)", "answer", entrants, costs)
  }

  /// A write of one record.
  func puts() async throws -> Section {
    let entrants = field.peers.map(\.put)
    let costs = try await Race(rounds: isQuick ? 5 : 15)
      .costs(of: entrants, sampleTime: .milliseconds(isQuick ? 2 : 200))
    return section(
      "A put over one record of \(number), one transaction each", "durability", entrants,
      costs)
  }

  /// A write of all records.
  func fills() async throws -> Section {
    let entrants = field.peers.map(\.fill)
    let costs = try await Race(rounds: 5).costs(of: entrants, turns: field.records)
    return section(
      "A put of \(number) records, \(Double(Corpus.batch).figures) a transaction", "durability",
      entrants,
      costs)
  }

  private var number: String { Double(field.records).figures }

  private func section(
    _ title: String, _ note: String, _ entrants: [Entrant], _ costs: [Samples]
  ) -> Section {
    var section = Section(
      title, columns: ["who", note, "median µs", "÷ floor", "÷ FreshStore"])
    let medians = costs.map(\.median)
    let unit = entrants.firstIndex { $0.name.hasPrefix(FreshStorePeer.name) } ?? 0
    for (entrant, median) in zip(entrants, medians) {
      section.add(row: [
        entrant.name, entrant.note, (median / 1000).figures, (median / medians[0]).figures,
        (median / medians[unit]).figures,
      ])
      section.add(Figure(entrant.name, median, "ns"))
    }
    if !field.leftOut.isEmpty {
      section.add(note: "left out: \(field.leftOut.joined(separator: ", "))")
    }
    return section
  }
}
