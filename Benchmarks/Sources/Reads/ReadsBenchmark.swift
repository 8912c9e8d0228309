internal import BenchmarkKit
internal import Foundation
internal import FreshStore
internal import Glibc
internal import RawSQLite
internal import ReadKit

/// Measures the cost of a read through the gate beside libsqlite3 alone.
@main
struct ReadsBenchmark {
  static func main() async {
    await Program.run { options in
      switch (options.part.first, options.part.count) {
      case (nil, _): try await measure(options)
      case ("attach", 3): try await Neighbour.run(options.part)
      case ("count", 5): try await count(options.part)
      case ("instructions", 3): try await keep(options.part)
      default: Program.refuse(options.part)
      }
    }
  }

  private static func measure(_ options: Options) async throws {
    var presentation = Presentation(subject: "reads", options)
    let place = try await Library(records: options.isQuick ? 2_000 : 100_000)
    let neighbour = try await Neighbour(at: place.path)
    presentation.add(try await cost(place, isQuick: options.isQuick))
    if InstructionCount.isPossible, !options.isQuick {
      presentation.add(try instructions(place))
    }
    try await neighbour.leave()
    place.remove()
    try presentation.finish()
  }

  private static func cost(_ library: Library, isQuick: Bool) async throws -> Section {
    let readers = try Readers(library)
    let contestants = readers.contestants
    let costs = RoundRobin(
      samples: isQuick ? 5 : 51, sampleTime: .milliseconds(isQuick ? 1 : 20)
    ).nanosecondsPerTurn(of: contestants)
    var section = Section(
      "A read of one record of \(library.count)",
      columns: ["who", "median ns", "p99 ns", "÷ floor", "÷ floor + decoding"])
    let (floor, decoding) = (costs[0].median, costs[1].median)
    for (contestant, cost) in zip(contestants, costs) {
      section.add(row: [
        contestant.name, cost.median.figures, cost.percentile(99).figures,
        (cost.median / floor).figures, (cost.median / decoding).figures,
      ])
      section.add(Figure(contestant.name, cost.median, "ns"))
    }
    let memory = costs[3].median
    section.judge("a value in memory", memory, below: 200, "ns")
    section.judge("floor ÷ 15 against a value in memory", memory * 15 / floor, below: 1, "")
    section.judge("bytes from the file ÷ floor", costs[4].median / floor, below: 1, "")
    section.judge(
      "typed from the file ÷ (floor + decoding)", costs[5].median / decoding, below: 1.2, "")
    try await readers.close()
    return section
  }

  private static func instructions(_ library: Library) throws -> Section {
    var section = Section(
      "Instructions of a read", columns: ["who", "answer", "instructions"])
    try InstructionCount.measure(into: &section, turns: 2000) { contestant in
      ["count", library.path, "2000", "\(contestant)", "2000"]
    }
    return section
  }

  /// `instructions FILE check`, or `write`.
  private static func keep(_ arguments: [String]) async throws {
    let place = try await Library(records: 2000)
    defer { place.remove() }
    var section = try instructions(place)
    let machine = Machine()
    let limits = InstructionLimits(
      path: arguments[1],
      basis: "\(machine.compiler), SQLite \(unsafe String(cString: sqlite3_libversion()))")
    let isKept: Bool
    switch arguments[2] {
    case "write":
      try limits.write(section)
      isKept = true
    case "check": isKept = try limits.check(&section)
    default: Program.refuse(arguments)
    }
    FileHandle.standardOutput.write(Data(section.markdown.utf8))
    if !isKept { throw BenchmarkFailure(words: "a read takes more instructions than it did") }
  }

  /// `count PATH RECORDS CONTESTANT TURNS`; many turns are for a profiler.
  private static func count(_ arguments: [String]) async throws {
    guard let records = Int(arguments[2]), let contestant = Int(arguments[3]),
      let turns = Int(arguments[4])
    else { exit(64) }
    let readers = try Readers(Library(at: arguments[1], records: records))
    let section = InstructionCount.work(contestant, of: readers.contestants, turns: turns)
    FileHandle.standardOutput.write(try JSONEncoder().encode(section))
    // Not closed: valgrind fails when the threads of Dispatch end.
    exit(0)
  }
}
