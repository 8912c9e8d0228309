public import FreshStore

/// The failure of a request to a ``ScriptedServer``.
public struct ScriptedFailure: FetchErrorTraits, Hashable, CustomStringConvertible {
  /// The failure in words.
  public let description: String
  /// True when it concerns the whole origin.
  public let blamesOrigin: Bool
  /// True when nothing answered, so that the route is suspected.
  public let isUnreachable: Bool
  /// The pause that the server asks for.
  public let retryAfter: Duration?

  /// Creates a failure: by default a broken connection.
  public init(
    _ description: String = "the connection broke", blamesOrigin: Bool = true,
    isUnreachable: Bool = false, retryAfter: Duration? = nil
  ) {
    self.description = description
    self.blamesOrigin = blamesOrigin
    self.isUnreachable = isUnreachable
    self.retryAfter = retryAfter
  }
}
