/// A local write that met another change at the source: the three versions of the object.
public struct Conflict<Value: Sendable>: Sendable {
  /// The key.
  public let key: String
  /// The last known state of the source before the local writes; `nil` when it held nothing, or is
  /// unknown.
  public let base: Value?
  /// The object with all local writes; `nil` when they delete it.
  public let local: Value?
  /// The source's current state; `nil` when it holds nothing.
  public let remote: Value?
}
