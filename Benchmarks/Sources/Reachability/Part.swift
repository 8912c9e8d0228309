internal import BenchmarkKit

/// A part that runs in a process of its own.
enum Part {
  case namespace
  case reads(ReadCost.Setting)
  case count(contestant: Int, turns: Int)
  case flips
  case flipsOfGLib
  case storm(Listener)
  case states
  case start

  /// The arguments that select it.
  var arguments: [String] {
    switch self {
    case .namespace: ["namespace"]
    case .reads(let setting): ["reads", setting.rawValue]
    case .count(let contestant, let turns): ["count", "\(contestant)", "\(turns)"]
    case .flips: ["flips"]
    case .flipsOfGLib: ["flips-glib"]
    case .storm(let listener): ["storm", listener.rawValue]
    case .states: ["states"]
    case .start: ["start"]
    }
  }

  /// Reads the arguments; `nil` when they select no part.
  init?(_ arguments: [String]) {
    let argument = arguments.count > 1 ? arguments[1] : ""
    switch arguments.first {
    case "namespace": self = .namespace
    case "reads":
      guard let setting = ReadCost.Setting(rawValue: argument) else { return nil }
      self = .reads(setting)
    case "count":
      guard let contestant = Int(argument), let turns = arguments.last.flatMap({ Int($0) }) else {
        return nil
      }
      self = .count(contestant: contestant, turns: turns)
    case "flips": self = .flips
    case "flips-glib": self = .flipsOfGLib
    case "storm":
      guard let listener = Listener(rawValue: argument) else { return nil }
      self = .storm(listener)
    case "states": self = .states
    case "start": self = .start
    default: return nil
    }
  }

  /// Measures, in this process.
  func measure(isQuick: Bool) throws -> Section {
    switch self {
    case .namespace:
      try Network.enter()
      return Section("", columns: [])
    case .reads(let setting): return try ReadCost.measure(in: setting, isQuick: isQuick)
    case .count(let contestant, let turns):
      return try ReadInstructions.work(contestant, turns: turns)
    case .flips: return try FlipLatency.ours(isQuick: isQuick)
    case .flipsOfGLib: return try FlipLatency.glib(isQuick: isQuick)
    case .storm(let listener): return try Storm.measure(listener, isQuick: isQuick)
    case .states: return try RightAnswers.measure(isQuick: isQuick)
    case .start: return try StartCost.measure(isQuick: isQuick)
    }
  }
}
