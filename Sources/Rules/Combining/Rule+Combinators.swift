extension Rule {
  /// Kept by every value.
  public static var pass: Rule { Rule { _, _ in .passed } }

  /// Kept by a value that keeps every rule; all issues are reported, in order. An empty list is
  /// kept by every value.
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

  /// Kept by a value that keeps every rule; all issues are reported, in order.
  public static func all(_ rules: Rule...) -> Rule { all(rules) }

  /// Kept by a value that keeps one of the rules; asks in order and stops at the first that is
  /// kept. When none is, the issues of all are reported; when one is undecided, there is no verdict
  /// and no issue. An empty list is kept by no value.
  public static func any(_ rules: [Rule]) -> Rule {
    Rule { value, findings in
      var tried = Findings(mode: findings.mode)
      var outcome: Outcome = .skipped
      for rule in rules {
        outcome = outcome.or(rule.apply(to: value, &tried))
        if outcome == .passed { return .passed }
      }
      if rules.isEmpty { return findings.fail(Issue("none-of-no-rules")) }
      // With an undecided alternative, the failures of the others decide nothing.
      let issues = outcome == .failed ? tried.issues : []
      return findings.add(Report(issues, omissions: tried.omissions, outcome: outcome))
    }
  }

  /// Kept by a value that keeps one of the rules; asks in order and stops at the first that is kept.
  public static func any(_ rules: Rule...) -> Rule { any(rules) }

  /// Kept by a value that breaks the rule; without a verdict where that rule has none.
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
}
