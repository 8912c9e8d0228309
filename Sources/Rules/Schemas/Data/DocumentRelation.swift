/// A rule between the fields of an object in a document: an entry of the key `rules`.
struct DocumentRelation: Sendable {
  /// The relation required between the fields.
  enum Kind: Sendable {
    case compare(String, Relation, String)
    case present(Quantity, [String])
    case named(Rule<JSONValue>)
  }

  /// The required number of present fields.
  enum Quantity: String, Sendable, CaseIterable {
    case atLeastOneOf
    case atMostOneOf
    case exactlyOneOf
    case allOrNoneOf

    func allows(_ count: Int, of total: Int) -> Bool {
      switch self {
      case .atLeastOneOf: count >= 1
      case .atMostOneOf: count <= 1
      case .exactlyOneOf: count == 1
      case .allOrNoneOf: count == 0 || count == total
      }
    }

    var code: String {
      switch self {
      case .atLeastOneOf: "none-of-fields"
      case .atMostOneOf: "several-of-fields"
      case .exactlyOneOf: "not-one-of-fields"
      case .allOrNoneOf: "some-of-fields"
      }
    }
  }

  var kind: Kind
  var scope = Scope(on: [], except: [])
  var conditions: [(name: String, condition: DocumentField.Condition)] = []
  var severity: Severity = .must
  var message: String?
  var name: String?

  func check(
    _ object: JSONObject, in scenario: Scenario, _ findings: inout Findings
  ) -> Outcome {
    guard scope.includes(scenario) else { return .passed }
    let (firstIssue, firstOmission) = (findings.issues.count, findings.omissions.count)
    let field = DocumentField(name: "", conditions: conditions)
    let outcome =
      field.isConcerned(object, in: scenario)
      ? find(object, &findings) : findings.skip("its condition does not hold")
    findings.change(from: firstIssue, firstOmission) { issue in
      if severity == .should { issue.severity = .should }
      if let message { issue.wording = message }
      if issue.rule == nil { issue.rule = name }
    } omission: {
      if $0.rule == nil { $0.rule = name }
    }
    return outcome
  }

  private func find(_ object: JSONObject, _ findings: inout Findings) -> Outcome {
    switch kind {
    case .named(let rule): return rule.apply(to: .object(object), &findings)
    case .present(let quantity, let names):
      let count = names.count { (object[$0] ?? .null) != .null }
      if quantity.allows(count, of: names.count) { return .passed }
      return findings.fail(
        Issue(quantity.code, parameters: ["fields": .list(names.map(Parameter.text))]))
    case .compare(let first, let relation, let second):
      guard let left = object[first], let right = object[second], left != .null, right != .null
      else { return findings.skip("one of the fields to compare is absent") }
      return compare(left, relation, right, first, second, &findings)
    }
  }

  private func compare(
    _ left: JSONValue, _ relation: Relation, _ right: JSONValue, _ first: String,
    _ second: String, _ findings: inout Findings
  ) -> Outcome {
    let isKept: Bool? =
      switch (left, right) {
      case (.number(let left), .number(let right)): relation.holds(left, right)
      case (.string(let left), .string(let right)): relation.holds(left, right)
      case (.boolean, .boolean), (.array, .array), (.object, .object):
        relation == .equal ? left == right : relation == .notEqual ? left != right : nil
      default: nil
      }
    guard isKept != true else { return .passed }
    return findings.fail(
      Issue(
        isKept == nil ? "not-comparable" : relation.code, path: IssuePath([.field(first)]),
        parameters: ["other": .text(second)]))
  }
}
