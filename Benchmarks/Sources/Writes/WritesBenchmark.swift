internal import BenchmarkKit
internal import Workload

/// Measures what puts and marks cost beside libsqlite3 alone, and what they cost who reads meanwhile.
@main
struct WritesBenchmark {
  static func main() async {
    await Program.run { options in
      switch (options.part.first, options.part.count) {
      case (nil, _): try await measure(options)
      case ("read", 4): try await Reader.run(options.part)
      case ("put", 4), ("raw", 4): try await Profiled.run(options.part)
      default: Program.refuse(options.part)
      }
    }
  }

  private static func measure(_ options: Options) async throws {
    var presentation = Presentation(subject: "writes", options)
    let isQuick = options.isQuick
    let place = try await Place(records: isQuick ? 2000 : 100_000)
    let people = try People(count: place.count)
    for survives in [false, true] {
      let puts = try SinglePuts(place, people, survivesPowerLoss: survives, isQuick: isQuick)
      presentation.add(try await puts.measure())
    }
    for survives in [false, true] {
      let writers = try ManyWriters(place, people, survivesPowerLoss: survives, isQuick: isQuick)
      presentation.add(try await writers.measure())
    }
    try place.remove()
    presentation.add(try await BulkPuts(people, isQuick: isQuick).measure())
    presentation.add(
      try await SweepBesideReader(records: place.count, isQuick: isQuick).measure())
    presentation.add(try await Marks(isQuick: isQuick).measure())
    try presentation.finish()
  }
}
