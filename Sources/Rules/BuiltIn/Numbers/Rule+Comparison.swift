extension Rule where Value: Comparable & SendableMetatype & Sendable {
  /// Kept by a value that is at least `bound`. Unordered values, such as NaN, break it.
  public static func atLeast(_ bound: Value) -> Rule {
    Rule(code: "too-small", parameters: ["min": .of(bound)]) { $0 >= bound }
  }

  /// Kept by a value that is at most `bound`.
  public static func atMost(_ bound: Value) -> Rule {
    Rule(code: "too-big", parameters: ["max": .of(bound)]) { $0 <= bound }
  }

  /// Kept by a value greater than `bound`.
  public static func greater(than bound: Value) -> Rule {
    Rule(code: "not-greater", parameters: ["bound": .of(bound)]) { $0 > bound }
  }

  /// Kept by a value less than `bound`.
  public static func less(than bound: Value) -> Rule {
    Rule(code: "not-less", parameters: ["bound": .of(bound)]) { $0 < bound }
  }

  /// Kept by a value in the range, its ends included. Unordered values, such as NaN, break both
  /// bounds; when `least` is greater than `most`, every value breaks the rule.
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

  /// Kept by a value in the range, its ends included.
  public static func between(_ range: ClosedRange<Value>) -> Rule {
    between(range.lowerBound, range.upperBound)
  }

  /// Kept by a value in the range, its upper end excluded.
  public static func between(_ range: Range<Value>) -> Rule {
    .all(atLeast(range.lowerBound), less(than: range.upperBound))
  }

  /// Kept by a value that stands in a relation to a constant, such as `>=`.
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
  /// Kept by a value with two fields in a relation, such as `==` or `<`; the issue lies at the
  /// first.
  public static func fields<Field>(
    _ first: any KeyPath<Value, Field> & Sendable, _ firstName: String,
    _ relation: Relation, _ second: any KeyPath<Value, Field> & Sendable, _ secondName: String
  ) -> Rule where Field: Comparable & SendableMetatype {
    let issue = Issue(
      relation.code, path: IssuePath([.field(firstName)]),
      parameters: ["other": .text(secondName)])
    return Rule { value, findings in
      relation.holds(value[keyPath: first], value[keyPath: second])
        ? .passed : findings.fail(issue)
    }
  }

  /// Kept by a value with two optional fields in a relation; skipped where one has no value.
  public static func fields<Field>(
    _ first: any KeyPath<Value, Field?> & Sendable, _ firstName: String,
    _ relation: Relation, _ second: any KeyPath<Value, Field?> & Sendable, _ secondName: String
  ) -> Rule where Field: Comparable & SendableMetatype {
    let issue = Issue(
      relation.code, path: IssuePath([.field(firstName)]),
      parameters: ["other": .text(secondName)])
    return Rule { value, findings in
      guard let left = value[keyPath: first], let right = value[keyPath: second] else {
        return findings.skip("there is no value")
      }
      return relation.holds(left, right) ? .passed : findings.fail(issue)
    }
  }
}
