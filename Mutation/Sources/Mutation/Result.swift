import Foundation

/// A mutant and its outcome.
struct Result {
  var mutant: Mutant
  var outcome: Outcome

  /// The form in which it is kept.
  var line: String { "\(outcome.rawValue)\t\(mutant.name)" }

  /// The kept results whose mutants still exist.
  static func read(from file: URL, of mutants: [Mutant]) throws -> [Result] {
    let named = Dictionary(mutants.map { ($0.name, $0) }) { first, _ in first }
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { line in
      let parts = line.split(separator: "\t", maxSplits: 2)
      guard parts.count >= 2, let outcome = Outcome(rawValue: String(parts[0])),
        let mutant = named[String(parts[1])]
      else { return nil }
      return Result(mutant: mutant, outcome: outcome)
    }
  }
}
