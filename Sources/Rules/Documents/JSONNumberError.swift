/// A floating-point value that is not a JSON number: NaN or an infinity (RFC 8259, section 6).
public struct JSONNumberError: Error, Sendable, CustomStringConvertible {
  /// The value.
  public let value: Double

  /// The problem and the remedy.
  public var description: String {
    "JSON has no \(value): use null, or a text that says so"
  }
}
