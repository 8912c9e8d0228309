/// What is known of a field of a form.
public struct FormFieldState: Sendable, Hashable {
  /// The field's name.
  public let name: String
  /// How far its validation has come.
  public internal(set) var phase: FormPhase = .idle
  /// What its rules found; their paths begin with the field's name.
  public internal(set) var report: Report = .valid

  /// Its issues.
  public var issues: [Issue] { report.issues }

  /// Takes over what its rules found.
  mutating func conclude(_ report: Report) {
    self.report = report
    phase = !report.isValid ? .invalid : report.outcome == .undecided ? .failed : .valid
  }

  /// Adds what was found elsewhere: it may make the field invalid, and ends no validation.
  mutating func add(_ issue: Issue) {
    report.merge(Report([issue]))
    if !report.isValid { phase = .invalid }
  }
}
