/// A local write that met another change at the source: the three versions of the object.
public struct Conflict<Value: Sendable>: Sendable {
  /// The key.
  public let key: String
  /// The last known state of the source before the local writes; `nil` when it held nothing, or is
  /// unknown.
  public let base: Value?
  /// The object with all local writes of the key, up to one that was made from another version or comes
  /// after another write; `nil` when they delete it. Those that are left out stay behind the resolution,
  /// whatever it is: none of them is replaced or discarded.
  public let local: Value?
  /// The source's current state; `nil` when it holds nothing.
  public let remote: Value?
}
