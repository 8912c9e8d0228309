/// A field of an object in a document.
struct DocumentField: Sendable {
  /// The required minimum of a value.
  enum Presence: String, Sendable, CaseIterable {
    /// Any value, also `null` and the empty text.
    case present
    /// A value that is not empty.
    case notEmpty
    /// A value that is neither empty nor a text without visible characters.
    case notBlank
  }

  /// A field's condition on a sibling, tested before the field's own rules.
  enum Condition: Sendable {
    case present
    case absent
    case keeps(DocumentNode)
  }

  /// One change of the value when it is normalised.
  enum Step: Sendable {
    case fallback(JSONValue)
    case trim
    case filter(@Sendable (JSONValue) -> JSONValue)
  }

  let name: String
  var node = DocumentNode()
  var presence: Presence?
  var label: String?
  var scope = Scope(on: [], except: [])
  var unsafeScope: Scope?
  var conditions: [(name: String, condition: Condition)] = []
  var steps: [Step] = []
  var lists = ScenarioLists()

  func isActive(in scenario: Scenario) -> Bool {
    scope.includes(scenario) && (lists[scenario].map { $0[name] != nil } ?? true)
  }

  func isSafe(in scenario: Scenario) -> Bool {
    isActive(in: scenario) && !(unsafeScope?.includes(scenario) ?? false)
      && lists[scenario]?[name] ?? true
  }

  func isConcerned(_ object: JSONObject, in scenario: Scenario) -> Bool {
    conditions.allSatisfy { name, condition in condition.holds(object[name], in: scenario) }
  }

  func check(
    _ object: JSONObject, in scenario: Scenario, _ findings: inout Findings
  ) -> Outcome {
    guard isConcerned(object, in: scenario) else {
      return findings.skip("its condition does not hold")
    }
    let firstIssue = findings.issues.count
    let outcome = find(object[name], scenario, &findings)
    if let label {
      findings.change(from: firstIssue, findings.omissions.count) { issue in
        if issue.parameters["label"] == nil { issue.parameters["label"] = .text(label) }
      }
    }
    return outcome
  }

  private func find(
    _ value: JSONValue?, _ scenario: Scenario, _ findings: inout Findings
  ) -> Outcome {
    guard let value else {
      return presence == nil ? findings.skip("it is absent") : findings.fail(Issue("required"))
    }
    switch presence {
    case .notEmpty where value.isEmpty, .notBlank where value.isEmpty:
      return findings.fail(Issue("required"))
    case .notBlank:
      if case .string(let text) = value, !Rule.notBlank.isKept(by: text) {
        return findings.fail(Issue("blank"))
      }
      return node.check(value, in: scenario, &findings)
    default: return node.check(value, in: scenario, &findings)
    }
  }

  func normalised(_ value: JSONValue?, in scenario: Scenario) -> JSONValue? {
    var value = value
    for step in steps { value = step.applied(to: value) }
    return value.map { node.normalised($0, in: scenario) }
  }
}

extension DocumentField.Condition {
  fileprivate func holds(_ value: JSONValue?, in scenario: Scenario) -> Bool {
    switch self {
    case .present: value != nil
    case .absent: value == nil
    case .keeps(let node): value.map { node.rule(in: scenario).isKept(by: $0) } ?? false
    }
  }
}

extension DocumentField.Step {
  fileprivate func applied(to value: JSONValue?) -> JSONValue? {
    switch (self, value) {
    case (.fallback(let fallback), let value?): value.isEmpty ? fallback : value
    case (.fallback(let fallback), .none): fallback
    case (.trim, .string(let text)?): .string(text.trimmed(of: \.isWhitespace))
    case (.filter(let filter), let value?): filter(value)
    default: value
    }
  }
}

/// The fields of an object in a document, and the treatment of other names.
struct DocumentMembers: Sendable {
  /// The treatment of a name without a field.
  enum Strangers: String, Sendable, CaseIterable {
    case allow
    case refuse
    case advise
  }

  var fields: [DocumentField] = []
  var strangers: Strangers = .allow

  func check(
    _ object: JSONObject, in scenario: Scenario, _ findings: inout Findings
  ) -> Outcome {
    var outcome: Outcome = .passed
    for field in fields where field.isActive(in: scenario) {
      let (firstIssue, firstOmission) = (findings.issues.count, findings.omissions.count)
      outcome = outcome.and(field.check(object, in: scenario, &findings))
      findings.move(inside: { .field(field.name) }, from: firstIssue, firstOmission)
      if findings.isEnough(after: outcome) { return outcome }
    }
    return outcome.and(findStrangers(object, &findings))
  }

  private func findStrangers(_ object: JSONObject, _ findings: inout Findings) -> Outcome {
    guard strangers != .allow else { return .passed }
    let known = Set(fields.map(\.name))
    var outcome: Outcome = .passed
    for member in object.members where !known.contains(member.name) {
      outcome = findings.fail(
        Issue(
          "unknown-field", path: IssuePath([.field(member.name)]),
          severity: strangers == .refuse ? .must : .should))
      if findings.isEnough(after: outcome) { break }
    }
    return outcome
  }

  func normalised(_ object: JSONObject, in scenario: Scenario) -> JSONObject {
    var object = object
    for field in fields
    where field.isActive(in: scenario) && field.isConcerned(object, in: scenario) {
      object[field.name] = field.normalised(object[field.name], in: scenario)
    }
    return object
  }
}

/// The lists of a schema's key `scenarios`: for each scenario its fields, and whether each is safe.
typealias ScenarioLists = [Scenario: [String: Bool]]
