extension Schema {
  /// Reports every way in which a model breaks its rules in a scenario, or the first; changes
  /// nothing.
  ///
  /// A scenario that does not exist is an issue, `unknown-scenario`.
  public func check(
    _ model: Model, in scenario: Scenario = .default, _ mode: Findings.Mode = .all
  ) -> Report {
    rule(in: scenario).check(model, mode)
  }

  /// The same for some of the fields, without the rules about the model as a whole. A name that
  /// matches no field is an issue, `unknown-field`.
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

  /// A model with its fields' steps applied: fields in order, and each one's steps in order.
  ///
  /// In a scenario that does not exist nothing changes. A model that is an object is changed itself.
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
}
