/// A decoded value.
@usableFromInline
final class ValueBox<Value: Sendable>: Sendable {
  @usableFromInline let value: Value

  @inlinable
  init(_ value: Value) {
    self.value = value
  }
}
