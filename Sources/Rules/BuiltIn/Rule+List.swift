extension Rule where Value: Collection & SendableMetatype {
  /// Accepts a collection with elements.
  public static var notEmptyList: Rule { Rule(code: "empty") { !$0.isEmpty } }

  /// Accepts a collection without elements.
  public static var emptyList: Rule { Rule(code: "not-empty", \.isEmpty) }

  /// Accepts a collection of a number of elements in the range.
  public static func count(_ range: ClosedRange<Int>) -> Rule {
    .all(count(min: range.lowerBound), count(max: range.upperBound))
  }

  /// Accepts a collection of at least so many elements.
  public static func count(min: Int) -> Rule {
    Rule(code: "too-few", parameters: ["min": .integer(min)]) { $0.count >= min }
  }

  /// Accepts a collection of at most so many elements.
  public static func count(max: Int) -> Rule {
    Rule(code: "too-many", parameters: ["max": .integer(max)]) { $0.count <= max }
  }
}

extension Rule where Value: Collection & SendableMetatype, Value.Element: Hashable {
  /// Accepts a collection without duplicate elements; each duplicate has an issue at its index.
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

extension Rule
where
  Value: Collection & SendableMetatype,
  Value.Element: Equatable & Sendable & SendableMetatype
{
  /// Accepts a collection whose elements are all among these, also an empty one. Each other element has an issue at
  /// its index.
  public static func elements(allOf values: [Value.Element]) -> Rule {
    checkingEach("not-allowed", "allowed", values, wanting: true)
  }

  /// Accepts a collection with no element among these, also an empty one. Each element among them has an issue at
  /// its index.
  public static func elements(noneOf values: [Value.Element]) -> Rule {
    checkingEach("forbidden", "forbidden", values, wanting: false)
  }

  /// Accepts a collection with an element that is among these; not the empty one.
  public static func elements(anyOf values: [Value.Element]) -> Rule {
    Rule(code: "none-allowed", parameters: ["allowed": .list(values.map(Parameter.of))]) {
      has(elementOf: values, true, $0)
    }
  }

  /// Accepts a collection with an element that is not among these; not the empty one.
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

extension Rule {
  /// Accepts a value for which `isKnown` holds, such as a key of a collection at hand.
  ///
  /// - Parameter place: The place in which it must be known, in words.
  public static func existing(
    in place: String, _ isKnown: @escaping @Sendable (Value) -> Bool
  ) -> Rule {
    Rule(code: "unknown", parameters: ["place": .text(place)], isKnown)
  }

  /// Accepts a value for which `isKnown` does not hold yet.
  ///
  /// - Parameter place: The place in which it must not be known, in words.
  public static func unique(
    in place: String, _ isKnown: @escaping @Sendable (Value) -> Bool
  ) -> Rule {
    Rule(code: "already-known", parameters: ["place": .text(place)]) { !isKnown($0) }
  }
}

extension AsyncRule {
  /// Accepts a value for which `isKnown` holds elsewhere, such as in a collection of a store.
  ///
  /// When the look-up fails, the outcome is ``Outcome/undecided`` with the error as its reason. A stricter caller
  /// checks the report's outcome.
  public static func existing(
    in place: String, _ isKnown: @escaping @Sendable (Value) async throws -> Bool
  ) -> AsyncRule {
    lookingUp(Issue("unknown", parameters: ["place": .text(place)]), isKnown)
  }

  /// Accepts a value for which `isKnown` does not hold yet; undecided when the look-up fails. Another writer may
  /// come between the check and the write, so give the storage a constraint of its own where that matters.
  public static func unique(
    in place: String, _ isKnown: @escaping @Sendable (Value) async throws -> Bool
  ) -> AsyncRule {
    lookingUp(Issue("already-known", parameters: ["place": .text(place)])) {
      try await !isKnown($0)
    }
  }

  static func lookingUp(
    _ issue: Issue, _ isKept: @escaping @Sendable (Value) async throws -> Bool
  ) -> AsyncRule {
    AsyncRule { value, findings in
      do {
        return try await isKept(value) ? .passed : findings.fail(issue)
      } catch {
        return findings.leaveUndecided("the look-up failed: \(error)")
      }
    }
  }
}

extension AsyncRule<String> {
  /// Accepts an e-mail address whose domain, the part after its last `@`, receives mail.
  ///
  /// It asks no name server by itself: `resolves` does, and returns the answer. The rule is undecided when
  /// `resolves` throws. ``Rule/email(_:international:)`` checks the form of the address.
  public static func emailDomain(
    _ resolves: @escaping @Sendable (_ domain: String) async throws -> Bool
  ) -> AsyncRule {
    lookingUp(Issue("unknown-domain")) { address in
      guard let at = address.lastIndex(of: "@") else { return false }
      return try await resolves(String(address[address.index(after: at)...]))
    }
  }
}
