/// A rule that has to wait for its answer, such as one that asks a server or a database.
///
/// Usable only where awaiting is possible: no synchronous check accepts it. Its parts are asked in
/// order, so that a cheap local one can spare an expensive one (``stoppingAtFirst``).
public struct AsyncRule<Value>: Sendable {
  /// Inspects a value, adds its findings, and returns the outcome.
  public typealias Body = @Sendable (Value, inout Findings) async -> Outcome

  private let body: Body

  /// Creates a rule from a body that reports its own findings.
  public init(_ body: @escaping Body) {
    self.body = body
  }

  /// Creates a rule that values satisfying the predicate keep; see ``Rule``.
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
    return Report(findings.issues, omissions: findings.omissions, outcome: outcome)
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
