extension Rule where Value: Collection & SendableMetatype {
  /// Kept by a collection with elements.
  public static var notEmptyList: Rule { Rule(code: "empty") { !$0.isEmpty } }

  /// Kept by a collection without elements.
  public static var emptyList: Rule { Rule(code: "not-empty", \.isEmpty) }

  /// Kept by a collection of a number of elements in the range.
  public static func count(_ range: ClosedRange<Int>) -> Rule {
    .all(count(min: range.lowerBound), count(max: range.upperBound))
  }

  /// Kept by a collection of at least so many elements.
  public static func count(min: Int) -> Rule {
    Rule(code: "too-few", parameters: ["min": .integer(min)]) { $0.count >= min }
  }

  /// Kept by a collection of at most so many elements.
  public static func count(max: Int) -> Rule {
    Rule(code: "too-many", parameters: ["max": .integer(max)]) { $0.count <= max }
  }
}

extension Rule where Value: Collection & SendableMetatype, Value.Element: Hashable {
  /// Kept by a collection without duplicate elements; each duplicate has an issue at its index.
  public static var distinct: Rule {
    Rule { value, findings in
      var seen: Set<Value.Element> = []
      var outcome: Outcome = .passed
      for (index, element) in value.enumerated() where !seen.insert(element).inserted {
        outcome = findings.fail(
          Issue("repeated", path: IssuePath([.index(index)])))
        if findings.isEnough(after: outcome) { break }
      }
      return outcome
    }
  }
}
