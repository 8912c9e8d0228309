internal import BenchmarkKit
internal import Foundation

/// How many instructions of the program one read takes, which no noise of the machine changes.
enum InstructionCount {
  private static let tool = [
    "valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
    "--toggle-collect=*countedTurns*",
  ]

  /// Does the turns of one contestant and says which it was.
  static func work(_ index: Int, turns: Int) throws -> Section {
    let contestants = try ReadContestants(ReadCost.Setting.few.prepare()).all
    var section = Section("", columns: ["read", "answer"])
    guard contestants.indices.contains(index) else { return section }
    let contestant = contestants[index]
    guard ReadLoops.countedTurns(contestant, turns) >= 0 else {
      throw Failure.failed("\(contestant.name) does not count")
    }
    section.add(row: [contestant.name, contestant.answer])
    return section
  }

  /// Has callgrind count for each contestant in a process of its own.
  static func measure(isQuick: Bool) throws -> Section {
    let turns = isQuick ? 1_000 : 20_000
    var section = Section(
      "Instructions of a read, few routes", columns: ["read", "answer", "instructions"])
    var index = 0
    while true {
      let outcome = try Worker(Part.count(contestant: index, turns: turns).arguments, under: tool)
        .run()
      guard outcome.status == 0 else {
        section.add(note: "not counted, valgrind said: \(outcome.complaints)")
        return section
      }
      let read = try JSONDecoder().decode(Section.self, from: outcome.output).rows.first
      guard let read, let collected = collected(in: outcome.complaints) else { break }
      let count = Double(collected) / Double(turns)
      section.add(row: read + [count.figures])
      section.add(Figure("\(read.joined(separator: ", ")): instructions", count, "instructions"))
      index += 1
    }
    section.add(
      note: "counted by valgrind's callgrind, the turn of the loop included; what the kernel does "
        + "for a system call is not in it")
    return section
  }

  /// True when valgrind is there.
  static var isPossible: Bool {
    // Without the tool, or without a way to start it, there is nothing to count with.
    (try? Worker([], under: ["valgrind", "--version"]).run())?.status == 0
  }

  private static func collected(in complaints: String) -> Int? {
    complaints.split(separator: "\n").last { $0.contains("Collected :") }?
      .split(separator: ":").last.flatMap { Int($0.trimmingCharacters(in: .whitespaces)) }
  }
}
