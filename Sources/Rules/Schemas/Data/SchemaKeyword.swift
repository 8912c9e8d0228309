/// A key of a schema that states one rule, and the way to make the rule from the key's value.
struct SchemaKeyword: Sendable {
  typealias Make = @Sendable (SchemaValue) throws(SchemaError) -> Rule<JSONValue>

  let name: String
  /// The values it is about; all, when `nil`.
  let kind: JSONKind?
  let make: Make

  static func any(_ name: String, _ make: @escaping Make) -> SchemaKeyword {
    SchemaKeyword(name: name, kind: nil, make: make)
  }

  static func text(
    _ name: String, _ make: @escaping @Sendable (SchemaValue) throws(SchemaError) -> Rule<String>
  ) -> SchemaKeyword {
    SchemaKeyword(name: name, kind: .string) { (value) throws(SchemaError) in
      let rule = try make(value)
      return Rule { json, findings in
        guard case .string(let text) = json else { return .skipped }
        return rule.apply(to: text, &findings)
      }
    }
  }

  /// A rule about texts that has no options: the key's value is `true`.
  static func text(_ name: String, _ rule: Rule<String>) -> SchemaKeyword {
    text(name) { (value) throws(SchemaError) in
      try value.isTrue()
      return rule
    }
  }

  /// A rule between a number and the key's value.
  static func number(
    _ name: String, _ code: String, _ parameter: String,
    _ isKept: @escaping @Sendable (JSONNumber, JSONNumber) -> Bool
  ) -> SchemaKeyword {
    SchemaKeyword(name: name, kind: .number) { (value) throws(SchemaError) in
      let bound = try value.number()
      let issue = Issue(code, parameters: [parameter: .of(JSONValue.number(bound))])
      return Rule { json, findings in
        guard case .number(let number) = json else { return .skipped }
        return isKept(number, bound) ? .passed : findings.fail(issue)
      }
    }
  }

  static func list(
    _ name: String,
    _ make: @escaping @Sendable (SchemaValue) throws(SchemaError) -> Rule<[JSONValue]>
  ) -> SchemaKeyword {
    SchemaKeyword(name: name, kind: .array) { (value) throws(SchemaError) in
      let rule = try make(value)
      return Rule { json, findings in
        guard case .array(let items) = json else { return .skipped }
        return rule.apply(to: items, &findings)
      }
    }
  }
}
