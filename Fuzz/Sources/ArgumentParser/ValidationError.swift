/// Stands in for the error of swift-argument-parser, which is all that the command's readers of texts
/// need of it: the fuzzer is built without other packages.
public struct ValidationError: Error {
  /// What is wrong, for people.
  public let message: String

  /// Creates an error.
  public init(_ message: String) {
    self.message = message
  }
}
