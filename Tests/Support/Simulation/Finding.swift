/// What a run found that must not be.
public struct Finding: Hashable, Sendable, CustomStringConvertible {
  /// The step after which it was seen, counted from 0; later than the last for what came at the end.
  public let step: Int
  /// What it was.
  public let words: String

  /// What kind of thing it was: its words without their numbers.
  public var kind: String { String(words.filter { !$0.isNumber }.prefix(60)) }

  /// When, and what.
  public var description: String { "after step \(step): \(words)" }
}
