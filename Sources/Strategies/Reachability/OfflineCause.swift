/// Why no packet can leave for the source, in plain English.
public struct OfflineCause: Sendable, Hashable {
  /// The cause in plain English.
  public let description: String

  /// Creates a cause from a text. A literal is not copied, so that reporting it allocates nothing.
  public init(_ text: String) {
    description = text
  }
}

extension OfflineCause: CustomStringConvertible {}

extension OfflineCause: ExpressibleByStringInterpolation {
  /// Creates a cause from a text.
  public init(stringLiteral text: String) {
    self.init(text)
  }
}
