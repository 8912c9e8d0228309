/// A condition that an accepted value satisfies.
///
/// A rule is pure, total and quick: it looks only at the value, answers for every value, and does not wait. An
/// ``AsyncRule`` may wait. Rules are values: define them once, combine them freely.
///
/// Cost of a check: its closures, and no allocation while the value keeps its rules.
public struct Rule<Value>: Sendable {
  /// Inspects a value, adds its findings, and returns the outcome.
  public typealias Body = @Sendable (Value, inout Findings) -> Outcome

  private let body: Body

  /// Creates a rule from a body that reports its own findings, for special cases.
  public init(_ body: @escaping Body) {
    self.body = body
  }

  /// Creates a rule that is kept by the values that satisfy the predicate.
  ///
  /// - Parameters:
  ///   - code: The issue's name for machines.
  ///   - parameters: The figures that belong to it.
  ///   - message: Its words, which replace the catalogue's.
  public init(
    code: String, parameters: [String: Parameter] = [:], message: String? = nil,
    _ isSatisfied: @escaping @Sendable (Value) -> Bool
  ) {
    let issue = Issue(code, parameters: parameters, wording: message)
    body = { value, findings in isSatisfied(value) ? .passed : findings.fail(issue) }
  }

  /// Reports every way in which the value breaks the rule, or the first.
  public func check(_ value: Value, _ mode: Findings.Mode = .all) -> Report {
    var findings = Findings(mode: mode)
    let outcome = body(value, &findings)
    return findings.report(outcome)
  }

  /// True when the value keeps the rule, or the rule has no verdict on it.
  public func isKept(by value: Value) -> Bool { check(value, .first).isValid }

  /// Applies the rule as a part of a larger check.
  @inline(__always)
  public func apply(to value: Value, _ findings: inout Findings) -> Outcome {
    body(value, &findings)
  }

  /// Accepts every value.
  public static var pass: Rule { Rule { _, _ in .passed } }

  /// Accepts a value that keeps every rule; all issues are reported, in order. An empty list accepts every value.
  public static func all(_ rules: [Rule]) -> Rule {
    Rule { value, findings in
      var outcome: Outcome = rules.isEmpty ? .passed : .skipped
      for rule in rules {
        outcome = outcome.and(rule.apply(to: value, &findings))
        if findings.isEnough(after: outcome) { break }
      }
      return outcome
    }
  }

  /// Accepts a value that keeps every rule; all issues are reported, in order.
  public static func all(_ rules: Rule...) -> Rule { all(rules) }

  /// Accepts a value that keeps one of the rules; asks in order and stops at the first rule that is kept. When none
  /// is kept, the issues of all are reported. When one is undecided, there is no verdict and no issue. An empty
  /// list accepts no value.
  public static func any(_ rules: [Rule]) -> Rule {
    Rule { value, findings in
      var tried = Findings(mode: findings.mode)
      var outcome: Outcome = .skipped
      for rule in rules {
        outcome = outcome.or(rule.apply(to: value, &tried))
        if outcome == .passed { return .passed }
      }
      if rules.isEmpty { return findings.fail(Issue("none-of-no-rules")) }
      // With an undecided alternative, the other failures decide nothing.
      let issues = outcome == .failed ? tried.issues : []
      return findings.add(Report(issues, omissions: tried.omissions, outcome: outcome))
    }
  }

  /// Accepts a value that keeps one of the rules; asks in order and stops at the first rule that is kept.
  public static func any(_ rules: Rule...) -> Rule { any(rules) }

  /// Accepts a value that breaks the rule; has no verdict where that rule has none.
  public static func not(
    _ rule: Rule, code: String = "must-not", parameters: [String: Parameter] = [:],
    message: String? = nil
  ) -> Rule {
    let issue = Issue(code, parameters: parameters, wording: message)
    return Rule { value, findings in
      var inner = Findings(mode: .first)
      let outcome = rule.apply(to: value, &inner).negated
      switch outcome {
      case .passed: return .passed
      case .failed: return findings.fail(issue)
      case .skipped, .undecided:
        return findings.add(Report(omissions: inner.omissions, outcome: outcome))
      }
    }
  }

  /// ``all(_:)-([Rule<Value>])`` of two.
  public static func && (left: Rule, right: Rule) -> Rule { all(left, right) }

  /// ``any(_:)-([Rule<Value>])`` of two.
  public static func || (left: Rule, right: Rule) -> Rule { any(left, right) }

  /// ``not(_:code:parameters:message:)`` with the plain issue `must-not`.
  public static prefix func ! (rule: Rule) -> Rule { not(rule) }

  /// The same rule for values for which the condition holds; skipped for all other values.
  public func when(
    _ reason: String = "its condition does not hold",
    _ condition: @escaping @Sendable (Value) -> Bool
  ) -> Rule {
    Rule { value, findings in
      condition(value) ? apply(to: value, &findings) : findings.skip(reason)
    }
  }

  /// The same rule, ended by its first issue in every mode of the check.
  public var stoppingAtFirst: Rule {
    Rule { value, findings in
      var inner = Findings(mode: .first)
      let outcome = apply(to: value, &inner)
      return findings.add(inner.report(outcome))
    }
  }

  /// The same rule for a value that may be absent: skipped where there is none.
  public var ifPresent: Rule<Value?> {
    Rule<Value?> { value, findings in
      guard let value else { return findings.skip("there is no value") }
      return apply(to: value, &findings)
    }
  }

  /// A rule for a value that may be absent: skipped where there is none.
  public static func ifPresent<Wrapped>(_ rule: Rule<Wrapped>) -> Rule where Value == Wrapped? {
    rule.ifPresent
  }

  /// A rule for a value that may be absent: an absent value breaks it, with the issue `required`.
  public static func required<Wrapped>(_ rule: Rule<Wrapped>) -> Rule where Value == Wrapped? {
    rule.required
  }

  /// The same rule for a value that may be absent: an absent value breaks it, with the issue `required`.
  public var required: Rule<Value?> {
    Rule<Value?> { value, findings in
      guard let value else { return findings.fail(Issue("required")) }
      return apply(to: value, &findings)
    }
  }

  /// Accepts a value whose field keeps the rule; its findings lie inside `name`.
  public static func field<Field>(
    _ keyPath: any KeyPath<Value, Field> & Sendable, _ name: String, _ rule: Rule<Field>
  ) -> Rule {
    Rule { value, findings in
      findings.check(value[keyPath: keyPath], at: .field(name), rule)
    }
  }

  /// Accepts a value whose field keeps the rule, or has no value; its findings lie inside `name`.
  public static func field<Field>(
    _ keyPath: any KeyPath<Value, Field?> & Sendable, _ name: String, _ rule: Rule<Field>
  ) -> Rule {
    field(keyPath, name, rule.ifPresent)
  }

  /// Accepts a list whose elements all keep the rule; findings lie inside the element's index.
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

  /// Accepts a dictionary whose values all keep the rule; checks in the order of the keys.
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

  /// The same rule, with its issues as advice only.
  public var advised: Rule { changing { $0.severity = .should } }

  /// The same rule, with other words for its issues; `{placeholders}` name their parameters.
  public func message(_ wording: String) -> Rule { changing { $0.wording = wording } }

  /// The same rule, with words for each issue from a closure: for translations, and for words that depend on a
  /// figure. `{placeholders}` in the words name the issue's parameters.
  public func message(_ words: @escaping @Sendable (Issue) -> String) -> Rule {
    changing { $0.wording = words($0) }
  }

  /// The same rule, whose issues carry the value as the parameter `value`, for `{value}` in messages. For values
  /// that are not secret, because messages end up in logs.
  public var showingValue: Rule {
    Rule { value, findings in
      let first = findings.issues.count
      let outcome = apply(to: value, &findings)
      findings.change(from: first, findings.omissions.count) { issue in
        if issue.parameters["value"] == nil { issue.parameters["value"] = .of(value) }
      }
      return outcome
    }
  }

  /// The same rule with a name. Its issues and omissions carry the name unless they have one.
  public func named(_ name: String) -> Rule {
    Rule { value, findings in
      let (firstIssue, firstOmission) = (findings.issues.count, findings.omissions.count)
      let outcome = apply(to: value, &findings)
      findings.change(from: firstIssue, firstOmission) {
        if $0.rule == nil { $0.rule = name }
      } omission: {
        if $0.rule == nil { $0.rule = name }
      }
      return outcome
    }
  }

  private func changing(_ change: @escaping @Sendable (inout Issue) -> Void) -> Rule {
    Rule { value, findings in
      let first = findings.issues.count
      let outcome = apply(to: value, &findings)
      findings.change(from: first, findings.omissions.count, issue: change)
      return outcome
    }
  }
}
