import Rules
import Testing

/// A rule with values to try it on, whatever their type.
struct RuleCase: Sendable, CustomTestStringConvertible {
  let name: String
  /// The codes of the issues that the rule can have.
  let codes: Set<String>
  /// The rule's results on each value, combined with rules of every outcome.
  let trials: [RuleTrial]
  private let runHuge: @Sendable () -> [Bool]

  var testDescription: String { name }

  init<Value: Sendable>(
    _ name: String, _ rule: Rule<Value>, codes: Set<String>, _ values: [Value], huge: [Value] = []
  ) {
    self.name = name
    self.codes = codes
    runHuge = { huge.map { rule.check($0).isValid == rule.isKept(by: $0) } }
    let others: [Rule<Value>] = [
      .pass, .not(.pass),
      Rule { _, findings in findings.skip("skipped") },
      Rule { _, findings in findings.leaveUndecided("undecided") },
    ]
    trials = values.flatMap { value in others.map { RuleTrial(rule, $0, value) } }
  }

  /// Whether the rule agrees with itself on values of great length.
  func hugeTrials() -> [Bool] { runHuge() }
}
