extension Rule where Value: Comparable & SendableMetatype & Sendable {
  /// Accepts a value that is at least `bound`. Unordered values, such as NaN, break the rule.
  public static func atLeast(_ bound: Value) -> Rule {
    Rule(code: "too-small", parameters: ["min": .of(bound)]) { $0 >= bound }
  }

  /// Accepts a value that is at most `bound`.
  public static func atMost(_ bound: Value) -> Rule {
    Rule(code: "too-big", parameters: ["max": .of(bound)]) { $0 <= bound }
  }

  /// Accepts a value greater than `bound`.
  public static func greater(than bound: Value) -> Rule {
    Rule(code: "not-greater", parameters: ["bound": .of(bound)]) { $0 > bound }
  }

  /// Accepts a value less than `bound`.
  public static func less(than bound: Value) -> Rule {
    Rule(code: "not-less", parameters: ["bound": .of(bound)]) { $0 < bound }
  }

  /// Accepts a value in the range, its ends included. Unordered values, such as NaN, break both bounds. When
  /// `least` is greater than `most`, every value breaks the rule.
  public static func between(_ least: Value, _ most: Value) -> Rule {
    let tooSmall = Issue("too-small", parameters: ["min": .of(least)])
    let tooBig = Issue("too-big", parameters: ["max": .of(most)])
    return Rule { value, findings in
      let (isLargeEnough, isSmallEnough) = (value >= least, value <= most)
      if isLargeEnough, isSmallEnough { return .passed }
      if !isLargeEnough {
        let outcome = findings.fail(tooSmall)
        if isSmallEnough || findings.isEnough(after: outcome) { return outcome }
      }
      return findings.fail(tooBig)
    }
  }

  /// Accepts a value in the range, its ends included.
  public static func between(_ range: ClosedRange<Value>) -> Rule {
    between(range.lowerBound, range.upperBound)
  }

  /// Accepts a value in the range, its upper end excluded.
  public static func between(_ range: Range<Value>) -> Rule {
    .all(atLeast(range.lowerBound), less(than: range.upperBound))
  }

  /// Accepts a value with a relation to a constant, such as `>=`.
  public static func compares(_ relation: Relation, _ bound: Value) -> Rule {
    Rule(
      code: "wrong-relation",
      parameters: ["relation": .text(relation.rawValue), "bound": .of(bound)]
    ) {
      relation.holds($0, bound)
    }
  }
}

extension Rule {
  /// Accepts a value with two fields in a relation, such as `==` or `<`; the issue lies at the first field.
  public static func fields<Field>(
    _ first: any KeyPath<Value, Field> & Sendable, _ firstName: String,
    _ relation: Relation, _ second: any KeyPath<Value, Field> & Sendable, _ secondName: String
  ) -> Rule where Field: Comparable & SendableMetatype {
    let issue = relation.issue(at: firstName, with: secondName)
    return Rule { value, findings in
      relation.holds(value[keyPath: first], value[keyPath: second])
        ? .passed : findings.fail(issue)
    }
  }

  /// Accepts a value with two optional fields in a relation; skipped where one has no value.
  public static func fields<Field>(
    _ first: any KeyPath<Value, Field?> & Sendable, _ firstName: String,
    _ relation: Relation, _ second: any KeyPath<Value, Field?> & Sendable, _ secondName: String
  ) -> Rule where Field: Comparable & SendableMetatype {
    let issue = relation.issue(at: firstName, with: secondName)
    return Rule { value, findings in
      guard let left = value[keyPath: first], let right = value[keyPath: second] else {
        return findings.skip("there is no value")
      }
      return relation.holds(left, right) ? .passed : findings.fail(issue)
    }
  }
}

/// A relation between two values of one type.
public enum Relation: String, Sendable, Hashable, Codable, CaseIterable {
  /// The first is equal to the second.
  case equal = "=="
  /// The first is not equal to the second.
  case notEqual = "!="
  /// The first is less than the second.
  case less = "<"
  /// The first is at most the second.
  case lessOrEqual = "<="
  /// The first is greater than the second.
  case greater = ">"
  /// The first is at least the second.
  case greaterOrEqual = ">="

  /// True when the relation holds. For unordered values, such as NaN, only ``notEqual`` holds.
  public func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
    switch self {
    case .equal: left == right
    case .notEqual: left != right
    case .less: left < right
    case .lessOrEqual: left <= right
    case .greater: left > right
    case .greaterOrEqual: left >= right
    }
  }

  /// The issue of two fields that violate the relation.
  func issue(at first: String, with second: String) -> Issue {
    Issue(code, path: IssuePath([.field(first)]), parameters: ["other": .text(second)])
  }

  /// The code of the issue of two fields that violate the relation.
  var code: String {
    switch self {
    case .equal: "differs-from"
    case .notEqual: "same-as"
    case .less: "not-less-than"
    case .lessOrEqual: "more-than"
    case .greater: "not-more-than"
    case .greaterOrEqual: "less-than"
    }
  }
}

extension Rule where Value: Equatable & SendableMetatype & Sendable {
  /// Accepts a value equal to `other`.
  public static func equals(_ other: Value) -> Rule {
    Rule(code: "not-equal", parameters: ["expected": .of(other)]) { $0 == other }
  }

  /// Accepts a value that is not equal to `other`; always NaN, which equals nothing.
  public static func differs(from other: Value) -> Rule {
    Rule(code: "equal", parameters: ["forbidden": .of(other)]) { $0 != other }
  }

  /// Accepts a value equal to the closure's result; each check calls the closure.
  public static func equals(
    _ name: String, _ other: @escaping @Sendable () -> Value
  ) -> Rule {
    Rule(code: "not-equal", parameters: ["expected": .text(name)]) { $0 == other() }
  }

  /// Accepts a value that is one of these.
  public static func oneOf(_ values: [Value]) -> Rule {
    Rule(code: "not-allowed", parameters: ["allowed": .list(values.map(Parameter.of))]) {
      isMember($0, of: values)
    }
  }

  /// Accepts a value that is none of these.
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

  /// Accepts a value that means true or false, such as `1` and `0` or `"yes"` and `"no"`.
  public static func boolean(true truth: Value, false falsehood: Value) -> Rule {
    Rule(code: "not-boolean", parameters: ["true": .of(truth), "false": .of(falsehood)]) {
      $0 == truth || $0 == falsehood
    }
  }
}

extension Rule<Bool> {
  /// Accepts true, such as consent to terms.
  public static var isTrue: Rule { Rule(code: "not-true") { $0 } }

  /// Accepts false.
  public static var isFalse: Rule { Rule(code: "not-false") { !$0 } }
}
