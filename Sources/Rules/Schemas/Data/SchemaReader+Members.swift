extension SchemaReader {
  /// Reads `fields` or `unknownFields` into the one part that both make.
  mutating func members(
    _ name: String, _ value: SchemaValue, _ node: inout DocumentNode
  ) throws(SchemaError) {
    var (members, place) = (DocumentMembers(), node.parts.count)
    for index in node.parts.indices {
      guard case .members(let read) = node.parts[index] else { continue }
      (members, place) = (read, index)
    }
    if name == "unknownFields" {
      members.strangers = try value.choice("way")
    } else {
      for (name, option) in try value.members() {
        members.fields.append(try field(name, option))
      }
    }
    if place == node.parts.count {
      node.parts.append(.members(members))
    } else {
      node.parts[place] = .members(members)
    }
  }

  /// Ensures that conditions and relations name fields that exist.
  func settleMembers(_ node: DocumentNode, _ value: SchemaValue) throws(SchemaError) {
    var names: [String]?
    for case .members(let members) in node.parts where !members.fields.isEmpty {
      names = members.fields.map(\.name)
      for field in members.fields {
        try verify(field.conditions.map(\.name), among: names, value)
      }
    }
    for case .relation(let relation) in node.parts {
      try verify(relation.conditions.map(\.name) + relation.fieldNames, among: names, value)
    }
  }

  private func verify(
    _ used: [String], among names: [String]?, _ value: SchemaValue
  ) throws(SchemaError) {
    guard let names else { return }
    for name in used where !names.contains(name) {
      throw value.unknown("field", name, among: names)
    }
  }

  private mutating func field(
    _ name: String, _ value: SchemaValue
  ) throws(SchemaError) -> DocumentField {
    var field = DocumentField(name: name)
    var rest: [(name: String, value: SchemaValue)] = []
    var (on, except) = (Set<Scenario>(), Set<Scenario>())
    for (key, option) in try value.members() {
      switch key {
      case "required": field.presence = try presence(option)
      case "label": field.label = try option.text()
      case "on": on = try scenarios(option)
      case "except": except = try scenarios(option)
      case "when": field.conditions = try conditions(option)
      case "unsafe": field.unsafeScope = try unsafeScope(option)
      case "default", "trim", "filter": field.steps += try steps(key, option)
      default: rest.append((key, option))
      }
    }
    field.scope = Scope(on: on, except: except)
    field.node = try node(value, of: rest)
    try settle(field, value)
    return field
  }

  private func settle(_ field: DocumentField, _ value: SchemaValue) throws(SchemaError) {
    if field.node.isNullable, let presence = field.presence, presence != .present {
      throw value.error(
        .contradiction("null is empty: with \"nullable\" say \"required\": \"present\""))
    }
    for case .fallback(let fallback) in field.steps where !field.node.accepts(fallback) {
      throw value.error(.contradiction("the default is not of the type of its field"))
    }
  }

  private func presence(_ value: SchemaValue) throws(SchemaError) -> DocumentField.Presence? {
    if case .boolean(let isRequired) = value.json { return isRequired ? .notEmpty : nil }
    return try value.choice("kind of presence")
  }

  mutating func scenarios(_ value: SchemaValue) throws(SchemaError) -> Set<Scenario> {
    let scenarios = Set(try value.texts().map(Scenario.init(rawValue:)))
    named.formUnion(scenarios)
    guard !lists.isEmpty else { return scenarios }
    let known = lists.keys.map(\.rawValue) + [Scenario.default.rawValue]
    for name in try value.texts() where !known.contains(name) {
      throw value.unknown("scenario", name, among: known.sorted())
    }
    return scenarios
  }

  private mutating func unsafeScope(_ value: SchemaValue) throws(SchemaError) -> Scope? {
    if case .boolean(let isUnsafe) = value.json {
      return isUnsafe ? Scope(on: [], except: []) : nil
    }
    return Scope(on: try scenarios(value), except: [])
  }

  private func steps(
    _ key: String, _ value: SchemaValue
  ) throws(SchemaError) -> [DocumentField.Step] {
    try mayStep(value)
    switch key {
    case "default": return [.fallback(value.json)]
    case "trim": return try value.boolean() ? [.trim] : []
    default:
      return try value.textOrTexts().map { (name) throws(SchemaError) in
        guard let filter = vocabulary.filters[name] else {
          throw value.unknown("filter", name, among: vocabulary.filters.keys.sorted())
        }
        return .filter(filter)
      }
    }
  }

  mutating func conditions(
    _ value: SchemaValue
  ) throws(SchemaError) -> [(name: String, condition: DocumentField.Condition)] {
    var conditions: [(name: String, condition: DocumentField.Condition)] = []
    for (name, option) in try value.members() {
      conditions.append((name, try condition(option)))
    }
    return conditions
  }

  private mutating func condition(
    _ value: SchemaValue
  ) throws(SchemaError) -> DocumentField.Condition {
    switch value.json {
    case "present": return .present
    case "absent": return .absent
    case .string(let word): throw value.unknown("condition", word, among: ["present", "absent"])
    default:
      return .keeps(try innerNode(value))
    }
  }

  /// Reads an entry of `rules`.
  mutating func relation(_ value: SchemaValue) throws(SchemaError) -> DocumentRelation {
    var (kinds, scope) = ([DocumentRelation.Kind](), (on: Set<Scenario>(), except: Set<Scenario>()))
    var relation = DocumentRelation(kind: .present(.atLeastOneOf, []))
    for (key, option) in try value.members() {
      switch key {
      case "on": scope.on = try scenarios(option)
      case "except": scope.except = try scenarios(option)
      case "when": relation.conditions = try conditions(option)
      case "severity": relation.severity = try option.choice("severity")
      case "message": relation.message = try option.text()
      case "name": relation.name = try option.text()
      case "compare": kinds.append(try comparison(option))
      case "rule": kinds.append(.named(try rule(option)))
      default: kinds.append(.present(try quantity(key, option), try option.texts()))
      }
    }
    guard let kind = kinds.first, kinds.count == 1 else {
      let known = Self.relationKeys.joined(separator: ", ")
      throw value.error(
        .contradiction("an entry of rules states one thing: rule or one of \(known)"))
    }
    relation.kind = kind
    relation.scope = Scope(on: scope.on, except: scope.except)
    return relation
  }

  /// The statements of an entry of `rules`, except `rule`.
  static let relationKeys = ["compare"] + DocumentRelation.Quantity.allCases.map(\.rawValue)

  private func quantity(
    _ key: String, _ value: SchemaValue
  ) throws(SchemaError) -> DocumentRelation.Quantity {
    if let quantity = DocumentRelation.Quantity(rawValue: key) { return quantity }
    let known =
      ["on", "except", "when", "severity", "message", "name", "rule"] + Self.relationKeys
    throw SchemaError(
      path: IssuePath(value.path.components.dropLast()),
      problem: .unknownKey(String(key.prefix(80)), nearest: NearestName.of(key, among: known)))
  }

  private func comparison(_ value: SchemaValue) throws(SchemaError) -> DocumentRelation.Kind {
    let items = try value.list()
    guard items.count == 3 else {
      throw value.error(
        .contradiction(
          "a comparison is a field, a relation and a field, such as [\"a\", \"<\", \"b\"]"))
    }
    return .compare(
      try items[0].text(), try items[1].choice("relation"), try items[2].text())
  }
}

extension DocumentRelation {
  var fieldNames: [String] {
    switch kind {
    case .compare(let first, _, let second): [first, second]
    case .present(_, let names): names
    case .named: []
    }
  }
}
