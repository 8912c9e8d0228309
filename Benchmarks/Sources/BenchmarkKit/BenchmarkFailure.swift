/// The error of a measurement that could not be made.
public struct BenchmarkFailure: Error, CustomStringConvertible {
  /// The reason, in words.
  public let words: String
  /// The reason, in words.
  public var description: String { words }

  /// Creates a failure.
  public init(words: String) {
    self.words = words
  }
}
