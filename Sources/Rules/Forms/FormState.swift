/// The validation state of a form at one moment.
public struct FormState: Sendable, Hashable {
  /// The state of each field, in the order of their declaration.
  public internal(set) var fields: [FormFieldState]
  /// The findings that belong to no field.
  public internal(set) var whole: Report = .valid

  /// The state of a field; `nil` when there is none of that name.
  public subscript(name: String) -> FormFieldState? { fields.first { $0.name == name } }

  /// All findings, in the order of the fields.
  public var report: Report {
    fields.reduce(into: whole) { $0.merge($1.report) }
  }

  /// The overall progress of the validation: invalid when something is; else failed, validating or
  /// idle when a field is.
  public var phase: FormPhase {
    if !whole.isValid { return .invalid }
    var phases = Set(fields.map(\.phase))
    if whole.outcome == .undecided { phases.insert(.failed) }
    return [FormPhase.invalid, .failed, .validating, .idle].first(where: phases.contains) ?? .valid
  }

  /// True when every field was validated and keeps its rules.
  public var isValid: Bool { phase == .valid }
}
