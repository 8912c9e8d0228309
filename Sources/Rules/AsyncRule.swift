/// A rule that has to wait for its answer, such as one that asks a server or a database.
///
/// No synchronous check accepts it. Its parts are asked in order, so that a cheap local rule can spare an expensive
/// one (``stoppingAtFirst``).
public struct AsyncRule<Value>: Sendable {
  /// Inspects a value, adds its findings, and returns the outcome.
  public typealias Body = @Sendable (Value, inout Findings) async -> Outcome

  private let body: Body

  /// Creates a rule from a body that reports its own findings.
  public init(_ body: @escaping Body) {
    self.body = body
  }

  /// Creates a rule that is kept by the values that satisfy the predicate; see ``Rule``.
  public init(
    code: String, parameters: [String: Parameter] = [:], message: String? = nil,
    _ isSatisfied: @escaping @Sendable (Value) async -> Bool
  ) {
    let issue = Issue(code, parameters: parameters, wording: message)
    body = { value, findings in
      await isSatisfied(value) ? .passed : findings.fail(issue)
    }
  }

  /// Reports every way in which the value breaks the rule, or the first. The rule decides the
  /// result of a cancelled task.
  public func check(_ value: Value, _ mode: Findings.Mode = .all) async -> Report {
    var findings = Findings(mode: mode)
    let outcome = await body(value, &findings)
    return findings.report(outcome)
  }

  /// Applies the rule as a part of a larger check.
  public func apply(to value: Value, _ findings: inout Findings) async -> Outcome {
    await body(value, &findings)
  }
}

extension Rule {
  /// The same rule as an asynchronous one.
  public var async: AsyncRule<Value> {
    AsyncRule { value, findings in apply(to: value, &findings) }
  }
}

extension AsyncRule {
  /// Accepts a value that keeps every rule; asks one rule after the other.
  public static func all(_ rules: [AsyncRule]) -> AsyncRule {
    AsyncRule { value, findings in
      var outcome: Outcome = rules.isEmpty ? .passed : .skipped
      for rule in rules {
        outcome = outcome.and(await rule.apply(to: value, &findings))
        if findings.isEnough(after: outcome) { break }
      }
      return outcome
    }
  }

  /// Accepts a value that keeps every rule; asks one rule after the other.
  public static func all(_ rules: AsyncRule...) -> AsyncRule { all(rules) }

  /// Accepts a value that keeps one of the rules; stops at the first rule that is kept. An empty list accepts no
  /// value.
  public static func any(_ rules: [AsyncRule]) -> AsyncRule {
    AsyncRule { value, findings in
      var tried = Findings(mode: findings.mode)
      var outcome: Outcome = .skipped
      for rule in rules {
        outcome = outcome.or(await rule.apply(to: value, &tried))
        if outcome == .passed { return .passed }
      }
      if rules.isEmpty { return findings.fail(Issue("none-of-no-rules")) }
      // With an undecided alternative, the other failures decide nothing.
      let issues = outcome == .failed ? tried.issues : []
      return findings.add(Report(issues, omissions: tried.omissions, outcome: outcome))
    }
  }

  /// Accepts a value that keeps one of the rules; stops at the first rule that is kept.
  public static func any(_ rules: AsyncRule...) -> AsyncRule { any(rules) }

  /// Accepts a value that breaks the rule; has no verdict where that rule has none.
  public static func not(
    _ rule: AsyncRule, code: String = "must-not", parameters: [String: Parameter] = [:],
    message: String? = nil
  ) -> AsyncRule {
    let issue = Issue(code, parameters: parameters, wording: message)
    return AsyncRule { value, findings in
      var inner = Findings(mode: .first)
      let outcome = await rule.apply(to: value, &inner).negated
      switch outcome {
      case .passed: return .passed
      case .failed: return findings.fail(issue)
      case .skipped, .undecided:
        return findings.add(Report(omissions: inner.omissions, outcome: outcome))
      }
    }
  }

  /// The same rule for values for which the condition holds; skipped for all other values.
  public func when(
    _ reason: String = "its condition does not hold",
    _ condition: @escaping @Sendable (Value) -> Bool
  ) -> AsyncRule {
    AsyncRule { value, findings in
      condition(value) ? await apply(to: value, &findings) : findings.skip(reason)
    }
  }

  /// The same rule, ended by its first issue: later parts are not asked.
  public var stoppingAtFirst: AsyncRule {
    AsyncRule { value, findings in
      var inner = Findings(mode: .first)
      let outcome = await apply(to: value, &inner)
      return findings.add(inner.report(outcome))
    }
  }

  /// Accepts a value whose field keeps the rule; its findings lie inside `name`.
  public static func field<Field>(
    _ keyPath: any KeyPath<Value, Field> & Sendable, _ name: String, _ rule: AsyncRule<Field>
  ) -> AsyncRule {
    AsyncRule { value, findings in
      var inner = Findings(mode: findings.mode)
      let outcome = await rule.apply(to: value[keyPath: keyPath], &inner)
      inner.move(inside: { .field(name) }, from: 0, 0)
      return findings.add(inner.report(outcome))
    }
  }
}
