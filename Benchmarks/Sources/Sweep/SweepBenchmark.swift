internal import BenchmarkKit
internal import Foundation
internal import Glibc

/// Measures the cost of a sweep of a large store, and its cost for concurrent writers.
@main
struct SweepBenchmark {
  static func main() async {
    await Program.run { options in
      switch (options.part.first, options.part.count) {
      case (nil, _): try await measureAll(options)
      case ("write", 4): try await OtherWriter.run(options.part)
      default: Program.refuse(options.part)
      }
    }
  }

  private static func measureAll(_ options: Options) async throws {
    var presentation = Presentation(subject: "sweep", options)
    for count in options.isQuick ? [20_000] : sizes {
      let round = try await SweepRound(count: count)
      for section in try await round.measure() { presentation.add(section) }
    }
    try presentation.finish()
  }

  /// The numbers of records; `SWEEP_SIZES=1000000` for one of them alone.
  private static var sizes: [Int] {
    let text = ProcessInfo.processInfo.environment["SWEEP_SIZES"] ?? "1000000,10000000"
    return text.split(separator: ",").compactMap { Int($0) }
  }
}
