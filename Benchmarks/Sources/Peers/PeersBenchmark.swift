internal import BenchmarkKit
internal import Foundation
internal import ReadKit

/// Measures FreshStore beside other stores of records under keys, in one run.
@main
struct PeersBenchmark {
  static func main() async {
    await Program.run { options in
      switch (options.part.first, options.part.count) {
      case (nil, _): try await measure(options, plot: nil)
      case ("plot", 2): try await measure(options, plot: options.part[1])
      default: Program.refuse(options.part)
      }
    }
  }

  private static func measure(_ options: Options, plot: String?) async throws {
    var presentation = Presentation(subject: "peers", options)
    let machine = Machine()
    let place = try Place()
    defer { place.remove() }
    let field = try await Field(records: options.isQuick ? 2_000 : 100_000, in: place)
    let comparison = Comparison(field, isQuick: options.isQuick)
    let reads = try await comparison.reads()
    presentation.add(reads)
    presentation.add(try await comparison.puts())
    presentation.add(try await comparison.fills())
    try await field.close()
    if let plot {
      let scale = try await ReadScale(isQuick: options.isQuick, in: place)
      presentation.add(scale.section)
      try SpeedPlot(reads: reads, scale: scale, machine: machine).write(to: plot)
    }
    try presentation.finish()
  }
}
