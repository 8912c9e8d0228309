extension Rule {
  /// Kept by a value whose field keeps the rule; what it finds lies inside `name`.
  public static func field<Field>(
    _ keyPath: any KeyPath<Value, Field> & Sendable, _ name: String, _ rule: Rule<Field>
  ) -> Rule {
    Rule { value, findings in
      findings.check(value[keyPath: keyPath], at: .field(name), rule)
    }
  }

  /// Kept by a list each element of which keeps the rule; what it finds lies inside the index.
  public static func each<Element>(_ rule: Rule<Element>) -> Rule
  where Value: Sequence<Element> & SendableMetatype {
    Rule { value, findings in
      var outcome: Outcome = .passed
      var index = 0
      // The elements of an array are read without an allocation each, unlike those of any sequence.
      for element in value as? [Element] ?? Array(value) {
        outcome = outcome.and(findings.check(element, at: .index(index), rule))
        if findings.isEnough(after: outcome) { break }
        index += 1
      }
      return outcome
    }
  }

  /// Kept by a dictionary each value of which keeps the rule; in the order of its keys.
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

  /// The same rule for what a value is turned into.
  public func after<Source>(_ transform: @escaping @Sendable (Source) -> Value) -> Rule<Source> {
    Rule<Source> { value, findings in apply(to: transform(value), &findings) }
  }
}
