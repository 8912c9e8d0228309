internal import BenchmarkKit
internal import Foundation

/// Measures `freshstore serve` as a process, beside other caches in front of the same origin.
@main
struct GatewayBenchmark {
  static func main() async {
    await Program.run { options in
      switch (options.part.first, options.part.count) {
      case (nil, _): try await measure(options)
      case ("origin", 2): try await Origin.run(on: port(1, in: options.part))
      case ("forward", 3):
        try await Forwarder.run(on: port(1, in: options.part), to: port(2, in: options.part))
      default: Program.refuse(options.part)
      }
    }
  }

  private static func measure(_ options: Options) async throws {
    var presentation = Presentation(subject: "gateway", options)
    let grounds = try await Grounds(isQuick: options.isQuick)
    for section in try await Rates(grounds).measure() { presentation.add(section) }
    for section in try await KeptCopies(grounds).measure() { presentation.add(section) }
    presentation.add(try await SlowClients(grounds, .large).measure())
    presentation.add(try await SlowClients(grounds, .huge).measure())
    presentation.add(try await FirstHit(grounds).measure())
    try grounds.origin.end()
    try presentation.finish()
  }

  private static func port(_ index: Int, in arguments: [String]) -> Int {
    guard let port = Int(arguments[index]) else { Program.refuse(arguments) }
    return port
  }
}
