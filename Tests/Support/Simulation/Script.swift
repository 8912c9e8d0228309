import Foundation

/// A world and its events: a complete description of a run.
public struct Script: Codable, Hashable, Sendable {
  /// The world.
  public var setting: Setting
  /// The events.
  public var steps: [Step]

  /// Creates a script.
  public init(setting: Setting, steps: [Step]) {
    (self.setting, self.steps) = (setting, steps)
  }

  /// Reads the output of ``text``.
  public init(text: String) throws {
    let decoder = JSONDecoder()
    let lines = text.split(separator: "\n").map { Data($0.utf8) }
    guard let first = lines.first else { throw CocoaError(.fileReadCorruptFile) }
    setting = try decoder.decode(Setting.self, from: first)
    steps = try lines.dropFirst().map { try decoder.decode(Step.self, from: $0) }
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
