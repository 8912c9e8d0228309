/// A condition written by hand, behind a call that the compiler cannot see through: the equivalent
/// in a program that keeps its conditions as values, too.
final class Condition<Value: Sendable>: Sendable {
  private let isSatisfied: @Sendable (Value) -> Bool

  init(_ isSatisfied: @escaping @Sendable (Value) -> Bool) {
    self.isSatisfied = isSatisfied
  }

  @inline(never)
  func holds(for value: Value) -> Bool { isSatisfied(value) }
}
