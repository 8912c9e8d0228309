extension Schema {
  /// Assigns values to fields by name, in the object's order: those that the scenario allows. No
  /// rule is asked and no step applied.
  ///
  /// - Parameters:
  ///   - includingUnsafe: Whether unsafe and inactive fields are assigned, too: for values that come
  ///     from the program, not from outside.
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

  /// The values of a model's fields by name, `nil` as `null`; fields without a JSON form are left out.
  ///
  /// - Parameters:
  ///   - names: The fields to read; all, when not given. Names that match no field are left out.
  ///   - exceptions: Fields not to read.
  /// - Throws: ``JSONNumberError`` when one is NaN or an infinity.
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
