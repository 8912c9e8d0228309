/// The requirements of a schema on one value of a document, parsed and ready to be applied.
struct DocumentNode: Sendable {
  /// One statement about the value.
  enum Part: Sendable {
    case rule(Rule<JSONValue>)
    case each(DocumentNode)
    case eachValue(DocumentNode)
    case members(DocumentMembers)
    case relation(DocumentRelation)
    case all([DocumentNode])
    case any([DocumentNode])
    case not(DocumentNode)
  }

  /// The allowed kinds of the value; any, when empty.
  var kinds: [JSONKind] = []
  var isNullable = false
  var skipsEmpty = false
  var parts: [Part] = []
  var severity: Severity = .must
  var message: String?
  var name: String?

  func accepts(_ value: JSONValue) -> Bool {
    if value == .null, isNullable { return true }
    return kinds.isEmpty || kinds.contains { $0.includes(value.kind) }
  }

  func check(
    _ value: JSONValue, in scenario: Scenario, _ findings: inout Findings
  ) -> Outcome {
    let (firstIssue, firstOmission) = (findings.issues.count, findings.omissions.count)
    let outcome = find(value, scenario, &findings)
    if severity == .should || message != nil || name != nil {
      findings.change(from: firstIssue, firstOmission, issue: decorate) {
        if $0.rule == nil { $0.rule = name }
      }
    }
    return outcome
  }

  private func decorate(_ issue: inout Issue) {
    if severity == .should { issue.severity = .should }
    if let message, issue.path.components.isEmpty { issue.wording = message }
    if issue.rule == nil { issue.rule = name }
  }

  private func find(
    _ value: JSONValue, _ scenario: Scenario, _ findings: inout Findings
  ) -> Outcome {
    if value == .null, isNullable { return .passed }
    guard accepts(value) else {
      return findings.fail(
        Issue(
          "wrong-type",
          parameters: [
            "expected": .list(kinds.map { .text($0.rawValue) }),
            "found": .text(value.kind.rawValue),
          ]))
    }
    if skipsEmpty, value.isEmpty { return findings.skip("it is empty") }
    var outcome: Outcome = .passed
    for part in parts {
      outcome = outcome.and(part.check(value, in: scenario, &findings))
      if findings.isEnough(after: outcome) { break }
    }
    return outcome
  }

  func rule(in scenario: Scenario) -> Rule<JSONValue> {
    Rule { value, findings in check(value, in: scenario, &findings) }
  }
}

extension DocumentNode.Part {
  fileprivate func check(
    _ value: JSONValue, in scenario: Scenario, _ findings: inout Findings
  ) -> Outcome {
    switch self {
    case .rule(let rule): return rule.apply(to: value, &findings)
    case .all(let nodes):
      return Rule.all(nodes.map { $0.rule(in: scenario) }).apply(to: value, &findings)
    case .any(let nodes):
      return Rule.any(nodes.map { $0.rule(in: scenario) }).apply(to: value, &findings)
    case .not(let node): return Rule.not(node.rule(in: scenario)).apply(to: value, &findings)
    case .each(let node):
      guard case .array(let items) = value else { return .skipped }
      return Rule<[JSONValue]>.each(node.rule(in: scenario)).apply(to: items, &findings)
    case .eachValue(let node):
      guard case .object(let object) = value else { return .skipped }
      var outcome: Outcome = .passed
      for member in object.members {
        outcome = outcome.and(
          findings.check(member.value, at: .field(member.name), node.rule(in: scenario)))
        if findings.isEnough(after: outcome) { break }
      }
      return outcome
    case .members(let members):
      guard case .object(let object) = value else { return .skipped }
      return members.check(object, in: scenario, &findings)
    case .relation(let relation):
      guard case .object(let object) = value else { return .skipped }
      return relation.check(object, in: scenario, &findings)
    }
  }
}

extension DocumentNode {
  /// The value with the steps of its fields applied, at every depth.
  func normalised(_ value: JSONValue, in scenario: Scenario) -> JSONValue {
    parts.reduce(value) { value, part in
      switch (part, value) {
      case (.members(let members), .object(let object)):
        .object(members.normalised(object, in: scenario))
      case (.each(let node), .array(let items)):
        .array(items.map { node.normalised($0, in: scenario) })
      case (.eachValue(let node), .object(let object)):
        .object(
          JSONObject(object.members.map { ($0.name, node.normalised($0.value, in: scenario)) }))
      default: value
      }
    }
  }
}
