internal import BenchmarkKit
internal import Dispatch
internal import Foundation

/// Measures how soon a synchronizer sends its first request when the network is back.
@main
struct ReturnsBenchmark {
  static func main() {
    let options = Options(Array(CommandLine.arguments.dropFirst()))
    do {
      guard let part = options.part.first else { exit(try conduct(options)) }
      guard options.part.count == 1, let variant = Variant(rawValue: part) else {
        Program.refuse(options.part)
      }
      try measure(variant, count: options.isQuick ? 3 : 50)
    } catch let error as NoNetwork {
      complain("\(error)")
      exit(69)
    } catch {
      complain("\(error)")
      exit(1)
    }
  }

  /// Measures each variant in a process of its own, and shows the results; returns the exit status.
  private static func conduct(_ options: Options) throws -> Int32 {
    var presentation = Presentation(subject: "returns", options)
    var all: [Return] = []
    for variant in Variant.allCases {
      let outcome = try Worker([variant.rawValue] + (options.isQuick ? ["--quick"] : [])).run()
      guard outcome.status == 0 else {
        complain(outcome.complaints.trimmingCharacters(in: .newlines))
        return outcome.status
      }
      let returns = try JSONDecoder().decode([Return].self, from: outcome.output)
      presentation.add(Results(returns).section(of: variant))
      all += returns
    }
    presentation.add(Results(all).verdict())
    try presentation.finish()
    return 0
  }

  /// Measures one variant, in this process, which must have no second thread yet.
  private static func measure(_ variant: Variant, count: Int) throws -> Never {
    _ = try Network.enter()
    let arrivals = Arrivals()
    let origin = Origin(arrivals)
    let network = Network(peer: try origin.start())
    try network.join()
    try origin.listen()
    let measurement = Measurement(
      variant: variant, network: network, arrivals: arrivals, count: count)
    Task {
      do {
        let returns = try await measurement.run()
        FileHandle.standardOutput.write(try JSONEncoder().encode(returns))
        exit(0)
      } catch {
        complain("\(error)")
        exit(1)
      }
    }
    dispatchMain()
  }

  private static func complain(_ text: String) {
    FileHandle.standardError.write(Data("\(text)\n".utf8))
  }
}
