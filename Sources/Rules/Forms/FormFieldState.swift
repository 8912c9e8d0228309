/// The validation state of a form's field.
public struct FormFieldState: Sendable, Hashable {
  /// The field's name.
  public let name: String
  /// The progress of its validation.
  public internal(set) var phase: FormPhase = .idle
  /// The findings of its rules; their paths begin with the field's name.
  public internal(set) var report: Report = .valid

  /// Its issues.
  public var issues: [Issue] { report.issues }

  /// Takes over the findings of its rules.
  mutating func conclude(_ report: Report) {
    self.report = report
    phase = !report.isValid ? .invalid : report.outcome == .undecided ? .failed : .valid
  }

  /// Adds an issue found elsewhere: it may make the field invalid, and ends no validation.
  mutating func add(_ issue: Issue) {
    report.merge(Report([issue]))
    if !report.isValid { phase = .invalid }
  }
}
