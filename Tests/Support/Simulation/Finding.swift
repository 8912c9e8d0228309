/// A violation that a run found.
public struct Finding: Hashable, Sendable, CustomStringConvertible {
  /// The step after which it was seen, counted from 0; a higher number for the end of the run.
  public let step: Int
  /// Its description.
  public let words: String

  /// The kind of violation: its description without numbers.
  public var kind: String { String(words.filter { !$0.isNumber }.prefix(60)) }

  /// The time and the description.
  public var description: String { "after step \(step): \(words)" }
}
