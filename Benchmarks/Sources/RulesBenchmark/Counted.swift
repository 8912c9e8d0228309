internal import BenchmarkKit

/// One contestant whose instructions are counted, in a process of its own.
struct Counted {
  /// The contestants that are counted together.
  enum Set: String, CaseIterable {
    case checks
    case objects
    case decoding
    case documents

    var title: String {
      switch self {
      case .checks: "Instructions of a simple check"
      case .objects: "Instructions of a check of ten fields"
      case .decoding: "Instructions of decoding"
      case .documents: "Instructions of a JSON document of 44 objects"
      }
    }

    func contestants() throws -> [Contestant] {
      switch self {
      case .checks: try SimpleChecks.pairs().flatMap { [$0.hand, $0.rule] }
      case .objects: WholeObject.contestants()
      case .decoding: try Decoding.contestants(of: 1) + Decoding.contestants(of: 100)
      case .documents: try Documents.contestants(Documents.document(of: 44))
      }
    }

    func turns(isQuick: Bool) -> Int {
      switch self {
      case .checks: isQuick ? 100 : 10_000
      case .objects: isQuick ? 50 : 2_000
      case .decoding, .documents: isQuick ? 2 : 50
      }
    }
  }

  private let set: Set
  private let contestant: Int
  private let turns: Int

  /// Reads the arguments; `nil` when they select nothing.
  init?(_ arguments: [String]) {
    guard arguments.count == 4, arguments[0] == "count", let set = Set(rawValue: arguments[1]),
      let contestant = Int(arguments[2]), let turns = Int(arguments[3])
    else { return nil }
    self.set = set
    self.contestant = contestant
    self.turns = turns
  }

  /// Does the turns, in this process.
  func work() throws -> Section {
    InstructionCount.work(contestant, of: try set.contestants(), turns: turns)
  }

  /// Has all contestants of a set counted.
  static func measure(_ set: Set, isQuick: Bool) throws -> Section {
    let turns = set.turns(isQuick: isQuick)
    var section = Section(set.title, columns: ["what", "answer", "instructions"])
    try InstructionCount.measure(into: &section, turns: turns) {
      ["count", set.rawValue, "\($0)", "\(turns)"]
    }
    return section
  }
}
