extension SchemaReader {
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
