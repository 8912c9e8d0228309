/// A condition that a value must satisfy to be accepted.
///
/// A rule is pure, total and quick: it looks at the value and nothing else, answers for every value,
/// and does not wait; an ``AsyncRule`` may. Rules are values: define them once, combine them freely.
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

  /// Creates a rule that values satisfying the predicate keep.
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
    return Report(findings.issues, omissions: findings.omissions, outcome: outcome)
  }

  /// True when the value keeps the rule, or the rule has no verdict on it.
  public func isKept(by value: Value) -> Bool { check(value, .first).isValid }

  /// Applies the rule as a part of a larger check.
  @inline(__always)
  public func apply(to value: Value, _ findings: inout Findings) -> Outcome {
    body(value, &findings)
  }
}
