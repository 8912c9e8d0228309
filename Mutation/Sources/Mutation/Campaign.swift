import Foundation

/// Runs the tests against one mutant after the other.
struct Campaign {
  let scratch: Scratch
  let options: Options
  let suites: [Suite]
  /// The longest time of a quick suite, in seconds. Of the quick ones that reach a mutant, as many
  /// run as take no longer together: those first that reach the fewest others.
  private static let quick = 3.0
  private static let enough = 12.0
  /// Suites that take so long together run in one process; the next ones only get the survivors.
  private static let together = 4.0

  func run(_ mutants: [Mutant]) throws -> [Result] {
    let known = options.isAgain ? try Result.read(from: scratch.results, of: mutants) : []
    let chosen =
      options.isAgain
      ? known.filter { $0.outcome == .survived }.map(\.mutant) : picked(mutants)
    var results = known.filter { $0.outcome != .survived }
    let lines = results.map { $0.line + "\n" }.joined()
    try Data(lines.utf8).write(to: scratch.results)
    let record = try FileHandle(forWritingTo: scratch.results)
    defer { try? record.close() }  // The written part is there all the same.
    try record.seekToEnd()
    var said = ContinuousClock.now
    var survivors = 0
    for (index, mutant) in chosen.enumerated() {
      let result = Result(mutant: mutant, outcome: try outcome(of: mutant))
      results.append(result)
      try record.write(contentsOf: Data("\(result.line)\n".utf8))
      if result.outcome == .survived {
        survivors += 1
        say("survived: \(mutant.name)")
      }
      if said.duration(to: .now) > .seconds(60) {
        said = .now
        say("\(index + 1) of \(chosen.count) mutants, \(survivors) survived")
      }
    }
    return results
  }

  /// The requested number of each folder, in the order of the files.
  private func picked(_ mutants: [Mutant]) -> [Mutant] {
    let wanted = mutants.filter { mutant in options.file.map { mutant.file.contains($0) } ?? true }
    guard let sample = options.sample else { return wanted }
    var generator = SeededGenerator(seed: options.seed)
    let folders = Dictionary(grouping: wanted, by: \.folder)
    return folders.keys.sorted().flatMap { folder in
      (folders[folder] ?? []).shuffled(using: &generator).prefix(sample)
    }
    .sorted { $0.number < $1.number }
  }

  private func outcome(of mutant: Mutant) throws -> Outcome {
    let reaching = suites.filter { $0.passes && $0.reached.contains(mutant.number) }
    guard !reaching.isEmpty else { return .notReached }
    let asked = asked(among: reaching)
    guard !asked.isEmpty else { return .notAsked }
    for group in Self.groups(asked) {
      let seconds = group.reduce(0) { $0 + $1.seconds }
      var run = TestRun(
        scratch: scratch, suites: group.map(\.name), limit: Int(6 + 4 * seconds))
      run.environment["FRESHSTORE_MUTANT"] = "\(mutant.number)"
      // One issue is enough: tests that wait for an event that no longer comes need not be waited
      // for.
      let code = try run.command.run(until: " recorded an issue ")
      // The code of `timeout`, and that of a kill by it.
      if code == 124 || code == 137 { return .timedOut }
      if code != 0 { return .killed }
    }
    return .survived
  }

  private func asked(among reaching: [Suite]) -> [Suite] {
    if options.isThorough {
      return reaching.sorted { ($0.seconds, $0.name) < ($1.seconds, $1.name) }
    }
    var seconds = 0.0
    return reaching.filter { $0.seconds <= Self.quick }
      .sorted { ($0.reached.count, $0.name) < ($1.reached.count, $1.name) }
      .prefix { suite in
        seconds += suite.seconds
        return options.isAgain || seconds <= Self.enough
      }
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
