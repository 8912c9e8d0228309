extension Rule {
  /// Kept by a value whose field keeps the rule; its findings lie inside `name`.
  public static func field<Field>(
    _ keyPath: any KeyPath<Value, Field> & Sendable, _ name: String, _ rule: Rule<Field>
  ) -> Rule {
    Rule { value, findings in
      findings.check(value[keyPath: keyPath], at: .field(name), rule)
    }
  }

  /// Kept by a value whose field keeps the rule, or has no value; its findings lie inside `name`.
  public static func field<Field>(
    _ keyPath: any KeyPath<Value, Field?> & Sendable, _ name: String, _ rule: Rule<Field>
  ) -> Rule {
    field(keyPath, name, rule.ifPresent)
  }

  /// Kept by a list whose elements all keep the rule; findings lie inside the index.
  public static func each<Element>(_ rule: Rule<Element>) -> Rule
  where Value: Sequence<Element> & SendableMetatype {
    Rule { value, findings in
      var outcome: Outcome = .passed
      var index = 0
      // Reading an array allocates nothing for its elements, unlike reading any sequence.
      for element in value as? [Element] ?? Array(value) {
        outcome = outcome.and(findings.check(element, at: .index(index), rule))
        if findings.isEnough(after: outcome) { break }
        index += 1
      }
      return outcome
    }
  }

  /// Kept by a dictionary whose values all keep the rule; in the order of its keys.
  public static func eachValue<Element>(_ rule: Rule<Element>) -> Rule
  where Value == [String: Element] {
    Rule { value, findings in
      var outcome: Outcome = .passed
      for (key, element) in value.sorted(by: { $0.key < $1.key }) {
        outcome = outcome.and(findings.check(element, at: .field(key), rule))
        if findings.isEnough(after: outcome) { break }
      }
      return outcome
    }
  }

  /// The same rule for the result of a transform.
  public func after<Source>(_ transform: @escaping @Sendable (Source) -> Value) -> Rule<Source> {
    Rule<Source> { value, findings in apply(to: transform(value), &findings) }
  }
}
