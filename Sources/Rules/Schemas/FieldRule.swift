/// A rule of a field, and when it applies.
struct FieldRule<Model, Value>: Sendable {
  let rule: Rule<Value>
  let scope: Scope
  /// Whether it is skipped when the field is empty; `nil` to follow the field.
  let skipsEmpty: Bool?
  /// Whether it demands a value.
  let isPresence: Bool
  let condition: (@Sendable (Model) -> Bool)?
}
