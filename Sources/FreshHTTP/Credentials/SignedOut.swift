/// Nobody is signed in: thrown by the closures of ``Credentials`` when the application, or its user, has to
/// sign in before anything can be asked.
public struct SignedOut: Error, Sendable, Hashable {
  /// Creates the error.
  public init() {}
}
