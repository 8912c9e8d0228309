/// The figures of a run, folder by folder.
struct Table: CustomStringConvertible {
  let results: [Result]

  var description: String {
    let folders = Dictionary(grouping: results) { $0.mutant.folder }
    var lines = [
      "| folder | mutants | killed | survived | slow suites only | not reached |",
      "| --- | --- | --- | --- | --- | --- |",
    ]
    for folder in folders.keys.sorted() { lines.append(Self.row(folder, folders[folder] ?? [])) }
    lines.append(Self.row("all", results))
    let timedOut = results.filter { $0.outcome == .timedOut }.count
    lines.append("\n\(timedOut) of those killed did not end in time.")
    for outcome in [Outcome.survived, .notAsked, .notReached] {
      let mutants = results.filter { $0.outcome == outcome }.map(\.mutant)
      if !mutants.isEmpty { lines.append("\n\(outcome.rawValue):") }
      for mutant in mutants { lines.append("  \(mutant.file):\(mutant.line): \(mutant.change)") }
    }
    return lines.joined(separator: "\n")
  }

  private static func row(
    _ name: String, _ results: [Result]
  ) -> String {
    func count(_ outcomes: Outcome...) -> Int {
      results.filter { outcomes.contains($0.outcome) }.count
    }
    return "| \(name) | \(results.count) | \(count(.killed, .timedOut)) | \(count(.survived)) "
      + "| \(count(.notAsked)) | \(count(.notReached)) |"
  }
}
