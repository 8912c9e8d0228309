/// A local write that met another change at the source: the three versions of the object.
public struct Conflict<Value: Sendable>: Sendable {
  /// The key.
  public let key: String
  /// What the source was last known to hold before the local writes; `nil` when that is nothing, or
  /// not known.
  public let base: Value?
  /// The object with all local writes; `nil` when they delete it.
  public let local: Value?
  /// What the source holds now; `nil` when it holds nothing.
  public let remote: Value?
}
