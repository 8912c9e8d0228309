/// A field of a form: its name, its rules, and its dependants.
///
/// ```swift
/// FormField(\.password, "password", .length(min: 8), dependants: ["repeated"])
/// FormField(\.nick, "nick", .notBlank, asking: nickIsFree) { $0.lowercased() }
/// ```
public struct FormField<Model>: Sendable {
  /// The first component of its issues' paths.
  public let name: String
  /// The names of the fields whose validity depends on this one's value.
  public let dependants: [String]

  let keyPath: any PartialKeyPath<Model> & Sendable
  let rule: Rule<Model>
  let asking: AsyncRule<Model>?
  let normalize: (@Sendable (inout Model) -> Void)?

  /// Creates a field.
  ///
  /// - Parameters:
  ///   - rule: The synchronous rule. When it is broken, `asking` is not asked.
  ///   - asking: The asynchronous rule.
  ///   - normalize: Changes a value before it is validated, such as by trimming it. It is part of the assignment
  ///     and must not use the form.
  public init<Value>(
    _ keyPath: any WritableKeyPath<Model, Value> & Sendable, _ name: String,
    _ rule: Rule<Value> = .pass, asking: AsyncRule<Value>? = nil, dependants: [String] = [],
    normalize: (@Sendable (Value) -> Value)? = nil
  ) {
    self.name = name
    self.dependants = dependants
    self.keyPath = keyPath
    self.rule = .field(keyPath, name, rule)
    self.asking = asking.map { AsyncRule.field(keyPath, name, $0) }
    guard let normalize else {
      self.normalize = nil
      return
    }
    self.normalize = { model in model[keyPath: keyPath] = normalize(model[keyPath: keyPath]) }
  }

  /// Creates a field of optional type. Its rules concern only a present value, so `nil` is valid. To demand a
  /// value, use ``Rule/required``.
  public init<Value>(
    _ keyPath: any WritableKeyPath<Model, Value?> & Sendable, _ name: String,
    _ rule: Rule<Value>, asking: AsyncRule<Value?>? = nil, dependants: [String] = [],
    normalize: (@Sendable (Value?) -> Value?)? = nil
  ) {
    self.init(
      keyPath, name, rule.ifPresent, asking: asking, dependants: dependants, normalize: normalize)
  }
}

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

  /// Adds an issue found elsewhere. It may make the field invalid, and ends no validation.
  mutating func add(_ issue: Issue) {
    report.merge(Report([issue]))
    if !report.isValid { phase = .invalid }
  }
}

/// The progress of the validation of a field, or of a form.
public enum FormPhase: String, Sendable, Hashable, CaseIterable {
  /// Its present value was not validated.
  case idle
  /// It keeps the synchronous rules; the answer of an asynchronous rule is pending.
  case validating
  /// It keeps its rules.
  case valid
  /// It breaks a rule.
  case invalid
  /// A rule is undecided; the report's omissions say why.
  case failed
}

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

  /// The overall progress of the validation: invalid when a part is invalid; else failed, validating or idle when a
  /// field is.
  public var phase: FormPhase {
    if !whole.isValid { return .invalid }
    var phases = Set(fields.map(\.phase))
    if whole.outcome == .undecided { phases.insert(.failed) }
    return [FormPhase.invalid, .failed, .validating, .idle].first(where: phases.contains) ?? .valid
  }

  /// True when every field was validated and keeps its rules.
  public var isValid: Bool { phase == .valid }
}
