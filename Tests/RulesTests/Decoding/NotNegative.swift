import Rules

struct NotNegative: RuleProvider {
  static let rule: Rule<Int> = .atLeast(0)
}
