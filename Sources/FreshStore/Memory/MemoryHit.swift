/// A record in memory, and the gate's decision on it.
@usableFromInline
struct MemoryHit: Sendable {
  /// A ``ValueBox``, if it has a value.
  @usableFromInline let hasValue: Bool
  @usableFromInline let box: any AnyObject & Sendable
  @usableFromInline let origin: CopyOrigin?
  @usableFromInline let decision: Decision
  /// True when the value may be served.
  @usableFromInline let isServable: Bool
  /// The row, and its checksum.
  let row: Int64
  let checksum: Int64
}
