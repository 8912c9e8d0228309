extension Rule
where
  Value: Collection & SendableMetatype,
  Value.Element: Equatable & Sendable & SendableMetatype
{
  /// Kept by a collection whose elements are all among these, or an empty one; each other element
  /// has an issue at its index.
  public static func elements(allOf values: [Value.Element]) -> Rule {
    checkingEach("not-allowed", "allowed", values, wanting: true)
  }

  /// Kept by a collection with no element among these, or an empty one; each element among them has
  /// an issue at its index.
  public static func elements(noneOf values: [Value.Element]) -> Rule {
    checkingEach("forbidden", "forbidden", values, wanting: false)
  }

  /// Kept by a collection with an element that is among these; not by the empty one.
  public static func elements(anyOf values: [Value.Element]) -> Rule {
    Rule(code: "none-allowed", parameters: ["allowed": .list(values.map(Parameter.of))]) {
      has(elementOf: values, true, $0)
    }
  }

  /// Kept by a collection with an element that is not among these; not by the empty one.
  public static func elements(notAllOf values: [Value.Element]) -> Rule {
    Rule(code: "all-forbidden", parameters: ["forbidden": .list(values.map(Parameter.of))]) {
      has(elementOf: values, false, $0)
    }
  }

  private static func has(
    elementOf values: [Value.Element], _ isWanted: Bool, _ value: Value
  ) -> Bool {
    for element in array(value) where isMember(element, of: values) == isWanted { return true }
    return false
  }

  // Reading an array allocates nothing for its elements, unlike reading any collection.
  private static func array(_ value: Value) -> [Value.Element] {
    value as? [Value.Element] ?? Array(value)
  }

  // Without the static type of the elements, `contains` allocates for each of them.
  private static func isMember(_ element: Value.Element, of values: [Value.Element]) -> Bool {
    for other in values where other == element { return true }
    return false
  }

  private static func checkingEach(
    _ code: String, _ name: String, _ values: [Value.Element], wanting isWanted: Bool
  ) -> Rule {
    let issue = Issue(code, parameters: [name: .list(values.map(Parameter.of))])
    return Rule { value, findings in
      var outcome: Outcome = .passed
      var index = -1
      for element in array(value) {
        index += 1
        guard isMember(element, of: values) != isWanted else { continue }
        var issue = issue
        issue.path = IssuePath([.index(index)])
        outcome = findings.fail(issue)
        if findings.isEnough(after: outcome) { break }
      }
      return outcome
    }
  }
}
