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
