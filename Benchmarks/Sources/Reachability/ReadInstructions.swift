internal import BenchmarkKit

/// How many instructions of the program one read takes.
enum ReadInstructions {
  /// Does the turns of one contestant and says which it was.
  static func work(_ index: Int, turns: Int) throws -> Section {
    let contestants = try ReadContestants(ReadCost.Setting.few.prepare()).all
    return InstructionCount.work(index, of: contestants, turns: turns)
  }

  /// Has all contestants counted.
  static func measure(isQuick: Bool) throws -> Section {
    let turns = isQuick ? 1_000 : 20_000
    var section = Section(
      "Instructions of a read, few routes", columns: ["read", "answer", "instructions"])
    try InstructionCount.measure(into: &section, turns: turns) {
      Part.count(contestant: $0, turns: turns).arguments
    }
    return section
  }
}
