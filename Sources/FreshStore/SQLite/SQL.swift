/// One SQL statement of the package: a constant, prepared once per connection and found again by
/// identity.
///
/// Instances are static constants beside the operation that runs them; none is ever built from
/// data, so no value can become SQL.
final class SQL: Sendable {
  let text: String

  init(_ text: String) {
    self.text = text
  }
}
