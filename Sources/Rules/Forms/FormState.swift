/// What is known of a form at one moment.
public struct FormState: Sendable, Hashable {
  /// What is known of each field, in the order of their declaration.
  public internal(set) var fields: [FormFieldState]
  /// What belongs to no field.
  public internal(set) var whole: Report = .valid

  /// What is known of a field; `nil` when there is none of that name.
  public subscript(name: String) -> FormFieldState? { fields.first { $0.name == name } }

  /// Everything that is wrong, in the order of the fields.
  public var report: Report {
    fields.reduce(into: whole) { $0.merge($1.report) }
  }

  /// How far the validation has come, all in all: invalid when something is; else failed, validating
  /// or idle when a field is.
  public var phase: FormPhase {
    if !whole.isValid { return .invalid }
    var phases = Set(fields.map(\.phase))
    if whole.outcome == .undecided { phases.insert(.failed) }
    return [FormPhase.invalid, .failed, .validating, .idle].first(where: phases.contains) ?? .valid
  }

  /// True when every field was validated and keeps its rules.
  public var isValid: Bool { phase == .valid }
}
