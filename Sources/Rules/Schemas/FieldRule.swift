/// A rule of a field, and when it applies.
struct FieldRule<Model, Value>: Sendable {
  let rule: Rule<Value>
  let scope: Scope
  /// Whether it is skipped when the field is empty; `nil` for what the field says.
  let skipsEmpty: Bool?
  /// Whether it demands that there be something.
  let isPresence: Bool
  let condition: (@Sendable (Model) -> Bool)?
}
