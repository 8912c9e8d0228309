internal import BenchmarkKit

/// The number of instructions of the program in one read.
enum ReadInstructions {
  /// Does the turns of one contestant and returns its row.
  static func work(_ index: Int, turns: Int) throws -> Section {
    let contestants = try ReadContestants(ReadCost.Setting.few.prepare()).all
    return InstructionCount.work(index, of: contestants, turns: turns)
  }

  /// Has the instructions of all contestants counted.
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
