/// Why a text is no pattern. Thrown when a rule is made, never when a value is checked.
public struct PatternError: Error, Sendable, Hashable {
  /// The pattern.
  public let pattern: String
  /// How many characters of it are in order.
  public let offset: Int
  /// What is wrong with what follows.
  public let reason: String
}

extension PatternError: CustomStringConvertible {
  /// The reason and where it lies.
  public var description: String { "pattern, character \(offset + 1): \(reason)" }
}
