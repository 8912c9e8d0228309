internal import BenchmarkKit
internal import Workload

/// Measures stores that many tasks read and write at once.
@main
struct MixedBenchmark {
  static func main() async {
    await Program.run { options in
      switch (options.part.first, options.part.count) {
      case (nil, _): try await measure(Part.allCases, options)
      case ("member", 6): try await FleetMember.run(options.part)
      case (let name?, 1):
        guard let part = Part(rawValue: name) else { Program.refuse(options.part) }
        try await measure([part], options)
      default: Program.refuse(options.part)
      }
    }
  }

  /// The measurements, each of which can be run alone, for a profiler.
  private enum Part: String, CaseIterable {
    case threads, hits, tasks, transactions, fleet
  }

  private static func measure(_ parts: [Part], _ options: Options) async throws {
    var presentation = Presentation(subject: "mixed", options)
    let isQuick = options.isQuick
    let place = try await Place(records: isQuick ? 2000 : 100_000)
    let people = try People(count: place.count)
    for part in parts {
      let section =
        switch part {
        case .threads: try await ReadingThreads(place, isQuick: isQuick).measure()
        case .hits: try await Hits(place, isQuick: isQuick).measure()
        case .tasks: try await MixedTasks(place, people, isQuick: isQuick).measure()
        case .transactions:
          try await LongTransactions(place, people, isQuick: isQuick).measure()
        case .fleet: try await Fleet(place, isQuick: isQuick).measure()
        }
      presentation.add(section)
    }
    try place.remove()
    try presentation.finish()
  }
}
