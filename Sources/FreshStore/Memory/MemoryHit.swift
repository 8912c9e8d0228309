/// A record in memory, and the gate's decision on it.
@usableFromInline
struct MemoryHit: Sendable {
  /// A ``ValueBox``, if it has a value.
  @usableFromInline let box: any AnyObject & Sendable
  @usableFromInline let origin: CopyOrigin?
  @usableFromInline let decision: Decision

  /// False when the source reported that the object does not exist.
  @usableFromInline let hasValue: Bool
}
