import Foundation

/// Events in stores whose operations may interrupt one another at any point, and a world for them:
/// a complete description of a run that is judged by its history.
///
/// A ``Script`` predicts the result of each step, which requires a world at rest. Here nothing is
/// predicted: observations must fit the statements of the source, the callers and the acknowledgements.
public struct HistoryScript: Codable, Hashable, Sendable {
  /// The world.
  public var setting: HistorySetting
  /// The events.
  public var steps: [HistoryStep]

  /// Creates a script.
  public init(setting: HistorySetting, steps: [HistoryStep]) {
    (self.setting, self.steps) = (setting, steps)
  }

  /// Reads the output of ``text``.
  public init(text: String) throws {
    let decoder = JSONDecoder()
    let lines = text.split(separator: "\n").map { Data($0.utf8) }
    guard let first = lines.first else { throw CocoaError(.fileReadCorruptFile) }
    setting = try decoder.decode(HistorySetting.self, from: first)
    steps = try lines.dropFirst().map { try decoder.decode(HistoryStep.self, from: $0) }
  }

  /// The script as lines of JSON: the setting, then each step.
  public var text: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys]
      let lines = try [encoder.encode(setting)] + steps.map { try encoder.encode($0) }
      return lines.map { String(decoding: $0, as: UTF8.self) + "\n" }.joined()
    }
  }
}

/// One event, and the progress of the tasks after it.
public struct HistoryStep: Codable, Hashable, Sendable {
  /// The event.
  public var operation: HistoryOperation
  /// The seed of the scheduler; 0 for the order in which the tasks came.
  public var luck: UInt32
  /// The number of pieces of work before the next step interrupts; `nil` when the world comes to rest first.
  public var cut: Int?

  /// Creates a step.
  public init(_ operation: HistoryOperation, luck: UInt32 = 0, cut: Int? = nil) {
    (self.operation, self.luck, self.cut) = (operation, luck, cut)
  }
}

/// The fixed properties of a script.
public struct HistorySetting: Codable, Hashable, Sendable {
  /// The winner when the source holds another change than the base of a local write.
  public enum Conflicts: String, Codable, CaseIterable, Sendable {
    case remote, local, merged, parked
  }

  /// A source's misbehaviour towards the writes and fetches of the record it concerns.
  public enum Trouble: String, Codable, CaseIterable, Sendable {
    /// It answers every write with a server error.
    case rejectsWrites
    /// It answers every write with a conflict.
    case alwaysConflicts
    /// Its value is larger than the store accepts.
    case isTooLarge
    /// It never answers; the whole collection's source does not.
    case hangs
  }

  /// The number of stores that have the file open.
  public var stores: Int
  /// The winner of a conflict.
  public var conflicts: Conflicts
  /// The time limit of a fetch or a push, in seconds.
  public var timeout: Int
  /// True when breakers guard the origins.
  public var isGuarded: Bool
  /// True when a rule is awaited before a value is stored.
  public var awaitsRule: Bool
  /// The misbehaviour of the sources of some records.
  public var trouble: Trouble?
  /// True when names are the same text to Swift and differ in their bytes.
  public var hasTwins: Bool
  /// The degree to which the operations of a script interrupt one another.
  public var longestCut: Int
  /// True when one value has many encodings, and the source does not recognise a write that arrives a
  /// second time; not at all when `nil`.
  public var isLoose: Bool?
  /// True when gets ask for one of two variants of a record; not at all when `nil`.
  public var hasVariants: Bool?
  /// The size around which some of the values lie, in bytes; all are small when `nil`.
  public var largeValues: Int?
  /// The hosts, which share a tier; `nil` for one host alone.
  public var fleet: HistoryFleetSetting?

  /// The number of hosts, each with a file of its own.
  var hosts: Int { fleet?.clocks.count ?? 1 }

  /// The host of a store.
  func host(of store: Int) -> Int { store % hosts }
}
