import Rules

struct Filled: RuleProvider {
  static let rule: Rule<String> = .notEmpty
}
