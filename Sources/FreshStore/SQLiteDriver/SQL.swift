internal import Synchronization

/// One SQL statement of the package: a constant, prepared once per connection and found again by
/// its number.
///
/// Instances are static constants beside the operation that runs them; none is ever built from
/// data, so no value can become SQL.
package final class SQL: Sendable {
  let text: String
  /// A unique small number: the count of the statements made before it.
  let number: Int

  private static let made = Atomic(0)

  package init(_ text: String) {
    self.text = text
    number = Self.made.add(1, ordering: .relaxed).oldValue
  }
}
