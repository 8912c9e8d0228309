/// A decoded value.
@usableFromInline
final class ValueBox<Value: Sendable>: Sendable {
  /// `nil` when the source says that the object does not exist.
  @usableFromInline let value: Value?

  init(_ value: Value?) {
    self.value = value
  }
}
