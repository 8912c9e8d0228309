import Foundation

/// What happens to stores whose operations may cut one another in two at any point, and a world for it:
/// all there is to know of a run that is judged by its history.
///
/// A ``Script`` predicts what each step comes to, which takes a world at rest. Here nothing is
/// predicted: what is seen must fit what the source, the callers and the acknowledgements say.
public struct HistoryScript: Codable, Hashable, Sendable {
  /// The world.
  public var setting: HistorySetting
  /// What happens in it.
  public var steps: [HistoryStep]

  /// Creates a script.
  public init(setting: HistorySetting, steps: [HistoryStep]) {
    (self.setting, self.steps) = (setting, steps)
  }

  /// Reads what ``text`` is.
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

/// One thing that happens, and how far the tasks then run.
public struct HistoryStep: Codable, Hashable, Sendable {
  /// What happens.
  public var operation: HistoryOperation
  /// The seed of the scheduler; 0 for the order in which the tasks came.
  public var luck: UInt32
  /// After how many pieces of work the next step cuts in; `nil` when the world comes to rest first.
  public var cut: Int?

  /// Creates a step.
  public init(_ operation: HistoryOperation, luck: UInt32 = 0, cut: Int? = nil) {
    (self.operation, self.luck, self.cut) = (operation, luck, cut)
  }
}

/// What does not change while a script runs.
public struct HistorySetting: Codable, Hashable, Sendable {
  /// Who wins when the source holds another change than a local write was made upon.
  public enum Conflicts: String, Codable, CaseIterable, Sendable {
    case remote, local, merged, parked
  }

  /// What a source does wrong, to whatever is sent to or fetched from the record it concerns.
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

  /// How many stores have the file open.
  public var stores: Int
  /// Who wins.
  public var conflicts: Conflicts
  /// How long a fetch or a push may take, in seconds.
  public var timeout: Int
  /// True when breakers guard the origins.
  public var isGuarded: Bool
  /// True when a rule is awaited before a value is stored.
  public var awaitsRule: Bool
  /// What is wrong with the sources of some records.
  public var trouble: Trouble?
  /// True when names are the same text to Swift and differ in their bytes.
  public var hasTwins: Bool
  /// How much the operations of a script cut one another in two.
  public var longestCut: Int
  /// True when one value has many encodings, and the source does not know a write again that comes a
  /// second time; not at all when `nil`.
  public var isLoose: Bool?
  /// True when gets ask for one of two variants of a record; not at all when `nil`.
  public var hasVariants: Bool?
}
