/// The fields validated when a field of a form is set.
public enum FormScope: String, Sendable, Hashable, CaseIterable {
  /// That field.
  case field
  /// That field and its dependants, theirs included.
  case dependants
  /// All fields.
  case all
}
