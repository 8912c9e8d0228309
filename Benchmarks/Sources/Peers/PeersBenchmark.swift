internal import BenchmarkKit
internal import Foundation
internal import ReadKit

/// Measures FreshStore beside others that keep records under keys, in one run.
@main
struct PeersBenchmark {
  static func main() async {
    await Program.run { options in
      switch (options.part.first, options.part.count) {
      case (nil, _): try await measure(options)
      default: Program.refuse(options.part)
      }
    }
  }

  private static func measure(_ options: Options) async throws {
    var presentation = Presentation(subject: "peers", options)
    let place = try Place()
    defer { place.remove() }
    let field = try await Field(records: options.isQuick ? 2_000 : 100_000, in: place)
    let comparison = Comparison(field, isQuick: options.isQuick)
    presentation.add(try await comparison.reads())
    presentation.add(try await comparison.puts())
    presentation.add(try await comparison.fills())
    try await field.close()
    try presentation.finish()
  }
}
