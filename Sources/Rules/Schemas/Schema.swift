/// The rules of a model, field by field and as a whole, and the steps that normalise it.
///
/// A schema needs nothing of the model's type, so it serves types of other modules as well, and one type can have
/// several schemas. Checking never changes a model; normalising is a separate step.
///
///     let schema = Schema<Article> {
///       Field(\Article.title, "title").trimmed().required().rule(.length(max: 200))
///       Field(\Article.author, "author").required(on: ["create"]).unsafe(in: ["update"])
///       Rule.fields(\Article.start, "start", .less, \Article.end, "end")
///     }
///
/// Fields and rules are asked in the order of their declaration. A field is *active* in a scenario when it has a
/// rule, a step or a mark there. A scenario exists when a part of the schema names it. Any other scenario is
/// unknown, and no model is valid in it.
public struct Schema<Model>: Sendable {
  /// The existing scenarios.
  public let scenarios: Set<Scenario>
  /// The names of the fields, in order.
  public let fieldNames: [String]

  let parts: [SchemaPart<Model>]
  let fields: [String: AnyField<Model>]

  /// Creates a schema; a field's name occurs once.
  ///
  /// - Parameter scenarios: The scenarios that exist besides ``Scenario/default`` and those that the parts name.
  public init(
    scenarios: Set<Scenario> = [], @SchemaBuilder<Model> _ parts: () -> [SchemaPart<Model>]
  ) {
    let parts = parts()
    let fields = parts.compactMap { if case .field(let field) = $0.kind { field } else { nil } }
    let named = parts.flatMap { part in
      switch part.kind {
      case .field(let field): field.scopes.flatMap(\.named)
      case .rule(let rule): Array(rule.scope.named)
      }
    }
    self.parts = parts
    self.scenarios = scenarios.union(named).union([.default])
    self.fields = Dictionary(fields.map { ($0.name, $0) }) { first, _ in
      preconditionFailure("the field \(first.name) is declared twice")
    }
    fieldNames = fields.map(\.name)
  }

  /// The fields that rules, steps or marks concern in a scenario, in order.
  public func activeFields(in scenario: Scenario = .default) -> [String] {
    names(in: scenario) { $0.isActive(in: scenario) }
  }

  /// The active fields that mass assignment may write, in order.
  public func safeFields(in scenario: Scenario = .default) -> [String] {
    names(in: scenario) { $0.isSafe(in: scenario) }
  }

  /// The fields that must not be empty in a scenario for any model, in order.
  public func requiredFields(in scenario: Scenario = .default) -> [String] {
    names(in: scenario) { $0.isRequired(in: scenario) }
  }

  private func names(
    in scenario: Scenario, _ isIncluded: (AnyField<Model>) -> Bool
  ) -> [String] {
    guard scenarios.contains(scenario) else { return [] }
    return fieldNames.filter { fields[$0].map(isIncluded) ?? false }
  }

  /// Reports every way in which a model breaks its rules in a scenario, or the first; changes nothing.
  ///
  /// A scenario that does not exist is an issue, `unknown-scenario`.
  public func check(
    _ model: Model, in scenario: Scenario = .default, _ mode: Findings.Mode = .all
  ) -> Report {
    rule(in: scenario).check(model, mode)
  }

  /// The same for some of the fields, without the rules about the model as a whole. A name without a field is an
  /// issue, `unknown-field`.
  public func check(
    _ model: Model, only names: [String], in scenario: Scenario = .default,
    _ mode: Findings.Mode = .all
  ) -> Report {
    let (known, wanted) = (Set(fieldNames), Set(names))
    var report = Rule { apply(to: $0, in: scenario, only: wanted, &$1) }.check(model, mode)
    for name in names where !known.contains(name) {
      report.merge(Report([Issue("unknown-field", path: IssuePath([.field(name)]))]))
    }
    return report
  }

  /// Normalises a model and checks the result.
  public func admit(
    _ model: Model, in scenario: Scenario = .default
  ) -> (model: Model, report: Report) {
    let model = normalise(model, in: scenario)
    return (model, check(model, in: scenario))
  }

  /// A model with its fields' steps applied, in the order of the fields and of their steps.
  ///
  /// Nothing changes in a scenario that does not exist. A model of a class is itself changed.
  public func normalise(_ model: Model, in scenario: Scenario = .default) -> Model {
    guard scenarios.contains(scenario) else { return model }
    var model = model
    for name in fieldNames { fields[name]?.normalise(&model, scenario) }
    return model
  }

  /// The schema as a rule, for use wherever a rule is accepted.
  public var rule: Rule<Model> { rule(in: .default) }

  /// The schema in a scenario as a rule.
  public func rule(in scenario: Scenario) -> Rule<Model> {
    Rule { apply(to: $0, in: scenario, only: nil, &$1) }
  }

  private func apply(
    to model: Model, in scenario: Scenario, only names: Set<String>?, _ findings: inout Findings
  ) -> Outcome {
    guard scenarios.contains(scenario) else {
      return findings.fail(
        Issue("unknown-scenario", parameters: ["scenario": .text(scenario.rawValue)]))
    }
    let firstIssue = findings.issues.count
    var outcome: Outcome = .passed
    for part in parts {
      switch part.kind {
      case .field(let field):
        if let names, !names.contains(field.name) { continue }
        outcome = outcome.and(field.check(model, scenario, &findings))
      case .rule(let rule):
        guard names == nil, rule.scope.includes(scenario) else { continue }
        outcome = outcome.and(rule.apply(to: model, &findings, from: firstIssue))
      }
      if findings.isEnough(after: outcome) { break }
    }
    return outcome
  }

  /// Assigns the values that the scenario allows to fields by name, in the object's order. No rule is asked and no
  /// step applied.
  ///
  /// - Parameters:
  ///   - includingUnsafe: Whether unsafe and inactive fields are assigned, too. For values that come from the
  ///     program and not from outside.
  public func assign(
    _ values: JSONObject, to model: inout Model, in scenario: Scenario = .default,
    _ policy: Assignment.Policy = .whatFits, includingUnsafe: Bool = false
  ) -> Assignment {
    var assignment = Assignment()
    var changes: [(inout Model) -> Void] = []
    for member in values.members {
      guard let field = fields[member.name] else {
        assignment.unknown.append(member.name)
        continue
      }
      if let rejection = rejection(of: field, in: scenario, includingUnsafe) {
        assignment.rejected[member.name] = rejection
        continue
      }
      do throws(JSONTypeError) {
        changes.append(try field.assigning(member.value))
        assignment.assigned.append(member.name)
      } catch {
        assignment.wrongType[member.name] = error
      }
    }
    if policy == .allOrNothing, !assignment.isComplete {
      assignment.assigned = []
    } else {
      for change in changes { change(&model) }
    }
    return assignment
  }

  /// The values of a model's fields by name, `nil` as `null`. Fields without a JSON form are left out.
  ///
  /// - Parameters:
  ///   - names: The fields to read; all by default. Names without a field are left out.
  ///   - exceptions: Fields not to read.
  /// - Throws: ``JSONNumberError`` when a value is NaN or an infinity.
  public func attributes(
    of model: Model, only names: [String]? = nil, except exceptions: Set<String> = []
  ) throws(JSONNumberError) -> JSONObject {
    var object = JSONObject()
    for name in names ?? fieldNames where !exceptions.contains(name) {
      if let attribute = fields[name]?.attribute { object[name] = try attribute(model) }
    }
    return object
  }

  private func rejection(
    of field: AnyField<Model>, in scenario: Scenario, _ includingUnsafe: Bool
  ) -> Assignment.Rejection? {
    if !scenarios.contains(scenario) { return .unknownScenario }
    if !field.isWritable { return .readOnly }
    if includingUnsafe || field.isSafe(in: scenario) { return nil }
    return field.isActive(in: scenario) ? .unsafe : .inactive
  }
}

/// The result of assigning values to a model's fields by name.
public struct Assignment: Sendable, Hashable {
  /// Whether a value that does not fit prevents the assignment of the others.
  public enum Policy: String, Sendable, Hashable, CaseIterable {
    /// Values that fit are assigned, and the rest reported.
    case whatFits
    /// Nothing is assigned unless everything fits.
    case allOrNothing
  }

  /// Why a field may not be assigned.
  public enum Rejection: String, Sendable, Hashable, CaseIterable {
    /// It is marked unsafe in this scenario.
    case unsafe
    /// Nothing in this scenario concerns it.
    case inactive
    /// It is read-only, or cannot be read from JSON.
    case readOnly = "read-only"
    /// The scenario does not exist.
    case unknownScenario = "unknown-scenario"
  }

  /// The fields that have their new values, in order.
  public internal(set) var assigned: [String] = []
  /// The fields that may not be assigned, and why.
  public internal(set) var rejected: [String: Rejection] = [:]
  /// The names without a field, in order.
  public internal(set) var unknown: [String] = []
  /// The fields whose values are of another type.
  public internal(set) var wrongType: [String: JSONTypeError] = [:]

  /// True when nothing was rejected, unknown or of the wrong type.
  public var isComplete: Bool { rejected.isEmpty && unknown.isEmpty && wrongType.isEmpty }

  /// The same as issues, by name: a wrong type is a must, any other fault a should.
  public var report: Report {
    let rejections = rejected.sorted { $0.key < $1.key }.map { name, reason in
      Issue(
        "not-assignable", path: IssuePath([.field(name)]),
        parameters: ["reason": .text(reason.rawValue)], severity: .should)
    }
    let strangers = unknown.map {
      Issue("unknown-field", path: IssuePath([.field($0)]), severity: .should)
    }
    let mistakes = wrongType.sorted { $0.key < $1.key }.map { name, error in
      Issue(
        "wrong-type", path: error.path.inside(.field(name)),
        parameters: ["expected": .text(error.expected), "found": .text(error.found.rawValue)])
    }
    return Report(mistakes + rejections + strangers)
  }
}
