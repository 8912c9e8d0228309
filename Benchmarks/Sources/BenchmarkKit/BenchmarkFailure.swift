/// Why something could not be measured.
public struct BenchmarkFailure: Error, CustomStringConvertible {
  /// Why, in words.
  public let words: String
  /// Why, in words.
  public var description: String { words }

  /// Creates a failure.
  public init(words: String) {
    self.words = words
  }
}
