/// A field of any type of value.
struct AnyField<Model>: Sendable {
  let name: String
  let scopes: [Scope]
  let marks: [(scope: Scope, isSafe: Bool)]
  let presence: [Scope]
  let isWritable: Bool
  let check: @Sendable (Model, Scenario, inout Findings) -> Outcome
  let normalise: @Sendable (inout Model, Scenario) -> Void
  /// Reads a value and returns its writer, so that nothing is written before everything is read.
  let assigning: @Sendable (JSONValue) throws(JSONTypeError) -> (inout Model) -> Void
  let attribute: (@Sendable (Model) throws(JSONNumberError) -> JSONValue)?

  init<Value>(_ field: Field<Model, Value>) {
    name = field.name
    marks = field.marks
    scopes = field.rules.map(\.scope) + field.steps.map(\.scope) + field.marks.map(\.scope)
    presence = field.rules.filter { $0.isPresence && $0.condition == nil }.map(\.scope)
    isWritable = field.write != nil && field.decode != nil
    check = { model, scenario, findings in field.check(model, scenario, &findings) }
    normalise = { model, scenario in field.normalise(&model, scenario) }
    let (write, decode, encode, read) = (field.write, field.decode, field.encode, field.read)
    assigning = {
      (json) throws(JSONTypeError) -> (inout Model) -> Void in
      guard let write, let decode else { return { _ in } }
      let value = try decode(json)
      return { write(&$0, value) }
    }
    if let encode {
      attribute = { (model: Model) throws(JSONNumberError) -> JSONValue in
        try encode(read(model))
      }
    } else {
      attribute = nil
    }
  }

  func isActive(in scenario: Scenario) -> Bool { scopes.contains { $0.includes(scenario) } }

  func isSafe(in scenario: Scenario) -> Bool {
    isActive(in: scenario) && (marks.last { $0.scope.includes(scenario) }?.isSafe ?? true)
  }

  func isRequired(in scenario: Scenario) -> Bool { presence.contains { $0.includes(scenario) } }
}

extension Field {
  fileprivate func check(
    _ model: Model, _ scenario: Scenario, _ findings: inout Findings
  ) -> Outcome {
    var inner = Findings(mode: stopsAtFirst ? .first : findings.mode)
    var outcome: Outcome = .skipped
    var value: Value?
    for rule in rules where rule.scope.includes(scenario) {
      let present = value ?? read(model)
      value = present
      outcome = outcome.and(apply(rule, to: present, of: model, &inner))
      if inner.isEnough(after: outcome) { break }
    }
    // Most values keep their rules, and pay for no report.
    guard !inner.isEmpty else { return outcome }
    inner.move(inside: { .field(name) }, from: 0, 0)
    return findings.add(
      Report(inner.issues.map(labelled), omissions: inner.omissions, outcome: outcome))
  }

  private func apply(
    _ rule: FieldRule<Model, Value>, to value: Value, of model: Model, _ findings: inout Findings
  ) -> Outcome {
    if rule.skipsEmpty ?? skipsEmpty, isEmpty(value) { return findings.skip("it is empty") }
    if let condition = rule.condition, !condition(model) {
      return findings.skip("its condition does not hold")
    }
    return rule.rule.apply(to: value, &findings)
  }

  private func labelled(_ issue: Issue) -> Issue {
    guard let label, issue.parameters["label"] == nil else { return issue }
    var issue = issue
    issue.parameters["label"] = .text(label)
    return issue
  }

  fileprivate func normalise(_ model: inout Model, _ scenario: Scenario) {
    guard let write else { return }
    for step in steps where step.scope.includes(scenario) {
      write(&model, step.change(read(model), model))
    }
  }
}
