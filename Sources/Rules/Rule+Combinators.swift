extension Rule {
  /// Kept by a value that keeps every rule; reports the issues of all of them, in order. No rules
  /// are kept by every value.
  public static func all(_ rules: [Rule]) -> Rule {
    Rule { value in Report(rules.flatMap { $0.check(value).issues }) }
  }

  /// Kept by a value that keeps every rule; reports the issues of all of them, in order.
  public static func all(_ rules: Rule...) -> Rule {
    all(rules)
  }

  /// Kept by a value that keeps one of the rules; asks in order and stops at the first that is
  /// kept. Reports the issues of all when none is.
  public static func any(_ first: Rule, _ others: Rule...) -> Rule {
    Rule { value in
      var issues: [Issue] = []
      for rule in [first] + others {
        let report = rule.check(value)
        if report.isValid { return .valid }
        issues += report.issues
      }
      return Report(issues)
    }
  }

  /// Kept by a value that breaks the rule.
  public static func not(
    _ rule: Rule, code: String, message: String, path: String? = nil
  ) -> Rule {
    Rule(code: code, message: message, path: path) { !rule.check($0).isValid }
  }

  /// Kept by a value whose field keeps the rule; the issues' paths begin with `name`.
  public static func field<Field>(
    _ keyPath: any KeyPath<Value, Field> & Sendable, _ name: String, _ rule: Rule<Field>
  ) -> Rule {
    Rule { value in
      Report(rule.check(value[keyPath: keyPath]).issues.map { $0.inside(name) })
    }
  }
}
