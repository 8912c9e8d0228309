internal import BenchmarkKit
internal import Workload

/// Measures the cost of puts and marks beside libsqlite3 alone, and their cost for concurrent
/// readers.
@main
struct WritesBenchmark {
  static func main() async {
    await Program.run { options in
      switch (options.part.first, options.part.count) {
      case (nil, _): try await measure(Part.allCases, options)
      case ("read", 4): try await Reader.run(options.part)
      case ("put", 4...5), ("raw", 4...5): try await Profiled.run(options.part)
      case (let name?, 1):
        guard let part = Part(rawValue: name) else { Program.refuse(options.part) }
        try await measure([part], options)
      default: Program.refuse(options.part)
      }
    }
  }

  /// The measurements, each of which can be run alone.
  private enum Part: String, CaseIterable {
    case single, tasks, bulk, sweep, marks
  }

  private static func measure(_ parts: [Part], _ options: Options) async throws {
    var presentation = Presentation(subject: "writes", options)
    let count = options.isQuick ? 2000 : 100_000
    let people = try People(count: count)
    for part in parts {
      for section in try await measure(part, people, isQuick: options.isQuick) {
        presentation.add(section)
      }
    }
    try presentation.finish()
  }

  private static func measure(
    _ part: Part, _ people: People, isQuick: Bool
  ) async throws -> [Section] {
    switch part {
    case .single, .tasks:
      let place = try await Place(records: people.values.count)
      var sections: [Section] = []
      for survives in [false, true] {
        sections.append(
          part == .single
            ? try await SinglePuts(place, people, survivesPowerLoss: survives, isQuick: isQuick)
              .measure()
            : try await ManyWriters(place, people, survivesPowerLoss: survives, isQuick: isQuick)
              .measure())
      }
      try place.remove()
      return sections
    case .bulk: return [try await BulkPuts(people, isQuick: isQuick).measure()]
    case .sweep:
      let sweep = try await SweepBesideReader(records: people.values.count, isQuick: isQuick)
      return [try await sweep.measure()]
    case .marks: return [try await Marks(isQuick: isQuick).measure()]
    }
  }
}
