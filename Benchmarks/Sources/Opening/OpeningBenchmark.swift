internal import BenchmarkKit
internal import Foundation
internal import Workload

/// Measures how soon a large store serves its first read, and how much memory stores take.
@main
struct OpeningBenchmark {
  static func main() async {
    await Program.run { options in
      switch (options.part.first, options.part.count) {
      case (nil, _): try await measure(options)
      case ("open", 4): try await FirstRead.run(options.part)
      case ("memory", 5): try Footprint.run(options.part)
      default: Program.refuse(options.part)
      }
    }
  }

  private static func measure(_ options: Options) async throws {
    var presentation = Presentation(subject: "opening", options)
    let isQuick = options.isQuick
    let count = isQuick ? 1000 : 100_000
    let large = try await LargeStore(count: count)
    presentation.show("A file of \(Double(try large.size / 1_000_000).figures) MB.\n")
    let first = FirstRead(path: large.path, records: count, isQuick: isQuick)
    presentation.add(try await first.measure(isOpenElsewhere: false))
    presentation.add(try await first.measure(isOpenElsewhere: true))
    try large.remove()
    let place = try await Place(records: count)
    let footprint = Footprint(path: try place.copy("footprint"), isQuick: isQuick)
    presentation.add(try footprint.measureOpenStore())
    presentation.add(try footprint.measureResidents())
    try place.remove()
    try presentation.finish()
  }
}
