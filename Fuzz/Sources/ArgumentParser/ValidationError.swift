/// Replaces the error of swift-argument-parser, the only part of it that the command's readers of
/// texts need: the fuzzer is built without other packages.
public struct ValidationError: Error {
  /// The fault, for people.
  public let message: String

  /// Creates an error.
  public init(_ message: String) {
    self.message = message
  }
}
