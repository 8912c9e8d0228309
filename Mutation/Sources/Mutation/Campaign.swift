import Foundation

/// Runs the tests against one mutant after the other.
struct Campaign {
  let scratch: Scratch
  let options: Options
  let suites: [Suite]
  /// A suite is quick that takes no longer, in seconds.
  private static let quick = 5.0
  /// Suites that take so long together are run by one process; the next ones only see what survived.
  private static let together = 4.0

  func run(_ mutants: [Mutant]) throws -> [(mutant: Mutant, outcome: Outcome)] {
    let chosen = picked(mutants)
    try Data().write(to: scratch.results)
    let record = try FileHandle(forWritingTo: scratch.results)
    defer { try? record.close() }  // What was written is there all the same.
    var results: [(mutant: Mutant, outcome: Outcome)] = []
    var said = ContinuousClock.now
    for mutant in chosen {
      let (outcome, names) = try outcome(of: mutant)
      results.append((mutant, outcome))
      try record.write(
        contentsOf: Data(
          "\(outcome.rawValue)\t\(mutant.name)\t\(names.joined(separator: " "))\n".utf8))
      if outcome == .survived { say("survived: \(mutant.name)") }
      if said.duration(to: .now) > .seconds(60) {
        said = .now
        let survivors = results.filter { $0.outcome == .survived }.count
        say("\(results.count) of \(chosen.count) mutants, \(survivors) survived")
      }
    }
    return results
  }

  /// So many of each folder as are asked for, in the order of the files.
  private func picked(_ mutants: [Mutant]) -> [Mutant] {
    let wanted = mutants.filter { mutant in options.file.map { mutant.file.contains($0) } ?? true }
    guard let sample = options.sample else { return wanted }
    var generator = SplitMix(state: options.seed)
    let folders = Dictionary(grouping: wanted, by: \.folder)
    return folders.keys.sorted().flatMap { folder in
      (folders[folder] ?? []).shuffled(using: &generator).prefix(sample)
    }
    .sorted { $0.number < $1.number }
  }

  /// What became of it, and the suites that had a part in that.
  private func outcome(of mutant: Mutant) throws -> (Outcome, [String]) {
    let reaching = suites.filter { $0.passes && $0.reached.contains(mutant.number) }
    guard !reaching.isEmpty else { return (.notReached, []) }
    let asked = reaching.filter { options.isThorough || $0.seconds <= Self.quick }
      .sorted { ($0.seconds, $0.name) < ($1.seconds, $1.name) }
    for group in Self.groups(asked) {
      let seconds = group.reduce(0) { $0 + $1.seconds }
      var run = TestRun(
        scratch: scratch, suites: group.map(\.name), limit: Int(10 + 4 * seconds))
      run.environment["FRESHSTORE_MUTANT"] = "\(mutant.number)"
      let code = try run.command.run()
      // What `timeout` says, and what becomes of it when it has to kill.
      if code == 124 || code == 137 { return (.timedOut, group.map(\.name)) }
      if code != 0 { return (.killed, group.map(\.name)) }
    }
    return (.survived, asked.map(\.name))
  }

  private static func groups(_ suites: [Suite]) -> [[Suite]] {
    var groups: [[Suite]] = []
    var seconds = together
    for suite in suites {
      if seconds + suite.seconds > together {
        groups.append([])
        seconds = 0
      }
      groups[groups.count - 1].append(suite)
      seconds += suite.seconds
    }
    return groups
  }
}
