/// The fields of an object in a document, and the treatment of others.
struct DocumentMembers: Sendable {
  /// The treatment of a name that matches no field.
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
