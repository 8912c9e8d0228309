/// A normalising step of a field, and when it applies.
struct FieldStep<Model, Value>: Sendable {
  let scope: Scope
  let change: @Sendable (Value, Model) -> Value
}
