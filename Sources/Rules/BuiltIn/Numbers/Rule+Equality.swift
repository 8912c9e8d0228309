extension Rule where Value: Equatable & SendableMetatype & Sendable {
  /// Kept by a value equal to another.
  public static func equals(_ other: Value) -> Rule {
    Rule(code: "not-equal", parameters: ["expected": .of(other)]) { $0 == other }
  }

  /// Kept by a value that is not equal to another; always by NaN, which equals nothing.
  public static func differs(from other: Value) -> Rule {
    Rule(code: "equal", parameters: ["forbidden": .of(other)]) { $0 != other }
  }

  /// Kept by a value equal to the closure's result; each check calls the closure.
  public static func equals(
    _ name: String, _ other: @escaping @Sendable () -> Value
  ) -> Rule {
    Rule(code: "not-equal", parameters: ["expected": .text(name)]) { $0 == other() }
  }

  /// Kept by a value that is one of these.
  public static func oneOf(_ values: [Value]) -> Rule {
    Rule(code: "not-allowed", parameters: ["allowed": .list(values.map(Parameter.of))]) {
      isMember($0, of: values)
    }
  }

  /// Kept by a value that is none of these.
  public static func noneOf(_ values: [Value]) -> Rule {
    Rule(code: "forbidden", parameters: ["forbidden": .list(values.map(Parameter.of))]) {
      !isMember($0, of: values)
    }
  }

  // Without the static type of the values, `contains` allocates for each of them.
  private static func isMember(_ value: Value, of values: [Value]) -> Bool {
    for other in values where other == value { return true }
    return false
  }

  /// Kept by a value that stands for true or for false, such as `1` and `0` or `"yes"` and `"no"`.
  public static func boolean(true truth: Value, false falsehood: Value) -> Rule {
    Rule(code: "not-boolean", parameters: ["true": .of(truth), "false": .of(falsehood)]) {
      $0 == truth || $0 == falsehood
    }
  }
}

extension Rule<Bool> {
  /// Kept by true, such as consent to terms.
  public static var isTrue: Rule { Rule(code: "not-true") { $0 } }

  /// Kept by false.
  public static var isFalse: Rule { Rule(code: "not-false") { !$0 } }
}
