extension Rule {
  /// Applied only to values for which the condition holds; skipped for all others.
  public func when(
    _ reason: String = "its condition does not hold",
    _ condition: @escaping @Sendable (Value) -> Bool
  ) -> Rule {
    Rule { value, findings in
      condition(value) ? apply(to: value, &findings) : findings.skip(reason)
    }
  }

  /// The same rule, ended by its first issue whatever the mode of the check.
  public var stoppingAtFirst: Rule {
    Rule { value, findings in
      var inner = Findings(mode: .first)
      let outcome = apply(to: value, &inner)
      return findings.add(Report(inner.issues, omissions: inner.omissions, outcome: outcome))
    }
  }

  /// Skipped where there is no value.
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

  /// A rule for a value that may be absent: broken where there is none, with the issue `required`.
  public static func required<Wrapped>(_ rule: Rule<Wrapped>) -> Rule where Value == Wrapped? {
    rule.required
  }

  /// Broken where there is no value, with the issue `required`.
  public var required: Rule<Value?> {
    Rule<Value?> { value, findings in
      guard let value else { return findings.fail(Issue("required")) }
      return apply(to: value, &findings)
    }
  }
}
