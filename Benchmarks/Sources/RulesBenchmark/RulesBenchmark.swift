internal import BenchmarkKit
internal import Foundation

/// Measures the cost of rules, beside the same conditions written by hand and beside Foundation.
@main
struct RulesBenchmark {
  static func main() {
    do {
      exit(try run(Options(Array(CommandLine.arguments.dropFirst()))))
    } catch {
      complain("\(error)")
      exit(1)
    }
  }

  private static func run(_ options: Options) throws -> Int32 {
    guard !options.part.isEmpty else {
      try measureAll(options)
      return 0
    }
    guard let counted = Counted(options.part) else {
      complain("there is no part \(options.part.joined(separator: " "))")
      return 64
    }
    FileHandle.standardOutput.write(try JSONEncoder().encode(counted.work()))
    return 0
  }

  private static func measureAll(_ options: Options) throws {
    var presentation = Presentation(subject: "rules", options)
    presentation.add(try SimpleChecks.measure(isQuick: options.isQuick))
    presentation.add(WholeObject.measure(isQuick: options.isQuick))
    presentation.add(try Decoding.measure(isQuick: options.isQuick))
    if InstructionCount.isPossible {
      for set in Counted.Set.allCases {
        presentation.add(try Counted.measure(set, isQuick: options.isQuick))
      }
    } else {
      presentation.show("Instructions are not counted: valgrind is not installed.\n")
    }
    presentation.add(try Documents.measure(isQuick: options.isQuick))
    presentation.add(try PatternTime.measure(isQuick: options.isQuick))
    try presentation.finish()
  }

  private static func complain(_ text: String) {
    FileHandle.standardError.write(Data("\(text)\n".utf8))
  }
}
