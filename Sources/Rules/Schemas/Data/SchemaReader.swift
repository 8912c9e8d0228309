/// Reads a schema document and ignores no part of it.
struct SchemaReader {
  /// Nested schemas use stack when they are applied.
  static let greatestDepth = 64

  let vocabulary: SchemaVocabulary
  var lists: ScenarioLists = [:]
  /// The scenarios that fields and rules name.
  var named: Set<Scenario> = []
  /// Whether fields may have normalising steps here. Not inside `any`, `not` and similar keys, where the result of
  /// a check would decide whether the steps apply.
  private var allowsSteps = true
  private var depth = 0

  init(_ vocabulary: SchemaVocabulary) {
    self.vocabulary = vocabulary
  }

  /// Reads a whole document. The key `scenarios` is about its fields.
  mutating func root(_ value: SchemaValue) throws(SchemaError) -> DocumentNode {
    guard let entry = try value.members().first(where: { $0.name == "scenarios" }) else {
      return try node(value)
    }
    for scenario in try entry.value.members() {
      var list: [String: Bool] = [:]
      for name in try scenario.value.list().map({ (name) throws(SchemaError) in try name.text() }) {
        list[name.hasPrefix("!") ? String(name.dropFirst()) : name] = !name.hasPrefix("!")
      }
      lists[Scenario(rawValue: scenario.name)] = list
    }
    let lists = lists
    var node = try node(value, of: try value.members().filter { $0.name != "scenarios" })
    for index in node.parts.indices {
      guard case .members(var members) = node.parts[index] else { continue }
      try verify(entry.value, against: members.fields.map(\.name))
      for field in members.fields.indices { members.fields[field].lists = lists }
      node.parts[index] = .members(members)
      return node
    }
    throw entry.value.error(.missing("fields"))
  }

  private func verify(_ value: SchemaValue, against names: [String]) throws(SchemaError) {
    for scenario in try value.members() {
      for item in try scenario.value.list() {
        let text = try item.text()
        let name = text.hasPrefix("!") ? String(text.dropFirst()) : text
        guard names.contains(name) else { throw item.unknown("field", name, among: names) }
      }
    }
  }

  /// Reads the schema of a value.
  mutating func node(_ value: SchemaValue) throws(SchemaError) -> DocumentNode {
    try node(value, of: try value.members())
  }

  /// Reads the schema of a value from some of the members of an object.
  mutating func node(
    _ value: SchemaValue, of members: [(name: String, value: SchemaValue)]
  ) throws(SchemaError) -> DocumentNode {
    guard depth < Self.greatestDepth else { throw value.error(.tooDeep(limit: Self.greatestDepth)) }
    depth += 1
    defer { depth -= 1 }
    var node = DocumentNode()
    var kinds: [(name: String, kind: JSONKind)] = []
    for (name, option) in members {
      if let keyword = SchemaKeyword.byName[name] {
        node.parts.append(.rule(try keyword.make(option)))
        if let kind = keyword.kind { kinds.append((name, kind)) }
      } else if let kind = try structure(name, option, &node) {
        kinds.append((name, kind))
      }
    }
    try settleBounds(members, value)
    try settleMembers(node, value)
    try settleKinds(&node, kinds, value)
    return node
  }

  private mutating func innerNodes(_ value: SchemaValue) throws(SchemaError) -> [DocumentNode] {
    var nodes: [DocumentNode] = []
    for item in try value.nonEmptyList() { nodes.append(try innerNode(item)) }
    return nodes
  }

  /// Reads a key that is no plain rule. Returns the kind of values that the key is about, if any.
  private mutating func structure(
    _ name: String, _ value: SchemaValue, _ node: inout DocumentNode
  ) throws(SchemaError) -> JSONKind? {
    switch name {
    case "all": node.parts.append(.all(try innerNodes(value)))
    case "any": node.parts.append(.any(try innerNodes(value)))
    case "not": node.parts.append(.not(try innerNode(value)))
    case "should":
      var advice = try innerNode(value)
      advice.severity = .should
      node.parts.append(.all([advice]))
    case "each":
      node.parts.append(.each(try self.node(value)))
      return .array
    case "eachValue":
      node.parts.append(.eachValue(try self.node(value)))
      return .object
    case "fields", "unknownFields":
      try members(name, value, &node)
      return .object
    case "rules":
      for item in try value.nonEmptyList() { node.parts.append(.relation(try relation(item))) }
      return .object
    default: try setting(name, value, &node)
    }
    return nil
  }

  private func setting(
    _ name: String, _ value: SchemaValue, _ node: inout DocumentNode
  ) throws(SchemaError) {
    switch name {
    case "type": node.kinds = try kinds(value)
    case "nullable": node.isNullable = try value.boolean()
    case "skipEmpty": node.skipsEmpty = try value.boolean()
    case "severity": node.severity = try value.choice("severity")
    case "message": node.message = try value.text()
    case "name": node.name = try value.text()
    case "description": _ = try value.text()
    case "rule": node.parts.append(.rule(try rule(value)))
    default: throw unknownKey(name, at: value)
    }
  }

  private func unknownKey(_ name: String, at value: SchemaValue) -> SchemaError {
    let owner = IssuePath(value.path.components.dropLast())
    if let place = Self.placeOfKey[name] {
      return SchemaError(
        path: owner, problem: .contradiction("\"\(name)\" belongs to \(place), not here"))
    }
    let known = Self.structureKeys + Self.placeOfKey.keys.sorted()
    return SchemaError(
      path: owner,
      problem: .unknownKey(
        String(name.prefix(80)),
        nearest: NearestName.of(name, among: known + SchemaKeyword.standard.map(\.name))))
  }

  static let structureKeys = [
    "type", "nullable", "skipEmpty", "severity", "message", "name", "description", "rule", "all",
    "any", "not", "should", "each", "eachValue", "fields", "unknownFields", "rules",
  ]

  static let placeOfKey = [
    "scenarios": "the whole document", "required": "a field", "on": "a field or an entry of rules",
    "except": "a field or an entry of rules", "when": "a field or an entry of rules",
    "label": "a field", "default": "a field", "trim": "a field", "filter": "a field",
    "unsafe": "a field",
  ]

  /// Reads a schema that may have no steps.
  mutating func innerNode(_ value: SchemaValue) throws(SchemaError) -> DocumentNode {
    let before = allowsSteps
    allowsSteps = false
    defer { allowsSteps = before }
    return try node(value)
  }

  func mayStep(_ value: SchemaValue) throws(SchemaError) {
    guard allowsSteps else {
      throw value.error(
        .contradiction("steps stand where they are always taken: not inside all, any, not, should"))
    }
  }

  func rule(_ value: SchemaValue) throws(SchemaError) -> Rule<JSONValue> {
    let name = try value.text()
    guard let rule = vocabulary.rules[name] else {
      throw value.unknown("rule", name, among: vocabulary.rules.keys.sorted())
    }
    return rule
  }

  private func kinds(_ value: SchemaValue) throws(SchemaError) -> [JSONKind] {
    if case .array = value.json {
      return try value.nonEmptyList().map { (item) throws(SchemaError) in try item.choice("type") }
    }
    return [try value.choice("type")]
  }

  /// Checks a node's keys against the kinds its value may be of.
  private func settleKinds(
    _ node: inout DocumentNode, _ stated: [(name: String, kind: JSONKind)], _ value: SchemaValue
  ) throws(SchemaError) {
    guard !node.kinds.isEmpty else {
      for (_, kind) in stated where !node.kinds.contains(kind) { node.kinds.append(kind) }
      return
    }
    for (name, kind) in stated
    where !node.kinds.contains(where: { kind.includes($0) || $0.includes(kind) }) {
      let types = node.kinds.map(\.rawValue).joined(separator: " or ")
      throw value.error(
        .contradiction("\"\(name)\" is about values of type \(kind.rawValue), not \(types)"))
    }
  }

  /// Ensures that a number can lie between the bounds of one value.
  func settleBounds(
    _ members: [(name: String, value: SchemaValue)], _ value: SchemaValue
  ) throws(SchemaError) {
    for (low, lowest) in members where low == "min" || low == "greaterThan" {
      for (high, highest) in members where high == "max" || high == "lessThan" {
        let (lower, upper) = (try lowest.number(), try highest.number())
        let includesBoth = low == "min" && high == "max"
        guard lower < upper || includesBoth && lower == upper else {
          throw value.error(.contradiction("no number keeps both \"\(low)\" and \"\(high)\""))
        }
      }
    }
  }
}
