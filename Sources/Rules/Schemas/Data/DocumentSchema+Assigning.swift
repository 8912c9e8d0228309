extension DocumentSchema {
  /// The fields of the document that concern a scenario, in order.
  public func activeFields(in scenario: Scenario = .default) -> [String] {
    fields(in: scenario) { $0.isActive(in: scenario) }
  }

  /// The active fields that mass assignment may write, in order.
  public func safeFields(in scenario: Scenario = .default) -> [String] {
    fields(in: scenario) { $0.isSafe(in: scenario) }
  }

  /// The active fields that must always be present, in order.
  public func requiredFields(in scenario: Scenario = .default) -> [String] {
    fields(in: scenario) {
      $0.isActive(in: scenario) && $0.presence != nil && $0.conditions.isEmpty
    }
  }

  /// Assigns values to a document's fields by name, in the object's order: those that the scenario
  /// allows and whose type is right. Nothing else is checked.
  public func assign(
    _ values: JSONObject, to document: inout JSONObject, in scenario: Scenario = .default,
    _ policy: Assignment.Policy = .whatFits, includingUnsafe: Bool = false
  ) -> Assignment {
    var (assignment, changed) = (Assignment(), document)
    for member in values.members {
      guard let field = fields.first(where: { $0.name == member.name }) else {
        assignment.unknown.append(member.name)
        continue
      }
      if let rejection = rejection(of: field, in: scenario, includingUnsafe) {
        assignment.rejected[member.name] = rejection
      } else if !field.node.accepts(member.value) {
        let types = field.node.kinds.map(\.rawValue).joined(separator: " or ")
        assignment.wrongType[member.name] = JSONTypeError(expected: types, found: member.value)
      } else {
        changed[member.name] = member.value
        assignment.assigned.append(member.name)
      }
    }
    if policy == .allOrNothing, !assignment.isComplete {
      assignment.assigned = []
    } else {
      document = changed
    }
    return assignment
  }

  private var fields: [DocumentField] {
    root.parts.flatMap { part -> [DocumentField] in
      if case .members(let members) = part { members.fields } else { [] }
    }
  }

  private func fields(
    in scenario: Scenario, _ isIncluded: (DocumentField) -> Bool
  ) -> [String] {
    scenarios.contains(scenario) ? fields.filter(isIncluded).map(\.name) : []
  }

  private func rejection(
    of field: DocumentField, in scenario: Scenario, _ includingUnsafe: Bool
  ) -> Assignment.Rejection? {
    if !scenarios.contains(scenario) { return .unknownScenario }
    if includingUnsafe || field.isSafe(in: scenario) { return nil }
    return field.isActive(in: scenario) ? .unsafe : .inactive
  }
}
