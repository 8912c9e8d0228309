internal import Foundation

/// The number of instructions of the program in one turn, which no noise of the machine changes.
public enum InstructionCount {
  private static let tool = [
    "valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
    "--toggle-collect=*countedTurns*",
  ]

  /// True when valgrind is installed.
  public static var isPossible: Bool {
    // Without the tool, or without a way to start it, there is nothing to count with.
    (try? Worker([], under: ["valgrind", "--version"]).run())?.status == 0
  }

  /// Does the turns of one contestant and returns its row; none where there is no such contestant.
  public static func work(
    _ index: Int, of contestants: [Contestant], turns: Int
  ) -> Section {
    var section = Section("", columns: ["contestant", "answer"])
    guard contestants.indices.contains(index) else { return section }
    let contestant = contestants[index]
    // Work that is done only the first time is not part of a turn.
    precondition(contestant.run(1) >= 0, "a contestant counts")
    precondition(countedTurns(contestant, turns) >= 0, "a contestant counts")
    section.add(row: [contestant.name, contestant.answer])
    return section
  }

  /// Has callgrind count for each contestant in a process of its own.
  ///
  /// - Parameters:
  ///   - section: The target of the counts: one row for each contestant, of its name, its answer and
  ///     the instructions of one turn.
  ///   - arguments: Those with which this program does the turns of a contestant, by its number,
  ///     and writes the result of ``work(_:of:turns:)``.
  public static func measure(
    into section: inout Section, turns: Int, _ arguments: (_ contestant: Int) -> [String]
  ) throws {
    var index = 0
    while true {
      let outcome = try Worker(arguments(index), under: tool).run()
      guard outcome.status == 0 else {
        section.add(note: "not counted, valgrind said: \(outcome.complaints)")
        return
      }
      let row = try JSONDecoder().decode(Section.self, from: outcome.output).rows.first
      guard let row, let collected = collected(in: outcome.complaints) else { break }
      let count = Double(collected) / Double(turns)
      section.add(row: row + [count.figures])
      let name = row.filter { !$0.isEmpty }.joined(separator: ", ")
      section.add(Figure("\(name): instructions", count, "instructions"))
      index += 1
    }
    section.add(
      note: "counted by valgrind's callgrind, the turn of the loop included; what the kernel does "
        + "for a system call is not in it")
  }

  /// Counts instructions from its beginning to its end; callgrind finds it by its name.
  @inline(never)
  private static func countedTurns(_ contestant: Contestant, _ turns: Int) -> Int {
    contestant.run(turns)
  }

  private static func collected(in complaints: String) -> Int? {
    complaints.split(separator: "\n").last { $0.contains("Collected :") }?
      .split(separator: ":").last.flatMap { Int($0.trimmingCharacters(in: .whitespaces)) }
  }
}
