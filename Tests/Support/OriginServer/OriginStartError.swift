/// The reason why an ``OriginServer`` could not listen.
public struct OriginStartError: Error, CustomStringConvertible {
  /// One line for people.
  public let description: String
}
