/// How far the validation of a field, or of a form, has come.
public enum FormPhase: String, Sendable, Hashable, CaseIterable {
  /// It was not validated as it is now.
  case idle
  /// It keeps the rules that answer at once; the answer of one that does not is awaited.
  case validating
  /// It keeps its rules.
  case valid
  /// It breaks a rule.
  case invalid
  /// A rule could not tell; the report's omissions say why.
  case failed
}
