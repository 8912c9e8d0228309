internal import BenchmarkKit
internal import Foundation

/// Measures the reachability providers, beside the floor and beside GLib.
@main
struct ReachabilityBenchmark {
  static func main() {
    do {
      exit(try run(Options(Array(CommandLine.arguments.dropFirst()))))
    } catch Failure.noNamespaces(let cause) {
      complain(cause)
      exit(69)
    } catch Failure.noGLib {
      exit(70)
    } catch {
      complain("\(error)")
      exit(1)
    }
  }

  private static func run(_ options: Options) throws -> Int32 {
    guard !options.part.isEmpty else { return try Conductor.conduct(options) }
    guard let part = Part(options.part) else {
      complain("there is no part \(options.part.joined(separator: " "))")
      return 64
    }
    let section = try part.measure(isQuick: options.isQuick)
    FileHandle.standardOutput.write(try JSONEncoder().encode(section))
    return 0
  }

  private static func complain(_ text: String) {
    FileHandle.standardError.write(Data("\(text)\n".utf8))
  }
}
