/// A local write of a value that states its basis.
public struct Saved<Value: Sendable>: Sendable {
  /// The entry in the outbox.
  public let entry: OutboxEntry
  /// What was written, as the basis of the next write of the same form: only with it do the two not conflict
  /// with each other, even where the source accepts the first one as another value. A collection that merges
  /// merges the second one into that value.
  public let basis: Basis<Value>
}
