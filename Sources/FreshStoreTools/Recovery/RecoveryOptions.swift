internal import FreshStore

/// The options of a recovery.
public struct RecoveryOptions: Sendable {
  /// If false, nothing is created when some of the local writes cannot be read; if true, the
  /// readable ones are recovered.
  public var acceptsLostWrites = false

  /// The defaults: no local write is lost silently.
  public init() {}
}
