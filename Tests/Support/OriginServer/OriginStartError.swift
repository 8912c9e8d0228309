/// Why an ``OriginServer`` could not begin to listen.
public struct OriginStartError: Error, CustomStringConvertible {
  /// One line for people.
  public let description: String
}
