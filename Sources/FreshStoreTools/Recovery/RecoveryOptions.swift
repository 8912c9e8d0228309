internal import FreshStore

/// What a recovery may do.
public struct RecoveryOptions: Sendable {
  /// False, and nothing is made when some of the local writes cannot be read; true, and those that
  /// can be read are taken over.
  public var acceptsLostWrites = false

  /// The defaults: no local write is lost silently.
  public init() {}
}
