/// The error of a malformed pattern. Thrown when a rule is made, never when a value is checked.
public struct PatternError: Error, Sendable, Hashable {
  /// The pattern.
  public let pattern: String
  /// The number of well-formed characters at its start.
  public let offset: Int
  /// The fault in the rest.
  public let reason: String
}

extension PatternError: CustomStringConvertible {
  /// The reason and its position.
  public var description: String { "pattern, character \(offset + 1): \(reason)" }
}
