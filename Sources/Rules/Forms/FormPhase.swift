/// The progress of the validation of a field, or of a form.
public enum FormPhase: String, Sendable, Hashable, CaseIterable {
  /// Its present value was not validated.
  case idle
  /// It keeps the synchronous rules; the answer of an asynchronous one is pending.
  case validating
  /// It keeps its rules.
  case valid
  /// It breaks a rule.
  case invalid
  /// A rule is undecided; the report's omissions say why.
  case failed
}
